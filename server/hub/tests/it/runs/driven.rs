//! A browser as the hub sees it: a tab whose page answers calls, and which drives a browser-home run
//! with the same loop.

use super::device::Device;
use super::page::Page;
use super::trace;
use agent::{Input, Run};
use hub::Tab;
use protocol::device::DeviceAsk;
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Mark, NoticeKind, Outcome, Sender};
use protocol::model::{Block, ModelFailure, ModelFailureKind, StopReason, ToolCall};
use protocol::page::{Answer, SkinCommand};
use protocol::run::{Effect, RunAsk, RunReply, RunSpec};
use protocol::{AgentId, CallId, RunId};
use serde_json::json;
use std::collections::VecDeque;

/// Model events that the shipped driver credits at once.
const CREDIT_BATCH: u32 = 16;

pub struct Browser {
    pub tab: Tab,
    page: Page,
    pub device: Device,
    driving: Option<Driving>,
    answers: Vec<(u64, Answer)>,
    /// Calls that were offered to it, and not told yet to be its own.
    offers: Vec<(u64, Offer)>,
    pub performed: usize,
    /// The newest entry that it has, by which it follows again.
    seq: u64,
}

/// The run, and its two streams as the shipped shell counts them.
struct Driving {
    run: Run,
    id: RunId,
    token: String,
    received: u64,
    events: u32,
    /// Asks that the hub is not known to have, and the number of the first.
    unsent: VecDeque<RunAsk>,
    taken: u64,
    link: Link,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    Up,
    /// What it says is lost on the way.
    Broken,
}

/// For the page, or for the device.
enum Offer {
    Page(SkinCommand),
    Device(DeviceAsk),
}

impl Browser {
    pub fn new(tab: Tab, page: Page) -> Self {
        Self {
            tab,
            page,
            device: Device::default(),
            driving: None,
            answers: Vec::new(),
            offers: Vec::new(),
            performed: 0,
            seq: 0,
        }
    }

    /// From here on nothing that it asks for reaches the hub.
    pub fn break_link(&mut self) {
        if let Some(driving) = &mut self.driving {
            driving.link = Link::Broken;
        }
    }

    /// Comes back over another socket, which `tab` is the other end of.
    pub async fn come_back(&mut self, tab: Tab, agent: &AgentId) {
        self.tab = tab;
        self.tab.follow(agent, self.seq).await.unwrap();
        self.tab.set_active(Some(agent.clone())).await.unwrap();
        if let Some(driving) = &self.driving {
            self.tab.rejoin(&driving.id, &driving.token, driving.received);
        }
    }

    pub fn is_driving(&self) -> bool {
        self.driving.is_some()
    }

    /// Says what the driver of this run says, with its token.
    pub async fn ask_as(&self, id: &RunId, token: &str, ask: RunAsk) {
        self.tab.run_ask(id, token, 0, ask).await;
    }

    /// The run that it drives and the token.
    pub fn lease(&self) -> Option<(RunId, String)> {
        self.driving.as_ref().map(|driving| (driving.id.clone(), driving.token.clone()))
    }

    pub async fn show(&mut self, agent: &AgentId) {
        self.tab.follow(agent, 0).await.unwrap();
        self.tab.set_active(Some(agent.clone())).await.unwrap();
    }

    pub async fn until_finished(&mut self) -> Vec<Entry> {
        self.until_entry(|body| matches!(body, EntryBody::RunFinished { .. })).await
    }

    pub async fn until_entry(&mut self, fits: impl Fn(&EntryBody) -> bool) -> Vec<Entry> {
        let mut entries = Vec::new();
        loop {
            if let Some(entry) = self.step().await {
                let is_last = fits(&entry.body);
                entries.push(entry);
                if is_last {
                    return entries;
                }
            }
        }
    }

    /// Until the model has begun to speak.
    pub async fn until_text(&mut self) -> Vec<Entry> {
        self.until(|frame| matches!(frame, HubFrame::Delta { .. })).await
    }

    /// Until all has been said that stands before the gate of a script.
    pub async fn until_gate(&mut self) -> Vec<Entry> {
        let mut said = String::new();
        self.until(|frame| {
            match frame {
                HubFrame::Partial { text, .. } => text.clone_into(&mut said),
                HubFrame::Delta { text, .. } => said.push_str(text),
                _ => {}
            }
            said.trim_end().ends_with("and")
        })
        .await
    }

    /// Until a reply is given up.
    pub async fn until_void(&mut self) -> Vec<Entry> {
        self.until(|frame| matches!(frame, HubFrame::Void { .. })).await
    }

    async fn until(&mut self, mut fits: impl FnMut(&HubFrame) -> bool) -> Vec<Entry> {
        let mut entries = Vec::new();
        loop {
            let frame = trace::next(&mut self.tab).await;
            let is_last = fits(&frame);
            entries.extend(self.take(frame).await);
            if is_last {
                return entries;
            }
        }
    }

    pub async fn answer(&mut self, id: u64) -> String {
        loop {
            if let Some((_, answer)) = self.answers.iter().find(|(asked, _)| *asked == id) {
                return match answer {
                    Answer::Text { text } => text.clone(),
                    Answer::File { address, .. } => panic!("a file at {address}"),
                    Answer::Error { message } => panic!("{message}"),
                };
            }
            self.step().await;
        }
    }

    pub async fn granted_spec(&mut self) -> RunSpec {
        loop {
            if let HubFrame::Granted { grant, .. } = trace::next(&mut self.tab).await {
                return grant.spec;
            }
        }
    }

    pub async fn grant_without_driving(&mut self) -> (RunId, String) {
        loop {
            if let HubFrame::Granted { token, grant } = trace::next(&mut self.tab).await {
                return (grant.run, token);
            }
        }
    }

