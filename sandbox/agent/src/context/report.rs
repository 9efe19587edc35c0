//! What a request is made of, for the person who wants to see it.

use super::page;
use super::prompt;
use super::rendering::Rendering;
use super::size::{self, Gauge};
use super::snapshot::Snapshot;
use protocol::RunId;
use protocol::log::{Class, CompactionEvent, Entry, EntryBody};
use protocol::model::{Media, ModelMessage, ToolResult};
use protocol::run::RunSpec;
use protocol::view::{ContextPart, ContextSection, ContextStep};

/// What stands between the parts of a message that came one by one.
const BETWEEN: &str = "\n\n";

/// A request by section, in tokens as they are estimated, and what is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub sections: Vec<ContextSection>,
    pub tokens: u64,
    /// Turns that are told whole, and not as part of a summary.
    pub whole_turns: usize,
}

/// Reports on the request that `run` sends next when the log holds these entries behind `past`; for a run
/// that has ended, on its last one.
pub fn report(spec: &RunSpec, run: &RunId, past: Snapshot, entries: &[Entry]) -> Report {
    let mut history = past.take_all(entries).seen_by(run);
    let request = super::request(spec, &mut history);
    let head = history.head_bytes();
    let gauge = history.rendered().map_or(Gauge::UNKNOWN, |told| told.gauge(head));
    let tokens = gauge.tokens(head + history.rendered().map_or(0, Rendering::bytes));
    let section = |bytes: usize, part: ContextPart| ContextSection { tokens: gauge.tokens(bytes), part };
    let system = prompt::parts(spec)
        .into_iter()
        .map(|(part, text)| section(size::of(&text), ContextPart::System { part, text }));
    let tools = request.tools.into_iter().map(|tool| section(size::of(&tool), ContextPart::Tool { tool }));
    let most_of_text = size::most_of_text(spec.context_tokens);
    let messages = request.messages.iter().flat_map(parts_of).map(|part| match part {
        ContextPart::Message { message } => {
            let bytes = size::of_message(&message, most_of_text);
            section(bytes, ContextPart::Message { message: without_bytes(message) })
        }
        ContextPart::Context { source, text } => {
            section(size::of(&text), ContextPart::Context { source, text })
        }
        part @ (ContextPart::System { .. } | ContextPart::Tool { .. }) => section(0, part),
    });
    let sections = system.chain(tools).chain(messages).collect();
    Report { sections, tokens, whole_turns: history.whole_turns_told() }
}

/// The step of compaction that an entry tells of.
pub fn compaction_in(body: &EntryBody) -> Option<ContextStep> {
    let Class::Compaction(event) = body.class() else { return None };
    Some(match event {
        CompactionEvent::Digested { .. } => ContextStep::Digested,
        CompactionEvent::Clipped { longest, .. } => ContextStep::Clipped { longest },
        CompactionEvent::Summary { by, text, .. } => ContextStep::Summary { by, text: text.to_owned() },
    })
}

/// The message, and before it what is told in it of the person's context.
fn parts_of(message: &ModelMessage) -> Vec<ContextPart> {
    let ModelMessage::User { text, media } = message else {
        return vec![ContextPart::Message { message: message.clone() }];
    };
    let mut parts = Vec::new();
    let mut said = Vec::new();
    for part in text.split(BETWEEN) {
        match page::context_in(part) {
            Some(source) => parts.push(ContextPart::Context { source, text: part.to_owned() }),
            None => said.push(part),
        }
    }
    if !said.is_empty() || !media.is_empty() {
        let message = ModelMessage::User { text: said.join(BETWEEN), media: media.clone() };
        parts.push(ContextPart::Message { message });
    }
    parts
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
