//! Anthropic Messages: the stream.

use super::{REDACTED, SIGNED};
use crate::providers::errors::{self, Complaint};
use crate::providers::framing::Event;
use crate::providers::mould::Mould;
use crate::providers::reply::{BLOCK_LIMIT, Reply};
use crate::providers::{excerpt, object, text};
use protocol::model::{StopReason, Usage};
use protocol::words;
use serde_json::Value;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub(in crate::providers) struct Stream {
    /// The id of the message, once it has begun.
    message: Option<String>,
    /// The blocks that are open, by the provider's index.
    blocks: BTreeMap<u64, DeltaTarget>,
    /// The calls so far, by the provider's id: a proxy that repeats a start repeats its id.
    calls: BTreeSet<String>,
    /// What texts that are open come from.
    cited: Vec<(u32, Value)>,
    usage: Usage,
    stop: Option<StopReason>,
    /// The last event that was more of a block.
    mould: Option<Mould<Piece>>,
}

/// A piece of the block at the provider's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Text(u64),
    Thinking(u64),
    Input(u64),
}

/// Where the deltas of a block go.
#[derive(Debug)]
enum DeltaTarget {
    Text(u32),
    Reasoning(u32),
    Call {
        index: u32,
        /// Arguments that came with the start; they count if no deltas follow.
        initial: Option<String>,
    },
    /// A block of a kind that is not ours to keep.
    Skipped,
}

impl Stream {
    pub(in crate::providers) fn read(&mut self, event: &Event, reply: &mut Reply) {
        if let Some((piece, text)) = self.mould.as_ref().and_then(|mould| mould.read(event))
            && self.grow(piece, &text, reply)
        {
            return;
        }
        let Some(value) = object(event, reply) else { return };
        let kind = match text(&value, "type") {
            "" if value.get("error").is_some() => "error",
            "" => event.name.as_str(),
            kind => kind,
        };
        match kind {
            "message_start" => self.start_message(&value["message"], reply),
            "content_block_start" => self.start_block(&value, reply),
            "content_block_delta" => {
                self.take_delta(&value, reply);
                if let Some(mould) = mould_of(event, &value) {
                    self.mould = Some(mould);
                }
            }
            "content_block_stop" => {
                if let Some(place) = self.blocks.remove(&index_of(&value)) {
                    self.link(&place, reply);
                    close(place, reply);
                }
            }
            "message_delta" => self.take_message_delta(&value, reply),
            "message_stop" => {
                self.stop.get_or_insert(StopReason::EndTurn);
                self.finish(reply);
            }
            "ping" => {}
            "error" => {
                let complaint = Complaint::of(&value);
                reply.fail(errors::in_band(status_of(&complaint), &complaint));
            }
            _ => reply.note_unknown(format!("event {}", excerpt(&value))),
        }
    }

    /// A reply that told its stop reason is whole, even where the closing event is missing.
    pub(in crate::providers) fn finish(&mut self, reply: &mut Reply) {
        let Some(reason) = self.stop else { return };
        for place in std::mem::take(&mut self.blocks).into_values() {
            self.link(&place, reply);
            close(place, reply);
        }
        reply.stop(reason);
    }

    /// Where a text comes from stands behind it.
    fn link(&mut self, place: &DeltaTarget, reply: &mut Reply) {
        let DeltaTarget::Text(at) = place else { return };
        for (_, cited) in self.cited.extract_if(.., |(index, _)| index == at) {
            if let Some(number) = reply.link(*at, text(&cited, "url"), text(&cited, "title")) {
                reply.describe(number, text(&cited, "cited_text"), "");
            }
        }
    }

    /// A reply that goes on from tools that the provider ran begins with the calls that wait.
    fn start_message(&mut self, message: &Value, reply: &mut Reply) {
        let id = text(message, "id");
        if self.is_another(id) && reply.has_blocks() {
            return match self.stop {
                Some(_) => self.finish(reply),
                None => reply.fail(errors::cut()),
            };
        }
        self.message = Some(id.to_owned());
        self.count(&message["usage"], reply);
        for block in message["content"].as_array().into_iter().flatten() {
            if block["type"] == "tool_use"
                && let Some(place) = self.start_call(block, reply)
            {
                close(place, reply);
            }
        }
    }

    /// Whether a server begins anew under another id. A proxy that repeats a start repeats its id.
    fn is_another(&self, id: &str) -> bool {
        let known = self.message.as_deref().unwrap_or_default();
        !id.is_empty() && !known.is_empty() && id != known
    }

