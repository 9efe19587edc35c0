//! Looking things up in the whole of a conversation, which no compaction ever shortens.

use super::cut;
use crate::words::{fold, words};
use protocol::log::{CallEvent, Class, Entry, EntryBody, ReplyEvent, Sender};
use protocol::model::Block;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};

/// What to look for: the input of the tool `context_search`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Query {
    /// Words that must all be there, in any order, without regard to case and accents.
    pub query: Option<String>,
    /// The first and the last entry to look at, by number.
    pub from: Option<u64>,
    pub to: Option<u64>,
    /// The earliest hits and not the latest.
    pub head: bool,
    pub limit: Option<usize>,
    /// The number of the one entry that is wanted, from this character on.
    pub entry: Option<u64>,
    pub at: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hit {
    pub seq: u64,
    pub who: &'static str,
    pub text: String,
    /// Where to read on in an entry that was asked for by its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
}

/// Those whose words may be a stranger's.
const STRANGERS: [&str; 6] = ["page", "program", "delivery", "external job", "result", "stranger"];

const HITS: usize = 10;
const MAX_HITS: usize = 50;
/// Bytes around the words.
const EXCERPT: usize = 400;
/// Bytes of one entry that are told at once, as JSON.
const PART: usize = 6000;

/// A search under way. It takes the entries of a log, oldest first, and keeps nothing but hits.
pub struct Search {
    query: Query,
    wanted: BTreeSet<String>,
    hits: VecDeque<Hit>,
}

impl Search {
    pub fn new(query: Query) -> Self {
        let wanted = query.query.as_deref().map(words).unwrap_or_default();
        Self { query, wanted, hits: VecDeque::new() }
    }

    /// Whether nothing that comes could be a hit.
    pub fn is_over(&self) -> bool {
        if self.query.entry.is_some() {
            return !self.hits.is_empty();
        }
        self.query.head && self.hits.len() >= self.limit()
    }

    /// The number of the first entry that may be a hit.
    pub fn first(&self) -> u64 {
        self.query.entry.or(self.query.from).unwrap_or_default()
    }

    pub fn take(&mut self, entry: &Entry) {
        if let Some(wanted) = self.query.entry {
            if entry.seq == wanted
                && let Some((who, text)) = said(&entry.body)
            {
                self.hits.push_back(part_of(entry.seq, who, &text, self.query.at));
            }
            return;
        }
        let is_within = self.query.from.is_none_or(|from| entry.seq >= from)
            && self.query.to.is_none_or(|to| entry.seq <= to);
        if !is_within || self.is_over() {
            return;
        }
        let Some((who, text)) = said(&entry.body) else { return };
        if !self.wanted.is_empty() && !self.wanted.is_subset(&words(&text)) {
            return;
        }
        let first = self.wanted.first().map(String::as_str).unwrap_or_default();
        self.hits.push_back(Hit { seq: entry.seq, who, text: excerpt(&text, first), more: None });
        if self.hits.len() > self.limit() {
            self.hits.pop_front();
        }
    }

    /// The hits, in the order of the log.
    pub fn hits(self) -> Vec<Hit> {
        self.hits.into()
    }

    fn limit(&self) -> usize {
        self.query.limit.unwrap_or(HITS).min(MAX_HITS)
    }
}

/// Whether a result of the tool has words of strangers. One that was cut may have.
pub(crate) fn quotes_strangers(content: &str) -> bool {
    #[derive(Deserialize)]
    struct Found<'a> {
        #[serde(borrow)]
        hits: Vec<Said<'a>>,
    }
    #[derive(Deserialize)]
    struct Said<'a> {
        who: &'a str,
    }
    let found = serde_json::from_str::<Found<'_>>(content);
    found.map_or(true, |found| found.hits.iter().any(|hit| STRANGERS.contains(&hit.who)))
}

fn said(body: &EntryBody) -> Option<(&'static str, String)> {
    match body.class() {
        Class::Said { from, text, .. } => {
            let who = match from {
                Sender::Person | Sender::Program { relays: false, .. } => "person",
                Sender::Program { relays: true, .. } => "program",
                Sender::PageNotify { .. }
                | Sender::PageAsk
                | Sender::PageEmit { .. }
                | Sender::PageErrors
                | Sender::Rule { .. } => "page",
                Sender::Schedule { .. } => "schedule",
                Sender::Agent { untrusted: false, .. } => "other agent",
                Sender::Agent { untrusted: true, .. } => "stranger",
                Sender::Trigger { .. } => "delivery",
                Sender::Job { .. } => "external job",
                Sender::Context { untrusted: true, .. } => "stranger",
                Sender::Devices | Sender::Context { untrusted: false, .. } => "hub",
                Sender::Todo | Sender::Rating => "person",
            };
            Some((who, text.to_owned()))
        }
        Class::Reply(ReplyEvent::Block { block, .. }) => match block {
            Block::Text { text } => Some(("agent", text.clone())),
            Block::ToolUse(call) => Some(("call", format!("{} {}", call.name, call.input))),
            Block::Reasoning { .. } => None,
        },
        Class::Call(CallEvent::Finished { result, .. }) => {
            Some(("result", format!("{}: {}", result.name, result.content)))
        }
        Class::Reply(_)
        | Class::Call(_)
        | Class::Run(_)
        | Class::Loop(_)
        | Class::Compaction(_)
        | Class::HubNotice { .. }
        | Class::Used { .. }
        | Class::Agent(_) => None,
    }
}

/// The text from this character on, as far as a part goes.
fn part_of(seq: u64, who: &'static str, text: &str, at: usize) -> Hit {
    let begin = text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
    let mut room = PART;
    let full = text[begin..].char_indices().find(|(_, char)| {
        // A sign that JSON writes in more letters takes their room.
        let bytes = if char.is_control() || "\"\\".contains(*char) { 6 } else { char.len_utf8() };
        room.checked_sub(bytes).is_none_or(|left| {
            room = left;
            false
        })
    });
    let end = full.map_or(text.len(), |(end, _)| begin + end);
    let next = at + text[begin..end].chars().count();
    let more = full.map(|_| format!("Read on with entry: {seq} and at: {next}."));
    Hit { seq, who, text: text[begin..end].to_owned(), more }
}

/// The text around the word, which is found in spite of its spelling if it is as long.
fn excerpt(text: &str, word: &str) -> String {
    if text.len() <= EXCERPT {
        return text.to_owned();
    }
    let lines = text.char_indices().map(|(at, _)| at);
    let found = lines.filter(|_| !word.is_empty()).find(|at| {
        let end = text.ceil_char_boundary((at + 4 * word.len()).min(text.len()));
        fold(&text[*at..end]).starts_with(word)
    });
    let start = text.floor_char_boundary(found.unwrap_or(0).saturating_sub(EXCERPT / 3));
    let lead = if start > 0 { "…" } else { "" };
    format!("{lead}{}", cut::at_a_sentence(&text[start..], EXCERPT))
}
