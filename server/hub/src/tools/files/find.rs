//! `glob` and `grep`: files by their names, and by what stands in them.

use super::grep::{Mode, Pattern, Search};
use super::mounts::{Content, Found, Mounted, content_of, listed};
use super::{ROOM, flag, mark, number, text};
use crate::error::Error;
use crate::files::text_of;
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use globset::{GlobBuilder, GlobMatcher};
use serde_json::json;

/// Files that a pattern finds at most.
const FILES: usize = 100;
/// Bytes that one search reads.
const READ: u64 = 20 * 1024 * 1024;
/// Files of a device that one search reads.
const FILES_OF_DEVICE: usize = 300;
/// What a search finds at most, if it says nothing else.
const LIMIT: usize = 100;

pub(in crate::tools) async fn glob(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let matcher = matcher(text(call, "pattern"))?;
    let folder = folder(call);
    let (mut found, not_all) = listed(caller, &Mounted::parse(folder)?).await?;
    found.retain(|found| matcher.is_match(relative(&found.path, folder)));
    found.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.path.cmp(&other.path)));
    let total = found.len();
    let (mut paths, mut room, mut untrusted) = (Vec::new(), ROOM, false);
    for found in found.into_iter().take(FILES) {
        let size = found.path.len() + 3;
        if size > room {
            break;
        }
        room -= size;
        untrusted |= found.untrusted;
        paths.push(found.path);
    }
    let mut answer = json!({ "total": total });
    if paths.len() < total {
        answer["more"] = format!("{} more. Narrow the pattern.", total - paths.len()).into();
    }
    answer["paths"] = paths.into();
    if let Some(why) = not_all {
        answer["not_all"] = why.into();
    }
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

pub(in crate::tools) async fn grep(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let pattern = Pattern::new(text(call, "pattern"), flag(call, "ignore_case")).map_err(ToolError)?;
    let mode = match text(call, "output_mode") {
        "content" => Mode::Content { context: number(call, "context").unwrap_or_default() },
        "count" => Mode::Count,
        _ => Mode::Files,
    };
    let names = match text(call, "glob") {
        "" => None,
        glob => Some(matcher(glob)?),
    };
    let folder = folder(call);
    let place = Mounted::parse(folder)?;
    let (mut all, not_all) = listed(caller, &place).await?;
    // Each is a way to the device and back.
    let most = if matches!(place, Mounted::Device(_)) { FILES_OF_DEVICE } else { usize::MAX };
    all.retain(|found| names.as_ref().is_none_or(|names| fits(names, found, folder)));
    let mut search = Search::new(pattern, mode, number(call, "limit").unwrap_or(LIMIT), ROOM);
    let (mut read, mut files, mut unread, mut untrusted) = (0, 0, 0, false);
    for found in all {
        if read + found.size > READ || files == most || search.is_full() {
            unread += 1;
            continue;
        }
        // It may be gone by now, or be too large to come from a device.
        let Ok(Content { bytes, .. }) = content_of(caller, &found.path).await else {
            unread += 1;
            continue;
        };
        (read, files) = (read + found.size, files + 1);
        let (found_before, is_untrusted) = (search.found(), found.untrusted);
        search = tokio::task::spawn_blocking(move || {
            if let Some(content) = text_of(&bytes) {
                search.take(&found.path, content);
            }
            search
        })
        .await
        .map_err(Error::internal)?;
        untrusted |= is_untrusted && search.found() > found_before;
    }
    let mut answer = search.answer(unread);
    if let Some(why) = not_all {
        answer["not_all"] = why.into();
    }
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

fn folder(call: &ResolvedCall) -> &str {
    match text(call, "path") {
        "" => agent::tools::OWN_FILES,
        path => path,
    }
}

fn matcher(pattern: &str) -> Result<GlobMatcher, ToolError> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| ToolError(format!("The pattern cannot be read: {error}.")))
}

/// Whether the path from the folder on fits, or the name of the file does.
fn fits(names: &GlobMatcher, found: &Found, folder: &str) -> bool {
    let name = found.path.rsplit('/').next().unwrap_or_default();
    names.is_match(relative(&found.path, folder)) || names.is_match(name)
}

fn relative<'p>(path: &'p str, folder: &str) -> &'p str {
    path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/')
}
