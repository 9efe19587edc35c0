//! What wakes an agent: a person's message, and its own page. While it works, page events wait.

use super::Execution;
use super::definition::Definition;
use super::start::Asked;
use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::live::{Tab, TabKey};
use crate::log::{Appending, Place, conversation_entries};
use crate::store::Transaction;
use agent::ambient::is_ambient;
use protocol::frame::Answer;
use protocol::hub::{HubFrame, RunReply};
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::model::Block;
use protocol::view::Sent;
use protocol::{AgentId, RunId, TabId, TokenId};
use serde_json::Value;
use sqlx::Row as _;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Page events that may wait for one agent.
const QUEUE: usize = 16;
/// Longest message, in bytes.
const MESSAGE: usize = 256 * 1024;
/// Longest key of a message, in bytes.
const KEY: usize = 100;
/// Longest text of a page event, in bytes.
const PAGE_TEXT: usize = 64 * 1024;

/// What waits while an agent works.
#[derive(Default)]
pub(super) struct Waiting {
    page_events: VecDeque<PageEvent>,
    /// Who waits for the final text of the run under way.
    asker: Option<(TabKey, u64)>,
    /// What was said and no run has read: the numbers of the entries, and the tabs that they were said from.
    /// They stand here before they are committed, for a run that begins at that moment finds them in the log.
    pub(super) unread: BTreeMap<u64, Option<TabKey>>,
    /// What the hub said of devices during the run and no model call has read: the next run reads it.
    pub(super) notes: BTreeSet<u64>,
}

/// What wakes an agent, other than a person's message.
#[derive(Clone, Debug)]
pub(super) struct PageEvent {
    /// Where it comes from, if from a tab.
    pub(super) tab: Option<TabKey>,
    pub(super) sender: Sender,
    pub(super) text: String,
    /// The tab's own id of a `flo.ask`.
    pub(super) ask: Option<u64>,
}

impl Scoped<'_> {
    /// Appends the message and wakes the agent. When it returns, the message is committed. Under a
    /// `key` that the agent has seen nothing happens again: whoever lost the answer may repeat.
    pub async fn send_message(
        &self,
        agent: &AgentId,
        text: &str,
        key: Option<&str>,
        tab: Option<&TabId>,
    ) -> Result<Sent> {
        let text = text.trim();
        check_message(text)?;
        if key.is_some_and(|key| key.is_empty() || key.len() > KEY) {
            return Err(Error::invalid("The key of a message is a text of 1 to 100 bytes."));
        }
        self.require_agent(agent).await?;
        let conversation = self.hub.conversation_of(agent).await?;
        let place = Place { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        let from = self.hub.sender(self.viewer).await?;
        let body = EntryBody::Message { from: from.clone(), text: text.to_owned() };
        let mut appending = self.hub.appending().await?;
        let seq = appending.append(&place, body).await?;
        if let Some(key) = key
            && let Some(seq) = sent_before(&mut appending.tx, agent, key, seq).await?
        {
            return Ok(Sent { seq, conversation });
        }
        let tab = tab.and_then(|tab| self.hub.live.tab_named(tab, self.viewer));
        self.hub.commit_unread(appending, agent, seq, tab).await?;
        self.hub.was_seen(agent).await?;
        // A run that began and ended meanwhile may have read it.
        if self.hub.is_unread(agent, seq) && self.hub.start_run(agent, tab).await?.is_none() {
            self.hub.steer(agent, seq, from, text);
        }
        Ok(Sent { seq, conversation })
    }

    /// Says it for a program: the message and the run that answers it are one commit, so that no other run,
    /// under other limits, comes to read it. `None`: the agent is at work, and nothing was said.
    pub(crate) async fn ask_alone(
        &self,
        agent: &AgentId,
        text: &str,
        token: &TokenId,
    ) -> Result<Option<Asked>> {
        let text = text.trim();
        check_message(text)?;
        self.require_agent(agent).await?;
        let definition = self.hub.definition(agent).await?;
        let definition = Definition { asked_by: Some(token.clone()), ..definition };
        let from = self.hub.sender(self.viewer).await?;
        self.hub.start_saying(agent, definition, from, text).await
    }

    /// Runs the agent again from where the last run left off.
    pub async fn retry(&self, agent: &AgentId, tab: Option<&TabId>) -> Result<()> {
        self.require_agent(agent).await?;
        let conversation = self.hub.conversation_of(agent).await?;
        let entries = conversation_entries(&self.hub.store, &conversation).await?;
        let last = entries.iter().rev().find_map(|entry| match &entry.body {
            EntryBody::RunFinished { outcome, .. } => Some((entry.run.as_ref(), outcome.can_retry())),
            _ => None,
        });
        // Nobody waits for the answer of a run that thought things over.
        let is_open = last.is_some_and(|(run, can_retry)| can_retry && !is_ambient(&entries, run));
        if !is_open {
            return Err(Error::Conflict(
                "There is nothing to retry: the last run has its answer.".to_owned(),
            ));
        }
        let tab = tab.and_then(|tab| self.hub.live.tab_named(tab, self.viewer));
        match self.hub.go_on(agent, tab).await? {
            Some(_) => Ok(()),
            None => Err(Error::Conflict("The agent is at work already.".to_owned())),
        }
    }

    /// Stops the run under way. Without one nothing happens.
    pub async fn stop(&self, agent: &AgentId) -> Result<()> {
        self.require_agent(agent).await?;
        self.hub.stop_run(agent).await;
        Ok(())
    }
}

