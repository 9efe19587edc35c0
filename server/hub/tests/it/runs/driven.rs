//! A browser as the hub sees it: a tab whose page answers calls, and which drives a browser-home run
//! with the same loop.

use super::page::Page;
use super::trace;
use agent::{Input, Run};
use hub::Tab;
use protocol::frame::Answer;
use protocol::hub::{Effect, HubFrame, RunAsk};
use protocol::log::{Entry, EntryBody, Mark, NoticeKind, Outcome, Sender};
use protocol::model::{Block, ModelFailure, ModelFailureKind, StopReason, ToolCall};
use protocol::{AgentId, CallId, RunId};
use serde_json::json;

pub struct Browser {
    pub tab: Tab,
    page: Page,
    driving: Option<(Run, RunId, String)>,
    answers: Vec<(u64, Answer)>,
}

impl Browser {
    pub fn new(tab: Tab, page: Page) -> Self {
        Self { tab, page, driving: None, answers: Vec::new() }
    }

    pub async fn show(&mut self, agent: &AgentId) {
        self.tab.follow(agent, 0).await.unwrap();
        self.tab.set_active(Some(agent.clone())).await.unwrap();
    }

    pub async fn until_finished(&mut self) -> Vec<Entry> {
        let mut entries = Vec::new();
        loop {
            if let Some(entry) = self.step().await {
                let over = matches!(entry.body, EntryBody::RunFinished { .. });
                entries.push(entry);
                if over {
                    return entries;
                }
            }
        }
    }

    /// Until the model has begun to speak.
    pub async fn until_text(&mut self) {
        loop {
            let frame = trace::next(&mut self.tab).await;
            let spoke = matches!(frame, HubFrame::Delta { .. });
            self.take(frame).await;
            if spoke {
                return;
            }
        }
    }

    pub async fn answer(&mut self, id: u64) -> String {
        loop {
            if let Some((_, answer)) = self.answers.iter().find(|(asked, _)| *asked == id) {
                return match answer {
                    Answer::Text { text } => text.clone(),
                    Answer::Error { message } => panic!("{message}"),
                };
            }
            self.step().await;
        }
    }

    pub async fn grant_without_driving(&mut self) -> (RunId, String) {
        loop {
            if let HubFrame::Granted { token, grant } = trace::next(&mut self.tab).await {
                return (grant.run, token);
            }
        }
    }

    async fn step(&mut self) -> Option<Entry> {
        let frame = trace::next(&mut self.tab).await;
        self.take(frame).await
    }

    async fn take(&mut self, frame: HubFrame) -> Option<Entry> {
        match frame {
            HubFrame::Entry { entry } => return Some(entry),
            HubFrame::SkinCall { request, command, .. } => {
                let done = self.page.perform(&command);
                self.tab.skin_done(request, done);
            }
            HubFrame::Granted { token, grant } => {
                let run = Run::resume(grant.run.clone(), grant.spec, &grant.transcript);
                self.driving = Some((run, grant.run, token));
                self.drive(Input::Resumed { now: 1 }).await;
            }
            HubFrame::Run { reply, .. } => {
                if let Some(input) = Input::from_reply(2, reply) {
                    self.drive(input).await;
                }
            }
            HubFrame::Answered { id, answer } => self.answers.push((id, answer)),
            _ => {}
        }
        None
    }

    async fn drive(&mut self, input: Input) {
        let Some((run, id, token)) = &mut self.driving else { return };
        let effects = run.handle(input);
        self.tab.run_ask(id, token, RunAsk::Credit { count: 1 }).await;
        for effect in effects {
            self.tab.run_ask(id, token, RunAsk::Effect { effect }).await;
        }
    }
}

/// What a hostile loop may try to write or do.
pub fn forgeries() -> Vec<RunAsk> {
    let call = ToolCall { id: CallId::from("c"), name: "state".to_owned(), input: json!({"action": "list"}) };
    let text = Block::Text { text: "forged".to_owned() };
    let bodies = [
        EntryBody::Block { turn: 0, index: 0, block: text },
        EntryBody::Message { from: Sender::Person, text: "forged".to_owned() },
        EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn },
        EntryBody::ToolStarted { turn: 0, call: call.clone() },
        EntryBody::RunFinished { outcome: Outcome::Completed },
        EntryBody::State { key: "forged".to_owned(), value: json!(1) },
        EntryBody::Skin { version: 9, by: None },
        EntryBody::Steered { turn: 0, seq: 1 },
        EntryBody::Retrying { turn: 0, failure: forged_failure() },
        EntryBody::Notice { turn: 0, kind: NoticeKind::Hint, text: "forged".repeat(30_000) },
        EntryBody::Digested { turn: 0, upto: Mark { run: RunId("forged".repeat(30_000)), turn: 0 } },
        EntryBody::ToolDeleted { name: "forged".to_owned() },
        EntryBody::Notice { turn: 0, kind: NoticeKind::Fallback, text: "forged".to_owned() },
        EntryBody::PageErrors { text: "forged".to_owned() },
    ];
    let mut asks: Vec<_> = bodies
        .into_iter()
        .map(|body| RunAsk::Effect { effect: Effect::Append { ordinal: 0, body } })
        .collect();
    asks.push(RunAsk::Effect { effect: Effect::RunTools { turn: 0, calls: vec![call] } });
    asks
}

fn forged_failure() -> ModelFailure {
    let message = "forged".to_owned();
    ModelFailure { kind: ModelFailureKind::Server, message, retry_after_ms: None }
}
