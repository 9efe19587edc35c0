//! The pictures that a document shows, out of the files that the agent may read.

use super::mounts::{Content, content_of};
use crate::documents::NamedPicture;
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::whole_path;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Pictures of one document, and bytes of all of them as they are kept.
const MOST: usize = 40;
const LARGEST: usize = 24 * 1024 * 1024;

#[derive(Default)]
pub(super) struct Pictures {
    pub(super) named: Vec<NamedPicture>,
    /// Which are not among them and why, in sentences.
    pub(super) notes: Vec<String>,
    /// Whether strangers may have made one of them.
    pub(super) untrusted: bool,
}

pub(super) async fn pictures(caller: &Caller<'_>, markdown: &str) -> Result<Pictures, ToolError> {
    let mut found = Pictures::default();
    if !markdown.contains("![") {
        return Ok(found);
    }
    let names = caller.hub.pictures_of(caller.owner, markdown).await;
    let names = names.map_err(|why| ToolError(why.to_string()))?;
    let mut size = 0;
    for (name, at) in names.into_iter().zip(1..) {
        let read = if at > MOST {
            Err(format!("a document has {MOST} pictures at most"))
        } else {
            read(caller, &name, LARGEST - size).await?
        };
        match read {
            Ok(Content { bytes, untrusted }) => {
                size += bytes.len();
                found.untrusted |= untrusted;
                found.named.push(NamedPicture { name, bytes: STANDARD.encode(bytes) });
            }
            Err(why) => found.notes.push(format!("The picture {name} is not in it: {why}.")),
        }
    }
    Ok(found)
}

/// A file, or why it cannot be shown.
async fn read(caller: &Caller<'_>, name: &str, room: usize) -> Result<Result<Content, String>, ToolError> {
    if name.contains("://") || name.starts_with("data:") {
        return Ok(Err("pictures are taken out of files, so keep it as one first".to_owned()));
    }
    let path = whole_path(&name.replace("%20", " "));
    let Some(path) = caller.readable(vec![path], String::as_str).await?.pop() else {
        return Ok(Err("a rule of your person keeps you from reading it".to_owned()));
    };
    Ok(match content_of(caller, &path).await {
        Err(ToolError(why)) => Err(why.trim_end_matches('.').to_owned()),
        Ok(content) if content.bytes.len() > room => {
            Err("the pictures of one document have 24 MB at most".to_owned())
        }
        Ok(content) => Ok(content),
    })
}
