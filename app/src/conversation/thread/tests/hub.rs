//! A hub, reduced to what a tab can see of it.

use super::super::Thread;
use protocol::agent::{Home, ToolRisk};
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Asker};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::model::{
    Block, BlockKind, ModelFailure, ModelFailureKind, StopReason, ToolCall, ToolResult, Usage,
};
use protocol::{AgentId, CallId, ConversationId, Micros, RunId};
use serde_json::json;
use std::collections::BTreeMap;

/// What the hub holds and sends, reduced to what a tab can see of it.
#[derive(Default)]
pub struct Hub {
    pub entries: Vec<Entry>,
    partial: BTreeMap<u32, (BlockKind, String)>,
    pub run: Option<RunId>,
    turn: u32,
    block: u32,
    open_calls: Vec<CallId>,
}

impl Hub {
    pub fn agent() -> AgentId {
        AgentId::from("ada")
    }

    pub fn entry(&mut self, body: EntryBody) -> HubFrame {
        let seq = self.entries.len() as u64 + 1;
        let run = match body {
            EntryBody::Message { .. } => None,
            _ => self.run.clone(),
        };
        let conversation = Some(ConversationId::from("c"));
        let entry = Entry { agent: Self::agent(), seq, at: seq as i64 * 1000, conversation, run, body };
        self.entries.push(entry.clone());
        HubFrame::Entry { entry }
    }

    pub fn partials(&self) -> Vec<HubFrame> {
        let Some(run) = &self.run else { return Vec::new() };
        let frame = |(index, (kind, text)): (&u32, &(BlockKind, String))| HubFrame::Partial {
            agent: Self::agent(),
            run: run.clone(),
            turn: self.turn,
            index: *index,
            kind: kind.clone(),
            text: text.clone(),
        };
        self.partial.iter().map(frame).collect()
    }

    pub fn catch_up(&self, after: u64) -> Vec<HubFrame> {
        let entries = self.entries.iter().filter(|entry| entry.seq > after).cloned();
        let mut frames: Vec<HubFrame> = entries.map(|entry| HubFrame::Entry { entry }).collect();
        frames.push(HubFrame::CaughtUp { agent: Self::agent(), seq: self.entries.len() as u64 });
        frames.extend(self.partials());
        frames
    }

    /// One thing that happens, chosen by a number.
    pub fn step(&mut self, choice: u8) -> Vec<HubFrame> {
        let Some(run) = self.run.clone() else { return self.idle_step(choice) };
        match choice % 10 {
            0 => {
                vec![self.entry(EntryBody::said(Sender::Person, format!("also {choice}")))]
            }
            1 | 2 => {
                let kind = match choice % 3 {
                    0 => BlockKind::Text,
                    1 => BlockKind::Reasoning,
                    _ => BlockKind::ToolUse {
                        id: CallId(format!("call-{}", self.entries.len())),
                        name: "dom".to_owned(),
                    },
                };
                self.block += 1;
                self.partial.insert(self.block, (kind, String::new()));
                self.partials()
                    .into_iter()
                    .filter(|frame| matches!(frame, HubFrame::Partial { index, .. } if *index == self.block))
                    .collect()
            }
            3..=5 => {
                let Some((index, (_, text))) = self.partial.iter_mut().next_back() else { return Vec::new() };
                let (offset, more) = (text.len() as u64, ["é", "word ", "\n\n# x"][usize::from(choice) % 3]);
                text.push_str(more);
                let (index, turn) = (*index, self.turn);
                vec![HubFrame::Delta {
                    agent: Self::agent(),
                    run,
                    turn,
                    index,
                    offset,
                    text: more.to_owned(),
                }]
            }
            6 => {
                let Some((index, (kind, text))) = self.partial.pop_first() else { return Vec::new() };
                let block = match kind {
                    BlockKind::Text => Block::Text { text },
                    BlockKind::Reasoning => Block::Reasoning { text, signature: None },
                    BlockKind::ToolUse { id, name } => {
                        self.open_calls.push(id.clone());
                        Block::ToolUse(ToolCall { id, name, input: json!({ "action": "query" }) })
                    }
                };
                let turn = self.turn;
                vec![self.entry(EntryBody::Block { turn, index, block })]
            }
            7 => self.tool_step(choice),
            8 => {
                let turn = self.turn;
                let usage = Usage { input: 3, output: 2, ..Usage::default() };
                let used = EntryBody::Used {
                    turn,
                    model: "m".to_owned(),
                    usage,
                    cost: Some(Micros(7)),
                    aside: None,
                };
                self.partial.clear();
                self.turn += 1;
                self.block = 0;
                vec![
                    self.entry(used),
                    if choice < 128 {
                        self.entry(EntryBody::TurnFinished { turn, stop: StopReason::MaxTokens })
                    } else {
                        HubFrame::Void { agent: Self::agent(), run, turn }
                    },
                ]
            }
            _ => {
                self.partial.clear();
                self.open_calls.clear();
                let outcome = [
                    Outcome::Completed,
                    Outcome::Stopped,
                    Outcome::Failed {
                        failure: ModelFailure {
                            kind: ModelFailureKind::Cut,
                            message: "Cut off.".to_owned(),
                            retry_after_ms: None,
                        },
                    },
                ][usize::from(choice) % 3]
                    .clone();
                let frame = self.entry(EntryBody::finished(outcome));
                self.run = None;
                vec![frame]
            }
        }
    }

