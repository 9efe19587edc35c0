//! Ollama's own chat: the stream, a line for every piece and `done` in the last one.

use crate::providers::errors::{self, Complaint};
use crate::providers::framing::Event;
use crate::providers::reply::Reply;
use crate::providers::{excerpt, object, text};
use protocol::model::{StopReason, Usage};
use protocol::words;
use serde_json::Value;

#[derive(Debug, Default)]
pub(in crate::providers) struct Stream {
    prose: Option<(Prose, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prose {
    Text,
    Thought,
}

impl Stream {
    pub(in crate::providers) fn read(&mut self, event: &Event, reply: &mut Reply) {
        let Some(line) = object(event, reply) else { return };
        if line.get("error").is_some_and(|error| !error.is_null()) {
            let complaint = Complaint::of(&line);
            return reply.fail(errors::in_band(complaint.status.unwrap_or(500), &complaint));
        }
        let message = &line["message"];
        if !message.is_object() && !line["done"].is_boolean() {
            return reply.note_unknown(format!("line {}", excerpt(&line)));
        }
        self.write(Prose::Thought, text(message, "thinking"), reply);
        self.write(Prose::Text, text(message, "content"), reply);
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.take_call(call, reply);
        }
        count(&line, reply);
        if line["done"] == true {
            self.close_prose(reply);
            reply.stop(match text(&line, "done_reason") {
                "" | "stop" | "tool_calls" => StopReason::EndTurn,
                "length" => StopReason::MaxTokens,
                _ => StopReason::Other,
            });
        }
    }

    /// Nothing but the last line says that a reply is whole.
    pub(in crate::providers) fn finish(&mut self, _: &mut Reply) {}

    /// Calls come whole.
    fn take_call(&mut self, call: &Value, reply: &mut Reply) {
        let function = &call["function"];
        let name = text(function, "name");
        if name.is_empty() {
            return reply.fail_malformed(words!("it calls a tool without naming it"));
        }
        self.close_prose(reply);
        let index = reply.open_call(text(call, "id"), name);
        match &function["arguments"] {
            Value::Null => {}
            Value::String(raw) => reply.append(index, raw),
            whole => reply.append(index, &whole.to_string()),
        }
        reply.close(index);
    }

    fn write(&mut self, kind: Prose, words: &str, reply: &mut Reply) {
        if words.is_empty() {
            return;
        }
        let index = match self.prose {
            Some((open, index)) if open == kind => index,
            _ => {
                self.close_prose(reply);
                let index = match kind {
                    Prose::Text => reply.open_text(),
                    Prose::Thought => reply.open_reasoning(),
                };
                self.prose = Some((kind, index));
                index
            }
        };
        reply.append(index, words);
    }

    fn close_prose(&mut self, reply: &mut Reply) {
        if let Some((_, index)) = self.prose.take() {
            reply.close(index);
        }
    }
}

/// The prompt's count is missing where all of it was still in memory.
fn count(line: &Value, reply: &mut Reply) {
    let (input, output) = (line["prompt_eval_count"].as_u64(), line["eval_count"].as_u64());
    if input.is_some() || output.is_some() {
        reply.count(Usage {
            input: input.unwrap_or_default(),
            output: output.unwrap_or_default(),
            ..Usage::default()
        });
    }
}
