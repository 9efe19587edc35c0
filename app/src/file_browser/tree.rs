//! What is shown of a folder of files: which folders stand open, what is in them as far as it was fetched, what is
//! chosen, and what was done last. It outlives what happens to the files: a folder that stands open stays open.

mod changes;
mod levels;

use crate::AppError;
use crate::files::api::{get_folder_part, list_files};
use crate::prelude::*;
use leptos::task::spawn_local;
use levels::{Level, lines};
use protocol::files::{FileView, FilesChange, FolderPart, FolderView, SubFolder};
use protocol::{Failure, FolderId};
use std::collections::{BTreeMap, BTreeSet};

/// Files and folders of one folder that are fetched at once.
pub(super) const PART: usize = 300;
/// The most that are fetched again of one folder.
const MOST_ROWS: usize = 1_000;

/// A line of the tree. A folder is named with a `/` at its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) depth: usize,
    pub(super) kind: RowKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RowKind {
    Folder,
    File,
    /// There is more in the folder.
    More,
}

/// What was done last.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Told {
    Going(String),
    /// With what takes it back.
    Done(String, Option<FilesChange>),
    Failed(Failure),
    /// Whether these are to be deleted all the same, and why that is asked.
    Asks(String, Vec<String>),
}

#[derive(Clone, Copy)]
pub(super) struct Tree {
    pub(super) folder: StoredValue<FolderView>,
    /// The folder that is shown, without a `/` at its end. Empty: the outermost.
    pub(super) base: StoredValue<String>,
    /// What was looked for: then files of all folders stand one below the other.
    pub(super) find: StoredValue<String>,
    levels: RwSignal<BTreeMap<String, Level>>,
    open: RwSignal<BTreeSet<String>>,
    pub(super) chosen: RwSignal<BTreeSet<String>>,
    /// The line that the keyboard is at.
    pub(super) current: RwSignal<String>,
    /// Says that what is chosen alone is to get another name.
    pub(super) renaming: RwSignal<()>,
    /// What of the tree is being dragged.
    pub(super) dragged: RwSignal<Vec<String>>,
    /// The folder over which something is dragged.
    pub(super) over: RwSignal<Option<String>>,
    pub(super) told: RwSignal<Option<Told>>,
    /// Counts how often it was looked again, for what stands beside the tree.
    pub(super) looked: RwSignal<u32>,
}

impl Tree {
    pub(super) fn new(folder: FolderView, base: String, find: String, part: FolderPart) -> Self {
        let mut level = Level::default();
        level.take(part);
        Self {
            folder: StoredValue::new(folder),
            base: StoredValue::new(base.clone()),
            find: StoredValue::new(find),
            levels: RwSignal::new(BTreeMap::from([(base, level)])),
            open: RwSignal::default(),
            chosen: RwSignal::default(),
            current: RwSignal::default(),
            renaming: RwSignal::new(()),
            dragged: RwSignal::default(),
            over: RwSignal::default(),
            told: RwSignal::default(),
            looked: RwSignal::new(0),
        }
    }

    pub(super) fn id(self) -> FolderId {
        self.folder.with_value(|folder| folder.id.clone())
    }

    pub(super) fn is_found(self) -> bool {
        self.find.with_value(|find| !find.is_empty())
    }

    pub(super) fn rows(self) -> Vec<Row> {
        let mut rows = Vec::new();
        self.levels.with(|levels| {
            self.open.with(|open| {
                self.base.with_value(|base| lines(levels, open, base, 0, &mut rows));
            });
        });
        rows
    }

    pub(super) fn file(self, path: &str) -> Option<FileView> {
        self.levels.with(|levels| levels.get(self.level_of(path).as_str())?.files.get(path).cloned())
    }

    pub(super) fn sub_folder(self, path: &str) -> Option<SubFolder> {
        self.levels.with(|levels| levels.get(above(path))?.folders.get(path).cloned())
    }

    /// All files that were found stand at one level.
    fn level_of(self, path: &str) -> String {
        if self.is_found() { self.base.get_value() } else { above(path).to_owned() }
    }

    pub(super) fn is_open(self, path: &str) -> bool {
        self.open.with(|open| open.contains(path))
    }

    /// The same, for what happens once.
    pub(super) fn open_now(self, path: &str) -> bool {
        self.open.with_untracked(|open| open.contains(path))
    }

    /// Folders that are known, for who moves something.
    pub(super) fn known(self) -> Vec<String> {
        self.levels.with(|levels| levels.values().flat_map(|level| level.folders.keys().cloned()).collect())
    }

    /// Where more of what is shown begins, by what the address says.
    pub(super) fn next(self) -> Option<String> {
        self.levels.with(|levels| self.base.with_value(|base| levels.get(base)?.next.clone()))
    }

    pub(super) fn toggle(self, path: &str) {
        let was_open = self.open.try_update(|open| !open.insert(path.to_owned())).unwrap_or_default();
        if was_open {
            self.open.update(|open| {
                open.remove(path);
            });
            // What nobody sees any more is not chosen any more.
            let below = format!("{path}/");
            self.keep_chosen(|name| *name == below || !name.starts_with(&below));
        } else {
            self.fetch(path.to_owned(), false);
        }
    }