fn check_message(text: &str) -> Result<()> {
    if text.is_empty() {
        return Err(Error::invalid("Write something first."));
    }
    if text.len() > MESSAGE {
        return Err(Error::Limit("The message is longer than 256 KB. Send less at a time.".to_owned()));
    }
    Ok(())
}

/// Notes the key for `seq`, or finds the `seq` that it was noted for before.
async fn sent_before(tx: &mut Transaction, agent: &AgentId, key: &str, seq: u64) -> Result<Option<u64>> {
    let noted = sqlx::query(
        "INSERT INTO sent_messages (agent_id, key, seq) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    )
    .bind(&agent.0)
    .bind(key)
    .bind(i64::try_from(seq).map_err(Error::internal)?)
    .execute(&mut **tx)
    .await?;
    if noted.rows_affected() > 0 {
        return Ok(None);
    }
    let row = sqlx::query("SELECT seq FROM sent_messages WHERE agent_id = $1 AND key = $2")
        .bind(&agent.0)
        .bind(key)
        .fetch_one(&mut **tx)
        .await?;
    u64::try_from(row.try_get::<i64, _>(0)?).map(Some).map_err(Error::internal)
}

impl Tab {
    /// `flo.notify`: wakes the agent. While it works, the newest of each name waits.
    pub async fn page_notify(&self, agent: &AgentId, name: &str, data: &Value) -> Result<()> {
        check_name(name)?;
        let event = PageEvent {
            tab: Some(self.link().key),
            sender: Sender::PageNotify { name: name.to_owned() },
            text: said(name, data),
            ask: None,
        };
        self.page_event(agent, event).await
    }

    /// `flo.ask`: starts a run and answers with its final text.
    pub async fn page_ask(&self, agent: &AgentId, id: u64, text: &str) -> Result<()> {
        let event = PageEvent {
            tab: Some(self.link().key),
            sender: Sender::PageAsk,
            text: text.trim().to_owned(),
            ask: Some(id),
        };
        if let Err(error) = self.page_event(agent, event).await {
            let message = error.into_failure().message;
            self.send(&HubFrame::Answered { id, answer: Answer::Error { message } });
        }
        Ok(())
    }

    async fn page_event(&self, agent: &AgentId, event: PageEvent) -> Result<()> {
        check_text(&event.text)?;
        self.hub().for_viewer(self.viewer()).require_agent(agent).await?;
        self.pass_bytes(agent, event.text.len())?;
        self.hub().take_event(agent, event).await
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
    if text.is_empty() || text.len() > PAGE_TEXT {
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
        if self.page_events.len() >= QUEUE {
            return Err(Error::Limit(
                "The agent has sixteen page events waiting. Try again later.".to_owned(),
            ));
        }
        self.page_events.push_back(event);
        Ok(())
    }
}

impl Hub {
    /// Wakes the agent with this. While it works, the newest of each sender waits.
    pub(super) async fn take_event(&self, agent: &AgentId, event: PageEvent) -> Result<()> {
        self.runs.waiting().entry(agent.clone()).or_default().push(event)?;
        self.wake(agent).await
    }

    /// Commits what was said. A run reads it, or the end of the run under way starts one that does.
    async fn commit_unread(
        &self,
        appending: Appending,
        agent: &AgentId,
        seq: u64,
        tab: Option<TabKey>,
    ) -> Result<()> {
        self.runs.waiting().entry(agent.clone()).or_default().unread.insert(seq, tab);
        let committed = self.commit(appending).await;
        if committed.is_err() {
            self.message_was_read(agent, seq);
        }
        committed
    }

    /// Tells the run under way what the person wrote, unless it has read it in the log.
    fn steer(&self, agent: &AgentId, seq: u64, from: Sender, text: &str) {
        if self.is_unread(agent, seq)
            && let Some(execution) = self.runs.active(agent)
        {
            execution.reply(RunReply::Steer { seq, from, text: text.to_owned() });
        }
    }

    /// A run begins that has everything up to this entry in its transcript.
    pub(super) fn were_read(&self, agent: &AgentId, upto: u64) {
        if let Some(waiting) = self.runs.waiting().get_mut(agent) {
            waiting.unread.retain(|seq, _| *seq > upto);
        }
    }

    pub(super) fn is_unread(&self, agent: &AgentId, seq: u64) -> bool {
        let waiting = self.runs.waiting();
        let waiting = waiting.get(agent);
        waiting.is_some_and(|waiting| waiting.unread.contains_key(&seq) || waiting.notes.contains(&seq))
    }

    pub(super) fn note_is_unread(&self, agent: &AgentId, seq: u64) {
        self.runs.waiting().entry(agent.clone()).or_default().notes.insert(seq);
    }

    pub(super) fn message_was_read(&self, agent: &AgentId, seq: u64) {
        if let Some(waiting) = self.runs.waiting().get_mut(agent) {
            waiting.unread.remove(&seq);
            waiting.notes.remove(&seq);
        }
    }

    /// Starts the next page event's run, unless the agent is at work.
    async fn wake(&self, agent: &AgentId) -> Result<()> {
        if self.runs.is_active(agent) {
            return Ok(());
        }
        let Some(event) =
            self.runs.waiting().get_mut(agent).and_then(|waiting| waiting.page_events.pop_front())
        else {
            return Ok(());
        };
        let conversation = self.conversation_of(agent).await?;
        let place = Place { agent: agent.clone(), conversation: Some(conversation), run: None };
        let said = EntryBody::Message { from: event.sender.clone(), text: event.text.clone() };
        let mut appending = self.appending_alone().await?;
        let seq = appending.append(&place, said).await?;
        self.commit_unread(appending, agent, seq, event.tab).await?;
        self.runs.waiting().entry(agent.clone()).or_default().asker = event.tab.zip(event.ask);
        // If another input was first, the run after it answers this one, or that one has already.
        if self.is_unread(agent, seq) {
            self.start_run(agent, event.tab).await?;
        }
        Ok(())
    }

    /// Answers whoever asked, and goes on with what waited.
    pub(super) async fn run_ended(&self, ended: &Execution) {
        let asker = self.runs.waiting().get_mut(&ended.agent).and_then(|waiting| {
            waiting.notes.clear();
            waiting.asker.take()
        });
        if let Some((tab, id)) = asker
            && let Some(tab) = self.live.tab(tab)
        {
            let answer = self.answer_of(ended).await;
            tab.send(&HubFrame::Answered { id, answer });
        }
        // The next run is started from a task of its own: it may end before this one's caller does.
        let (hub, agent, schedule) = (self.clone(), ended.agent.clone(), ended.scheduled_by.clone());
        tokio::spawn(async move {
            let unread = |waiting: &Waiting| waiting.unread.values().next_back().copied();
            let unread = hub.runs.waiting().get(&agent).and_then(unread);
            let next = match unread {
                Some(tab) => hub.start_run(&agent, tab).await.map(|_| ()),
                None => hub.wake(&agent).await,
            };
            if let Err(error) = next {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "what waited for agent {agent} could not start: {failure}");
            }
            if let Err(error) = hub.let_schedules_run(&agent, schedule.as_ref()).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "schedules of agent {agent} wait on: {failure}");
            }
            if let Err(error) = hub.arm_ambient_run(&agent).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "agent {agent} will not think by itself: {failure}");
            }
        });
    }

    async fn answer_of(&self, ended: &Execution) -> Answer {
        let entries = conversation_entries(&self.store, &ended.conversation).await.unwrap_or_default();
        final_answer(&entries, &ended.run)
    }
}

