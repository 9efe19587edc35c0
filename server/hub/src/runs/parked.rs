//! Runs that wait for a person. They outlive the process, and the tab that drove them: whoever answers,
//! from wherever, the run goes on, in a browser as soon as a page of the agent is open.

use super::Execution;
use super::definition::Definition;
use super::hand_over::{Destination, NextDriver};
use super::inputs::Unread;
use super::lease::Driven;
use super::lease_holder::{Absence, LeaseHolder};
use super::streamed::Streamed;
use crate::approvals;
use crate::clock::new_secret;
use crate::error::Result;
use crate::runs::Runs;
use crate::store::query;
use protocol::agent::Home;
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::{AgentId, ConversationId, RunId, ScheduleId, TokenId};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How long a run waits for a page of its agent when nothing else keeps it waiting.
const PAGE_GRACE: Duration = Duration::from_secs(90);

impl Execution {
    pub(crate) async fn waits_for_a_person(&self) -> bool {
        self.waits_for_key() || approvals::is_open(self.hub().store(), &self.run).await.unwrap_or(false)
    }

    /// Whether it waited for a person when its tab went, who may have answered meanwhile.
    pub(super) async fn has_waited_for_a_person(&self, absence: Absence) -> bool {
        let answered = approvals::were_taken_since(self.hub().store(), &self.run, absence.since);
        self.waits_for_a_person().await || answered.await.unwrap_or(false)
    }

    /// The tab that drove is gone, and the run goes on without one until another page of the agent is open.
    pub(super) async fn leave_seat(self: &Arc<Self>, absence: Absence) {
        if let Err(error) = self.empty_seat(absence).await {
            let failure = error.into_failure();
            tracing::warn!(run.id = %self.run, "run {} keeps its lease: {failure}", self.run);
            return;
        }
        self.hub().runs().seat_parked_run(&self.agent).await;
        self.wait_for_a_page();
    }

    async fn empty_seat(&self, absence: Absence) -> Result<()> {
        let _one_at_a_time = self.writing.lock().await;
        if !self.holder().is_still(absence) {
            return Ok(());
        }
        let (former, token) = (self.holder().token.clone(), new_secret());
        let driven = Driven { home: Home::Browser, by: None };
        let mut appending = self.hub().log().appending().await?;
        appending.require_lease(&self.run, &former).await?;
        appending.pass_lease(&self.run, &token, &driven).await?;
        self.hub().log().commit(appending).await?;
        *self.holder() = LeaseHolder::empty(token);
        Ok(())
    }

    /// Ends the run when it has nothing more to wait for and no page of the agent has opened.
    fn wait_for_a_page(self: &Arc<Self>) {
        let execution = Arc::clone(self);
        self.hub().tasks().spawn(async move {
            let tasks = execution.hub().tasks();
            loop {
                let next = execution.hub().approvals().expire_of(&execution.run).await;
                let Ok(Some(until)) = next else { break };
                tokio::select! {
                    () = tasks.closing() => return,
                    () = execution.ended() => return,
                    () = execution.hub().clock().until(until) => {}
                }
            }
            tokio::select! {
                () = tasks.closing() => return,
                () = execution.ended() => return,
                () = tokio::time::sleep(PAGE_GRACE) => {}
            }
            if execution.holder().is_empty() {
                execution.give_up();
                let why = "This agent lives in the browser, and no page of it was open to go on. Open it and retry.";
                execution.force_finish(Outcome::Interrupted { why: why.to_owned() }).await;
            }
        });
    }
}

impl Runs<'_> {
    /// A page of the agent is open: if its run has no driver, it goes on there. One that waits for a key
    /// goes on where that key is.
    pub(crate) async fn seat_parked_run(self, agent: &AgentId) {
        let Some(execution) = self.hub.active_runs().active(agent) else { return };
        if !execution.holder().is_empty() {
            return;
        }
        let fit = execution.fit_to_go_on().await;
        let Some(stage) = self.hub.live().pages(agent, None).into_iter().find(|tab| fit.takes(tab)) else {
            return;
        };
        // Two pages may be opened at once.
        let _one_at_a_time = execution.writing.lock().await;
        if !execution.holder().is_empty() {
            return;
        }
        if let Err(error) = execution.give_to(Destination::Tab(stage.key)).await {
            let failure = error.into_failure();
            tracing::warn!(run.id = %execution.run, "run {} found no driver: {failure}", execution.run);
        }
    }

    /// Goes on with a run that the last process left waiting.
    pub(super) async fn take_up(self, agent: &AgentId, run: &RunId, home: Home) -> Result<()> {
        let (conversation, asked_by, scheduled_by) = self.begun_by(run).await?;
        let definition =
            Definition { asked_by, scheduled_by, ..self.definition_in(agent, Some(&conversation)).await? };
        let conversation = definition.conversation.clone();
        let transcript = self.transcript(&definition.conversation, &definition.spec).await?;
        let token = new_secret();
        let mut appending = self.hub.log().appending().await?;
        appending.pass_lease(run, &token, &Driven { home, by: None }).await?;
        appending.take_over(run, self.hub.process()).await?;
        self.hub.log().commit(appending).await?;
        let (holder, taker) = match home {
            Home::Hub => NextDriver::seated(token.clone(), home, None),
            Home::Browser => (LeaseHolder::empty(token.clone()), NextDriver::Nobody),
        };
        let execution = Execution::new(self.hub, agent, definition, run, holder);
        *execution.streamed() = Streamed::of(run, &transcript.entries);
        self.note_unread(agent, &conversation, run, &transcript.entries);
        self.hub.active_runs().insert(Arc::clone(&execution));
        execution.watch_devices();
        tracing::info!(run.id = %run, "run {run} still waits for a person");
        match home {
            Home::Hub => execution.begin(token, taker, transcript).await,
            Home::Browser => execution.wait_for_a_page(),
        }
        Ok(())
    }

    async fn begun_by(self, run: &RunId) -> Result<(ConversationId, Option<TokenId>, Option<ScheduleId>)> {
        query("SELECT conversation_id, asked_by, schedule_id FROM runs WHERE id = $1", (run,))
            .fetch_one(self.hub.store().read())
            .await
    }

    /// What a person wrote during the run and it has not read: it may read it yet.
    fn note_unread(self, agent: &AgentId, conversation: &ConversationId, run: &RunId, transcript: &[Entry]) {
        let is_own = |entry: &&Entry| entry.run.as_ref() == Some(run);
        let Some(begun) = transcript.iter().find(is_own).map(|entry| entry.seq) else { return };
        let read: BTreeSet<u64> = transcript
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Steered { seq, .. } => Some(*seq),
                _ => None,
            })
            .collect();
        let mut waiting = self.hub.active_runs().waiting();
        let waiting = waiting.entry(agent.clone()).or_default();
        for entry in transcript.iter().filter(|entry| entry.seq > begun && !read.contains(&entry.seq)) {
            if let EntryBody::Message { from: Sender::Person | Sender::Program { .. }, .. } = &entry.body {
                let unread = Unread { conversation: conversation.clone(), tab: None };
                waiting.unread.insert(entry.seq, unread);
            }
            if let EntryBody::Message { from: Sender::Devices | Sender::Todo, .. } = &entry.body {
                waiting.notes.insert(entry.seq);
            }
        }
    }
}
