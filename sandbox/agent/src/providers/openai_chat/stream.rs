//! OpenAI chat completions: the stream.

use super::calls::ToolCallAssembler;
use crate::providers::errors::{self, Complaint};
use crate::providers::framing::Event;
use crate::providers::mould::Mould;
use crate::providers::reply::Reply;
use crate::providers::{excerpt, object, text};
use protocol::model::{ModelFailure, StopReason, Usage};
use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(in crate::providers) struct Stream {
    /// The text or reasoning block that is open.
    prose: Option<(Prose, u32)>,
    calls: ToolCallAssembler,
    has_refused: bool,
    has_begun: bool,
    stop: Option<StopReason>,
    /// The last event that said a text and nothing else.
    mould: Option<Mould<Prose>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prose {
    Text,
    Reasoning,
}

impl Stream {
    pub(in crate::providers) fn read(&mut self, event: &Event, reply: &mut Reply) {
        if let Some((kind, text)) = self.mould.as_ref().and_then(|mould| mould.read(event)) {
            return self.write(kind, &text, reply);
        }
        if event.data.trim() == "[DONE]" {
            self.stop.get_or_insert(StopReason::EndTurn);
            return self.finish(reply);
        }
        let Some(chunk) = object(event, reply) else { return };
        if is_error(event, &chunk) {
            return reply.fail(explain(&chunk));
        }
        let choices = chunk["choices"].as_array();
        if choices.is_none() && !chunk["usage"].is_object() {
            reply.note_unknown(format!("chunk {}", excerpt(&chunk)));
        }
        let is_first = |choice: &&Value| choice["index"].as_u64().unwrap_or_default() == 0;
        for choice in choices.into_iter().flatten().filter(is_first) {
            let delta = match &choice["delta"] {
                // The whole reply as one event.
                Value::Null if !self.has_begun => &choice["message"],
                delta => delta,
            };
            self.take_delta(delta, reply);
            self.take_finish(choice, reply);
            count(&choice["usage"], reply);
        }
        count(&chunk["x_groq"]["usage"], reply);
        count(&chunk["usage"], reply);
        if let Some(mould) = mould_of(event, &chunk) {
            self.mould = Some(mould);
        }
    }

    /// A reply that told its finish reason is whole, even where `[DONE]` is missing.
    pub(in crate::providers) fn finish(&mut self, reply: &mut Reply) {
        let Some(reason) = self.stop else { return };
        self.calls.finish(reply);
        reply.stop(match (reason, self.has_refused) {
            (StopReason::EndTurn, true) => StopReason::Refusal,
            (reason, _) => reason,
        });
    }

    fn take_delta(&mut self, delta: &Value, reply: &mut Reply) {
        self.has_begun |= delta.as_object().is_some_and(|delta| !delta.is_empty());
        let reasoning = ["reasoning_content", "reasoning"]
            .iter()
            .find_map(|key| delta[key].as_str().filter(|text| !text.is_empty()));
        match reasoning {
            Some(text) => self.write(Prose::Reasoning, text, reply),
            None => self.take_details(&delta["reasoning_details"], reply),
        }
        match &delta["content"] {
            Value::String(text) => self.write(Prose::Text, text, reply),
            Value::Array(parts) => parts.iter().for_each(|part| self.take_part(part, reply)),
            _ => {}
        }
        if let Some(text) = delta["refusal"].as_str().filter(|text| !text.is_empty()) {
            self.has_refused = true;
            self.write(Prose::Text, text, reply);
        }
        // The text has the links already.
        for note in delta["annotations"].as_array().into_iter().flatten() {
            let cited = &note["url_citation"];
            if let Some(number) = reply.cite(text(cited, "url"), text(cited, "title")) {
                reply.describe(number, text(cited, "content"), "");
            }
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.take_call(call, reply);
        }
        // The form before `tool_calls`.
        if delta["function_call"].is_object() {
            self.take_call(&json!({ "function": delta["function_call"] }), reply);
        }
    }

    /// OpenRouter's list of what it passes on, where it does not send the text beside it.
    fn take_details(&mut self, details: &Value, reply: &mut Reply) {
        for detail in details.as_array().into_iter().flatten() {
            self.write(Prose::Reasoning, text(detail, "text"), reply);
            self.write(Prose::Reasoning, text(detail, "summary"), reply);
        }
    }

    fn take_call(&mut self, call: &Value, reply: &mut Reply) {
        // Tools that the provider runs itself, like `web_search_call`.
        if text(call, "type").ends_with("_call") {
            return reply.note_unknown(format!("tool call {}", excerpt(call)));
        }
        self.close_prose(reply);
        self.calls.take(call, reply);
    }

    /// Content in parts, as Mistral's reasoning models send it.
    fn take_part(&mut self, part: &Value, reply: &mut Reply) {
        match part["type"].as_str() {
            Some("text" | "output_text") => self.write(Prose::Text, text(part, "text"), reply),
            Some("thinking") => match &part["thinking"] {
                Value::String(text) => self.write(Prose::Reasoning, text, reply),
                thoughts => thoughts.as_array().into_iter().flatten().for_each(|thought| {
                    self.write(Prose::Reasoning, text(thought, "text"), reply);
                }),
            },
            _ => reply.note_unknown(format!("content part {}", excerpt(part))),
        }
    }

    fn take_finish(&mut self, choice: &Value, reply: &mut Reply) {
        let reason = match choice["finish_reason"].as_str() {
            None | Some("") => return,
            Some("stop") => StopReason::EndTurn,
            Some("eos" | "end_turn") => StopReason::EndTurn,
            Some("tool_calls" | "function_call" | "tool_use") => StopReason::ToolUse,
            Some("length" | "max_tokens") => StopReason::MaxTokens,
            Some("stop_sequence") => StopReason::StopSequence,
            Some("content_filter" | "sensitive") => StopReason::Refusal,
            Some("model_length" | "model_context_window_exceeded") => StopReason::ContextFull,
            // DeepSeek and Z.ai give up in mid-reply; Mistral and OpenRouter report an error so.
            Some("insufficient_system_resource") => {
                return reply.fail(errors::in_band(503, &Complaint::default()));
            }
            Some("error" | "network_error") => return reply.fail(explain(choice)),
            Some(_) => StopReason::Other,
        };
        // Some say it twice, and plainly the second time.
        if self.stop.is_none() || reason != StopReason::EndTurn {
            self.stop = Some(reason);
        }
    }

    fn write(&mut self, kind: Prose, text: &str, reply: &mut Reply) {
        if text.is_empty() {
            return;
        }
        let index = match self.prose {
            Some((open, index)) if open == kind => index,
            _ => {
                self.close_prose(reply);
                self.calls.open_waiting(reply);
                let index = match kind {
                    Prose::Text => reply.open_text(),
                    Prose::Reasoning => reply.open_reasoning(),
                };
                self.prose = Some((kind, index));
                index
            }
        };
        reply.append(index, text);
    }

    fn close_prose(&mut self, reply: &mut Reply) {
        if let Some((_, index)) = self.prose.take() {
            reply.close(index);
        }
    }
}

/// `None` for an event that does more than to say one text.
fn mould_of(event: &Event, chunk: &Value) -> Option<Mould<Prose>> {
    let [choice] = chunk["choices"].as_array()?.as_slice() else { return None };
    let counts = [&chunk["usage"], &chunk["x_groq"]["usage"], &choice["usage"]];
    let is_end = choice["finish_reason"].as_str().is_some_and(|reason| !reason.is_empty());
    let is_first = choice["index"].as_u64().unwrap_or_default() == 0;
    if counts.into_iter().any(Value::is_object) || is_end || !is_first {
        return None;
    }
    let mut said = choice["delta"].as_object()?.iter().filter(|(key, value)| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty() && key.as_str() != "role",
        Value::Array(list) => !list.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => true,
    });
    let ((key, Value::String(text)), None) = (said.next()?, said.next()) else { return None };
    let kind = match key.as_str() {
        "content" => Prose::Text,
        "reasoning_content" | "reasoning" => Prose::Reasoning,
        _ => return None,
    };
    Mould::of(event, key, text, kind)
}

