//! Amazon Bedrock's `ConverseStream`: the stream. Usage comes after the stop reason.

use super::{REDACTED, SIGNED};
use crate::providers::errors::{self, Complaint};
use crate::providers::framing::Event;
use crate::providers::reply::{BLOCK_LIMIT, Reply};
use crate::providers::{excerpt, object, text};
use protocol::model::{StopReason, Usage};
use protocol::words;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(in crate::providers) struct Stream {
    /// The blocks that are open, by the provider's index.
    blocks: BTreeMap<u64, DeltaTarget>,
    stop: Option<StopReason>,
    /// The model's calls cannot be read. Told at the end, after the usage.
    is_unreadable: bool,
}

/// Where the deltas of a block go.
#[derive(Clone, Copy, Debug)]
enum DeltaTarget {
    Text(u32),
    Reasoning(u32),
    Call(u32),
    /// A block of a kind that is not ours to keep.
    Skipped,
}

impl Stream {
    pub(in crate::providers) fn read(&mut self, event: &Event, reply: &mut Reply) {
        let Some(mut value) = object(event, reply) else { return };
        // As the SDKs show it.
        if value[event.name.as_str()].is_object() {
            value = value[event.name.as_str()].take();
        }
        match event.name.as_str() {
            "messageStart" => {}
            "contentBlockStart" => self.start(&value, reply),
            "contentBlockDelta" => self.take_delta(&value, reply),
            "contentBlockStop" => {
                if let Some(place) = self.blocks.remove(&index_of(&value)) {
                    close(place, reply);
                }
            }
            "messageStop" => self.take_stop(text(&value, "stopReason")),
            "metadata" => count(&value["usage"], reply),
            name => match status_of(name) {
                Some(status) => reply.fail(errors::in_band(status, &Complaint::of(&value))),
                None if name.ends_with("Exception") => {
                    reply.fail(errors::in_band(500, &Complaint::of(&value)));
                }
                None => reply.note_unknown(format!("event {name} {}", excerpt(&value))),
            },
        }
    }

    pub(in crate::providers) fn finish(&mut self, reply: &mut Reply) {
        if self.is_unreadable {
            return reply.fail(errors::unreadable_call());
        }
        let Some(reason) = self.stop else { return };
        for place in std::mem::take(&mut self.blocks).into_values() {
            close(place, reply);
        }
        reply.stop(reason);
    }

    fn start(&mut self, value: &Value, reply: &mut Reply) {
        let start = &value["start"];
        let call = &start["toolUse"];
        let place = if !call.is_object() {
            if start.as_object().is_none_or(|start| start.is_empty()) {
                // The first delta says what it is.
                return;
            }
            reply.note_unknown(format!("content block {}", excerpt(start)));
            DeltaTarget::Skipped
        } else if text(call, "type").starts_with("server_") {
            reply.note_unknown(format!("content block {}", excerpt(start)));
            DeltaTarget::Skipped
        } else if text(call, "name").is_empty() {
            return reply.fail_malformed(words!("it calls a tool without naming it"));
        } else {
            DeltaTarget::Call(reply.open_call(text(call, "toolUseId"), text(call, "name")))
        };
        if let Some(unstopped) = self.blocks.insert(index_of(value), place) {
            close(unstopped, reply);
        }
        if self.blocks.len() > BLOCK_LIMIT as usize {
            reply.fail_malformed(words!("too many blocks are open at once"));
        }
    }

    fn take_delta(&mut self, value: &Value, reply: &mut Reply) {
        let at = index_of(value);
        let delta = &value["delta"];
        let known = self.blocks.get(&at).copied();
        if matches!(known, Some(DeltaTarget::Skipped)) {
            return;
        }
        if let Some(words) = delta["text"].as_str() {
            let index = match known {
                Some(DeltaTarget::Text(index)) => index,
                _ => self.open(at, DeltaTarget::Text, Reply::open_text, reply),
            };
            return reply.append(index, words);
        }
        let thought = &delta["reasoningContent"];
        if thought.is_object() {
            let index = match known {
                Some(DeltaTarget::Reasoning(index)) => index,
                _ => self.open(at, DeltaTarget::Reasoning, Reply::open_reasoning, reply),
            };
            reply.append(index, text(thought, "text"));
            reply.sign(index, SIGNED, text(thought, "signature"));
            let redacted = thought["redactedContent"].as_str().unwrap_or(text(thought, "data"));
            return reply.sign(index, REDACTED, redacted);
        }
        match (&delta["toolUse"]["input"], known) {
            (Value::String(piece), Some(DeltaTarget::Call(index))) => reply.append(index, piece),
            (whole @ Value::Object(_), Some(DeltaTarget::Call(index))) => {
                reply.append(index, &whole.to_string())
            }
            (Value::String(_) | Value::Object(_), _) => {
                reply.fail_malformed(words!("it calls a tool without naming it"));
            }
            _ => reply.note_unknown(format!("delta {}", excerpt(delta))),
        }
    }

    fn open(
        &mut self,
        at: u64,
        place: fn(u32) -> DeltaTarget,
        open: fn(&mut Reply) -> u32,
        reply: &mut Reply,
    ) -> u32 {
        let index = open(reply);
        if let Some(unstopped) = self.blocks.insert(at, place(index)) {
            close(unstopped, reply);
        }
        index
    }

    fn take_stop(&mut self, reason: &str) {
        self.is_unreadable = matches!(reason, "malformed_model_output" | "malformed_tool_use");
        self.stop = Some(match reason {
            "end_turn" => StopReason::EndTurn,
            "tool_use" => StopReason::ToolUse,
            "max_tokens" => StopReason::MaxTokens,
            "stop_sequence" => StopReason::StopSequence,
            "guardrail_intervened" | "content_filtered" => StopReason::Refusal,
            "model_context_window_exceeded" => StopReason::ContextFull,
            _ => StopReason::Other,
        });
    }
}

fn close(place: DeltaTarget, reply: &mut Reply) {
    match place {
        DeltaTarget::Text(index) | DeltaTarget::Reasoning(index) | DeltaTarget::Call(index) => {
            reply.close(index)
        }
        DeltaTarget::Skipped => {}
    }
}

/// The HTTP status that an exception within the stream stands for.
fn status_of(name: &str) -> Option<u16> {
    const STATUSES: [(&str, u16); 8] = [
        ("validationException", 400),
        ("accessDeniedException", 403),
        ("resourceNotFoundException", 404),
        ("modelTimeoutException", 408),
        ("throttlingException", 429),
        ("internalServerException", 500),
        ("modelStreamErrorException", 500),
        ("serviceUnavailableException", 503),
    ];
    STATUSES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, status)| *status)
}

/// The input's total leaves out what was read from or written to the cache.
fn count(usage: &Value, reply: &mut Reply) {
    if !usage.is_object() {
        return;
    }
    let number = |key: &str| usage[key].as_u64().unwrap_or_default();
    reply.count(Usage {
        input: number("inputTokens"),
        output: number("outputTokens"),
        cache_read: number("cacheReadInputTokens"),
        cache_write: number("cacheWriteInputTokens"),
        reasoning: 0,
    });
}

fn index_of(value: &Value) -> u64 {
    value["contentBlockIndex"].as_u64().unwrap_or_default()
}