    /// Fetches what is in a folder, or more of it.
    pub(super) fn fetch(self, within: String, goes_on: bool) {
        let after = self.after(&within).filter(|_| goes_on);
        spawn_local(async move {
            match self.part(&within, after, PART).await {
                Ok(part) => {
                    let _ = self.levels.try_update(|levels| {
                        let level = levels.entry(within).or_default();
                        if !goes_on {
                            *level = Level::default();
                        }
                        level.take(part);
                    });
                }
                Err(error) => self.tell(Told::Failed(error.0)),
            }
        });
    }

    fn after(self, within: &str) -> Option<String> {
        self.levels.with_untracked(|levels| levels.get(within)?.next.clone())
    }

    /// Fetches everything that is shown again.
    pub(super) fn look_again(self) {
        spawn_local(self.look());
    }

    async fn look(self) {
        let Some(base) = self.base.try_get_value() else { return };
        let Some(shown) = self.open.try_get_untracked() else { return };
        for within in std::iter::once(base).chain(shown) {
            let Some(had) =
                self.levels.try_with_untracked(|levels| levels.get(&within).map_or(0, Level::len))
            else {
                return;
            };
            let Ok(part) = self.part(&within, None, had.clamp(PART, MOST_ROWS)).await else { continue };
            let is_gone = part.folders.is_empty() && part.files.is_empty();
            let _ = self.levels.try_update(|levels| {
                let mut level = Level::default();
                level.take(part);
                levels.insert(within.clone(), level);
            });
            if is_gone {
                let _ = self.open.try_update(|open| open.remove(&within));
            }
        }
        self.forget_gone();
        let _ = self.looked.try_update(|looked| *looked += 1);
    }

    async fn part(self, within: &str, after: Option<String>, most: usize) -> Result<FolderPart, AppError> {
        let (Some(id), Some(find)) =
            (self.folder.try_with_value(|folder| folder.id.clone()), self.find.try_get_value())
        else {
            return Ok(FolderPart::default());
        };
        if find.is_empty() {
            return get_folder_part(id.into(), Some(within.to_owned()), after, Some(most)).await;
        }
        found(id, after, find, most).await
    }

    /// The names of all that was fetched.
    fn there(self) -> Option<BTreeSet<String>> {
        self.levels.try_with_untracked(|levels| {
            let folders =
                levels.values().flat_map(|level| level.folders.keys().map(|path| format!("{path}/")));
            folders.chain(levels.values().flat_map(|level| level.files.keys().cloned())).collect()
        })
    }

    /// What is not there any more is not chosen any more.
    fn forget_gone(self) {
        let Some(there) = self.there() else { return };
        self.keep_chosen(|name| there.contains(name));
    }

    /// Chooses no more than these of what is chosen, and tells nobody where that changes nothing.
    fn keep_chosen(self, stays: impl Fn(&String) -> bool) {
        let is_other = self.chosen.try_with_untracked(|chosen| !chosen.iter().all(&stays));
        if is_other == Some(true) {
            let _ = self.chosen.try_update(|chosen| chosen.retain(&stays));
        }
    }

    pub(super) fn tell(self, told: Told) {
        let _ = self.told.try_set(Some(told));
    }

    pub(super) fn choose(self, name: &str, is_chosen: bool) {
        self.chosen.update(|chosen| {
            if is_chosen {
                chosen.insert(name.to_owned());
            } else {
                chosen.remove(name);
            }
        });
    }

    /// What is chosen at this moment.
    pub(super) fn chosen_now(self) -> Vec<String> {
        self.chosen.with_untracked(|chosen| chosen.iter().cloned().collect())
    }

    /// What is chosen, or if nothing is, what the keyboard is at.
    pub(super) fn meant(self) -> Vec<String> {
        let chosen = self.chosen_now();
        match chosen.is_empty() {
            true => Some(self.current.get_untracked()).filter(|name| !name.is_empty()).into_iter().collect(),
            false => chosen,
        }
    }
}

/// Files in whose paths something stands, and behind which there are more.
pub(super) async fn found(
    id: FolderId,
    after: Option<String>,
    find: String,
    most: usize,
) -> Result<FolderPart, AppError> {
    // One more than is shown says whether there is more, and an answer has no more than so many.
    let most = most.min(MOST_ROWS - 1);
    let mut files = list_files(id.into(), after, Some(find), Some(most + 1)).await?;
    let is_more = files.len() > most;
    files.truncate(most);
    let next = files.last().filter(|_| is_more).map(|last| last.path.clone());
    Ok(FolderPart { files, next, ..FolderPart::default() })
}

/// The folder in which something is.
pub(super) fn above(path: &str) -> &str {
    path.trim_end_matches('/').rsplit_once('/').map_or("", |(above, _)| above)
}

/// The last part of a path.
pub(super) fn own_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
