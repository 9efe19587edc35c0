//! Reading a tab's frames, and a log as text without what differs from run to run.

use crate::talk::PATIENCE;
use hub::Tab;
use protocol::hub::{HubFrame, Noun};
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::model::Block;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The next frame but for those that say which nouns changed: they come when they come.
pub async fn next(tab: &mut Tab) -> HubFrame {
    loop {
        match any(tab).await {
            HubFrame::NounChanged { .. } => {}
            frame => return frame,
        }
    }
}

/// The next of the nouns that are told of.
pub async fn next_noun(tab: &mut Tab) -> Noun {
    loop {
        if let HubFrame::NounChanged { noun } = any(tab).await {
            return noun;
        }
    }
}

/// The nouns that are told of up to this one. What changed at once with it is told in the order of [`Noun`].
pub async fn nouns_until(tab: &mut Tab, last: Noun) -> BTreeSet<Noun> {
    let mut told = BTreeSet::new();
    while !told.contains(&last) {
        told.insert(next_noun(tab).await);
    }
    told
}

async fn any(tab: &mut Tab) -> HubFrame {
    let frame =
        tokio::time::timeout(PATIENCE, tab.next()).await.expect("a frame comes").expect("the tab stays open");
    serde_json::from_slice(&frame.text).expect("frames are JSON")
}

/// The entries up to the first that fits.
pub async fn until(tab: &mut Tab, fits: impl Fn(&EntryBody) -> bool) -> Vec<Entry> {
    let mut entries = Vec::new();
    loop {
        if let HubFrame::Entry { entry } = next(tab).await {
            let last = fits(&entry.body);
            entries.push(entry);
            if last {
                return entries;
            }
        }
    }
}

pub async fn until_finished(tab: &mut Tab) -> Vec<Entry> {
    until(tab, |body| matches!(body, EntryBody::RunFinished { .. })).await
}

/// A line for each entry. Calls that are under way at the same time are told in the order of their names.
pub fn trace(entries: &[Entry]) -> String {
    let mut lines: Vec<String> = entries.iter().map(|entry| line(&entry.body)).collect();
    let is_step = |line: &String| line.contains(" tool started ") || line.contains(" tool finished ");
    for steps in lines.chunk_by_mut(|one, next| is_step(one) && is_step(next)) {
        if steps.len() > 2 {
            steps.sort();
        }
    }
    lines.into_iter().fold(String::new(), |mut text, line| {
        writeln!(text, "{line}").expect("text can be written");
        text
    })
}

fn line(body: &EntryBody) -> String {
    match body {
        EntryBody::Message { from: Sender::Person, text, .. } => format!("message person {text:?}"),
        EntryBody::Message { from: Sender::Program { name, relays }, text, .. } => {
            format!("message program {name} {relays} {text:?}")
        }
        EntryBody::Message { from: Sender::Agent { name, .. }, text, .. } => {
            format!("message agent {name} {text:?}")
        }
        EntryBody::Message { from: Sender::PageAsk, text, .. } => format!("message page ask {text:?}"),
        EntryBody::Message { from: Sender::PageNotify { name }, .. } => format!("message page event {name}"),
        EntryBody::Message { from: Sender::PageEmit { name }, text, .. } => {
            format!("message page told {name} {text:?}")
        }
        EntryBody::Message { from: Sender::Rule { key }, text, .. } => format!("message rule {key} {text:?}"),
        EntryBody::Message { from: Sender::Devices, text, .. } => format!("message devices {text:?}"),
        EntryBody::Message { from: Sender::Context { .. }, text, .. } => format!("message context {text:?}"),
        EntryBody::Message { from: Sender::Todo, text, .. } => format!("message todo {text:?}"),
        EntryBody::Message { from: Sender::Rating, text, .. } => format!("message rating {text:?}"),
        EntryBody::Message { from: Sender::PageErrors, text, .. } => format!("message page errors {text:?}"),
        EntryBody::Message { from: Sender::Job { name, .. }, text, .. } => {
            format!("message job {name} {text:?}")
        }
        EntryBody::Message { from: Sender::Trigger { name, .. }, text, .. } => {
            format!("message trigger {name} {text:?}")
        }
        EntryBody::Message { from: Sender::Schedule { name, .. }, text, .. } => {
            format!("message schedule {name} {text:?}")
        }
        EntryBody::Schedule { name, news, .. } => format!("schedule {name} {news:?}"),
        EntryBody::RunStarted { .. } => "started".to_owned(),
        EntryBody::Block { turn, index, block: Block::Text { text } } => {
            format!("{turn}.{index} text {:?}", before_the_time(text))
        }
        EntryBody::Block { turn, index, block: Block::Reasoning { text, .. } } => {
            format!("{turn}.{index} reasoning {text:?}")
        }
        EntryBody::Block { turn, index, block: Block::ToolUse(call) } => {
            format!("{turn}.{index} tool {} {}", call.name, call.input)
        }
        EntryBody::TurnFinished { turn, stop } => format!("{turn} turn finished {stop:?}"),
        EntryBody::ToolStarted { turn, call } => format!("{turn} tool started {}", call.name),
        EntryBody::ToolFinished { turn, result, .. } => {
            format!("{turn} tool finished {} error {}", result.name, result.is_error)
        }
        EntryBody::Used { turn, .. } => format!("{turn} used"),
        EntryBody::RunFinished { outcome: Outcome::Completed, .. } => "finished completed".to_owned(),
        EntryBody::RunFinished { outcome, .. } => format!("finished {outcome:?}"),
        EntryBody::Skin { version, .. } => format!("skin {version}"),
        EntryBody::Moved { home, .. } => format!("moved {home:?}"),
        EntryBody::State { key, value, superseded: false } => format!("state {key} {value}"),
        EntryBody::State { key, superseded: true, .. } => format!("state {key} superseded"),
        EntryBody::NotRun { turn, why, .. } => format!("{turn} not run {why:?}"),
        EntryBody::Notice { turn, kind, .. } => format!("{turn} notice {kind:?}"),
        EntryBody::Steered { turn, .. } => format!("{turn} steered"),
        EntryBody::Retrying { turn, failure } => format!("{turn} retrying {:?}", failure.kind),
        EntryBody::Digested { turn, .. } => format!("{turn} digested"),
        EntryBody::Clipped { turn, longest } => format!("{turn} clipped {longest}"),
        EntryBody::Summary { turn, by, .. } => format!("{turn} summary {by:?}"),
        EntryBody::ToolCreated { version, spec, .. } => format!("tool created {} {version}", spec.name),
        EntryBody::ToolDeleted { name } => format!("tool deleted {name}"),
        EntryBody::Permission { permission, .. } => format!("permission {permission:?}"),
        EntryBody::PageErrors { text } => format!("page errors {text:?}"),
        EntryBody::DeviceWait { turn, wait, .. } => format!("{turn} device {wait:?}"),
        EntryBody::ApprovalAsked { approval } => format!("asked {} {:?}", approval.call.name, approval.why),
        EntryBody::ApprovalSettled { settled, .. } => format!("settled {settled:?}"),
        EntryBody::Todo { by, list } => format!("todo {by:?} {:?}", list.items),
        EntryBody::Imported { name, .. } => format!("imported {name}"),
    }
}

/// The text up to what differs from run to run and from home to home: the answers of `datetime` and
/// `capabilities`, which one script repeats.
fn before_the_time(text: &str) -> &str {
    text.split("{\"iso\"").next().unwrap_or(text)
}
