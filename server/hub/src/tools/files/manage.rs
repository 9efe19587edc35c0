//! `files`: what is done with files as a whole.

use super::mounts::{
    self, Content, Found, MOUNTS, Mounted, ON_DEVICES, ON_SERVERS, Writable, below, content_of, place,
    require_readable,
};
use super::tree::tree;
use super::{ROOM, device, folder, made, mark, not_text, number, server, text, written};
use crate::difference::for_a_model;
use crate::files::{self, Decoded, FilePlace, decoded, kind_of_content};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::{LOCAL_FILES, ResolvedCall, SERVER_FILES};
use protocol::files::{FileAuthor, FileVersion};
use serde_json::{Value, json};

/// By these names one file is meant, and never a folder.
const OF_ONE_FILE: [&str; 3] = ["apply_patch", "delete_file", "remove_file"];
/// Versions that are listed.
const VERSIONS: usize = 50;
/// Bytes of a result for folders with nothing in them.
const EMPTY_FOLDERS: usize = 1_000;

pub(in crate::tools) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    match (text(call, "action"), text(call, "path")) {
        ("list", path) => list(caller, path).await,
        (action, "") => Err(ToolError(format!("{action} needs a path."))),
        ("stat", path) => stat(caller, path).await,
        ("exists", path) => made::exists(caller, path).await,
        ("mkdir", path) => made::folder(caller, call, path).await,
        ("touch", path) => made::file(caller, call, path).await,
        ("copy", path) => copy(caller, call, path).await,
        ("move", path) => rename(caller, call, path).await,
        ("delete", path) => delete(caller, call, path).await,
        ("versions", path) => versions(caller, path).await,
        ("diff", path) => diff(caller, call, path).await,
        ("restore", path) => restore(caller, call, path).await,
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
        if device::is_there(caller) {
            mounts.extend(ON_DEVICES.map(|(mount, holds)| json!({ "path": mount, "holds": holds })));
        }
        for (mount, holds) in MOUNTS {
            let place = Mounted::parse(mount)?;
            if let Mounted::In(mount, _) = place
                && mounts::folder(caller, mount).await?.is_none()
            {
                continue;
            }
            let files = below(caller, &place).await?.len();
            mounts.push(json!({ "path": mount, "holds": holds, "files": files }));
        }
        if !server::mounts(caller).await?.is_empty() {
            mounts.push(json!({ "path": SERVER_FILES, "holds": ON_SERVERS }));
        }
        return Ok(json!({ "mounts": mounts }).to_string());
    }
    let place = Mounted::parse(path)?;
    if place == Mounted::Local {
        let mut answer = json!({ "path": path, "folders": local_folders(caller).await? });
        mark(&mut answer, true);
        return Ok(answer.to_string());
    }
    if place == Mounted::Servers {
        let folders = server::mounts(caller).await?;
        return match folders.is_empty() {
            true => Err(ToolError(
                "No server is mounted for you: your person can do that on the page of your files.".to_owned(),
            )),
            false => Ok(json!({ "path": path, "folders": folders }).to_string()),
        };
    }
    let (found, not_all) = mounts::found(caller, path, &place).await?;
    let (empty, named_by_strangers) = mounts::empty_below(caller, &place).await?;
    let room = ROOM - EMPTY_FOLDERS;
    let (tree, more) = tree(&found, path, room);
    let mut answer = json!({ "path": path, "files": found.len(), "bytes": bytes_of(&found), "tree": tree });
    tell_empty(&mut answer, empty);
    mark(&mut answer, named_by_strangers || found.iter().any(|found| found.untrusted));
    if more > 0 {
        answer["more"] = format!("{more} files are not shown. List a folder of it, or use glob.").into();
    }
    if let Some(why) = not_all {
        answer["not_all"] = why.into();
    }
    if matches!(place, Mounted::Server(..)) && found.iter().any(|found| found.size == 0) {
        answer["sizes"] = "0 bytes: the server does not say how large it is.".into();
    }
    Ok(answer.to_string())
}

