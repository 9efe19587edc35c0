//! `convert` of a ZIP: what is in it, or one file out of it.

use super::change;
use super::mounts::{Content, content_of, require_readable};
use super::{ROOM, mark, not_text, text};
use crate::engine::{ArchiveFile, Unpacked};
use crate::files::{LARGEST_FILE, decoded};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(20);
/// What else is a ZIP by the ending of its name. Anything is one that an entry is asked of.
const ENDINGS: [&str; 2] = [".zip", ".jar"];

pub(super) fn is_asked_for(call: &ResolvedCall) -> bool {
    let path = text(call, "path").to_ascii_lowercase();
    !text(call, "entry").is_empty() || ENDINGS.iter().any(|ending| path.ends_with(ending))
}

pub(super) async fn unpack(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let (path, to) = (text(call, "path"), text(call, "to"));
    let entry = Some(text(call, "entry")).filter(|entry| !entry.is_empty());
    if let Some(other) = ["text", "from", "format"].into_iter().find(|name| !text(call, name).is_empty()) {
        return Err(ToolError(format!(
            "A file is taken out of a ZIP as it is: leave {other} away, and convert what was taken out."
        )));
    }
    if path.is_empty() {
        return Err(ToolError("Give the path of the ZIP that the entry is in.".to_owned()));
    }
    if entry.is_none() && !to.is_empty() {
        return Err(ToolError(
            "Say in entry which file of the ZIP is to be written there. Without to, you are told what is in it."
                .to_owned(),
        ));
    }
    require_readable(caller, path).await?;
    let Content { bytes, untrusted } = content_of(caller, path).await?;
    let file = ArchiveFile {
        bytes: STANDARD.encode(&bytes),
        entry: entry.map(str::to_owned),
        most: LARGEST_FILE as u64,
    };
    let opened = caller.hub.engine().perform(caller.owner, file, TIMEOUT).await;
    let opened = opened.map_err(|error| ToolError(format!("{path} could not be opened: {error}.")))?;
    match opened.map_err(|why| ToolError(format!("{path} was not opened. {why}")))? {
        Unpacked::Listed { files, more } => Ok(listed(path, files, more, untrusted)),
        Unpacked::Taken(content) => {
            let content = STANDARD.decode(content).map_err(|error| ToolError(error.to_string()))?;
            if !to.is_empty() {
                let put = change::put(caller, call, to, untrusted, move |_, _| Ok(content.clone())).await?;
                return Ok(put.answer(to).to_string());
            }
            let name = entry.unwrap_or_default();
            let words = decoded(&content).ok_or_else(|| {
                let ToolError(why) = not_text(name, &content);
                ToolError(format!("{why} Give a path in `to`, and open what is written there."))
            })?;
            if words.text.len() > ROOM {
                let long = format!("{name} has {} bytes, more than fits here. ", content.len());
                return Err(ToolError(long + "Give a path in `to`, and read from that."));
            }
            let mut answer = json!({ "path": path, "entry": name, "text": words.text });
            mark(&mut answer, untrusted);
            Ok(answer.to_string())
        }
    }
}

/// As many as fit.
fn listed(path: &str, files: Vec<(String, u64)>, more: usize, untrusted: bool) -> String {
    let (mut shown, mut room): (Vec<Value>, usize) = (Vec::new(), ROOM / 2);
    let count = files.len() + more;
    for (name, size) in files {
        let one = json!({ "entry": name, "bytes": size });
        let Some(left) = room.checked_sub(one.to_string().len()) else { break };
        room = left;
        shown.push(one);
    }
    let left_out = count - shown.len();
    let mut answer = json!({ "path": path, "files": count, "entries": shown });
    if left_out > 0 {
        answer["more"] = format!("{left_out} files are not shown.").into();
    }
    mark(&mut answer, untrusted);
    answer.to_string()
}
