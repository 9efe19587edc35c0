//! `files`: what is done with files as a whole.

use super::mounts::{MOUNTS, Mounted, below, bytes_of};
use super::tree::tree;
use super::{ROOM, author, not_text, number, text};
use crate::difference::for_a_model;
use crate::files::{self, FilePath, text_of};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use protocol::files::{FileAuthor, FileVersion};
use serde_json::{Value, json};

/// Versions that are listed.
const VERSIONS: usize = 50;

pub(in crate::tools) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    match (text(call, "action"), text(call, "path")) {
        ("list", path) => list(caller, path).await,
        (action, "") => Err(ToolError(format!("{action} needs a path."))),
        ("stat", path) => stat(caller, path).await,
        ("copy", path) => copy(caller, path, target(call)?).await,
        ("move", path) => rename(caller, path, target(call)?).await,
        ("delete", path) => delete(caller, path).await,
        ("versions", path) => versions(caller, path).await,
        ("diff", path) => diff(caller, path, number(call, "version")).await,
        ("restore", path) => restore(caller, path, number(call, "version")).await,
        (action, _) => Err(ToolError(format!("files has no action {action}."))),
    }
}

fn target(call: &ResolvedCall) -> Result<&str, ToolError> {
    match text(call, "to") {
        "" => Err(ToolError(format!("{} needs the argument to.", text(call, "action")))),
        to => Ok(to),
    }
}

async fn list(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    if path.is_empty() || path == "/" {
        let mut mounts = Vec::new();
        for (mount, holds) in MOUNTS {
            let files = below(caller, &Mounted::parse(mount)?).await?.len();
            mounts.push(json!({ "path": mount, "holds": holds, "files": files }));
        }
        return Ok(json!({ "mounts": mounts }).to_string());
    }
    let found = below(caller, &Mounted::parse(path)?).await?;
    let (tree, more) = tree(&found, path, ROOM);
    let mut answer = json!({ "path": path, "files": found.len(), "tree": tree });
    if more > 0 {
        answer["more"] = format!("{more} files are not shown. List a folder of it, or use glob.").into();
    }
    Ok(answer.to_string())
}

async fn stat(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let found = below(caller, &Mounted::parse(path)?).await?;
    match found.iter().find(|found| found.path == path) {
        Some(file) => {
            let bytes = bytes_of(caller, path).await?;
            let content = text_of(&bytes);
            Ok(json!({
                "path": path,
                "kind": if content.is_some() { "text" } else { "binary" },
                "bytes": file.size,
                "lines": content.map(|content| content.lines().count()),
                "written_at": file.at,
                "version": file.version,
            })
            .to_string())
        }
        None if found.is_empty() => Err(ToolError(format!("There is nothing at {path}."))),
        None => Ok(json!({ "path": path, "kind": "folder", "files": found.len() }).to_string()),
    }
}

async fn copy(caller: &Caller<'_>, path: &str, to: &str) -> Result<String, ToolError> {
    let target = Mounted::writable(to)?;
    require_readable(caller, path).await?;
    caller.hub.spaces().require_for(caller.root).await?;
    let bytes = bytes_of(caller, path).await?;
    let mut tx = caller.hub.store().write().await?;
    if files::now_there(&mut tx, caller.root, &target).await?.is_some() {
        return Err(ToolError(format!("There is a file {to} already. Choose another path.")));
    }
    let version =
        files::put(&mut tx, caller.root, &target, &bytes, &author(caller), caller.hub.now()).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "path": to, "version": version }).to_string())
}

/// What a rule keeps from being read is not told by a copy or a difference either.
async fn require_readable(caller: &Caller<'_>, path: &str) -> Result<(), ToolError> {
    match caller.readable(vec![path], |path| path).await?.is_empty() {
        true => Err(ToolError(format!("A rule of your person keeps {path} from being read."))),
        false => Ok(()),
    }
}

async fn rename(caller: &Caller<'_>, path: &str, to: &str) -> Result<String, ToolError> {
    let (from, target) = (Mounted::writable(path)?, Mounted::writable(to)?);
    let mut tx = caller.hub.store().write().await?;
    let now = caller.hub.now();
    let version = files::rename(&mut tx, caller.root, (&from, &target), &author(caller), now).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "path": to, "version": version }).to_string())
}

async fn delete(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let file = Mounted::writable(path)?;
    let mut tx = caller.hub.store().write().await?;
    files::delete(&mut tx, caller.root, &file, &author(caller), caller.hub.now()).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "in_the_bin_for_days": 30 }).to_string())
}

async fn versions(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let kept = kept(caller, &Mounted::writable(path)?, path).await?;
    let listed: Vec<Value> = kept.iter().take(VERSIONS).map(told).collect();
    Ok(json!({ "path": path, "versions": listed }).to_string())
}

fn told(version: &FileVersion) -> Value {
    let by = match version.author {
        Some(FileAuthor::Person) => "your person",
        Some(FileAuthor::Agent { .. }) => "you",
        Some(FileAuthor::Archive) => "it came along",
        None => "unknown",
    };
    json!({ "version": version.version, "bytes": version.size, "deleted": version.size.is_none(), "at": version.at, "by": by })
}

async fn diff(caller: &Caller<'_>, path: &str, version: Option<usize>) -> Result<String, ToolError> {
    let file = Mounted::writable(path)?;
    require_readable(caller, path).await?;
    let kept = kept(caller, &file, path).await?;
    let there: Vec<u64> =
        kept.iter().filter(|version| version.size.is_some()).map(|version| version.version).collect();
    let now = *there.first().ok_or_else(|| ToolError(format!("Nothing is left of {path}.")))?;
    let before = match version {
        Some(version) => u64::try_from(version).unwrap_or(u64::MAX),
        None => there.get(1).copied().unwrap_or(now),
    };
    let (before_text, now_text) =
        (text_in(caller, &file, path, before).await?, text_in(caller, &file, path, now).await?);
    let diff = for_a_model(before_text, now_text).await?;
    Ok(json!({ "path": path, "from": before, "to": now, "diff": diff }).to_string())
}

async fn text_in(
    caller: &Caller<'_>,
    file: &FilePath,
    path: &str,
    version: u64,
) -> Result<String, ToolError> {
    let bytes = files::content(caller.hub.store().read(), caller.root, file, version).await?;
    let bytes = bytes.ok_or_else(|| ToolError(format!("{path} has no version {version}.")))?;
    Ok(text_of(&bytes).ok_or_else(|| not_text(path))?.to_owned())
}

async fn restore(caller: &Caller<'_>, path: &str, version: Option<usize>) -> Result<String, ToolError> {
    let file = Mounted::writable(path)?;
    let kept = kept(caller, &file, path).await?;
    let version = match version {
        Some(version) => u64::try_from(version).unwrap_or(u64::MAX),
        // Of a file that was deleted the last one that was there.
        None => match kept.iter().skip(1).find(|version| version.size.is_some()) {
            Some(version) => version.version,
            None => return Err(ToolError(format!("{path} has no earlier version."))),
        },
    };
    caller.hub.spaces().require_for(caller.root).await?;
    let mut tx = caller.hub.store().write().await?;
    files::restore(&mut tx, caller.root, &file, version, &author(caller), caller.hub.now()).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "path": path, "restored": version }).to_string())
}

async fn kept(caller: &Caller<'_>, file: &FilePath, path: &str) -> Result<Vec<FileVersion>, ToolError> {
    let kept = files::of_file(caller.hub.store().read(), caller.root, file).await?;
    if kept.is_empty() {
        return Err(ToolError(format!("There is no file {path}, and none was there.")));
    }
    Ok(kept)
}