fn bytes_of(found: &[Found]) -> u64 {
    found.iter().map(|found| found.size).sum()
}

/// As many of them as there is room for.
fn tell_empty(answer: &mut Value, empty: Vec<String>) {
    let (all, mut room) = (empty.len(), EMPTY_FOLDERS / 2);
    let fits = |path: &String| {
        let left = room.checked_sub(json!(path).to_string().len() + 1);
        room = left.unwrap_or_default();
        left.is_some()
    };
    let named: Vec<String> = empty.into_iter().take_while(fits).collect();
    if named.len() < all {
        answer["empty_folders_besides"] = (all - named.len()).into();
    }
    if !named.is_empty() {
        answer["empty_folders"] = named.into();
    }
}

/// The folders of devices, by the paths that they have for the agent.
async fn local_folders(caller: &Caller<'_>) -> Result<Vec<Value>, ToolError> {
    let folders = device::folders(caller).await?.into_iter();
    Ok(folders
        .map(|(name, device)| json!({ "path": format!("{LOCAL_FILES}/{name}"), "device": device }))
        .collect())
}

async fn stat(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let place = Mounted::parse(path)?;
    let found = below(caller, &place).await?;
    match found.iter().find(|found| found.path == path) {
        Some(file) if file.version.is_none() && matches!(place, Mounted::Device(_)) => {
            let mut answer =
                json!({ "path": path, "kind": "file", "bytes": file.size, "written_at": file.at });
            mark(&mut answer, file.untrusted);
            Ok(answer.to_string())
        }
        Some(file) => {
            let Content { bytes, .. } = content_of(caller, path).await?;
            let mut answer = json!({
                "path": path,
                "bytes": bytes.len(),
                "written_at": Some(file.at).filter(|at| *at > 0),
                "version": file.version,
            });
            match decoded(&bytes) {
                Some(Decoded { text, encoding }) => {
                    answer["kind"] = "text".into();
                    answer["lines"] = text.lines().count().into();
                    answer["encoding"] = encoding.to_string().into();
                }
                None => {
                    answer["kind"] = "binary".into();
                    answer["type"] = kind_of_content(&bytes).into();
                }
            }
            Ok(answer.to_string())
        }
        None if found.is_empty() && mounts::empty_below(caller, &place).await?.0.is_empty() => {
            Err(ToolError(format!("There is nothing at {path}.")))
        }
        None => Ok(json!({
            "path": path,
            "kind": "folder",
            "files": found.len(),
            "bytes": bytes_of(&found),
            "written_at": found.iter().map(|found| found.at).max().filter(|at| *at > 0),
        })
        .to_string()),
    }
}

