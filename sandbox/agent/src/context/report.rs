//! What a request is made of, for the person who wants to see it.

use super::history::History;
use super::size::{self, Gauge};
use super::telling::Telling;
use protocol::RunId;
use protocol::hub::RunSpec;
use protocol::log::{Entry, EntryBody};
use protocol::model::{Media, ModelMessage, ToolResult};
use protocol::view::{ContextPart, ContextSection, ContextStep};

/// A request by section, in tokens as they are estimated, and what is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub sections: Vec<ContextSection>,
    pub tokens: u64,
    /// Steps of compaction in the conversation, oldest first.
    pub steps: Vec<ContextStep>,
    /// Turns that are told as part of a summary only.
    pub summarised: usize,
}

/// Reports on the request that `run` sends next when the log holds these entries; for a run that has
/// ended, on its last one.
pub fn report(spec: &RunSpec, run: &RunId, entries: &[Entry]) -> Report {
    let mut history = History::of(run, spec.clear_after_ms, entries);
    let request = super::request(spec, &mut history);
    let head = history.head_bytes();
    let gauge = history.told().map_or(Gauge::UNKNOWN, |told| told.gauge(head));
    let tokens = gauge.tokens(head + history.told().map_or(0, Telling::bytes));
    let section = |bytes: usize, part: ContextPart| ContextSection { tokens: gauge.tokens(bytes), part };
    let system = section(size::of(&request.system), ContextPart::System { text: request.system.clone() });
    let tools = request.tools.into_iter().map(|tool| section(size::of(&tool), ContextPart::Tool { tool }));
    let messages = request.messages.iter().map(|message| {
        section(size::of_message(message), ContextPart::Message { message: without_bytes(message.clone()) })
    });
    let sections = [system].into_iter().chain(tools).chain(messages).collect();
    let whole = entries.iter().filter(|entry| matches!(entry.body, EntryBody::TurnFinished { .. })).count();
    Report {
        sections,
        tokens,
        steps: entries.iter().filter_map(|entry| step(&entry.body)).collect(),
        summarised: whole.saturating_sub(history.whole_turns_told()),
    }
}

fn step(body: &EntryBody) -> Option<ContextStep> {
    match body {
        EntryBody::Digested { .. } => Some(ContextStep::Digested),
        EntryBody::Clipped { longest, .. } => Some(ContextStep::Clipped { longest: *longest }),
        EntryBody::Summary { by, text, .. } => Some(ContextStep::Summary { by: *by, text: text.clone() }),
        EntryBody::Message { .. }
        | EntryBody::RunStarted { .. }
        | EntryBody::Block { .. }
        | EntryBody::TurnFinished { .. }
        | EntryBody::ToolStarted { .. }
        | EntryBody::ToolFinished { .. }
        | EntryBody::NotRun { .. }
        | EntryBody::Notice { .. }
        | EntryBody::Steered { .. }
        | EntryBody::Retrying { .. }
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

/// The message without the bytes of its files, which nobody could read.
fn without_bytes(mut message: ModelMessage) -> ModelMessage {
    let empty = |files: &mut Vec<Media>| files.iter_mut().for_each(|file| file.data.clear());
    match &mut message {
        ModelMessage::User { media, .. } => empty(media),
        ModelMessage::Assistant { .. } => {}
        ModelMessage::Tools { results } => {
            results.iter_mut().for_each(|ToolResult { media, .. }| empty(media));
        }
    }
    message
}
