//! What a request is made of, for the person who wants to see it.

use super::history::History;
use super::size::{self, Gauge};
use super::telling::Telling;
use super::tiers::{Meter, request_tokens};
use protocol::RunId;
use protocol::hub::RunSpec;
use protocol::log::{Entry, EntryBody, Mark};
use protocol::model::ModelMessage;
use serde::Serialize;

/// A request by section, in tokens as they are estimated, and what is not in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub sections: Vec<Section>,
    pub tokens: u64,
    /// Tokens that a request may have.
    pub room: u64,
    pub percent: u64,
    #[serde(skip)]
    pub meter: Meter,
    /// Steps of compaction in the conversation, oldest first, as they are in the log.
    pub steps: Vec<EntryBody>,
    /// Turns that are told as part of a summary only.
    pub summarised: usize,
    /// Up to where results are told as digests.
    pub digested: Option<Mark>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    pub name: String,
    pub tokens: u64,
    pub text: String,
}

/// Reports on the request that `run` sends next when the log holds these entries.
pub fn report(spec: &RunSpec, run: &RunId, entries: &[Entry]) -> Report {
    let mut history = History::of(run, spec.clear_after_ms, entries);
    let request = super::request(spec, &mut history);
    let head = history.head_bytes();
    let gauge = history.told().map_or(Gauge::UNKNOWN, |told| told.gauge(head));
    let bytes = history.told().map_or(0, Telling::bytes);
    let section =
        |name: String, text: String, bytes: usize| Section { name, tokens: gauge.tokens(bytes), text };
    let mut sections = vec![section("system".to_owned(), request.system.clone(), size::of(&request.system))];
    sections.extend(
        request.tools.iter().map(|tool| section(format!("tool {}", tool.name), json(tool), size::of(tool))),
    );
    sections.extend(request.messages.iter().enumerate().map(|(at, message)| {
        let role = match message {
            ModelMessage::User { .. } => "user",
            ModelMessage::Assistant { .. } => "assistant",
            ModelMessage::Tools { .. } => "tools",
        };
        section(format!("message {} {role}", at + 1), json(message), size::of_message(message))
    }));
    let tokens = gauge.tokens(head + bytes);
    let room = request_tokens(spec);
    let percent = tokens.saturating_mul(100).checked_div(room).unwrap_or(100);
    let is_step = |body: &&EntryBody| {
        matches!(body, EntryBody::Digested { .. } | EntryBody::Summary { .. } | EntryBody::Clipped { .. })
    };
    let whole = entries.iter().filter(|entry| matches!(entry.body, EntryBody::TurnFinished { .. })).count();
    Report {
        sections,
        tokens,
        room,
        percent,
        meter: Meter::of(percent),
        steps: entries.iter().map(|entry| &entry.body).filter(is_step).cloned().collect(),
        summarised: whole.saturating_sub(history.whole_turns_told()),
        digested: history.digested().cloned(),
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values serialise")
}
