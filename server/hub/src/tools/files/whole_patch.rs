//! `edit` with a whole patch, as models know it from elsewhere: files are changed, made, moved and deleted, all of it in
//! one transaction or nothing.

mod parts;

use super::change::{self, require_read};
use super::mounts::{self, Mounted, Writable, require_readable};
use super::patch::patched;
use super::{ROOM, mark, not_text, text, written};
use crate::difference::for_a_model;
use crate::error::Error;
use crate::files::{self, Decoded, FilePlace, Mount, Written, decoded, digest_of};
use crate::gateway::Caller;
use crate::store::Transaction;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use parts::{BEGIN, Part, parts};
use protocol::FolderId;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Arguments that say otherwise what is to be changed.
const OTHER_WAYS: [&str; 4] = ["old_string", "new_string", "insert_line", "edits"];

pub(in crate::tools) async fn edit(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let input = call.input();
    let patch = input.get("patch").and_then(Value::as_str);
    let is_alone = OTHER_WAYS.into_iter().all(|other| input.get(other).is_none());
    match patch.filter(|patch| is_alone && patch.trim_start().starts_with(BEGIN)) {
        Some(patch) => apply(caller, call, &parts(patch).map_err(ToolError)?).await,
        None => change::edit(caller, call).await,
    }
}

async fn apply(caller: &Caller<'_>, call: &ResolvedCall, parts: &[Part]) -> Result<String, ToolError> {
    let named = text(call, "path");
    if !parts.iter().any(|part| part.paths().any(|path| path == named)) {
        return Err(ToolError(format!("The patch says nothing of {named}.")));
    }
    let mut steps = Vec::new();
    for part in parts {
        steps.push(Step::prepare(caller, call, part).await.map_err(|why| failed(part, &why))?);
    }
    let mut mounts = BTreeMap::new();
    for mount in steps.iter().flat_map(|step| step.mounts()).collect::<BTreeSet<_>>() {
        mounts.insert(mount, written(caller, call, mount).await?);
    }
    caller.hub.spaces().require_for(caller.root).await?;
    let mut tx = caller.hub.store().write().await?;
    // In one order, whoever works in the same folders at the same moment.
    let folders: BTreeSet<_> = steps.iter().flat_map(|step| step.folders()).collect();
    for folder in folders {
        files::lock(&mut tx, folder, caller.hub.now()).await?;
    }
    let mut all = Vec::new();
    for step in &steps {
        let done = step.perform(caller, &mut tx, &mounts).await;
        all.push(done.map_err(|why| failed(step.part, &why))?);
    }
    tx.commit().await?;
    answer(all).await
}

fn failed(part: &Part, ToolError(why): &ToolError) -> ToolError {
    ToolError(format!("{}: {why} Nothing of the patch was applied.", part.path()))
}

/// A file that the hub keeps.
struct KeptFile {
    mount: Mount,
    place: FilePlace,
}

async fn kept(caller: &Caller<'_>, path: &str) -> Result<KeptFile, ToolError> {
    match Mounted::writable(path)? {
        Writable::Kept(mount, path) => {
            let folder = mounts::require(caller, mount).await?;
            Ok(KeptFile { mount, place: FilePlace { folder, path } })
        }
        Writable::OnDevice(_) => {
            Err(ToolError("What is on a device is changed by a call for each file.".to_owned()))
        }
    }
}

/// A part of the patch, and where its files lie.
struct Step<'p> {
    part: &'p Part,
    file: KeptFile,
    /// Where it is moved.
    to: Option<KeptFile>,
}

/// What a part did.
struct Done {
    path: String,
    did: &'static str,
    version: Option<u64>,
    /// The workspace in which it is.
    workspace: Option<FolderId>,
    /// Before and after.
    texts: Option<(String, String)>,
    /// Whether strangers may have written what was there.
    was_untrusted: bool,
}

impl<'p> Step<'p> {
    /// Fails if a rule keeps the agent from it.
    async fn prepare(caller: &Caller<'_>, call: &ResolvedCall, part: &'p Part) -> Result<Self, ToolError> {
        for alone in part.calls(call) {
            if let Some(why) = caller.refuse_part(call, &alone).await? {
                return Err(ToolError(why));
            }
        }
        let file = kept(caller, part.path()).await?;
        let to = match part.to() {
            Some(to) => {
                require_readable(caller, part.path()).await?;
                Some(kept(caller, to).await?)
            }
            None => None,
        };
        Ok(Self { part, file, to })
    }

    fn mounts(&self) -> impl Iterator<Item = Mount> {
        self.to.iter().chain([&self.file]).map(|file| file.mount)
    }

    fn folders(&self) -> impl Iterator<Item = &FolderId> {
        self.to.iter().chain([&self.file]).map(|file| &file.place.folder)
    }

