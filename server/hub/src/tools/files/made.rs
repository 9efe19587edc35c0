//! `files`: folders and files that are made with nothing in them, and whether there is anything at a path.

use super::folder::is_one;
use super::mounts::{Mounted, Writable, below, empty_below, kept_below, place, require};
use super::{device, mark, written};
use crate::files::{self, FilePath};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use protocol::FolderId;
use serde_json::json;

pub(super) async fn exists(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let at = Mounted::parse(path)?;
    let found = below(caller, &at).await?;
    let kind = match found.iter().find(|found| found.path == path) {
        Some(_) => Some("file"),
        None if !found.is_empty() || !empty_below(caller, &at).await?.0.is_empty() => Some("folder"),
        None => None,
    };
    let mut answer = json!({ "path": path, "exists": kind.is_some() });
    if let Some(kind) = kind {
        answer["kind"] = kind.into();
    }
    Ok(answer.to_string())
}

pub(super) async fn folder(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
) -> Result<String, ToolError> {
    let (mount, within) = match Mounted::parse(path)? {
        Mounted::In(_, None) => return Ok(told(path, true)),
        Mounted::In(mount, Some(within)) => (mount, within),
        Mounted::Device(_) | Mounted::Local => {
            return Err(ToolError(format!(
                "A folder of a device is there once a file is in it: write {path}/ and the name of one."
            )));
        }
        Mounted::Root | Mounted::Uploads(_) | Mounted::Servers | Mounted::Server(..) => {
            return Err(ToolError(format!("No folder can be made at {path}. Make it under /agent.")));
        }
    };
    let folder = require(caller, mount).await?;
    if let Some(file) = in_the_way(caller, &folder, &within).await? {
        return Err(ToolError(format!("There is a file {}/{file}: choose another path.", mount.path())));
    }
    let here = Mounted::In(mount, Some(within.clone()));
    if !kept_below(caller, &here).await?.is_empty() || !empty_below(caller, &here).await?.0.is_empty() {
        return Ok(told(path, true));
    }
    caller.hub.spaces().require_for(caller.root).await?;
    let written = written(caller, call, mount).await?;
    let mut tx = caller.hub.store().write().await?;
    let too_many = files::change_empty_folders(&mut tx, &folder, vec![within], &[], &written).await?;
    if !too_many.is_empty() {
        return Err(ToolError(
            "There are 5,000 folders with nothing in them already. Delete some first.".to_owned(),
        ));
    }
    tx.commit().await?;
    Ok(told(path, false))
}

/// The file at the path, or above it.
async fn in_the_way(
    caller: &Caller<'_>,
    folder: &FolderId,
    within: &FilePath,
) -> Result<Option<FilePath>, ToolError> {
    let whole = within.as_str();
    let ends = whole.match_indices('/').map(|(end, _)| end).chain([whole.len()]);
    let all = ends.map(|end| FilePath::check(&whole[..end])).collect::<Result<Vec<_>, _>>()?;
    let there = files::contents(caller.hub.store().read(), folder, &all).await?;
    Ok(all.into_iter().find(|path| there.contains_key(path.as_str())))
}

pub(super) async fn file(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<String, ToolError> {
    match Mounted::writable(path)? {
        Writable::OnDevice(at) => {
            let there = below(caller, &Mounted::parse(path)?).await?;
            if there.iter().any(|found| found.path == path) {
                return Ok(told(path, true));
            }
            let name = device::put_copy(caller, &at, &[]).await?;
            let mut answer = json!({ "ok": true, "path": path, "device": name });
            mark(&mut answer, true);
            Ok(answer.to_string())
        }
        Writable::Kept(mount, _) => {
            if is_one(caller, path).await? {
                return Ok(told(path, true));
            }
            let at = place(caller, path).await?;
            caller.hub.spaces().require_for(caller.root).await?;
            let written = written(caller, call, mount).await?;
            let mut tx = caller.hub.store().write().await?;
            files::lock(&mut tx, &at.folder, written.at).await?;
            if files::now_there(&mut tx, &at.folder, &at.path).await?.is_some() {
                return Ok(told(path, true));
            }
            let version = files::put(&mut tx, &at.folder, &at.path, &[], &written).await?;
            tx.commit().await?;
            Ok(json!({ "ok": true, "path": path, "version": version }).to_string())
        }
    }
}

fn told(path: &str, was_there: bool) -> String {
    let mut answer = json!({ "ok": true, "path": path });
    if was_there {
        answer["was_there"] = true.into();
    }
    answer.to_string()
}