    fn start_block(&mut self, value: &Value, reply: &mut Reply) {
        let block = &value["content_block"];
        let index = index_of(value);
        if self.is_repeated(index, block, reply) {
            return;
        }
        let place = match text(block, "type") {
            "text" => {
                let index = reply.open_text();
                reply.append(index, text(block, "text"));
                DeltaTarget::Text(index)
            }
            "thinking" => {
                let index = reply.open_reasoning();
                reply.append(index, text(block, "thinking"));
                reply.sign(index, SIGNED, text(block, "signature"));
                DeltaTarget::Reasoning(index)
            }
            "redacted_thinking" => {
                let index = reply.open_reasoning();
                reply.sign(index, REDACTED, text(block, "data"));
                DeltaTarget::Reasoning(index)
            }
            "tool_use" => match self.start_call(block, reply) {
                Some(place) => place,
                None => {
                    self.blocks.entry(index).or_insert(DeltaTarget::Skipped);
                    return;
                }
            },
            "web_search_tool_result" => {
                reply.note_searches(1);
                for found in block["content"].as_array().into_iter().flatten() {
                    if let Some(number) = reply.cite(text(found, "url"), text(found, "title")) {
                        reply.describe(number, "", text(found, "page_age"));
                    }
                }
                DeltaTarget::Skipped
            }
            _ => {
                reply.note_unknown(format!("content block {}", excerpt(block)));
                DeltaTarget::Skipped
            }
        };
        if let Some(unstopped) = self.blocks.insert(index, place) {
            close(unstopped, reply);
        }
        if self.blocks.len() > BLOCK_LIMIT as usize {
            reply.fail_malformed(words!("too many blocks are open at once"));
        }
    }

    /// `None` for a call that has been started before.
    fn start_call(&mut self, block: &Value, reply: &mut Reply) -> Option<DeltaTarget> {
        let (id, name) = (text(block, "id"), text(block, "name"));
        if name.is_empty() {
            reply.fail_malformed(words!("it calls a tool without naming it"));
            return None;
        }
        if !id.is_empty() && !self.calls.insert(id.to_owned()) {
            return None;
        }
        let input = block["input"].as_object().filter(|input| !input.is_empty());
        reply.note_content();
        Some(DeltaTarget::Call {
            index: reply.open_call(id, name),
            initial: input.map(|_| block["input"].to_string()),
        })
    }

    /// Whether the same start came just before, and nothing since.
    fn is_repeated(&self, index: u64, block: &Value, reply: &Reply) -> bool {
        let is_bare = |key: &str| text(block, key).is_empty();
        match (self.blocks.get(&index), text(block, "type")) {
            (Some(DeltaTarget::Text(at)), "text") => is_bare("text") && reply.is_empty(*at),
            (Some(DeltaTarget::Reasoning(at)), "thinking") => is_bare("thinking") && reply.is_empty(*at),
            _ => false,
        }
    }

    /// Whether there is an open block that takes it.
    fn grow(&mut self, piece: Piece, text: &str, reply: &mut Reply) -> bool {
        let (Piece::Text(at) | Piece::Thinking(at) | Piece::Input(at)) = piece;
        match (piece, self.blocks.get_mut(&at)) {
            (Piece::Text(_), Some(DeltaTarget::Text(index)))
            | (Piece::Thinking(_), Some(DeltaTarget::Reasoning(index))) => reply.append(*index, text),
            (Piece::Input(_), Some(DeltaTarget::Call { index, initial })) => {
                *initial = None;
                reply.append(*index, text);
            }
            _ => return false,
        }
        true
    }

    fn take_delta(&mut self, value: &Value, reply: &mut Reply) {
        let delta = &value["delta"];
        let kind = text(delta, "type");
        let place = match self.blocks.entry(index_of(value)) {
            Entry::Occupied(entry) => entry.into_mut(),
            // The start is missing: the delta says what kind of block it is.
            Entry::Vacant(entry) => entry.insert(match kind {
                "text_delta" => DeltaTarget::Text(reply.open_text()),
                "thinking_delta" | "signature_delta" => DeltaTarget::Reasoning(reply.open_reasoning()),
                "input_json_delta" => {
                    return reply.fail_malformed(words!("it calls a tool without naming it"));
                }
                _ => return reply.note_unknown(format!("delta {}", excerpt(delta))),
            }),
        };
        match (kind, place) {
            ("text_delta", DeltaTarget::Text(index)) => reply.append(*index, text(delta, "text")),
            ("thinking_delta", DeltaTarget::Reasoning(index)) => {
                reply.append(*index, text(delta, "thinking"));
            }
            ("signature_delta", DeltaTarget::Reasoning(index)) => {
                reply.sign(*index, SIGNED, text(delta, "signature"));
            }
            ("input_json_delta", DeltaTarget::Call { index, initial }) => {
                let piece = text(delta, "partial_json");
                if !piece.is_empty() {
                    *initial = None;
                }
                reply.append(*index, piece);
            }
            ("citations_delta", DeltaTarget::Text(index)) if delta["citation"]["url"].is_string() => {
                self.cited.push((*index, delta["citation"].clone()));
            }
            (_, DeltaTarget::Skipped) => {}
            (
                "text_delta" | "thinking_delta" | "signature_delta" | "input_json_delta",
                DeltaTarget::Text(_) | DeltaTarget::Reasoning(_) | DeltaTarget::Call { .. },
            ) => reply.fail_malformed(words!("a delta does not fit its block")),
            _ => reply.note_unknown(format!("delta {}", excerpt(delta))),
        }
    }