    async fn perform(
        &self,
        caller: &Caller<'_>,
        tx: &mut Transaction,
        mounts: &BTreeMap<Mount, Written>,
    ) -> Result<Done, ToolError> {
        let FilePlace { folder, path } = &self.file.place;
        let found = match files::open(&mut **tx, folder, path).await {
            Err(Error::NotFound(_)) => None,
            other => Some(other?),
        };
        let (before, was_untrusted) = found.unzip();
        let was_untrusted = was_untrusted.unwrap_or_default();
        let required = || before.as_deref().ok_or_else(|| ToolError("There is no such file.".to_owned()));
        let is_at = self.to.as_ref().unwrap_or(&self.file);
        let workspace = (is_at.mount == Mount::Workspace).then(|| is_at.place.folder.clone());
        let done = |did, version| Done {
            workspace: workspace.clone(),
            path: self.part.to().unwrap_or(self.part.path()).to_owned(),
            did,
            version,
            texts: None,
            was_untrusted,
        };
        match self.part {
            Part::Add { content, .. } => {
                if let Some(before) = &before {
                    self.require_read(caller, tx, before).await?;
                }
                let by = written_in(mounts, self.file.mount)?.made_of(was_untrusted);
                let version = self.put(caller, tx, &self.file, content.as_bytes(), &by).await?;
                Ok(done(if before.is_some() { "changed" } else { "created" }, Some(version)))
            }
            Part::Delete { .. } => {
                required()?;
                files::delete(tx, folder, path, written_in(mounts, self.file.mount)?).await?;
                Ok(done("deleted", None))
            }
            Part::Update { hunks, .. } => {
                let before = required()?;
                let changed = match (hunks.trim(), &self.to) {
                    ("", Some(_)) => None,
                    _ => {
                        self.require_read(caller, tx, before).await?;
                        Some(self.changed(before, hunks)?)
                    }
                };
                let file = self.to.as_ref().unwrap_or(&self.file);
                let by = written_in(mounts, file.mount)?;
                let mut version = match &self.to {
                    Some(to) => Some(files::rename(tx, &self.file.place, &to.place, by).await?),
                    None => None,
                };
                let mut texts = None;
                if let Some((was, now, bytes)) = changed {
                    version = Some(self.put(caller, tx, file, &bytes, &by.made_of(was_untrusted)).await?);
                    texts = Some((was, now));
                }
                let did = if self.to.is_some() { "moved" } else { "changed" };
                Ok(Done { texts, ..done(did, version) })
            }
        }
    }

    async fn require_read(
        &self,
        caller: &Caller<'_>,
        tx: &mut Transaction,
        before: &[u8],
    ) -> Result<(), ToolError> {
        let read = files::last_read(&mut **tx, &self.file.place, caller.conversation).await?;
        require_read(read, before, self.part.path())
    }

    async fn put(
        &self,
        caller: &Caller<'_>,
        tx: &mut Transaction,
        file: &KeptFile,
        bytes: &[u8],
        by: &Written,
    ) -> Result<u64, ToolError> {
        let version = files::put(tx, &file.place.folder, &file.place.path, bytes, by).await?;
        files::note_read(&mut **tx, &file.place, caller.conversation, &digest_of(bytes)).await?;
        Ok(version)
    }

    /// The text before, the text after, and what is to be in the file.
    fn changed(&self, before: &[u8], hunks: &str) -> Result<(String, String, Vec<u8>), ToolError> {
        let Decoded { text, encoding } = decoded(before).ok_or_else(|| not_text(self.part.path(), before))?;
        let now = patched(&text, hunks).map_err(ToolError)?;
        let bytes = encoding.encode(&now).map_err(|sign| {
            ToolError(format!("It is written in {encoding}, where {sign:?} has no place. Leave it out."))
        })?;
        Ok((text.into_owned(), now, bytes))
    }
}

fn written_in(mounts: &BTreeMap<Mount, Written>, mount: Mount) -> Result<&Written, ToolError> {
    mounts.get(&mount).ok_or_else(|| ToolError(format!("There is nothing at {}.", mount.path())))
}

/// With what changed in each file, as far as that fits.
async fn answer(all: Vec<Done>) -> Result<String, ToolError> {
    let (mut told, mut room, mut untrusted) = (Vec::new(), ROOM / 2, false);
    for Done { path, did, version, workspace, texts, was_untrusted } in all {
        let mut one = json!({ "path": path, "did": did });
        if let Some(version) = version {
            one["version"] = version.into();
        }
        if let Some(workspace) = workspace {
            one["workspace"] = workspace.0.into();
        }
        if let Some((before, after)) = texts {
            let diff = for_a_model(before, after).await?;
            if let Some(left) = room.checked_sub(diff.len()) {
                room = left;
                untrusted |= was_untrusted;
                one["diff"] = diff.into();
            }
        }
        told.push(one);
    }
    let mut answer = json!({ "ok": true, "files": told });
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}