    pub fn idle_step(&mut self, choice: u8) -> Vec<HubFrame> {
        if choice.is_multiple_of(3) {
            let name = "moved".to_owned();
            return vec![self.entry(EntryBody::said(Sender::PageNotify { name }, "moved: 1".to_owned()))];
        }
        if choice % 3 == 1 {
            return vec![self.entry(EntryBody::PageErrors { text: "- exception: x".to_owned() })];
        }
        self.run = Some(RunId(format!("run-{}", self.entries.len())));
        (self.turn, self.block) = (0, 0);
        vec![self.entry(EntryBody::RunStarted {
            home: Home::Hub,
            model: None,
            rounds: None,
            driver: None,
            unverified: false,
        })]
    }

    pub fn tool_step(&mut self, choice: u8) -> Vec<HubFrame> {
        let Some(call) = self.open_calls.pop() else { return Vec::new() };
        let turn = self.turn;
        let input = json!({});
        let started = EntryBody::ToolStarted {
            turn,
            call: ToolCall { id: call.clone(), name: "dom".to_owned(), input },
        };
        let result = ToolResult {
            call,
            name: "dom".to_owned(),
            content: "{}".to_owned(),
            media: Vec::new(),
            is_error: choice < 128,
        };
        let mut frames = Vec::new();
        if choice.is_multiple_of(2) {
            let (asked, settled) = approval(&format!("{turn}-{choice}"), Asker::Model);
            frames.extend([self.entry(asked), self.entry(settled)]);
        }
        frames.push(self.entry(started));
        frames.push(self.entry(EntryBody::ToolFinished { turn, result, millis: 12, denied: false }));
        frames
    }
}

/// A question and how it ended.
pub fn approval(id: &str, asker: Asker) -> (EntryBody, EntryBody) {
    let approval = Approval {
        id: id.into(),
        asker,
        page_of: None,
        turn: Some(0),
        call: ToolCall { id: "c".into(), name: "dom".to_owned(), input: json!({}) },
        about: None,
        risk: ToolRisk::High,
        why: ApprovalReason::Risk,
        once: false,
        strangers: false,
        reaches: Vec::new(),
        question: None,
        hash: "hash".to_owned(),
        expires_at: 0,
    };
    let settled =
        EntryBody::ApprovalSettled { approval: approval.id.clone(), settled: ApprovalOutcome::Expired };
    (EntryBody::ApprovalAsked { approval }, settled)
}

pub fn take_all(thread: &mut Thread, frames: &[HubFrame]) {
    for frame in frames {
        thread.take(frame);
    }
}

pub fn catch_up(thread: &mut Thread, hub: &Hub) {
    let frames = hub.catch_up(thread.seq());
    take_all(thread, &frames);
}

pub fn all_at_once(hub: &Hub) -> Thread {
    let mut thread = Thread::default();
    take_all(&mut thread, &hub.catch_up(0));
    thread
}

pub fn texts(thread: &Thread) -> Vec<&str> {
    thread.items().map(|item| item.text.as_str()).collect()
}

pub fn running() -> (Hub, Thread) {
    let (mut hub, mut thread) = (Hub::default(), Thread::default());
    hub.run = Some(RunId::from("r"));
    let frame = hub.entry(EntryBody::RunStarted {
        home: Home::Hub,
        model: None,
        rounds: None,
        driver: None,
        unverified: false,
    });
    thread.take(&frame);
    (hub, thread)
}

pub fn partial(text: &str) -> HubFrame {
    let (agent, run) = (Hub::agent(), RunId::from("r"));
    HubFrame::Partial { agent, run, turn: 0, index: 0, kind: BlockKind::Text, text: text.to_owned() }
}

pub fn delta(offset: u64, text: &str) -> HubFrame {
    HubFrame::Delta {
        agent: Hub::agent(),
        run: RunId::from("r"),
        turn: 0,
        index: 0,
        offset,
        text: text.to_owned(),
    }
}
