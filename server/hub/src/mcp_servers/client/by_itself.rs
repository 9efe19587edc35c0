//! What becomes of a word that a server says by itself, with which no request is answered.

use super::asked_back::{NOT_GIVEN, WRONG};
use super::message::{Message, Part, Wants};
use crate::Hub;
use protocol::McpServerId;
use serde_json::{Value, json};
use tokio::sync::mpsc;

const NO_CALL: &str = "No call is open with this server, so nobody is asked. Ask while a call is open.";

/// So much room lines of a log leave to what has to be answered.
const FOR_QUESTIONS: usize = 8;

/// The calls that are open with a server.
pub(super) trait OpenCalls: Sync {
    /// The one that began last, or the one with this number.
    fn call(&self, number: Option<u64>) -> Option<mpsc::Sender<Part>>;
    fn calls(&self) -> Vec<mpsc::Sender<Part>>;
}

/// Hands it to the call that it is for. What is said back at once comes out.
pub(super) fn heard(
    hub: &Hub,
    server: &McpServerId,
    message: &Value,
    open: &dyn OpenCalls,
) -> Option<Message> {
    let token = message.pointer("/params/progressToken").and_then(Value::as_u64);
    match Part::of(message, token.unwrap_or_default()) {
        Part::Asked { id, what: Wants::Ping } => Some(Message::reply(&id, json!({}))),
        Part::Asked { id, what: Wants::Else } => {
            Some(Message::refusal(&id, NOT_GIVEN, "This client does not answer that."))
        }
        Part::Asked { id, what } => {
            let asked = id.clone();
            match open.call(None) {
                Some(call) if call.try_send(Part::Asked { id, what }).is_ok() => None,
                Some(_) | None => Some(Message::refusal(&asked, WRONG, NO_CALL)),
            }
        }
        Part::Withdrawn { id } => {
            for call in open.calls() {
                // One that has not looked for so long asks nobody.
                let _ = call.try_send(Part::Withdrawn { id: id.clone() });
            }
            None
        }
        Part::ListChanged => {
            hub.0.mcp_servers.has_others(server);
            None
        }
        Part::Progress(params) => {
            if let Some(call) = token.and_then(|number| open.call(Some(number))) {
                // The next one says more.
                let _ = call.try_send(Part::Progress(params));
            }
            None
        }
        Part::Log(params) => {
            // Whoever has a call open knows what must not stand in it.
            if let Some(call) = open.call(None).filter(|call| call.capacity() > FOR_QUESTIONS) {
                let _ = call.try_send(Part::Log(params));
            }
            None
        }
        Part::Heard(_) | Part::Other => None,
    }
}
