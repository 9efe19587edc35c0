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

/// What becomes of `AGENTS.md`, of an agent of this name.
pub(super) fn agents_md_words(author: Option<&FileAuthor>, agent: &str) -> String {
    match author {
        Some(FileAuthor::Person) => {
            format!("This file stands in {agent}\u{2019}s prompt, since you wrote it last.")
        }
        Some(FileAuthor::Agent { .. } | FileAuthor::Archive) | None => {
            format!(
                "{agent} is not told of this file by itself, since you did not write it last. Look through it, and upload it yourself or restore a version to have it read."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_person_wrote_is_told_by_itself() {
        for (author, is_told) in
            [(Some(FileAuthor::Person), true), (Some(FileAuthor::Archive), false), (None, false)]
        {
            let words = agents_md_words(author.as_ref(), "Ada");
            assert_eq!(words.contains("stands in Ada\u{2019}s prompt"), is_told, "{words}");
        }
    }

    #[test]
    fn a_size_is_told_in_its_unit() {
        for (bytes, words) in
            [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_001, "2 KB"), (1_250_000, "1.2 MB")]
        {
            assert_eq!(size(bytes), words);
        }
    }
}
