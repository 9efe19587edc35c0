//! OpenAI Responses: the stream. Items are known by their place in the output, since some servers
//! give one item another id in every event.

use super::SIGNED;
use crate::providers::errors::{self, Complaint};
use crate::providers::framing::Event;
use crate::providers::mould::Mould;
use crate::providers::reply::Reply;
use crate::providers::{excerpt, object, text};
use protocol::model::{StopReason, Usage};
use protocol::words;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub(in crate::providers) struct Stream {
    /// The id of the response, once it has begun.
    response: Option<String>,
    /// Tools with free text for input that were asked for, as the response repeats them. xAI tells what it
    /// runs itself as calls of such tools.
    custom_tools: BTreeSet<String>,
    items: BTreeMap<u64, Item>,
    has_items: bool,
    has_refused: bool,
    /// The last event that was more of the item at a place.
    mould: Option<Mould<(u64, Piece)>>,
}

/// Of which part of an item a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Said(u64),
    Thought(Kind, u64),
    Input,
}

#[derive(Debug)]
enum Item {
    /// Blocks by the place of their part.
    Message(BTreeMap<u64, u32>),
    Reasoning(Thoughts),
    Call(u32),
    /// Of a kind that is not ours to keep, or done.
    Past,
}

/// Parts of the summary, and of the reasoning itself where a server shows it.
#[derive(Debug, Default)]
struct Thoughts {
    parts: BTreeMap<(Kind, u64), u32>,
    last: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Summary,
    Text,
}