    fn take_message_delta(&mut self, value: &Value, reply: &mut Reply) {
        let delta = &value["delta"];
        if let Some(reason) = delta["stop_reason"].as_str() {
            self.stop = Some(stop_reason(reason));
        }
        if delta["stop_details"].is_object() {
            reply.note_unknown(format!("stop details {}", excerpt(&delta["stop_details"])));
        }
        self.count(&value["usage"], reply);
    }

    /// Totals are cumulative. A later one may leave parts out, or name all of the input's as none.
    fn count(&mut self, usage: &Value, reply: &mut Reply) {
        if !usage.is_object() {
            return;
        }
        let number = |key: &str| usage[key].as_u64();
        let parts = [
            (&mut self.usage.input, number("input_tokens")),
            (&mut self.usage.cache_read, number("cache_read_input_tokens")),
            (&mut self.usage.cache_write, number("cache_creation_input_tokens")),
        ];
        if parts.iter().any(|(_, part)| part.is_some_and(|tokens| tokens > 0)) {
            for (known, part) in parts {
                *known = part.unwrap_or(*known);
            }
        }
        self.usage.output = number("output_tokens").unwrap_or(self.usage.output);
        let thinking = usage["output_tokens_details"]["thinking_tokens"].as_u64();
        self.usage.reasoning = thinking.unwrap_or(self.usage.reasoning);
        if let Some((input, output)) = iterated(&usage["iterations"]) {
            (self.usage.input, self.usage.output) = (input, output);
        }
        reply.count(self.usage);
    }
}

/// `None` for a delta that is no text.
fn mould_of(event: &Event, value: &Value) -> Option<Mould<Piece>> {
    let (delta, at) = (&value["delta"], index_of(value));
    let (key, kind) = match text(delta, "type") {
        "text_delta" => ("text", Piece::Text(at)),
        "thinking_delta" => ("thinking", Piece::Thinking(at)),
        "input_json_delta" => ("partial_json", Piece::Input(at)),
        _ => return None,
    };
    Mould::of(event, key, text(delta, key), kind)
}

/// The model's own tokens where the provider called it more than once: the totals leave out what
/// went into shortening the conversation. Advice of another model has another price and is left out;
/// after a fallback the totals are those of the model that answered.
fn iterated(iterations: &Value) -> Option<(u64, u64)> {
    let iterations = iterations.as_array()?;
    if iterations.iter().any(|one| one["type"] == "fallback_message") {
        return None;
    }
    let own = iterations.iter().filter(|one| one["type"] == "message" || one["type"] == "compaction");
    let own = own.map(|one| (one["input_tokens"].as_u64(), one["output_tokens"].as_u64()));
    own.map(|(input, output)| (input.unwrap_or_default(), output.unwrap_or_default()))
        .reduce(|sum, one| (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1)))
}

fn close(place: DeltaTarget, reply: &mut Reply) {
    match place {
        DeltaTarget::Text(index) | DeltaTarget::Reasoning(index) => reply.close(index),
        DeltaTarget::Call { index, initial } => {
            if let Some(input) = initial {
                reply.release(|reply| reply.append(index, &input));
            }
            reply.close(index);
        }
        DeltaTarget::Skipped => {}
    }
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence,
        "refusal" => StopReason::Refusal,
        "model_context_window_exceeded" => StopReason::ContextFull,
        _ => StopReason::Other,
    }
}

/// The HTTP status that an error within the stream stands for.
fn status_of(complaint: &Complaint) -> u16 {
    const STATUSES: [(&str, u16); 9] = [
        ("invalid_request_error", 400),
        ("authentication_error", 401),
        ("billing_error", 402),
        ("permission_error", 403),
        ("not_found_error", 404),
        ("request_too_large", 413),
        ("rate_limit_error", 429),
        ("timeout_error", 504),
        ("overloaded_error", 529),
    ];
    let known = STATUSES.iter().find(|(code, _)| complaint.has_code(code));
    known.map_or(500, |(_, status)| *status)
}

fn index_of(value: &Value) -> u64 {
    value["index"].as_u64().unwrap_or_default()
}

#[cfg(test)]
mod tests;