fn is_error(event: &Event, chunk: &Value) -> bool {
    let has_error = chunk.get("error").is_some_and(|error| !error.is_null());
    has_error || event.name == "error" || chunk["object"] == "error"
}

fn explain(value: &Value) -> ModelFailure {
    let complaint = Complaint::of(value);
    // Groq reads the model's calls itself.
    if complaint.has_code("tool_use_failed") {
        return errors::unreadable_call();
    }
    errors::in_band(status_of(&complaint), &complaint)
}

/// The HTTP status that an error within the stream stands for.
fn status_of(complaint: &Complaint) -> u16 {
    const STATUSES: [(&str, u16); 10] = [
        ("invalid_api_key", 401),
        ("authentication_error", 401),
        ("permission_error", 403),
        ("model_not_found", 404),
        ("rate_limit_exceeded", 429),
        ("rate_limit_error", 429),
        ("overloaded", 503),
        ("overloaded_error", 503),
        ("service_unavailable", 503),
        ("invalid_request_error", 400),
    ];
    let known = STATUSES.iter().find(|(code, _)| complaint.has_code(code));
    let known = known.map(|(_, status)| *status);
    complaint.status.or(known).unwrap_or(500)
}

/// Totals: the prompt's include what was read from the cache, and all but the prompt's are output,
/// reasoning too where a server leaves it out of the completion's.
fn count(usage: &Value, reply: &mut Reply) {
    if !usage.is_object() {
        return;
    }
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let details = &usage["prompt_tokens_details"];
    let prompt = number(&usage["prompt_tokens"]);
    let cached = [
        &details["cached_tokens"],
        &usage["prompt_cache_hit_tokens"],
        &usage["cached_tokens"],
        &usage["num_cached_tokens"],
    ];
    let cache_read = cached.into_iter().find_map(Value::as_u64).unwrap_or_default().min(prompt);
    let cache_write = number(&details["cache_write_tokens"]).min(prompt - cache_read);
    let rest = number(&usage["total_tokens"]).saturating_sub(prompt);
    reply.count(Usage {
        input: prompt - cache_read - cache_write,
        output: number(&usage["completion_tokens"]).max(rest),
        cache_read,
        cache_write,
        reasoning: [&usage["completion_tokens_details"]["reasoning_tokens"], &usage["reasoning_tokens"]]
            .into_iter()
            .find_map(Value::as_u64)
            .unwrap_or_default(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(data: &str) -> Event {
        Event { name: String::new(), data: data.to_owned(), whole: true }
    }

    #[test]
    fn the_pieces_of_a_text_are_read_in_passing_as_servers_send_them() {
        for (server, frame, said) in [
            (
                "OpenAI",
                r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":"@"},"finish_reason":null}],"usage":null,"obfuscation":"@#"}"#,
                Some(Prose::Text),
            ),
            (
                "Azure",
                r#"{"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":{"content":"@"},"finish_reason":null,"index":0,"logprobs":null}],"created":1,"id":"chatcmpl-1","model":"m","obfuscation":"@#","object":"chat.completion.chunk","system_fingerprint":null,"usage":null}"#,
                Some(Prose::Text),
            ),
            (
                "DeepSeek",
                r#"{"id":"1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":null,"reasoning_content":"@"},"logprobs":null,"finish_reason":null}],"usage":null}"#,
                Some(Prose::Reasoning),
            ),
            (
                "a server in Python",
                r#"{"id": "1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "@"}, "finish_reason": null}]}"#,
                Some(Prose::Text),
            ),
            ("the end", r#"{"choices":[{"delta":{"content":"@"},"finish_reason":"stop"}]}"#, None),
            (
                "a count",
                r#"{"choices":[{"delta":{"content":"@"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#,
                None,
            ),
            ("a thought beside it", r#"{"choices":[{"delta":{"content":"@","reasoning":"b"}}]}"#, None),
            ("another choice", r#"{"choices":[{"index":1,"delta":{"content":"@"}}]}"#, None),
            ("two choices", r#"{"choices":[{"delta":{"content":"@"}},{"delta":{}}]}"#, None),
            ("a call", r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"@"}}]}}]}"#, None),
            ("a refusal", r#"{"choices":[{"delta":{"refusal":"@"}}]}"#, None),
        ] {
            let (mut stream, mut reply) = (Stream::default(), Reply::default());
            stream.read(&event(&frame.replace('@', "one")), &mut reply);
            let next = event(&frame.replace('@', "two"));
            let read = stream
                .mould
                .as_ref()
                .and_then(|mould| mould.read(&next))
                .map(|(kind, text)| (kind, text.into_owned()));
            assert_eq!(read, said.map(|kind| (kind, "two".to_owned())), "{server}");
        }
    }
}