impl Stream {
    pub(in crate::providers) fn read(&mut self, event: &Event, reply: &mut Reply) {
        if let Some((piece, text)) = self.mould.as_ref().and_then(|mould| mould.read(event))
            && self.grow(piece, &text, reply)
        {
            return;
        }
        // Servers of both wires close with it.
        if event.data.trim() == "[DONE]" {
            return;
        }
        let Some(value) = object(event, reply) else { return };
        let kind = match text(&value, "type") {
            "" if value.get("error").is_some_and(|error| !error.is_null()) => "error",
            "" => event.name.as_str(),
            kind => kind,
        };
        let place = value["output_index"].as_u64().unwrap_or_default();
        match kind {
            "response.created" => self.begin(&value["response"], reply),
            "response.in_progress" | "response.queued" | "keepalive" => {}
            "response.output_item.added" => self.start(place, &value["item"], reply),
            "response.output_item.done" => self.end(place, &value["item"], reply),
            "response.output_text.delta" | "response.refusal.delta" => {
                self.has_refused |= kind == "response.refusal.delta";
                if let Some(index) = self.message_part(place, &value, reply) {
                    reply.append(index, text(&value, "delta"));
                }
            }
            "response.output_text.annotation.added" => cite(&value["annotation"], "", reply),
            "response.output_text.done" => self.end_text(place, &value, "text", reply),
            "response.refusal.done" => {
                self.has_refused = true;
                self.end_text(place, &value, "refusal", reply);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_summary.delta" => {
                self.think(place, Kind::Summary, &value, "delta", reply);
            }
            "response.reasoning_text.delta" | "response.reasoning.delta" => {
                self.think(place, Kind::Text, &value, "delta", reply);
            }
            "response.reasoning_summary_text.done" => self.think(place, Kind::Summary, &value, "text", reply),
            "response.reasoning_text.done" => self.think(place, Kind::Text, &value, "text", reply),
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                if let Some(Item::Call(index)) = self.items.get(&place) {
                    reply.append(*index, text(&value, "delta"));
                }
            }
            "response.function_call_arguments.done" => {
                self.end_input(place, text(&value, "arguments"), reply)
            }
            "response.custom_tool_call_input.done" => self.end_input(place, text(&value, "input"), reply),
            "response.completed" | "response.done" => self.end_response(&value["response"], reply),
            "response.incomplete" => self.end_response(&value["response"], reply),
            "response.failed" | "error" | "response.error" => {
                count(&value["response"]["usage"], reply);
                fail(&value, reply);
            }
            // Told again with the item, or of no use here.
            "response.content_part.added"
            | "response.content_part.done"
            | "response.reasoning_summary_part.added"
            | "response.reasoning_summary_part.done"
            | "response.web_search_call.in_progress"
            | "response.web_search_call.searching"
            | "response.web_search_call.completed" => {}
            _ => reply.note_unknown(format!("event {}", excerpt(&value))),
        }
        if let Some(mould) = mould_of(event, kind, &value) {
            self.mould = Some(mould);
        }
    }

    /// Whether there is an open block that takes it.
    fn grow(&self, (place, piece): (u64, Piece), text: &str, reply: &mut Reply) -> bool {
        let index = match (piece, self.items.get(&place)) {
            (Piece::Said(part), Some(Item::Message(parts))) => parts.get(&part),
            (Piece::Thought(kind, part), Some(Item::Reasoning(thoughts))) => {
                thoughts.parts.get(&(kind, part))
            }
            (Piece::Input, Some(Item::Call(index))) => Some(index),
            _ => None,
        };
        if let Some(index) = index {
            reply.append(*index, text);
        }
        index.is_some()
    }

    /// Nothing but the closing event says that a response is whole.
    pub(in crate::providers) fn finish(&mut self, _: &mut Reply) {}

    /// A server that begins anew under another id has broken off what it said before.
    fn begin(&mut self, response: &Value, reply: &mut Reply) {
        let id = text(response, "id");
        let known = self.response.as_deref().unwrap_or_default();
        if !id.is_empty() && !known.is_empty() && id != known && self.has_items {
            return reply.fail(errors::cut());
        }
        self.response = Some(id.to_owned());
        let tools = response["tools"].as_array().into_iter().flatten();
        let custom = tools.filter(|tool| text(tool, "type") == "custom");
        self.custom_tools = custom.map(|tool| text(tool, "name").to_owned()).collect();
    }

    fn start(&mut self, place: u64, item: &Value, reply: &mut Reply) {
        // A start that comes again.
        if self.items.get(&place).is_some_and(|known| !matches!(known, Item::Past)) {
            return;
        }
        self.has_items = true;
        let started = match text(item, "type") {
            "message" => Item::Message(BTreeMap::new()),
            "reasoning" => Item::Reasoning(Thoughts::default()),
            "function_call" | "custom_tool_call" if self.is_asked_for(item) => {
                let name = text(item, "name");
                if name.is_empty() {
                    return reply.fail_malformed(words!("it calls a tool without naming it"));
                }
                let id = match text(item, "call_id") {
                    "" => text(item, "id"),
                    id => id,
                };
                let index = reply.open_call(id, name);
                reply.append(index, input_of(item));
                Item::Call(index)
            }
            "web_search_call" => Item::Past,
            _ => {
                reply.note_unknown(format!("output item {}", excerpt(item)));
                Item::Past
            }
        };
        self.items.insert(place, started);
    }

    fn is_asked_for(&self, call: &Value) -> bool {
        text(call, "type") == "function_call" || self.custom_tools.contains(text(call, "name"))
    }

    fn end(&mut self, place: u64, item: &Value, reply: &mut Reply) {
        // Some servers tell items only when they are done.
        if !self.items.contains_key(&place) {
            self.start(place, item, reply);
        }
        match self.items.insert(place, Item::Past) {
            Some(Item::Message(mut parts)) => {
                for (at, part) in item["content"].as_array().into_iter().flatten().enumerate() {
                    for note in part["annotations"].as_array().into_iter().flatten() {
                        cite(note, text(part, "text"), reply);
                    }
                    let whole = match text(part, "type") {
                        "refusal" => {
                            self.has_refused = true;
                            text(part, "refusal")
                        }
                        _ => text(part, "text"),
                    };
                    if !whole.is_empty() {
                        let index = *parts.entry(at as u64).or_insert_with(|| reply.open_text());
                        reply.complete(index, whole);
                    }
                }
                parts.into_values().for_each(|index| reply.close(index));
            }
            Some(Item::Reasoning(thoughts)) => end_reasoning(thoughts, item, reply),
            Some(Item::Call(index)) => {
                reply.complete(index, input_of(item));
                reply.close(index);
            }
            Some(Item::Past) | None => {
                let is_search = text(item, "type") == "web_search_call";
                // It may open pages as well, which are told as the same.
                if is_search && matches!(text(&item["action"], "type"), "" | "search") {
                    reply.note_searches(1);
                }
            }
        }
    }

    fn end_text(&mut self, place: u64, value: &Value, field: &str, reply: &mut Reply) {
        let whole = text(value, field);
        if whole.is_empty() {
            return;
        }
        if let Some(index) = self.message_part(place, value, reply) {
            reply.complete(index, whole);
        }
    }

    fn end_input(&mut self, place: u64, whole: &str, reply: &mut Reply) {
        if let Some(Item::Call(index)) = self.items.get(&place) {
            reply.complete(*index, whole);
        }
    }

    /// The block of a part of a message, whose start may be missing.
    fn message_part(&mut self, place: u64, value: &Value, reply: &mut Reply) -> Option<u32> {
        self.has_items = true;
        let item = self.items.entry(place).or_insert_with(|| Item::Message(BTreeMap::new()));
        match item {
            Item::Message(parts) => {
                let part = value["content_index"].as_u64().unwrap_or_default();
                Some(*parts.entry(part).or_insert_with(|| reply.open_text()))
            }
            Item::Reasoning(_) | Item::Call(_) | Item::Past => None,
        }
    }

    fn think(&mut self, place: u64, kind: Kind, value: &Value, field: &str, reply: &mut Reply) {
        let piece = text(value, field);
        if piece.is_empty() {
            return;
        }
        self.has_items = true;
        let item = self.items.entry(place).or_insert_with(|| Item::Reasoning(Thoughts::default()));
        let Item::Reasoning(thoughts) = item else { return };
        let key = match kind {
            Kind::Summary => "summary_index",
            Kind::Text => "content_index",
        };
        let index = thoughts.part(kind, value[key].as_u64().unwrap_or_default(), reply);
        match field {
            "delta" => reply.append(index, piece),
            _ => reply.complete(index, piece),
        }
    }

    fn end_response(&mut self, response: &Value, reply: &mut Reply) {
        if !self.has_items {
            for (place, item) in response["output"].as_array().into_iter().flatten().enumerate() {
                self.end(place as u64, item, reply);
            }
        }
        count(&response["usage"], reply);
        let reason = match (text(response, "status"), text(&response["incomplete_details"], "reason")) {
            ("failed", _) => return fail(response, reply),
            (_, "max_output_tokens" | "max_tokens") => StopReason::MaxTokens,
            (_, "content_filter") => StopReason::Refusal,
            ("completed" | "", "") => StopReason::EndTurn,
            _ => StopReason::Other,
        };
        reply.stop(match (reason, self.has_refused) {
            (StopReason::EndTurn, true) => StopReason::Refusal,
            (reason, _) => reason,
        });
    }
}

