//! What the parts of the page share: whose page it is, its signals, and what a person can do there.

use super::api::{MoveAgent, RetryRun, SendMessage, StopRun, TakeOverRun, send_message};
use super::layout::{Pane, View};
use super::outbox::{Delivery, Outbox, Unsent};
use super::storage::{self, Kept};
use super::transcript::Transcript;
use crate::approvals::api::AnswerApproval;
use crate::live::Connection;
use crate::sandbox::{Panel, Stage};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::view::{AgentPage, Repairs};
use protocol::{AgentId, FailureKind};
use std::time::Duration;

/// Between two attempts to send a message while the socket has its connection.
const PAUSE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy)]
pub struct Desk {
    pub agent: StoredValue<AgentId>,
    pub name: StoredValue<String>,
    pub transcript: Transcript,
    pub outbox: RwSignal<Outbox>,
    pub composer: NodeRef<html::Textarea>,
    /// The tab's name; empty without script.
    pub tab: RwSignal<String>,
    /// Absent without script.
    pub connection: RwSignal<Option<Connection>>,
    pub stage: RwSignal<Stage>,
    /// What the agent's page wants of the person.
    pub panel: Panel,
    pub view: RwSignal<View>,
    pub pane: RwSignal<Pane>,
    /// Width of the conversation, in percent.
    pub split: RwSignal<f64>,
    pub send: ServerAction<SendMessage>,
    pub retry: ServerAction<RetryRun>,
    pub stop: ServerAction<StopRun>,
    pub take_over: ServerAction<TakeOverRun>,
    pub move_home: ServerAction<MoveAgent>,
    pub answer: ServerAction<AnswerApproval>,
    /// Errors of its page do not wake the agent by themselves.
    pub repairs_when_asked: bool,
}

impl Desk {
    pub fn new(page: &AgentPage) -> Self {
        let stage = if page.card.skin_version > 0 { Stage::Shown } else { Stage::Empty };
        Self {
            agent: StoredValue::new(page.agent.id.clone()),
            name: StoredValue::new(page.agent.name.clone()),
            transcript: Transcript::new(page),
            outbox: RwSignal::default(),
            composer: NodeRef::new(),
            tab: RwSignal::default(),
            connection: RwSignal::new(None),
            stage: RwSignal::new(stage),
            panel: Panel::default(),
            view: RwSignal::default(),
            pane: RwSignal::default(),
            split: RwSignal::new(42.0),
            send: ServerAction::new(),
            retry: ServerAction::new(),
            stop: ServerAction::new(),
            take_over: ServerAction::new(),
            move_home: ServerAction::new(),
            answer: ServerAction::new(),
            repairs_when_asked: page.agent.loop_settings.repairs == Repairs::Asked,
        }
    }

    /// Whether a run goes on, or waits for the person.
    pub fn is_at_work(&self) -> bool {
        self.transcript.is_at_work.get()
    }

    pub fn stop(&self) {
        self.stop.dispatch(StopRun { agent: self.agent.get_value() });
    }

    /// Sends what the person wrote. It stays in the outbox until the log has it.
    pub fn send(&self, text: String) {
        let (after, tab) = (self.transcript.seq(), self.tab.get_untracked());
        let mut item = None;
        self.change_outbox(|outbox| item = Some(outbox.push(text, after, &tab)));
        self.deliver(item.filter(|item| item.delivery == Delivery::Sending));
    }

    pub fn resend(&self, id: u64) {
        let mut item = None;
        self.change_outbox(|outbox| item = outbox.resend(id));
        self.deliver(item);
    }

    /// Sends what waits for the hub, one after the other.
    pub fn flush(&self) {
        let mut item = None;
        self.change_outbox(|outbox| item = outbox.next());
        self.deliver(item);
    }

    /// Changes the outbox and keeps it for the case that the page is left.
    pub fn change_outbox(&self, change: impl FnOnce(&mut Outbox)) {
        // The answer to a message may come when its page is gone; then it is kept no longer.
        let Some(()) = self.outbox.try_update(change) else { return };
        let text = self.outbox.with_untracked(|outbox| {
            if outbox.items().is_empty() { Some(String::new()) } else { serde_json::to_string(outbox).ok() }
        });
        if let Some(text) = text {
            self.agent.with_value(|agent| storage::write(Kept::Outbox, agent, &text));
        }
    }

    fn deliver(&self, item: Option<Unsent>) {
        let Some(Unsent { id, text, key, .. }) = item else { return };
        let desk = *self;
        let (agent, tab) = (self.agent.get_value(), self.tab.get_untracked());
        spawn_local(async move {
            let outcome = send_message(agent, text, tab, key).await;
            let is_unreachable = outcome.as_ref().is_err_and(|error| error.0.kind == FailureKind::Upstream);
            desk.change_outbox(|outbox| match outcome {
                Ok(_) => outbox.commit(id),
                Err(_) if is_unreachable => outbox.wait(id),
                Err(error) => outbox.fail(id, error.to_string()),
            });
            // Without a connection the next attempt is made when there is one again.
            let is_connected = desk.connection.try_get_untracked() == Some(Some(Connection::Live));
            match (is_unreachable, is_connected) {
                (false, _) => desk.flush(),
                (true, true) => set_timeout(move || desk.flush(), PAUSE),
                (true, false) => {}
            }
        });
    }
}
