//! Where files are, and how large.

use crate::prelude::{plural, say};
use leptos_router::location::Url;
use protocol::FolderId;
use protocol::files::{FolderKind, FolderView};

/// The page of a folder.
pub fn folder_address(folder: &FolderView) -> String {
    address_of(&folder.id, folder.kind)
}

/// The page of one file.
pub fn address(folder: &FolderId, kind: FolderKind, path: &str) -> String {
    format!("{}/view?path={}", address_of(folder, kind), Url::escape(path))
}

/// The page of what is in a folder of it.
pub fn part_address(folder: &FolderView, within: &str) -> String {
    match within {
        "" => folder_address(folder),
        within => format!("{}?in={}", folder_address(folder), Url::escape(within)),
    }
}

/// Saves these: files, and folders with a `/` at their ends.
pub fn download_address(folder: &FolderId, names: &[String]) -> String {
    let paths: Vec<String> = names.iter().map(|name| format!("path={}", Url::escape(name))).collect();
    format!("/folders/{folder}/download?{}", paths.join("&"))
}

/// A page of a PDF as it looks. With the version, a browser asks again when the file is another.
pub fn page_address(folder: &FolderId, path: &str, number: u32, version: u64) -> String {
    format!("/folders/{folder}/page?path={}&number={number}&version={version}", Url::escape(path))
}

fn address_of(folder: &FolderId, kind: FolderKind) -> String {
    match kind {
        FolderKind::Agent => format!("/agents/{folder}/files"),
        FolderKind::Workspace => format!("/workspaces/{folder}/files"),
    }
}

pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => plural!(bytes, "{bytes} byte", "{bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => say!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_whole_in_an_address() {
        for (kind, expected) in [
            (FolderKind::Agent, "/agents/fern/files/view?path=a%20b%2F%C3%A4%26c%2Etxt"),
            (FolderKind::Workspace, "/workspaces/fern/files/view?path=a%20b%2F%C3%A4%26c%2Etxt"),
        ] {
            assert_eq!(address(&FolderId("fern".to_owned()), kind, "a b/ä&c.txt"), expected);
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