/// `None` for an event that is more than another piece.
fn mould_of(event: &Event, kind: &str, value: &Value) -> Option<Mould<(u64, Piece)>> {
    let at = |key: &str| value[key].as_u64().unwrap_or_default();
    let piece = match kind {
        "response.output_text.delta" => Piece::Said(at("content_index")),
        "response.reasoning_summary_text.delta" | "response.reasoning_summary.delta" => {
            Piece::Thought(Kind::Summary, at("summary_index"))
        }
        "response.reasoning_text.delta" | "response.reasoning.delta" => {
            Piece::Thought(Kind::Text, at("content_index"))
        }
        "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => Piece::Input,
        _ => return None,
    };
    Mould::of(event, "delta", text(value, "delta"), (at("output_index"), piece))
}

/// The text has the link already. What is said because of the page is what stands before it on its line.
fn cite(note: &Value, whole: &str, reply: &mut Reply) {
    if text(note, "type") != "url_citation" {
        return;
    }
    if let Some(number) = reply.cite(text(note, "url"), text(note, "title")) {
        let letters =
            note["start_index"].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or_default();
        let before: String = whole.chars().take(letters).collect();
        let claim = before.lines().next_back().unwrap_or_default();
        let claim = claim.rsplit_once("))").map_or(claim, |(_, claim)| claim);
        reply.describe(number, claim.trim_matches(['-', '*', '#', '(', '[', ' ']), "");
    }
}

