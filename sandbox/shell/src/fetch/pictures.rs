//! Pictures of a call: the worker marks where they go, and here the hub is asked for their bytes, which no frame has. Of
//! the person's files the hub gives those that messages to the run's agent have or its tools brought, and no others.

use crate::boot::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use js_sys::{Uint8Array, encode_uri_component};
use protocol::frame::picture_mark;
use protocol::{AgentId, AttachmentId};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Pictures of a call, and bytes of them all.
const MOST: usize = 20;
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The body with the pictures where their marks are. None: there are more of them than a call may have, or one cannot be
/// had.
pub(super) async fn put_into(mut body: String, agent: &AgentId, named: &[AttachmentId]) -> Option<String> {
    if named.len() > MOST {
        return None;
    }
    let mut room = MOST_BYTES;
    // A wire that takes none has no mark.
    for id in named.iter().filter(|id| !id.0.is_empty()) {
        if !body.contains(&picture_mark(id)) {
            continue;
        }
        let bytes = of_agent(agent, id).await.ok()?;
        room = room.checked_sub(bytes.len())?;
        body = put(&body, id, &STANDARD.encode(bytes));
    }
    Some(body)
}

async fn of_agent(agent: &AgentId, id: &AttachmentId) -> Result<Vec<u8>, JsValue> {
    let (id, agent) = (encode_uri_component(&id.0), encode_uri_component(&agent.0));
    let response = get(&format!("/attachments/{id}?of={agent}")).await?;
    Ok(Uint8Array::new(&JsFuture::from(response.array_buffer()?).await?).to_vec())
}

/// A mark is a whole text of the body, or the end of one that is an address. Within others it is somebody's words.
fn put(body: &str, id: &AttachmentId, data: &str) -> String {
    let mark = picture_mark(id);
    let whole = body.replace(&format!("\"{mark}\""), &format!("\"{data}\""));
    whole.replace(&format!(";base64,{mark}\""), &format!(";base64,{data}\""))
}

#[cfg(test)]
mod tests {
    use super::put;
    use serde_json::{Value, json};

    #[test]
    fn bytes_stand_where_a_mark_is_and_words_stay() {
        let body = json!({
            "images": ["attachment:ab", "attachment:abc"],
            "url": "data:image/png;base64,attachment:ab",
            "text": "He said \"attachment:ab\" and attachment:ab",
        });
        let told: Value = serde_json::from_str(&put(&body.to_string(), &"ab".into(), "QUJD")).unwrap();
        let expected = json!({
            "images": ["QUJD", "attachment:abc"],
            "url": "data:image/png;base64,QUJD",
            "text": "He said \"attachment:ab\" and attachment:ab",
        });
        assert_eq!(told, expected);
    }
}
