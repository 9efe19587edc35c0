//! The model that a browser has itself, as the Prompt API shows it: requests. The stream is in
//! `in_browser/stream.rs`. It is no wire of a server: there is no address and no key, and the hub
//! cannot call it. The page that has the model makes the session, prompts it and
//! tells what comes, a line of JSON at a time. What it can do is in `facts.json`, as [`MODEL`].

use super::framing::Framing;
use super::outgoing;
use super::{Decoder, Stream as AnyStream};
use crate::text_lane;
use protocol::model::{Block, Media, ModelMessage, ModelRequest};
use serde::Serialize;
use serde_json::{Value, json};

mod stream;

pub(super) use stream::Stream;

/// The name that stands for whichever model the browser has.
pub const MODEL: &str = "in-browser";

/// One call, for the page to make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PromptCall {
    /// What `LanguageModel.create` takes.
    pub create: Value,
    /// What `promptStreaming` takes.
    pub prompt: String,
}

/// The model has no calls of its own, so tools are written into the text; what it answers goes through
/// [`text_lane::Lane`].
pub fn encode(request: &ModelRequest) -> PromptCall {
    let request = text_lane::encode(request);
    let mut prompts = Vec::new();
    if !request.system.trim().is_empty() {
        prompts.push(json!({ "role": "system", "content": request.system }));
    }
    let mut messages: Vec<&ModelMessage> = request.messages.iter().collect();
    let prompt = match messages.last() {
        Some(ModelMessage::User { text, media }) => {
            messages.pop();
            user(text, media)
        }
        Some(ModelMessage::Assistant { .. } | ModelMessage::Tools { .. }) | None => String::new(),
    };
    prompts.extend(messages.into_iter().filter_map(message));
    let create = json!({
        "initialPrompts": prompts,
        "expectedInputs": [{ "type": "text" }],
        "expectedOutputs": [{ "type": "text" }],
    });
    PromptCall { create, prompt }
}

/// Reads the page's lines: `{"progress": 0.42}` while the model is being fetched, `{"delta": "…"}`, and
/// at the end `{"done": {}}` with `input` and `output` in tokens where they are known, or `{"error":
/// {"name": "…", "message": "…"}}` with the name of the `DOMException`.
pub fn decoder() -> Decoder {
    Decoder::new(Framing::lines(), AnyStream::InBrowser(Stream::default()))
}

/// `None` where nothing is left to send.
fn message(message: &ModelMessage) -> Option<Value> {
    let (role, content) = match message {
        ModelMessage::User { text, media } => ("user", user(text, media)),
        ModelMessage::Assistant { blocks } => ("assistant", blocks.iter().filter_map(said).collect()),
        // Written into the text of a person's message.
        ModelMessage::Tools { .. } => return None,
    };
    (!content.is_empty()).then(|| json!({ "role": role, "content": content }))
}

fn user(text: &str, media: &[Media]) -> String {
    let mut lines: Vec<String> = media.iter().map(outgoing::note).collect();
    lines.extend((!text.is_empty()).then(|| text.to_owned()));
    lines.join("\n\n")
}

fn said(block: &Block) -> Option<&str> {
    match block {
        Block::Text { text } => Some(text),
        Block::Reasoning { .. } | Block::ToolUse(_) => None,
    }
}