impl Thoughts {
    /// Parts follow one another: the one before is whole when the next one begins.
    fn part(&mut self, kind: Kind, at: u64, reply: &mut Reply) -> u32 {
        if let Some(index) = self.parts.get(&(kind, at)) {
            return *index;
        }
        let index = reply.open_reasoning();
        self.parts.insert((kind, at), index);
        self.last = Some(index);
        index
    }
}

fn end_reasoning(mut thoughts: Thoughts, item: &Value, reply: &mut Reply) {
    for (kind, list) in [(Kind::Summary, &item["summary"]), (Kind::Text, &item["content"])] {
        for (at, part) in list.as_array().into_iter().flatten().enumerate() {
            let whole = text(part, "text");
            if !whole.is_empty() {
                let index = thoughts.part(kind, at as u64, reply);
                reply.complete(index, whole);
            }
        }
    }
    let encrypted = text(item, "encrypted_content");
    if !encrypted.is_empty() {
        let last = *thoughts.last.get_or_insert_with(|| {
            let index = reply.open_reasoning();
            thoughts.parts.insert((Kind::Summary, 0), index);
            index
        });
        reply.sign(last, SIGNED, &format!("{}:{encrypted}", text(item, "id")));
    }
    thoughts.parts.into_values().for_each(|index| reply.close(index));
}

/// Of a function the arguments, of a custom tool its free text.
fn input_of(item: &Value) -> &str {
    match text(item, "type") {
        "custom_tool_call" => text(item, "input"),
        _ => text(item, "arguments"),
    }
}

fn fail(value: &Value, reply: &mut Reply) {
    let response = &value["response"];
    let complaint = Complaint::of(if response.is_object() { response } else { value });
    reply.fail(errors::in_band(status_of(&complaint), &complaint));
}

/// The HTTP status that an error within the stream stands for.
fn status_of(complaint: &Complaint) -> u16 {
    const STATUSES: [(&str, u16); 10] = [
        ("invalid_request_error", 400),
        ("invalid_prompt", 400),
        ("invalid_api_key", 401),
        ("authentication_error", 401),
        ("insufficient_quota", 402),
        ("model_not_found", 404),
        ("rate_limit_exceeded", 429),
        ("rate_limit_error", 429),
        ("server_is_overloaded", 503),
        ("slow_down", 503),
    ];
    let known = STATUSES.iter().find(|(code, _)| complaint.has_code(code));
    complaint.status.or(known.map(|(_, status)| *status)).unwrap_or(500)
}

/// Totals: the input's include what was read from and written to the cache.
fn count(usage: &Value, reply: &mut Reply) {
    if !usage.is_object() {
        return;
    }
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let input = number(&usage["input_tokens"]);
    let details = &usage["input_tokens_details"];
    let cache_read = number(&details["cached_tokens"]).min(input);
    let cache_write = number(&details["cache_write_tokens"]).min(input - cache_read);
    reply.count(Usage {
        input: input - cache_read - cache_write,
        output: number(&usage["output_tokens"]),
        cache_read,
        cache_write,
        reasoning: number(&usage["output_tokens_details"]["reasoning_tokens"]),
    });
}

#[cfg(test)]
mod tests;