async fn copy(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<String, ToolError> {
    let to = target(call)?;
    let target = Mounted::writable(to)?;
    if folder::is_one(caller, path).await? {
        return folder::copy(caller, call, path, to).await;
    }
    folder::require_permitted(caller, call, &[to.to_owned()]).await?;
    require_readable(caller, path).await?;
    copy_to(caller, call, path, to, target).await.map(|(answer, _)| answer.to_string())
}

/// Gives what was copied as well.
async fn copy_to(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
    to: &str,
    target: Writable,
) -> Result<(Value, Vec<u8>), ToolError> {
    let (mount, target) = match target {
        Writable::Kept(mount, path) => {
            (mount, FilePlace { folder: mounts::require(caller, mount).await?, path })
        }
        Writable::OnDevice(at) => {
            let Content { bytes, .. } = content_of(caller, path).await?;
            let device = device::put_copy(caller, &at, &bytes).await?;
            return Ok((json!({ "ok": true, "path": to, "device": device }), bytes));
        }
    };
    let written = written(caller, call, mount).await?;
    caller.hub.spaces().require_for(caller.root).await?;
    let Content { bytes, untrusted } = content_of(caller, path).await?;
    let mut tx = caller.hub.store().write().await?;
    files::lock(&mut tx, &target.folder, written.at).await?;
    if files::now_there(&mut tx, &target.folder, &target.path).await?.is_some() {
        return Err(ToolError(format!("There is a file {to} already. Choose another path.")));
    }
    let written = written.made_of(untrusted);
    let version = files::put(&mut tx, &target.folder, &target.path, &bytes, &written).await?;
    tx.commit().await?;
    Ok((json!({ "ok": true, "path": to, "version": version }), bytes))
}

async fn rename(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<String, ToolError> {
    let to = target(call)?;
    if folder::is_one(caller, path).await? {
        return folder::rename(caller, call, path, to).await;
    }
    folder::require_permitted(caller, call, &[to.to_owned()]).await?;
    let (mount, from, target) = match (Mounted::writable(path)?, Mounted::writable(to)?) {
        (Writable::Kept(..), Writable::Kept(mount, _)) => {
            (mount, place(caller, path).await?, place(caller, to).await?)
        }
        (from, target) => {
            require_readable(caller, path).await?;
            let (answer, moved) = copy_to(caller, call, path, to, target).await?;
            take_away(caller, call, path, from, &moved).await?;
            return Ok(answer.to_string());
        }
    };
    require_readable(caller, path).await?;
    let written = written(caller, call, mount).await?;
    let mut tx = caller.hub.store().write().await?;
    let version = files::rename(&mut tx, &from, &target, &written).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "path": to, "version": version }).to_string())
}