fn final_answer(entries: &[Entry], run: &RunId) -> Answer {
    let ends = entries.iter().filter(|entry| entry.run.as_ref() == Some(run)).rev();
    let end = ends.into_iter().find_map(|entry| match &entry.body {
        EntryBody::RunFinished { outcome, .. } => Some(outcome),
        _ => None,
    });
    match end {
        Some(Outcome::Completed) => Answer::Text { text: final_text(entries, run) },
        Some(outcome) => Answer::Error { message: in_words(outcome) },
        None => Answer::Error { message: "The run has no end.".to_owned() },
    }
}

/// The text of the run's last turn that has any.
pub(super) fn final_text(entries: &[Entry], run: &RunId) -> String {
    let mut last_turn = 0;
    let mut text = String::new();
    for entry in entries.iter().filter(|entry| entry.run.as_ref() == Some(run)) {
        if let EntryBody::Block { turn, block: Block::Text { text: more }, .. } = &entry.body {
            if *turn != last_turn {
                text.clear();
                last_turn = *turn;
            }
            text.push_str(more);
        }
    }
    text
}

pub(crate) fn in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Completed => String::new(),
        Outcome::Stopped => "The run was stopped.".to_owned(),
        Outcome::RoundLimit => "The agent used up its rounds before it was done.".to_owned(),
        Outcome::Failed { failure } => failure.message.clone(),
        Outcome::Interrupted { why } => why.clone(),
    }
}
