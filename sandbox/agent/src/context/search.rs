//! Looking things up in the whole of a conversation, which no compaction ever shortens.

use super::cut;
use crate::words::{fold, words};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::Block;
use serde::{Deserialize, Serialize};

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
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hit {
    pub seq: u64,
    pub who: &'static str,
    pub text: String,
}

/// Those whose words may be a stranger's.
const STRANGERS: [&str; 3] = ["page", "program", "result"];

const HITS: usize = 10;
const MOST: usize = 50;
/// Bytes around the words.
const EXCERPT: usize = 400;

/// The hits, in the order of the log.
pub fn search(entries: &[Entry], query: &Query) -> Vec<Hit> {
    let wanted = query.query.as_deref().map(words).unwrap_or_default();
    let limit = query.limit.unwrap_or(HITS).min(MOST);
    let found = entries.iter().filter(|entry| {
        query.from.is_none_or(|from| entry.seq >= from) && query.to.is_none_or(|to| entry.seq <= to)
    });
    let hits = found.filter_map(|entry| {
        let (who, text) = said(&entry.body)?;
        let first = wanted.first().map(String::as_str).unwrap_or_default();
        let has = |words: &std::collections::BTreeSet<String>| wanted.iter().all(|word| words.contains(word));
        (wanted.is_empty() || has(&words(&text))).then(|| Hit {
            seq: entry.seq,
            who,
            text: excerpt(&text, first),
        })
    });
    if query.head {
        return hits.take(limit).collect();
    }
    let mut latest: Vec<Hit> = hits.rev().take(limit).collect();
    latest.reverse();
    latest
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
    match body {
        EntryBody::Message { from, text } => {
            let who = match from {
                Sender::Person | Sender::Program { relays: false, .. } => "person",
                Sender::Program { relays: true, .. } => "program",
                Sender::PageNotify { .. }
                | Sender::PageAsk
                | Sender::PageEmit { .. }
                | Sender::PageErrors
                | Sender::Rule { .. } => "page",
                Sender::Schedule { .. } => "schedule",
                Sender::Devices => "hub",
            };
            Some((who, text.clone()))
        }
        EntryBody::Block { block: Block::Text { text }, .. } => Some(("agent", text.clone())),
        EntryBody::Block { block: Block::ToolUse(call), .. } => {
            Some(("call", format!("{} {}", call.name, call.input)))
        }
        EntryBody::ToolFinished { result, .. } => {
            Some(("result", format!("{}: {}", result.name, result.content)))
        }
        EntryBody::Block { block: Block::Reasoning { .. }, .. }
        | EntryBody::RunStarted { .. }
        | EntryBody::TurnFinished { .. }
        | EntryBody::ToolStarted { .. }
        | EntryBody::NotRun { .. }
        | EntryBody::Notice { .. }
        | EntryBody::Steered { .. }
        | EntryBody::Retrying { .. }
        | EntryBody::Digested { .. }
        | EntryBody::Clipped { .. }
        | EntryBody::Summary { .. }
        | EntryBody::Used { .. }
        | EntryBody::RunFinished { .. }
        | EntryBody::Skin { .. }
        | EntryBody::State { .. }
        | EntryBody::ToolCreated { .. }
        | EntryBody::Imported { .. }
        | EntryBody::Moved { .. }
        | EntryBody::ToolDeleted { .. }
        | EntryBody::Permission { .. }
        | EntryBody::DeviceWait { .. }
        | EntryBody::ApprovalAsked { .. }
        | EntryBody::ApprovalSettled { .. }
        | EntryBody::Schedule { .. }
        | EntryBody::PageErrors { .. } => None,
    }
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