async fn delete(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<String, ToolError> {
    if folder::is_one(caller, path).await? {
        let name = call.asked().name.as_str();
        if OF_ONE_FILE.contains(&name) {
            return Err(ToolError(format!(
                "{path} is a folder, and {name} is for one file. To delete all that is in it call files with the action delete."
            )));
        }
        return folder::delete(caller, call, path).await;
    }
    let file = Mounted::writable(path)?;
    let there = match &file {
        Writable::Kept(..) => Vec::new(),
        Writable::OnDevice(at) => device::read(caller, at).await?.bytes,
    };
    let days = take_away(caller, call, path, file, &there).await?;
    let mut answer = json!({ "ok": true });
    if let Some(days) = days {
        answer["in_the_bin_for_days"] = days.into();
    }
    Ok(answer.to_string())
}

/// Takes a file away, and says for how many days the bin has it. What is on a device goes only if it is still `there`.
async fn take_away(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
    file: Writable,
    there: &[u8],
) -> Result<Option<u32>, ToolError> {
    let mount = match file {
        Writable::Kept(mount, _) => mount,
        Writable::OnDevice(at) => {
            device::delete(caller, &at, there).await?;
            return Ok(None);
        }
    };
    let file = place(caller, path).await?;
    let written = written(caller, call, mount).await?;
    let mut tx = caller.hub.store().write().await?;
    files::delete(&mut tx, &file.folder, &file.path, &written).await?;
    tx.commit().await?;
    Ok(Some(30))
}

async fn versions(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let kept = kept(caller, &place(caller, path).await?, path).await?;
    let listed: Vec<Value> = kept.iter().take(VERSIONS).map(|version| told(caller, version)).collect();
    Ok(json!({ "path": path, "versions": listed }).to_string())
}

fn told(caller: &Caller<'_>, version: &FileVersion) -> Value {
    let by = match &version.author {
        Some(FileAuthor::Person) => "your person",
        Some(FileAuthor::Agent { agent: Some(agent), .. })
            if ![caller.agent, caller.root].contains(&agent) =>
        {
            "another agent of your person's"
        }
        Some(FileAuthor::Agent { .. }) => "you",
        Some(FileAuthor::Archive) => "it came along",
        None => "unknown",
    };
    json!({ "version": version.version, "bytes": version.size, "deleted": version.size.is_none(), "at": version.at, "by": by })
}

/// With an earlier version of the file, or with what is in another one.
async fn diff(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<String, ToolError> {
    let version = number(call, "version");
    match (text(call, "to"), version) {
        ("", _) => {}
        (_, Some(_)) => return Err(ToolError("Give either version or to.".to_owned())),
        (to, None) => return diff_of_two(caller, call, path, to).await,
    }
    let file = place(caller, path).await?;
    require_readable(caller, path).await?;
    let kept = kept(caller, &file, path).await?;
    let there: Vec<u64> =
        kept.iter().filter(|version| version.size.is_some()).map(|version| version.version).collect();
    let now = *there.first().ok_or_else(|| ToolError(format!("Nothing is left of {path}.")))?;
    let before = match version {
        Some(version) => u64::try_from(version).unwrap_or(u64::MAX),
        None => there.get(1).copied().unwrap_or(now),
    };
    let (before_text, was_untrusted) = text_in(caller, &file, path, before).await?;
    let (now_text, is_untrusted) = text_in(caller, &file, path, now).await?;
    let diff = for_a_model(before_text, now_text).await?;
    let mut answer = json!({ "path": path, "from": before, "to": now, "diff": diff });
    mark(&mut answer, was_untrusted || is_untrusted);
    Ok(answer.to_string())
}

async fn diff_of_two(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
    to: &str,
) -> Result<String, ToolError> {
    folder::require_permitted(caller, call, &[to.to_owned()]).await?;
    let mut texts = Vec::new();
    let mut is_untrusted = false;
    for path in [path, to] {
        require_readable(caller, path).await?;
        let Content { bytes, untrusted } = content_of(caller, path).await?;
        is_untrusted |= untrusted;
        texts.push(decoded(&bytes).ok_or_else(|| not_text(path, &bytes))?.text.into_owned());
    }
    let after = texts.pop().unwrap_or_default();
    let diff = for_a_model(texts.pop().unwrap_or_default(), after).await?;
    let mut answer = json!({ "path": path, "to": to, "diff": diff });
    mark(&mut answer, is_untrusted);
    Ok(answer.to_string())
}

async fn text_in(
    caller: &Caller<'_>,
    file: &FilePlace,
    path: &str,
    version: u64,
) -> Result<(String, bool), ToolError> {
    let content = files::content(caller.hub.store().read(), &file.folder, &file.path, version).await?;
    let (bytes, untrusted) = content.ok_or_else(|| ToolError(format!("{path} has no version {version}.")))?;
    Ok((decoded(&bytes).ok_or_else(|| not_text(path, &bytes))?.text.into_owned(), untrusted))
}

async fn restore(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<String, ToolError> {
    let mount = match Mounted::writable(path)? {
        Writable::Kept(mount, _) => mount,
        Writable::OnDevice(at) => return Err(device::no_versions(&at)),
    };
    let file = place(caller, path).await?;
    let kept = kept(caller, &file, path).await?;
    let version = match number(call, "version") {
        Some(version) => u64::try_from(version).unwrap_or(u64::MAX),
        // Of a file that was deleted the last one that was there.
        None => match kept.iter().skip(1).find(|version| version.size.is_some()) {
            Some(version) => version.version,
            None => return Err(ToolError(format!("{path} has no earlier version."))),
        },
    };
    let written = written(caller, call, mount).await?;
    caller.hub.spaces().require_for(caller.root).await?;
    let mut tx = caller.hub.store().write().await?;
    files::restore(&mut tx, &file.folder, &file.path, version, &written).await?;
    tx.commit().await?;
    Ok(json!({ "ok": true, "path": path, "restored": version }).to_string())
}

async fn kept(caller: &Caller<'_>, file: &FilePlace, path: &str) -> Result<Vec<FileVersion>, ToolError> {
    let kept = files::of_file(caller.hub.store().read(), &file.folder, &file.path).await?;
    if kept.is_empty() {
        return Err(ToolError(format!("There is no file {path}, and none was there.")));
    }
    Ok(kept)
}
