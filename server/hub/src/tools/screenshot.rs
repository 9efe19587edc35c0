//! The picture that `dom` brings of the agent's page: kept as one of a message is, for the model to look at.

use super::ToolError;
use crate::error::Error;
use crate::gateway::Caller;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::Attachment;
use serde_json::Value;

const NAME: &str = "page";

pub(super) fn is_wanted(input: &Value) -> bool {
    input.get("action").and_then(Value::as_str) == Some("screenshot")
}

/// Takes the picture out of what the page answered, and says in its place whether it is shown.
pub(super) async fn keep(caller: &Caller<'_>, result: &mut Value) -> Result<Option<Attachment>, ToolError> {
    let Some(told) = result.get_mut("screenshot") else { return Ok(None) };
    let bytes = told
        .as_str()
        .and_then(|address| address.split_once(";base64,"))
        .and_then(|(_, encoded)| STANDARD.decode(encoded).ok());
    let taken = match bytes {
        None => Err("the page sent none".to_owned()),
        Some(bytes) => {
            match caller.hub.attachments().take_in_picture(caller.owner, None, NAME, bytes).await {
                Ok(taken) => taken,
                Err(Error::Limit(why)) => Err(why.trim_end_matches('.').to_owned()),
                Err(other) => return Err(other.into()),
            }
        }
    };
    let (words, picture) = match taken {
        Ok(picture) => ("It comes with this result.".to_owned(), Some(picture)),
        Err(why) => (format!("It is not shown to you: {why}."), None),
    };
    *told = Value::from(words);
    Ok(picture)
}
