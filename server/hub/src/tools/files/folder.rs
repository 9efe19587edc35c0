//! Folders as a whole: copied, moved and deleted with all that is in them, or not at all.

use super::mounts::{self, Found, Mounted, Writable, below};
use super::{text, written};
use crate::files::{self, Changing, FilePath, Mount, NewFile, Written, parts};
use crate::gateway::Caller;
use crate::policy::{PolicyRequest, Ruling, Subject};
use crate::store::Transaction;
use crate::tools::ToolError;
use agent::tools::{PageTier, ResolvedCall};
use protocol::FolderId;
use protocol::approval::ApprovalReason;
use serde_json::json;
use std::collections::BTreeMap;

/// Files that are named as in the way.
const NAMED: usize = 5;

/// Whether there is a folder at the path, and no file.
pub(super) async fn is_one(caller: &Caller<'_>, path: &str) -> Result<bool, ToolError> {
    let place = Mounted::parse(path)?;
    match place {
        Mounted::In(_, Some(_)) | Mounted::Uploads(Some(_)) => {
            let found = files_below(caller, &place).await?;
            let is_there = !found.is_empty() || !mounts::empty_below(caller, &place).await?.0.is_empty();
            Ok(is_there && found.iter().all(|found| found.path != path))
        }
        Mounted::Root
        | Mounted::In(_, None)
        | Mounted::Uploads(None)
        | Mounted::Device(_)
        | Mounted::Local
        | Mounted::Servers
        | Mounted::Server(..) => Ok(false),
    }
}

/// Those that the hub keeps, whoever may read them.
async fn files_below(caller: &Caller<'_>, place: &Mounted) -> Result<Vec<Found>, ToolError> {
    mounts::kept_below(caller, place).await
}

/// A folder that is to be elsewhere as well, or instead.
struct Transfer<'a> {
    /// Its files, and each by the path that it gets.
    files: Vec<(FilePath, FilePath)>,
    from: FolderId,
    from_mount: Mount,
    to: FolderId,
    to_mount: Mount,
    path: &'a str,
    target: &'a str,
    /// Both within their mounts.
    from_path: FilePath,
    to_path: FilePath,
}

pub(super) async fn copy(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
    to: &str,
) -> Result<String, ToolError> {
    let transfer = Transfer::prepare(caller, call, path, to).await?;
    caller.hub.spaces().require_for(caller.root).await?;
    let written = written(caller, call, transfer.to_mount).await?;
    let mut tx = caller.hub.store().write().await?;
    transfer.write(&mut tx, &written, None).await?;
    files::copy_empty_folders(&mut tx, transfer.source(), transfer.target()).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "path": to, "files": transfer.files.len() }).to_string())
}

pub(super) async fn rename(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
    to: &str,
) -> Result<String, ToolError> {
    let transfer = Transfer::prepare(caller, call, path, to).await?;
    require_writable(caller, &transfer.sources()).await?;
    let put = written(caller, call, transfer.to_mount).await?;
    let gone = written(caller, call, transfer.from_mount).await?;
    let mut tx = caller.hub.store().write().await?;
    let is_within_one = transfer.from == transfer.to;
    transfer.write(&mut tx, &put, is_within_one.then_some(&gone)).await?;
    if !is_within_one {
        let paths: Vec<FilePath> = transfer.files.iter().map(|(from, _)| from.clone()).collect();
        take_away(&mut tx, &transfer.from, paths, &gone).await?;
    }
    files::move_empty_folders(&mut tx, transfer.source(), transfer.target()).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "path": to, "files": transfer.files.len() }).to_string())
}