    /// Takes so many frames in, or fewer if the run ends before.
    pub async fn take_frames(&mut self, count: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        for _ in 0..count {
            if let Some(entry) = self.step().await {
                let is_over = matches!(entry.body, EntryBody::RunFinished { .. });
                entries.push(entry);
                if is_over {
                    break;
                }
            }
        }
        entries
    }

    pub async fn step(&mut self) -> Option<Entry> {
        let frame = trace::next(&mut self.tab).await;
        self.take(frame).await
    }

    pub async fn take(&mut self, frame: HubFrame) -> Option<Entry> {
        match frame {
            HubFrame::Entry { entry } => {
                self.seq = entry.seq;
                return Some(entry);
            }
            HubFrame::SkinCall { request, command, claim: true, .. } => {
                self.offers.push((request, Offer::Page(command)));
                self.tab.skin_claim(request);
            }
            HubFrame::DeviceCall { request, ask, claim: true, .. } => {
                self.offers.push((request, Offer::Device(ask)));
                self.tab.skin_claim(request);
            }
            HubFrame::DeviceCall { request, ask, claim: false, .. } => {
                self.tab.device_done(request, self.device.perform(ask));
            }
            HubFrame::SkinGo { request } => {
                let place = self.offers.iter().position(|(offered, _)| *offered == request).unwrap();
                match self.offers.remove(place).1 {
                    Offer::Page(command) => {
                        self.performed += 1;
                        let done = self.page.perform(&command);
                        self.tab.skin_done(request, done);
                    }
                    Offer::Device(ask) => self.tab.device_done(request, self.device.perform(ask)),
                }
            }
            HubFrame::SkinCall { request, command, claim: false, .. } => {
                self.performed += 1;
                let done = self.page.perform(&command);
                self.tab.skin_done(request, done);
            }
            HubFrame::Granted { token, grant } => {
                let id = grant.run.clone();
                let run = Run::granted(grant).unwrap();
                self.driving = Some(Driving {
                    run,
                    id,
                    token,
                    received: 0,
                    events: 0,
                    unsent: VecDeque::new(),
                    taken: 0,
                    link: Link::Up,
                });
                self.drive(Input::Resumed).await;
            }
            HubFrame::Run { run, taken, reply } => self.hear(&run, taken, reply).await,
            HubFrame::Rejoined { run, taken } => self.rejoined(&run, taken).await,
            HubFrame::Answered { id, answer } => self.answers.push((id, answer)),
            _ => {}
        }
        None
    }

    async fn hear(&mut self, id: &RunId, taken: u64, reply: RunReply) {
        let Some(driving) = self.driving.as_mut().filter(|driving| driving.id == *id) else { return };
        driving.received += 1;
        driving.forget(taken);
        if matches!(&reply, RunReply::Model { .. }) {
            driving.events += 1;
            if driving.events == CREDIT_BATCH {
                driving.events = 0;
                self.say(RunAsk::Credit { count: CREDIT_BATCH }).await;
            }
        }
        match Input::from_reply(reply) {
            Some(input) => self.drive(input).await,
            None => self.driving = None,
        }
    }

    async fn rejoined(&mut self, id: &RunId, taken: u64) {
        let Some(driving) = self.driving.as_mut().filter(|driving| driving.id == *id) else { return };
        driving.forget(taken);
        driving.link = Link::Up;
        let (token, received) = (driving.token.clone(), driving.received);
        for ask in driving.unsent.clone() {
            self.tab.run_ask(id, &token, received, ask).await;
        }
    }

    async fn drive(&mut self, input: Input) {
        let Some(driving) = &mut self.driving else { return };
        for effect in driving.run.handle(input) {
            if matches!(effect, Effect::CallModel { .. })
                && let Some(driving) = &mut self.driving
            {
                driving.events = 0;
            }
            self.say(RunAsk::Effect { effect }).await;
        }
    }

    async fn say(&mut self, ask: RunAsk) {
        let Some(driving) = &mut self.driving else { return };
        driving.unsent.push_back(ask.clone());
        if driving.link == Link::Up {
            self.tab.run_ask(&driving.id, &driving.token, driving.received, ask).await;
        }
    }
}

impl Driving {
    fn forget(&mut self, taken: u64) {
        while self.taken < taken && self.unsent.pop_front().is_some() {
            self.taken += 1;
        }
    }
}

/// What a hostile loop may try to write or do.
pub fn forgeries() -> Vec<RunAsk> {
    let call = ToolCall { id: CallId::from("c"), name: "state".to_owned(), input: json!({"action": "list"}) };
    let text = Block::Text { text: "forged".to_owned() };
    let bodies = [
        EntryBody::Block { turn: 0, index: 0, block: text },
        EntryBody::said(Sender::Person, "forged".to_owned()),
        EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn },
        EntryBody::ToolStarted { turn: 0, call: call.clone() },
        EntryBody::finished(Outcome::Completed),
        EntryBody::State { key: "forged".to_owned(), value: json!(1), superseded: false },
        EntryBody::Skin { version: 9, by: None },
        EntryBody::Steered { turn: 0, seq: 1 },
        EntryBody::Retrying { turn: 0, failure: forged_failure() },
        EntryBody::Notice { turn: 0, kind: NoticeKind::Hint, text: "forged".repeat(30_000) },
        EntryBody::Digested { turn: 0, upto: Mark { run: RunId("forged".repeat(30_000)), turn: 0 } },
        EntryBody::ToolDeleted { name: "forged".to_owned() },
        EntryBody::Notice { turn: 0, kind: NoticeKind::Fallback, text: "forged".to_owned() },
        EntryBody::PageErrors { text: "forged".to_owned() },
        EntryBody::said(Sender::Devices, "forged".to_owned()),
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
