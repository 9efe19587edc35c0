//! Which tool call a piece belongs to: by its index where the server sends one, else by its id, else
//! by what a new call looks like.

use crate::providers::reply::Reply;
use serde_json::Value;
use std::borrow::Cow;

#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    key: Option<u64>,
    id: String,
    name: String,
    /// Arguments that came before the name.
    held: String,
    block: Option<u32>,
}

struct Piece<'a> {
    key: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: Cow<'a, str>,
}

impl Calls {
    pub(super) fn take(&mut self, delta: &Value, reply: &mut Reply) {
        let piece = Piece::of(delta);
        let position = self.find(&piece, reply).unwrap_or_else(|| {
            self.calls.push(Call {
                key: piece.key,
                id: String::new(),
                name: String::new(),
                held: String::new(),
                block: None,
            });
            self.calls.len() - 1
        });
        self.calls[position].extend(&piece, reply);
    }

    /// Fails the reply if a call never got its name.
    pub(super) fn finish(&self, reply: &mut Reply) {
        let is_nameless = |call: &Call| call.block.is_none() && !(call.id.is_empty() && call.held.is_empty());
        if self.calls.iter().any(is_nameless) {
            reply.fail_malformed("it calls a tool without naming it");
        }
    }

    fn find(&self, piece: &Piece, reply: &Reply) -> Option<usize> {
        let last = self.calls.len().checked_sub(1)?;
        let same = match piece.key {
            Some(key) => self.calls.iter().rposition(|call| call.key == Some(key)),
            None if piece.id.is_empty() => Some(last),
            None => self.calls.iter().rposition(|call| call.id == piece.id),
        };
        let goes_on = piece.name.is_empty() && (piece.id.is_empty() || piece.key.is_none());
        let position = same.or(goes_on.then_some(last))?;
        (!piece.begins_anew(&self.calls[position], reply)).then_some(position)
    }
}

impl Call {
    fn extend(&mut self, piece: &Piece, reply: &mut Reply) {
        if self.id.is_empty() {
            self.id = piece.id.to_owned();
        }
        if self.name.is_empty() {
            self.name = piece.name.to_owned();
        }
        match self.block {
            Some(block) => reply.append(block, &piece.arguments),
            None if self.name.is_empty() => self.held.push_str(&piece.arguments),
            None => {
                let block = reply.open_call(&self.id, &self.name);
                self.block = Some(block);
                reply.append(block, &std::mem::take(&mut self.held));
                reply.append(block, &piece.arguments);
            }
        }
    }
}

impl<'a> Piece<'a> {
    fn of(delta: &'a Value) -> Self {
        let function = &delta["function"];
        let arguments = match &function["arguments"] {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            Value::Null => Cow::Borrowed(""),
            whole => Cow::Owned(whole.to_string()),
        };
        Self {
            key: delta["index"].as_u64(),
            id: delta["id"].as_str().unwrap_or_default(),
            name: function["name"].as_str().unwrap_or_default(),
            arguments,
        }
    }

    /// Some servers send whole calls one after another under the same index or none, some repeat
    /// the name in every piece.
    fn begins_anew(&self, call: &Call, reply: &Reply) -> bool {
        if self.name.is_empty() || call.name.is_empty() {
            return false;
        }
        let has_other_id = !self.id.is_empty() && !call.id.is_empty() && self.id != call.id;
        let before = call.block.map_or("", |block| reply.input(block));
        let is_after_object = self.arguments.starts_with('{') && before.ends_with('}');
        has_other_id || self.name != call.name || is_after_object
    }
}
