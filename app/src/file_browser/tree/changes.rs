//! What is done to files of the tree: they are deleted, moved and copied, and that is taken back.

use super::{Told, Tree, above};
use crate::AppError;
use crate::file_browser::words::leaving_words;
use crate::files::api::{copy_chosen, delete_chosen, files_leaving_bin, move_chosen, undo_change};
use crate::prelude::*;
use crate::ui::grouped;
use leptos::task::spawn_local;
use protocol::files::FilesChange;
use protocol::{FailureKind, FolderId};
use std::collections::BTreeSet;

impl Tree {
    /// Deletes what has room in the bin, and asks first where others would leave it for good.
    pub(in crate::file_browser) fn delete(self, names: Vec<String>) {
        let (id, (files, bytes)) = (self.id(), self.measure(&names));
        spawn_local(async move {
            match files_leaving_bin(id.into(), files, bytes).await {
                Ok(0) => self.delete_surely(names, false),
                Ok(leaving) => self.tell(Told::Asks(leaving_words(leaving), names)),
                Err(error) => self.tell(Told::Failed(error.0)),
            }
        });
    }

    pub(in crate::file_browser) fn delete_surely(self, names: Vec<String>, is_sure: bool) {
        let Some(id) = self.folder.try_with_value(|folder| folder.id.clone()) else { return };
        spawn_local(async move {
            match delete_chosen(id.into(), names.clone(), is_sure).await {
                Err(AppError(failure)) if failure.kind == FailureKind::Conflict && !is_sure => {
                    self.look().await;
                    let there = self.there().unwrap_or_default();
                    // Nobody is asked of what somebody else took away meanwhile.
                    self.tell(match names.iter().all(|name| there.contains(name)) {
                        true => Told::Asks(failure.message, names),
                        false => Told::Failed(failure),
                    });
                }
                outcome => {
                    self.end(outcome, |change| {
                        let count = grouped(change.files);
                        plural!(change.files, "{count} file is in the bin.", "{count} files are in the bin.")
                    });
                }
            }
        });
    }

    /// How many files these are, folders as a whole, and their bytes.
    fn measure(self, names: &[String]) -> (u64, u64) {
        let sizes = names.iter().map(|name| match name.strip_suffix('/') {
            Some(folder) => self.levels.with_untracked(|levels| {
                let folder = levels.get(above(folder)).and_then(|level| level.folders.get(folder));
                folder.map_or((0, 0), |folder| (folder.files, folder.size))
            }),
            None => self.levels.with_untracked(|levels| {
                let level = levels.get(self.level_of(name).as_str());
                level.and_then(|level| level.files.get(name)).map_or((0, 0), |file| (1, file.size))
            }),
        });
        sizes.fold((0, 0), |(files, bytes), (more, size)| (files + more, bytes + size))
    }

    pub(in crate::file_browser) fn bring(self, names: Vec<String>, into: String, name: String) {
        let (id, to, called) = (self.id(), in_words(&into), name.clone());
        let words = move |change: &FilesChange| match called.as_str() {
            "" => {
                let count = grouped(change.files);
                plural!(change.files, "{count} file is in {to} now.", "{count} files are in {to} now.")
            }
            called => say!("It is called {called} now."),
        };
        self.act(async move { move_chosen(id.into(), names, into, name).await }, words);
    }

    pub(in crate::file_browser) fn copy(self, names: Vec<String>, to: FolderId, into: String, whose: String) {
        let (id, place) = (self.id(), in_words(&into));
        self.act(async move { copy_chosen(id.into(), names, to, into).await }, move |change| {
            let count = grouped(change.files);
            plural!(
                change.files,
                "{count} file is in {place} of {whose} as well.",
                "{count} files are in {place} of {whose} as well."
            )
        });
    }

    pub(in crate::file_browser) fn undo(self, change: FilesChange) {
        spawn_local(async move {
            match undo_change(change.folder.into(), change.at).await {
                Ok(undone) => {
                    let words = match undone.left {
                        0 => t("It was taken back.").to_owned(),
                        left => plural!(
                            left,
                            "It was taken back. {count} file is not as before: there is no room, what was is not kept, or something else is there.",
                            "It was taken back. {count} files are not as before: there is no room, what was is not kept, or something else is there.",
                            count = grouped(left)
                        ),
                    };
                    self.tell(Told::Done(words, None));
                }
                Err(error) => self.tell(Told::Failed(error.0)),
            }
            self.look_again();
        });
    }

    fn act(
        self,
        call: impl Future<Output = Result<FilesChange, AppError>> + 'static,
        words: impl Fn(&FilesChange) -> String + 'static,
    ) {
        spawn_local(async move { self.end(call.await, words) });
    }

    fn end(self, outcome: Result<FilesChange, AppError>, words: impl Fn(&FilesChange) -> String) {
        match outcome {
            Ok(change) => {
                let _ = self.chosen.try_update(BTreeSet::clear);
                let words = words(&change);
                // Folders with nothing in them leave nothing that could come back.
                self.tell(Told::Done(words, Some(change).filter(|change| change.files > 0)));
            }
            Err(error) => self.tell(Told::Failed(error.0)),
        }
        self.look_again();
    }
}

fn in_words(folder: &str) -> String {
    if folder.is_empty() { t("the outermost folder").to_owned() } else { folder.to_owned() }
}
