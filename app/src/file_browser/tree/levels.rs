//! What is in folders as far as it was fetched, and the lines that it makes.

use super::{Row, RowKind};
use protocol::files::{FileView, FolderPart, SubFolder};
use std::collections::{BTreeMap, BTreeSet};

/// What is in a folder, by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Level {
    pub(super) folders: BTreeMap<String, SubFolder>,
    pub(super) files: BTreeMap<String, FileView>,
    pub(super) next: Option<String>,
}

impl Level {
    pub(super) fn take(&mut self, part: FolderPart) {
        self.folders.extend(part.folders.into_iter().map(|folder| (folder.path.clone(), folder)));
        self.files.extend(part.files.into_iter().map(|file| (file.path.clone(), file)));
        self.next = part.next;
    }

    pub(super) fn len(&self) -> usize {
        self.folders.len() + self.files.len()
    }
}

pub(super) fn lines(
    levels: &BTreeMap<String, Level>,
    open: &BTreeSet<String>,
    within: &str,
    depth: usize,
    rows: &mut Vec<Row>,
) {
    let Some(level) = levels.get(within) else { return };
    for path in level.folders.keys() {
        rows.push(Row { name: format!("{path}/"), depth, kind: RowKind::Folder });
        if open.contains(path) {
            lines(levels, open, path, depth + 1, rows);
        }
    }
    rows.extend(level.files.keys().map(|path| Row { name: path.clone(), depth, kind: RowKind::File }));
    // More of the outermost stands below the tree.
    if depth > 0 && level.next.is_some() {
        rows.push(Row { name: within.to_owned(), depth, kind: RowKind::More });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_stands_open_shows_what_is_in_it_and_whether_there_is_more() {
        let folder = |path: &str| SubFolder { path: path.to_owned(), files: 1, size: 1, at: 0 };
        let file = |path: &str| FileView {
            path: path.to_owned(),
            size: 1,
            at: 0,
            version: 1,
            author: None,
            untrusted: false,
            url: String::new(),
        };
        let level = |folders: &[&str], files: &[&str], next: Option<&str>| {
            let mut level = Level::default();
            level.take(FolderPart {
                folders: folders.iter().copied().map(folder).collect(),
                files: files.iter().copied().map(file).collect(),
                next: next.map(str::to_owned),
            });
            level
        };
        let levels = BTreeMap::from([
            (String::new(), level(&["b", "c"], &["a"], Some("a"))),
            ("b".to_owned(), level(&["b/d"], &["b/e"], Some("b/e"))),
        ]);
        let shown = |open: &[&str]| {
            let open = open.iter().map(|path| (*path).to_owned()).collect();
            let mut rows = Vec::new();
            lines(&levels, &open, "", 0, &mut rows);
            rows.into_iter().map(|row| format!("{}{}", ".".repeat(row.depth), row.name)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[]), ["b/", "c/", "a"]);
        assert_eq!(shown(&["b", "b/d"]), ["b/", ".b/d/", ".b/e", ".b", "c/", "a"]);
    }
}