pub(super) async fn delete(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
) -> Result<String, ToolError> {
    let Writable::Kept(mount, within) = Mounted::writable(path)? else { return Err(on_a_device(path)) };
    let found = files_below(caller, &Mounted::parse(path)?).await?;
    let all: Vec<String> = found.into_iter().map(|found| found.path).collect();
    require_writable(caller, &all).await?;
    require_permitted(caller, call, &all).await?;
    let paths = all.iter().map(|path| inside(mount, path)).collect::<Result<Vec<_>, _>>()?;
    let folder = mounts::require(caller, mount).await?;
    let written = written(caller, call, mount).await?;
    let count = paths.len();
    let mut tx = caller.hub.store().write().await?;
    take_away(&mut tx, &folder, paths, &written).await?;
    files::forget_empty_folders(&mut tx, &folder, within.as_str()).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "files": count, "in_the_bin_for_days": 30 }).to_string())
}

impl<'a> Transfer<'a> {
    /// Fails if a rule keeps something of it from being read or from being written there.
    async fn prepare(
        caller: &Caller<'_>,
        call: &ResolvedCall,
        path: &'a str,
        target: &'a str,
    ) -> Result<Self, ToolError> {
        let Mounted::In(from_mount, Some(from_path)) = Mounted::parse(path)? else {
            return Err(ToolError(format!("{path} is copied file by file.")));
        };
        let Writable::Kept(to_mount, to_path) = Mounted::writable(target)? else {
            return Err(on_a_device(target));
        };
        if target == path || target.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')) {
            return Err(ToolError(format!("{target} is within {path}. Choose a path outside of it.")));
        }
        let place = Mounted::parse(path)?;
        let (all, readable) = (files_below(caller, &place).await?, below(caller, &place).await?);
        if readable.len() < all.len() {
            return Err(ToolError(format!(
                "A rule of your person keeps {} of the files of {path} from being read.",
                all.len() - readable.len()
            )));
        }
        let mut files = Vec::new();
        for found in &all {
            let rest = found.path.strip_prefix(path).unwrap_or_default();
            files.push((inside(from_mount, &found.path)?, inside(to_mount, &format!("{target}{rest}"))?));
        }
        let transfer = Self {
            files,
            from: mounts::require(caller, from_mount).await?,
            from_mount,
            to: mounts::require(caller, to_mount).await?,
            to_mount,
            path,
            target,
            from_path,
            to_path,
        };
        let targets: Vec<String> =
            transfer.files.iter().map(|(_, to)| format!("{}/{to}", to_mount.path())).collect();
        require_writable(caller, &targets).await?;
        require_permitted(caller, call, &[transfer.sources(), targets].concat()).await?;
        Ok(transfer)
    }

    fn source(&self) -> (&FolderId, &str) {
        (&self.from, self.from_path.as_str())
    }

    fn target(&self) -> (&FolderId, &str) {
        (&self.to, self.to_path.as_str())
    }

    fn sources(&self) -> Vec<String> {
        self.files.iter().map(|(from, _)| format!("{}/{from}", self.from_mount.path())).collect()
    }

    /// Puts all files where they are to be, if nothing is there. `gone`: within one folder each part goes away first,
    /// so that there is room for it.
    async fn write(
        &self,
        tx: &mut Transaction,
        written: &Written,
        gone: Option<&Written>,
    ) -> Result<(), ToolError> {
        // In one order, whoever moves something the other way at the same moment.
        let mut folders = [&self.from, &self.to];
        folders.sort();
        for folder in folders {
            files::lock(tx, folder, written.at).await?;
        }
        for part in parts(self.files.iter(), |_| 0) {
            let (from, to): (Vec<FilePath>, Vec<FilePath>) = part.into_iter().cloned().unzip();
            let sizes = Changing::begin(tx, &self.from, written.at).await?.there(&from).await?;
            if sizes.len() < from.len() {
                return Err(ToolError(format!("{} was changed at the same moment. Try again.", self.path)));
            }
            let mut target = Changing::begin(tx, &self.to, written.at).await?;
            let in_the_way = target.there(&to).await?;
            if !in_the_way.is_empty() {
                let named: Vec<String> = in_the_way.keys().take(NAMED).map(FilePath::to_string).collect();
                return Err(ToolError(format!(
                    "There are files under {} already, as {}. Choose another path.",
                    self.target,
                    named.join(", ")
                )));
            }
            let sized: Vec<(FilePath, FilePath, u64)> = from
                .into_iter()
                .zip(to)
                .map(|(from, to)| {
                    let size = sizes.get(&from).map_or(0, files::There::bytes);
                    (from, to, size)
                })
                .collect();
            for part in parts(sized, |(.., size)| *size) {
                let mut new = Vec::new();
                let mut to: BTreeMap<String, FilePath> = BTreeMap::new();
                let mut paths = Vec::new();
                for (from, target, _) in part {
                    to.insert(from.to_string(), target);
                    paths.push(from);
                }
                let contents = target.contents_of(&self.from, &paths).await?;
                if let Some(gone) = gone {
                    target.delete(&paths, gone).await?;
                }
                for (path, (bytes, untrusted)) in contents {
                    if let Some(path) = to.remove(&path) {
                        new.push(NewFile { path, bytes, untrusted, by_others: false });
                    }
                }
                for outcome in target.put(new, written).await? {
                    outcome.map_err(ToolError)?;
                }
            }
            target.end(written.at).await?;
        }
        Ok(())
    }
}

