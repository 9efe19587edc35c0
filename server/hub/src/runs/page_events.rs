//! What an agent's page says to it. While the agent works, the newest of each name waits.

use super::Runs;
use super::steering::{Unread, Waiting};
use crate::agents::require_not_paused;
use crate::error::{Error, Result};
use crate::live::{Tab, TabKey};
use crate::log::EntryScope;
use protocol::AgentId;
use protocol::hub::HubFrame;
use protocol::log::{EntryBody, Sender};
use protocol::page::Answer;
use serde_json::Value;

/// Page events that may wait for one agent.
const MAX_WAITING: usize = 16;
/// Longest text of a page event, in bytes.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// What wakes an agent, other than a person's message.
#[derive(Clone, Debug)]
pub(super) struct PageEvent {
    /// Where it comes from, if from a tab that can drive a run.
    pub(super) tab: Option<TabKey>,
    pub(super) sender: Sender,
    pub(super) text: String,
    /// Who waits for the answer to a `flo.ask`, with the tab's own id of it.
    pub(super) ask: Option<(TabKey, u64)>,
}

impl Tab {
    /// `flo.notify`: wakes the agent. While it works, the newest of each name waits.
    pub async fn page_notify(&self, agent: &AgentId, name: &str, data: &Value) -> Result<()> {
        check_name(name)?;
        let event = PageEvent {
            tab: self.driver(),
            sender: Sender::PageNotify { name: name.to_owned() },
            text: said(name, data),
            ask: None,
        };
        self.page_event(agent, event).await
    }

    /// `flo.ask`: starts a run and answers with its final text.
    pub async fn page_ask(&self, agent: &AgentId, id: u64, text: &str) -> Result<()> {
        let event = PageEvent {
            tab: self.driver(),
            sender: Sender::PageAsk,
            text: text.trim().to_owned(),
            ask: Some((self.link().key, id)),
        };
        if let Err(error) = self.page_event(agent, event).await {
            let message = error.into_failure().message;
            self.send(&HubFrame::Answered { id, answer: Answer::Error { message } });
        }
        Ok(())
    }

    async fn page_event(&self, agent: &AgentId, event: PageEvent) -> Result<()> {
        check_text(&event.text)?;
        let scoped = self.hub().for_viewer(self.viewer());
        scoped.require_agent(agent).await?;
        scoped.require_counted().await?;
        if event.ask.is_some() {
            require_not_paused(self.hub().store().read(), agent).await?;
        }
        self.pass_bytes(agent, event.text.len())?;
        self.hub().runs().take_event(agent, event).await
    }
}

/// What the page says under a name, as the agent reads it.
pub(super) fn said(name: &str, data: &Value) -> String {
    if data.is_null() { name.to_owned() } else { format!("{name}: {data}") }
}

pub(super) fn check_name(name: &str) -> Result<()> {
    if name.is_empty() || name.chars().count() > 100 {
        return Err(Error::invalid("The name of a page event is a text of 1 to 100 characters."));
    }
    Ok(())
}

pub(super) fn check_text(text: &str) -> Result<()> {
    if text.is_empty() || text.len() > MAX_TEXT_BYTES {
        return Err(Error::invalid("A page event holds 1 byte to 64 KB of text."));
    }
    Ok(())
}

impl Waiting {
    fn push(&mut self, event: PageEvent) -> Result<()> {
        let same = |waiting: &&mut PageEvent| waiting.ask.is_none() && waiting.sender == event.sender;
        if event.ask.is_none()
            && let Some(waiting) = self.page_events.iter_mut().find(same)
        {
            *waiting = event;
            return Ok(());
        }
        if self.page_events.len() >= MAX_WAITING {
            return Err(Error::Limit(
                "The agent has sixteen page events waiting. Try again later.".to_owned(),
            ));
        }
        self.page_events.push_back(event);
        Ok(())
    }
}

impl Runs<'_> {
    /// Wakes the agent with this. While it works, the newest of each sender waits.
    pub(super) async fn take_event(self, agent: &AgentId, event: PageEvent) -> Result<()> {
        self.hub.spaces().require_for(agent).await?;
        self.hub.active_runs().waiting().entry(agent.clone()).or_default().push(event)?;
        self.wake(agent).await
    }

    /// Starts the next page event's run, unless the agent is at work.
    pub(super) async fn wake(self, agent: &AgentId) -> Result<()> {
        if self.hub.active_runs().is_active(agent) {
            return Ok(());
        }
        let next = |waiting: &mut Waiting| waiting.page_events.pop_front();
        let Some(event) = self.hub.active_runs().waiting().get_mut(agent).and_then(next) else {
            return Ok(());
        };
        let told = self.tell(agent, &event).await;
        if told.is_err() {
            self.hub.active_runs().waiting().entry(agent.clone()).or_default().page_events.push_front(event);
            self.hub.active_runs().keeper.left_undone();
        }
        told
    }

    async fn tell(self, agent: &AgentId, event: &PageEvent) -> Result<()> {
        let conversation = self.hub.conversations().current(agent).await?;
        let place = EntryScope { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        let said = EntryBody::said(event.sender.clone(), event.text.clone());
        let mut appending = self.hub.log().appending_alone().await?;
        let seq = appending.append(&place, said).await?;
        let former = std::mem::replace(
            &mut self.hub.active_runs().waiting().entry(agent.clone()).or_default().asker,
            event.ask,
        );
        // If another input was first, the run after it answers this one, or that one has already.
        let said = self.say(appending, agent, seq, Unread { conversation, tab: event.tab }, None).await;
        if said.is_err() {
            self.hub.active_runs().waiting().entry(agent.clone()).or_default().asker = former;
        }
        said
    }

    /// Lets page events wake their agents that could not when they came.
    pub(super) async fn wake_all(self) -> Result<()> {
        let waits =
            |(agent, waiting): (&AgentId, &Waiting)| (!waiting.page_events.is_empty()).then(|| agent.clone());
        let agents: Vec<AgentId> = self.hub.active_runs().waiting().iter().filter_map(waits).collect();
        let mut outcome = Ok(());
        for agent in agents {
            outcome = outcome.and(self.wake(&agent).await);
        }
        outcome
    }

    /// Answers whoever asked what the run under way is for, before it ends. `false`: nobody waits.
    pub(crate) fn answer_page(self, agent: &AgentId, answer: Answer) -> bool {
        let asker = self.hub.active_runs().waiting().get_mut(agent).and_then(|waiting| waiting.asker.take());
        let tab = asker.and_then(|(tab, id)| Some((self.hub.live().tab(tab)?, id)));
        let Some((tab, id)) = tab else { return false };
        tab.send(&HubFrame::Answered { id, answer });
        true
    }
}
