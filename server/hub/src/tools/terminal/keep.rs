//! What a command changed becomes part of the agent's files.

use crate::error::Error;
use crate::files::{self, FilePath, Mount, Written, digest_of};
use crate::gateway::Beginner;
use crate::store::Transaction;
use crate::terminal::{Change, Content, Left};
use crate::tools::ToolError;
use crate::tools::files::{folder_of, written_by};
use protocol::{CallId, FolderId};
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
        let Left { changes, not_kept, not_named } = left;
        let mut kept = AllKept { told: Kept { not_named, ..Kept::default() }, ..AllKept::default() };
        for (path, why) in not_kept {
            kept.told.leave_out(path, why);
        }
        let all: Vec<String> = changes.iter().map(whole).collect();
        let changes = self.beginner.writable(changes, whole).await?;
        let permitted: Vec<String> = changes.iter().map(whole).collect();
        for path in all.iter().filter(|path| !permitted.contains(path)) {
            kept.told.leave_out(path.clone(), "a rule of your person's says so");
        }
        let mut by_mount = BTreeMap::<Mount, Vec<Change>>::new();
        for change in changes {
            by_mount.entry(change.mount).or_default().push(change);
        }
        let mut places = Vec::new();
        for (mount, changes) in by_mount {
            let now = folder_of(&self.beginner.hub, &self.beginner.root, mount).await?;
            let Some(folder) = now.filter(|now| self.folders.get(&mount) == Some(now)) else {
                changes.iter().for_each(|change| {
                    kept.told.leave_out(whole(change), "it is not your workspace any more")
                });
                continue;
            };
            let written = written_by(&self.beginner, &self.call, mount).await?.made_of(self.untrusted);
            places.push((folder, written, changes));
        }
        if places.is_empty() {
            return Ok(kept);
        }
        // In the order in which whoever works in several folders locks them.
        places.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        let mut tx = self.beginner.hub.store().write().await?;
        for (folder, written, changes) in places {
            files::lock(&mut tx, &folder, written.at).await?;
            for change in changes {
                let (mount, path) = (change.mount, change.path.clone());
                let digest = match &change.content {
                    Content::Written(bytes) => Some(digest_of(bytes)),
                    Content::Deleted => None,
                };
                if kept.told.take(&mut tx, &folder, change, &written).await? {
                    kept.files.entry(mount).or_default().push((path, digest));
                }
            }
        }
        tx.commit().await?;
        Ok(kept)
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

    /// Whether it was.
    async fn take(
        &mut self,
        tx: &mut Transaction,
        folder: &FolderId,
        change: Change,
        written: &Written,
    ) -> Result<bool, ToolError> {
        let whole = whole(&change);
        let Change { mount, path, before, content } = change;
        let there = files::now_there(tx, folder, &path).await?.map(|(_, digest)| digest);
        let is_same = match &content {
            Content::Written(bytes) => there.as_ref() == Some(&digest_of(bytes)),
            Content::Deleted => there.is_none(),
        };
        if there != before && !is_same {
            self.leave_out(whole, "it was changed meanwhile by somebody else");
            return Ok(false);
        }
        let done = match content {
            Content::Written(bytes) => {
                let put = files::put(tx, folder, &path, &bytes, written).await;
                put.map(|version| {
                    let mut changed = json!({ "path": &whole, "version": version });
                    if mount == Mount::Workspace {
                        changed["workspace"] = folder.0.clone().into();
                    }
                    self.changed.push(changed);
                })
            }
            Content::Deleted => {
                let deleted = files::delete(tx, folder, &path, written).await;
                deleted.map(|()| self.deleted.push(whole.clone()))
            }
        };
        match done {
            // Somebody else deleted it meanwhile.
            Ok(()) | Err(Error::NotFound(_)) => Ok(true),
            Err(Error::Limit(why)) => {
                self.leave_out(whole, &why);
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn whole(change: &Change) -> String {
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