async fn take_away(
    tx: &mut Transaction,
    folder: &FolderId,
    paths: Vec<FilePath>,
    written: &Written,
) -> Result<(), ToolError> {
    let mut changing = Changing::begin(tx, folder, written.at).await?;
    for part in parts(paths, |_| 0) {
        changing.delete(&part, written).await?;
    }
    Ok(changing.end(written.at).await?)
}

/// What a rule keeps from being written is not written with the folder that it is in either.
async fn require_writable(caller: &Caller<'_>, paths: &[String]) -> Result<(), ToolError> {
    let writable = caller.beginner().writable(paths.to_vec(), String::clone).await?;
    match paths.len() - writable.len() {
        0 => Ok(()),
        kept => {
            Err(ToolError(format!("A rule of your person keeps {kept} of the files from being changed.")))
        }
    }
}

/// What a rule keeps `files` from is not done with a folder that it is in, or with the second path of a call, either.
/// What the person was asked about as a whole they have agreed to.
pub(super) async fn require_permitted(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    paths: &[String],
) -> Result<(), ToolError> {
    let rules = caller.hub.policies().rules_of(caller.owner, caller.agent).await?;
    let whole = Subject::of(call)?;
    let asked = request(caller, call, &whole);
    let mut kept = 0;
    for path in paths {
        let input = json!({ "action": text(call, "action"), "path": path });
        let one = Subject::of(&call.with_input(input))?;
        let naming = PolicyRequest { about: &one, ..asked };
        let is_kept = match rules.ruling(&naming) {
            Ruling::Deny { .. } => true,
            Ruling::Ask(why) => why == ApprovalReason::Rule && rules.ask_of_one(&naming, &asked),
            Ruling::Allow { .. } => false,
        };
        kept += usize::from(is_kept);
    }
    match kept {
        0 => Ok(()),
        kept => Err(ToolError(format!(
            "A rule of your person keeps you from {} with {kept} of the files.",
            text(call, "action")
        ))),
    }
}

fn request<'c>(caller: &'c Caller<'_>, call: &'c ResolvedCall, about: &'c Subject) -> PolicyRequest<'c> {
    PolicyRequest {
        tool: call.name(),
        about,
        asker: caller.asker(),
        run: caller.run(),
        risk: call.risk(),
        page: PageTier::Immediate,
        writes: false,
        leaks: false,
        denials: 0,
        once: false,
        strangers: false,
    }
}

fn inside(mount: Mount, path: &str) -> Result<FilePath, ToolError> {
    let below = path.strip_prefix(mount.path()).unwrap_or(path).trim_start_matches('/');
    Ok(FilePath::check(below)?)
}

fn on_a_device(path: &str) -> ToolError {
    ToolError(format!("{path} is on a device. Folders go there and away file by file: copy each."))
}
