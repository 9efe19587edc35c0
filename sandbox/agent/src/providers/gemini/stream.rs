//! Gemini: the stream. Every event is a piece of the whole answer: parts to add to it, and totals.

use super::SIGNED;
use super::arguments::Arguments;
use crate::providers::errors::{self, Complaint};
use crate::providers::framing::Event;
use crate::providers::reply::Reply;
use crate::providers::{excerpt, object, text};
use protocol::model::{StopReason, Usage};
use protocol::words;
use serde_json::Value;

#[derive(Debug, Default)]
pub(in crate::providers) struct Stream {
    /// The text or thought that is open.
    prose: Option<(Prose, u32)>,
    /// The call whose arguments come in pieces.
    call: Option<Arguments>,
    stop: Option<StopReason>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prose {
    Text,
    Thought,
}

impl Stream {
    pub(in crate::providers) fn read(&mut self, event: &Event, reply: &mut Reply) {
        if event.data.trim() == "[DONE]" {
            return;
        }
        let Some(mut chunk) = object(event, reply) else { return };
        // The gateway of Cloud Code wraps it.
        if chunk["response"].is_object() {
            chunk = chunk["response"].take();
        }
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            let complaint = Complaint::of(&chunk);
            return reply.fail(errors::in_band(complaint.status.unwrap_or(500), &complaint));
        }
        count(&chunk["usageMetadata"], reply);
        let candidates = chunk["candidates"].as_array();
        let is_first = |candidate: &&Value| candidate["index"].as_u64().unwrap_or_default() == 0;
        let first = candidates.and_then(|list| list.iter().find(is_first));
        if let Some(candidate) = first {
            for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
                self.take_part(part, reply);
            }
            self.take_sources(&candidate["groundingMetadata"], reply);
            self.take_finish(candidate, reply);
        }
        // A prompt that is refused gets no candidate.
        if let Some(reason) = chunk["promptFeedback"]["blockReason"].as_str() {
            reply.note_unknown(format!("the prompt was blocked: {reason}"));
            self.stop = Some(StopReason::Refusal);
        }
        let is_known = candidates.is_some() || chunk["usageMetadata"].is_object() || self.stop.is_some();
        if !is_known {
            reply.note_unknown(format!("chunk {}", excerpt(&chunk)));
        }
    }

    /// The reason stands in the last chunk, but more may follow it: the body's end ends the reply.
    pub(in crate::providers) fn finish(&mut self, reply: &mut Reply) {
        let Some(reason) = self.stop else { return };
        self.end_call(reply);
        reply.stop(reason);
    }

    fn take_part(&mut self, part: &Value, reply: &mut Reply) {
        let signature = text(part, "thoughtSignature");
        if let Some(words) = part["text"].as_str() {
            self.end_call(reply);
            let kind = if part["thought"] == true { Prose::Thought } else { Prose::Text };
            return self.write(kind, words, signature, reply);
        }
        if part["functionCall"].is_object() {
            return self.take_call(&part["functionCall"], signature, reply);
        }
        // What the provider's own tools do, and pictures. They do not go back, nor do their signatures.
        self.end_call(reply);
        self.close_prose(reply);
        reply.note_unknown(format!("part {}", excerpt(part)));
    }

    fn write(&mut self, kind: Prose, words: &str, signature: &str, reply: &mut Reply) {
        // A thought keeps its own signature; that of a text comes before it.
        if kind == Prose::Text && !signature.is_empty() {
            self.close_prose(reply);
            reply.sign_next(SIGNED, signature);
        }
        let is_signed_thought = kind == Prose::Thought && !signature.is_empty();
        if words.is_empty() && !is_signed_thought {
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
        if is_signed_thought {
            reply.sign(index, SIGNED, signature);
            self.close_prose(reply);
        }
    }

    /// Calls come whole, or in pieces of their arguments until one no longer says that it goes on.
    fn take_call(&mut self, call: &Value, signature: &str, reply: &mut Reply) {
        let name = text(call, "name");
        let goes_on = call["willContinue"] == true;
        if !name.is_empty() {
            self.end_call(reply);
            self.close_prose(reply);
            reply.sign_next(SIGNED, signature);
            let index = reply.open_call(text(call, "id"), name);
            self.call = Some(Arguments::new(index));
        }
        let Some(arguments) = &mut self.call else {
            // The end of a call that is closed already.
            if call.as_object().is_some_and(|call| call.keys().any(|key| key != "willContinue")) {
                reply.fail_malformed(words!("it calls a tool without naming it"));
            }
            return;
        };
        arguments.take(call, reply);
        if !goes_on {
            self.end_call(reply);
        }
    }

    /// What its own search found comes with the end of the text.
    /// <https://ai.google.dev/api/generate-content#GroundingMetadata>
    fn take_sources(&mut self, grounding: &Value, reply: &mut Reply) {
        reply.note_searches(grounding["webSearchQueries"].as_array().map_or(0, Vec::len));
        let Some((Prose::Text, index)) = self.prose else { return };
        let supports = || grounding["groundingSupports"].as_array().into_iter().flatten();
        for (at, found) in grounding["groundingChunks"].as_array().into_iter().flatten().enumerate() {
            let number = reply.link(index, text(&found["web"], "uri"), text(&found["web"], "title"));
            let is_of_it = |support: &&Value| {
                let chunks = support["groundingChunkIndices"].as_array();
                chunks.is_some_and(|chunks| chunks.iter().any(|chunk| chunk.as_u64() == Some(at as u64)))
            };
            if let (Some(number), Some(support)) = (number, supports().find(is_of_it)) {
                reply.describe(number, text(&support["segment"], "text"), "");
            }
        }
    }

    fn end_call(&mut self, reply: &mut Reply) {
        if let Some(arguments) = self.call.take() {
            arguments.close(reply);
        }
    }

    fn close_prose(&mut self, reply: &mut Reply) {
        if let Some((_, index)) = self.prose.take() {
            reply.close(index);
        }
    }

    /// <https://ai.google.dev/api/generate-content#FinishReason>
    fn take_finish(&mut self, candidate: &Value, reply: &mut Reply) {
        let reason = match text(candidate, "finishReason") {
            "" | "FINISH_REASON_UNSPECIFIED" => return,
            "STOP" => StopReason::EndTurn,
            "MAX_TOKENS" => StopReason::MaxTokens,
            "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "MODEL_ARMOR" => StopReason::Refusal,
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
                return reply.fail(errors::unreadable_call());
            }
            _ => StopReason::Other,
        };
        // A plain end that comes again does not make a limit undone.
        if self.stop.is_none() || reason != StopReason::EndTurn {
            self.stop = Some(reason);
        }
    }
}

/// Thoughts are output. The prompt's total includes what was read from the cache, but not what the
/// provider's own tools put before the model. Where a count is missing, the whole has it.
fn count(usage: &Value, reply: &mut Reply) {
    if !usage["promptTokenCount"].is_u64() && !usage["totalTokenCount"].is_u64() {
        return;
    }
    let number = |key: &str| usage[key].as_u64().unwrap_or_default();
    let prompt = number("promptTokenCount");
    let cache_read = number("cachedContentTokenCount").min(prompt);
    let tools = number("toolUsePromptTokenCount");
    let reasoning = number("thoughtsTokenCount");
    let told = number("candidatesTokenCount").saturating_add(reasoning);
    let rest = number("totalTokenCount").saturating_sub(prompt.saturating_add(tools));
    reply.count(Usage {
        input: (prompt - cache_read).saturating_add(tools),
        output: told.max(rest),
        cache_read,
        cache_write: 0,
        reasoning,
    });
}
