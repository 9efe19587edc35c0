//! Which tool call a piece belongs to: by its index where the server sends one, else by its id, else
//! by what a new call looks like.

use super::SIGNED;
use crate::providers::reply::Reply;
use protocol::words;
use serde_json::{Map, Value};
use std::borrow::Cow;

#[derive(Debug, Default)]
pub(super) struct ToolCallAssembler {
    calls: Vec<PendingToolCall>,
}

#[derive(Debug)]
struct PendingToolCall {
    key: Option<u64>,
    id: String,
    name: String,
    /// Arguments that came before the name and the id.
    held: String,
    signature: String,
    block: Option<u32>,
}

struct ToolCallDelta<'a> {
    key: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: Cow<'a, str>,
    signature: &'a str,
}

impl ToolCallAssembler {
    pub(super) fn take(&mut self, delta: &Value, reply: &mut Reply) {
        let piece = ToolCallDelta::of(delta);
        let found = self.find(&piece, reply);
        if found.is_some_and(|position| piece.repeats(&self.calls[position], reply)) {
            return;
        }
        let position = found.filter(|position| !piece.begins_anew(&self.calls[*position], reply));
        let position = position.unwrap_or_else(|| {
            self.open_waiting(reply);
            self.calls.push(PendingToolCall {
                key: piece.key,
                id: String::new(),
                name: String::new(),
                held: String::new(),
                signature: String::new(),
                block: None,
            });
            self.calls.len() - 1
        });
        self.calls[position].extend(&piece, reply);
    }

    /// Opens the calls that waited for an id that may still come: something else came.
    pub(super) fn open_waiting(&mut self, reply: &mut Reply) {
        for call in self.calls.iter_mut().filter(|call| call.block.is_none() && !call.name.is_empty()) {
            call.open(reply);
        }
    }

    /// Fails the reply if a call never got its name.
    pub(super) fn finish(&mut self, reply: &mut Reply) {
        self.open_waiting(reply);
        let is_nameless =
            |call: &PendingToolCall| call.block.is_none() && !(call.id.is_empty() && call.held.is_empty());
        if self.calls.iter().any(is_nameless) {
            reply.fail_malformed(words!("it calls a tool without naming it"));
        }
    }

    fn find(&self, piece: &ToolCallDelta, reply: &Reply) -> Option<usize> {
        let last = self.calls.len().checked_sub(1)?;
        let same = match piece.key {
            Some(key) => self.calls.iter().rposition(|call| call.key == Some(key)),
            None if piece.id.is_empty() => Some(last),
            None => self.calls.iter().rposition(|call| call.id == piece.id),
        };
        // The first call of two under one index may be told once more.
        let again = self.calls.iter().position(|call| piece.repeats(call, reply));
        let goes_on = piece.name.is_empty() && (piece.id.is_empty() || piece.key.is_none());
        again.or(same).or(goes_on.then_some(last))
    }
}

impl PendingToolCall {
    fn extend(&mut self, piece: &ToolCallDelta, reply: &mut Reply) {
        if self.id.is_empty() {
            self.id = piece.id.to_owned();
        }
        if self.name.is_empty() {
            self.name = piece.name.to_owned();
        }
        if self.signature.is_empty() {
            self.signature = piece.signature.to_owned();
        }
        match self.block {
            Some(block) => reply.append(block, &piece.arguments),
            None => {
                reply.note_content();
                self.held.push_str(&piece.arguments);
                if !self.name.is_empty() && !self.id.is_empty() {
                    self.open(reply);
                }
            }
        }
    }

    fn open(&mut self, reply: &mut Reply) {
        reply.sign_next(SIGNED, &self.signature);
        let block = reply.open_call(&self.id, &self.name);
        self.block = Some(block);
        reply.release(|reply| reply.append(block, &std::mem::take(&mut self.held)));
    }

    fn arguments<'a>(&'a self, reply: &'a Reply) -> &'a str {
        self.block.map_or(&self.held, |block| reply.input(block))
    }
}

impl<'a> ToolCallDelta<'a> {
    fn of(delta: &'a Value) -> Self {
        // A custom tool has free text for its input.
        let (function, arguments) = match &delta["custom"] {
            Value::Object(_) => (&delta["custom"], &delta["custom"]["input"]),
            _ => (&delta["function"], &delta["function"]["arguments"]),
        };
        let arguments = match arguments {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            Value::Null => Cow::Borrowed(""),
            whole => Cow::Owned(whole.to_string()),
        };
        Self {
            key: delta["index"].as_u64(),
            id: delta["id"].as_str().unwrap_or_default(),
            name: function["name"].as_str().unwrap_or_default(),
            arguments,
            signature: delta["extra_content"]["google"]["thought_signature"].as_str().unwrap_or_default(),
        }
    }

    /// Some servers send whole calls one after another under the same index or none, some repeat
    /// the name in every piece.
    fn begins_anew(&self, call: &PendingToolCall, reply: &Reply) -> bool {
        if self.name.is_empty() || call.name.is_empty() {
            return false;
        }
        let has_other_id = !self.id.is_empty() && !call.id.is_empty() && self.id != call.id;
        let is_after_object = self.arguments.starts_with('{') && object(call.arguments(reply)).is_some();
        has_other_id || self.name != call.name || is_after_object
    }

    /// The whole call once more, as servers send it at its end and proxies when they stumble.
    fn repeats(&self, call: &PendingToolCall, reply: &Reply) -> bool {
        let is_same = !self.id.is_empty()
            && self.id == call.id
            && self.key == call.key
            && (self.name.is_empty() || self.name == call.name);
        is_same && object(&self.arguments).is_some_and(|whole| object(call.arguments(reply)) == Some(whole))
    }
}

fn object(text: &str) -> Option<Map<String, Value>> {
    let text = text.trim();
    // Nothing else is worth the parsing, which every piece would cost.
    (text.starts_with('{') && text.ends_with('}')).then(|| serde_json::from_str(text).ok()).flatten()
}
