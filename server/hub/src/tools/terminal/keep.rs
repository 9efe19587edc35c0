//! What a command changed becomes part of the agent's files.

use crate::files::{self, Changing, FilePath, Mount, NewFile, Written, parts};
use crate::gateway::Beginner;
use crate::terminal::{Change, FolderChange, Left, LeftRoom};
use crate::tools::ToolError;
use crate::tools::files::{folder_of, written_by};
use protocol::{CallId, FolderId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Files of each kind that are named.
const NAMED: usize = 15;

/// What of a room became part of the agent's files.
#[derive(Default)]
pub(super) struct Kept {
    changed: Vec<Value>,
    deleted: Vec<String>,
    not_kept: Vec<Value>,
    not_named: usize,
}

/// The same, with what is not different any more.
#[derive(Default)]
pub(super) struct AllKept {
    pub(super) told: Kept,
    /// Files by path, with the digest of what is in them. None: deleted.
    pub(super) files: BTreeMap<Mount, Vec<(FilePath, Option<String>)>>,
}

/// In whose name and by which call what a command changed is kept.
pub(super) struct Keeper {
    pub(super) beginner: Beginner,
    pub(super) call: CallId,
    /// Where the files of each mount came from.
    pub(super) folders: BTreeMap<Mount, FolderId>,
    /// Whether strangers may have written something of what the command began with.
    pub(super) untrusted: bool,
}

impl Keeper {
    /// Keeps the changes in one transaction, each as a version. What a command made of something that strangers may
    /// have written, they may have written too.
    pub(super) async fn keep(&self, left: Left) -> Result<AllKept, ToolError> {
        let Left { changes, folders, not_kept, not_named, room } = left;
        let mut kept = AllKept { told: Kept { not_named, ..Kept::default() }, ..AllKept::default() };
        for (path, why) in not_kept {
            kept.told.leave_out(path, why);
        }
        let Some(room) = room else { return Ok(kept) };
        let mut by_mount = BTreeMap::<Mount, Changes>::new();
        for change in self.permitted(changes, whole, &mut kept.told).await? {
            by_mount.entry(change.mount).or_default().files.push(change);
        }
        for change in self.permitted(folders, whole_folder, &mut kept.told).await? {
            let changes = by_mount.entry(change.mount).or_default();
            let folders = if change.is_there { &mut changes.new_folders } else { &mut changes.gone_folders };
            folders.push(change.path);
        }
        let mut places = Vec::new();
        for (mount, changes) in by_mount {
            let now = folder_of(&self.beginner.hub, &self.beginner.root, mount).await?;
            let Some(folder) = now.filter(|now| self.folders.get(&mount) == Some(now)) else {
                let folders = changes.new_folders.iter().map(|path| format!("{}/{path}", mount.path()));
                for path in changes.files.iter().map(whole).chain(folders) {
                    kept.told.leave_out(path, "it is not your workspace any more");
                }
                continue;
            };
            let written = written_by(&self.beginner, &self.call, mount).await?.made_of(self.untrusted);
            places.push((folder, mount, written, changes));
        }
        if places.is_empty() {
            return Ok(kept);
        }
        // In the order in which whoever works in several folders locks them.
        places.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        let mut tx = self.beginner.hub.store().write().await?;
        for (folder, mount, written, changes) in places {
            let Changes { files: mut changes, new_folders, gone_folders } = changes;
            // What is gone makes room for what came, which may be the same under another path.
            changes.sort_by_key(|change| change.after.is_some());
            let mut changing = Changing::begin(&mut tx, &folder, written.at).await?;
            for part in parts(changes, |change| change.after.as_ref().map_or(0, |after| after.size)) {
                kept.take(&mut changing, &room, part, &written).await?;
            }
            changing.end(written.at).await?;
            let too_many =
                files::change_empty_folders(&mut tx, &folder, new_folders, &gone_folders, &written).await?;
            for path in too_many {
                kept.told.leave_out(
                    format!("{}/{path}", mount.path()),
                    "there are 5,000 folders with nothing in them already",
                );
            }
        }
        tx.commit().await?;
        Ok(kept)
    }

    /// Those that no rule of the person's and no skill keeps from being written.
    async fn permitted<T>(
        &self,
        changes: Vec<T>,
        whole: fn(&T) -> String,
        told: &mut Kept,
    ) -> Result<Vec<T>, ToolError> {
        let all: Vec<String> = changes.iter().map(whole).collect();
        let changes = self.beginner.writable(changes, whole).await?;
        let permitted: BTreeSet<String> = changes.iter().map(whole).collect();
        for path in all.into_iter().filter(|path| !permitted.contains(path)) {
            told.leave_out(path, "a rule of your person's or a skill says so");
        }
        Ok(changes)
    }
}

/// What is different in one mount.
#[derive(Default)]
struct Changes {
    files: Vec<Change>,
    new_folders: Vec<FilePath>,
    gone_folders: Vec<FilePath>,
}

impl AllKept {
    /// Keeps a part of the changes in one folder.
    async fn take(
        &mut self,
        changing: &mut Changing<'_>,
        room: &LeftRoom,
        part: Vec<Change>,
        written: &Written,
    ) -> Result<(), ToolError> {
        let paths: Vec<FilePath> = part.iter().map(|change| change.path.clone()).collect();
        let there = changing.there(&paths).await?;
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for change in part {
            let there = there.get(&change.path).map(|there| &there.digest);
            let after = change.after.as_ref().map(|after| &after.digest);
            if there != change.before.as_ref() && there != after {
                self.told.leave_out(whole(&change), "it was changed meanwhile by somebody else");
                continue;
            }
            match change.after.clone() {
                Some(after) => new.push((change, after)),
                None => gone.push(change),
            }
        }
        let paths: Vec<FilePath> = gone.iter().map(|change| change.path.clone()).collect();
        changing.delete(&paths, written).await?;
        for change in gone {
            self.told.deleted.push(whole(&change));
            self.note(change, None);
        }
        let wanted =
            new.iter().map(|(change, after)| (change.mount, change.path.clone(), after.digest.clone()));
        let contents = room.contents(wanted.collect()).await;
        let (mut found, mut files) = (Vec::new(), Vec::new());
        for ((change, after), bytes) in new.into_iter().zip(contents) {
            let Some(bytes) = bytes else {
                self.told.leave_out(whole(&change), "it was written just then, and is kept when it is whole");
                continue;
            };
            files.push(NewFile { path: change.path.clone(), bytes, untrusted: false, by_others: false });
            found.push((change, after));
        }
        let outcomes = changing.put(files, written).await?;
        for ((change, after), outcome) in found.into_iter().zip(outcomes) {
            let path = whole(&change);
            match outcome {
                Err(why) => self.told.leave_out(path, &why),
                Ok(version) => {
                    let mut changed = json!({ "path": path, "version": version });
                    if change.mount == Mount::Workspace {
                        changed["workspace"] = changing.folder().0.clone().into();
                    }
                    self.told.changed.push(changed);
                    self.note(change, Some(after.digest));
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, change: Change, digest: Option<String>) {
        self.files.entry(change.mount).or_default().push((change.path, digest));
    }
}

impl Kept {
    fn leave_out(&mut self, path: String, why: &str) {
        self.not_kept.push(json!({ "path": path, "why": why }));
    }

    pub(super) fn tell(self, answer: &mut Value) {
        let Self { changed, deleted, not_kept, not_named } = self;
        list(answer, "changed", changed, 0);
        list(answer, "deleted", deleted.into_iter().map(Value::from).collect(), 0);
        list(answer, "not_kept", not_kept, not_named);
    }
}

fn whole(change: &Change) -> String {
    format!("{}/{}", change.mount.path(), change.path)
}

fn whole_folder(change: &FolderChange) -> String {
    format!("{}/{}", change.mount.path(), change.path)
}

/// So many of them, and how many there are besides.
fn list(answer: &mut Value, name: &str, mut all: Vec<Value>, besides: usize) {
    let besides = besides + all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    if besides > 0 {
        answer[format!("{name}_besides")] = besides.into();
    }
    if !all.is_empty() {
        answer[name] = all.into();
    }
}
