//! The model that a browser has itself: the stream, as the page tells it.

use crate::providers::framing::Event;
use crate::providers::reply::Reply;
use crate::providers::{excerpt, object, text};
use protocol::model::{ModelFailure, ModelFailureKind, StopReason, Usage};
use protocol::words;
use serde_json::Value;

#[derive(Debug, Default)]
pub(in crate::providers) struct Stream {
    /// The one block of text.
    block: Option<u32>,
    /// What was told of the download, in percent.
    fetched: Option<u8>,
}

impl Stream {
    pub(in crate::providers) fn read(&mut self, event: &Event, reply: &mut Reply) {
        let Some(line) = object(event, reply) else { return };
        if let Some(words) = line["delta"].as_str() {
            let block = *self.block.get_or_insert_with(|| reply.open_text());
            reply.append(block, words);
        } else if let Some(part) = line["progress"].as_f64() {
            self.tell_progress(part, reply);
        } else if line.get("error").is_some() {
            reply.note_unknown(format!("error {}", excerpt(&line["error"])));
            reply.fail(explain(text(&line["error"], "name")));
        } else if line.get("done").is_some() {
            count(&line["done"], reply);
            reply.stop(StopReason::EndTurn);
        } else {
            reply.note_unknown(format!("line {}", excerpt(&line)));
        }
    }

    /// Nothing but the last line says that a reply is whole.
    pub(in crate::providers) fn finish(&mut self, _: &mut Reply) {}

    /// No event of a model call is about its download: it is told as a note, once for each percent.
    fn tell_progress(&mut self, part: f64, reply: &mut Reply) {
        let percent = (part.clamp(0.0, 1.0) * 100.0) as u8;
        if self.fetched.replace(percent) != Some(percent) {
            reply.note_unknown(format!("the browser fetches its model: {percent} %"));
        }
    }
}

fn count(done: &Value, reply: &mut Reply) {
    let (input, output) = (done["input"].as_u64(), done["output"].as_u64());
    if input.is_some() || output.is_some() {
        reply.count(Usage {
            input: input.unwrap_or_default(),
            output: output.unwrap_or_default(),
            ..Usage::default()
        });
    }
}

/// What the name of a browser's exception means here.
fn explain(name: &str) -> ModelFailure {
    use ModelFailureKind::*;
    let (kind, message) = match name {
        "QuotaExceededError" => (
            ContextTooLong,
            words!("The conversation is too long for the browser's own model. Start a new one."),
        ),
        "NotAllowedError" => (
            NotConfigured,
            words!(
                "The browser does not let this page use its model. Allow it in the browser, or choose another \
             model."
            ),
        ),
        "NotSupportedError" => (
            UnknownModel,
            words!(
                "This browser has no model for this conversation. Choose another model, or use another browser."
            ),
        ),
        "NotReadableError" => (
            Refused,
            words!("The browser withheld what its model said. Say it differently, or choose another model."),
        ),
        "NetworkError" => (
            Unreachable,
            words!("The browser could not fetch its model. Check the connection, and try again."),
        ),
        "AbortError" => (Aborted, words!("The browser's model was stopped.")),
        _ => (Server, words!("The browser's own model failed. Try again, or choose another model.")),
    };
    ModelFailure { kind, message: message.to_owned(), retry_after_ms: None }
}
