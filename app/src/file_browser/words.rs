//! How a file is told of.

use protocol::files::FileAuthor;

pub(super) fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// Who wrote it, of an agent of this name.
pub(super) fn author(author: Option<&FileAuthor>, agent: &str) -> String {
    match author {
        Some(FileAuthor::Person) => "You".to_owned(),
        Some(FileAuthor::Agent { .. }) => agent.to_owned(),
        Some(FileAuthor::Archive) => "Came along".to_owned(),
        None => "Not known".to_owned(),
    }
}

/// The same within a sentence, before when that was.
pub(super) fn written_by(author: Option<&FileAuthor>, agent: &str) -> String {
    match author {
        Some(FileAuthor::Person) => "written by you".to_owned(),
        Some(FileAuthor::Agent { .. }) => format!("written by {agent}"),
        Some(FileAuthor::Archive) => "came along".to_owned(),
        None => "written".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_told_in_its_unit() {
        for (bytes, words) in
            [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_001, "2 KB"), (1_250_000, "1.2 MB")]
        {
            assert_eq!(size(bytes), words);
        }
    }
}
