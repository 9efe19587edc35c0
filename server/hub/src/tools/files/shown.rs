//! `read`, where the file is a picture: it comes with the result, for a model that sees.

use super::mark;
use super::mounts::{Mounted, missing};
use crate::error::Error;
use crate::files;
use crate::gateway::Caller;
use crate::tools::{ToolAnswer, ToolError};
use protocol::Attachment;
use serde_json::{Value, json};

pub(super) async fn give(
    caller: &Caller<'_>,
    path: &str,
    bytes: Vec<u8>,
    untrusted: bool,
) -> Result<ToolAnswer, ToolError> {
    let picture = match Mounted::parse(path)? {
        Mounted::Uploads(Some(at)) => uploaded(caller, at.as_str()).await?,
        Mounted::Server(name, _) => Some(taken_in(caller, Some(&name), path, bytes).await?),
        Mounted::Root
        | Mounted::In(..)
        | Mounted::Uploads(None)
        | Mounted::Device(_)
        | Mounted::Local
        | Mounted::Servers => Some(taken_in(caller, None, path, bytes).await?),
    };
    let Some(picture) = picture else { return Err(missing(caller, path).await?) };
    let mut answer = json!({ "path": path, "picture": told(&picture) });
    mark(&mut answer, untrusted);
    Ok(ToolAnswer { content: answer.to_string(), files: vec![picture] })
}

/// Keeps it as pictures of messages are kept, with the server that it is of.
pub(super) async fn taken_in(
    caller: &Caller<'_>,
    server: Option<&str>,
    path: &str,
    bytes: Vec<u8>,
) -> Result<Attachment, ToolError> {
    let kept = caller.hub.attachments().take_in_picture(caller.owner, server, path, bytes).await?;
    kept.map_err(|why| ToolError(format!("{path} cannot be looked at: {why}.")))
}

/// What is under `/uploads` is kept already.
async fn uploaded(caller: &Caller<'_>, path: &str) -> Result<Option<Attachment>, Error> {
    let all = files::uploads(caller.hub.store().read(), caller.root).await?;
    match all.into_iter().find(|upload| upload.path == path) {
        Some(upload) => caller.hub.attachments().find(caller.owner, &upload.id).await,
        None => Ok(None),
    }
}

/// A picture as it comes with a result, in words.
pub(super) fn told(picture: &Attachment) -> Value {
    match picture.dimensions {
        Some(of) => json!({ "mime": picture.mime, "width": of.width, "height": of.height }),
        None => json!({ "mime": picture.mime }),
    }
}
