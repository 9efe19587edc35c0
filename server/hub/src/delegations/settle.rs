//! The end of what was asked, in the commit that ends its run, and what its asker hears of that.

use super::elsewhere::is_elsewhere;
use super::rows::{self, Changed, DELEGATIONS, Delegation, Which, change};
use super::wait::DelegationOutcome;
use super::{Delegations, WAKES_PER_CHAIN};
use crate::error::Result;
use crate::log::{Appending, EntryScope, run_entries};
use crate::runs::in_words;
use crate::store::query;
use agent::context::fenced;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::ModelFailureKind;
use protocol::view::{DelegationKind, DelegationState};
use protocol::words;
use protocol::{ConversationId, RunId, UserId};

impl Appending {
    /// The run ends: so does what it was asked to do, if another agent asked.
    pub(crate) async fn settle_delegation(&mut self, run: &RunId, outcome: &Outcome) -> Result<()> {
        let now = self.now();
        let state = match outcome {
            Outcome::Completed => DelegationState::Completed,
            Outcome::Stopped => DelegationState::Stopped,
            Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => {
                DelegationState::OverBudget
            }
            Outcome::Failed { .. } | Outcome::RoundLimit | Outcome::Interrupted { .. } => {
                DelegationState::Failed
            }
        };
        let settled = query(
            "UPDATE delegations
             SET state = CASE WHEN $2 = 'stopped' AND until <= $4 THEN 'timed_out' ELSE $2 END,
                 why = CASE WHEN kind = 'shared' THEN $5 ELSE $3 END, finished_at = $4
             WHERE run_id = $1 AND state = 'running'",
            (run, state, in_words(outcome), now, told_to_others(state)),
        )
        .execute(&mut *self.tx)
        .await?;
        if settled > 0 {
            change(&mut self.tx, Changed::CarriedOutBy(run)).await?;
        }
        Ok(())
    }
}

impl Delegations<'_> {
    /// A run has ended: whoever waits for it hears of it, what it asked for goes on or ends with it, and others
    /// have their turn.
    pub(crate) async fn run_ended(self, owner: &UserId, run: &RunId, is_stopped: bool) -> Result<()> {
        self.hub.delegations_changed().notify_waiters();
        self.settle_asker(run, is_stopped).await?;
        match rows::carried_out_by(self.hub.store().read(), run).await? {
            Some(carried_out) if carried_out.across.is_some() => self.ended_across(carried_out).await?,
            Some(carried_out) => self.tell_asker_if_over(carried_out).await?,
            None => {}
        }
        if is_stopped {
            self.hub.pipelines().stop_made_by(run).await?;
        }
        self.begin_queued(owner).await?;
        self.hub.pipelines().recover(Some(owner)).await
    }

    /// Of a run that is over: stopped, everything that it asked for stops with it. Else it hears what came of it.
    async fn settle_asker(self, run: &RunId, is_stopped: bool) -> Result<()> {
        if is_stopped {
            return self.stop_below(run).await;
        }
        for over in rows::of_run(self.hub.store().read(), run, Which::Undelivered).await? {
            self.deliver(over).await?;
        }
        Ok(())
    }

    /// Stops what this run asked for. Whoever is at work stops what it asked for itself; what one left at work that is
    /// over already is stopped with it.
    async fn stop_below(self, run: &RunId) -> Result<()> {
        let mut runs = vec![run.clone()];
        while let Some(run) = runs.pop() {
            let now = self.hub.now();
            let mut tx = self.hub.store().write().await?;
            let given_up = query(
                "UPDATE delegations SET state = 'stopped', why = 'Its asker was stopped.', finished_at = $2
                 WHERE asker_run = $1 AND state = 'queued'",
                (&run, now),
            )
            .execute(&mut *tx)
            .await?;
            if given_up > 0 {
                change(&mut tx, Changed::AskedBy(&run)).await?;
            }
            query("UPDATE delegations SET delivered = 1 WHERE asker_run = $1", (&run,))
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            for running in rows::of_run(self.hub.store().read(), &run, Which::Running).await? {
                if is_elsewhere(&running) {
                    self.stop_elsewhere(&running.id).await?;
                }
                if let Some(across) = &running.across {
                    self.stop_across(&running, across).await?;
                } else if let Some(run) = &running.run {
                    self.hub.runs().stop_only(&running.agent, run).await?;
                }
            }
            let over = rows::of_run(self.hub.store().read(), &run, Which::OverWithOthers).await?;
            runs.extend(over.into_iter().filter_map(|one| one.run));
        }
        Ok(())
    }

    /// Stops what runs of this conversation and of its branches left at work, before it is deleted: nobody is to hear of it,
    /// or to answer what it asks.
    pub(crate) async fn stop_left_in(self, conversation: &ConversationId) -> Result<()> {
        let askers: Vec<RunId> = query(
            "SELECT DISTINCT d.asker_run FROM conversations c JOIN conversations o ON o.family = c.family
             JOIN runs r ON r.conversation_id = o.id JOIN delegations d ON d.asker_run = r.id
             WHERE c.id = $1 AND (
                 SELECT COUNT(*) FROM delegations w WHERE w.chain = d.chain AND w.state IN ('queued', 'running')) > 0",
            (conversation,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for asker in &askers {
            self.stop_below(asker).await?;
        }
        Ok(())
    }

    /// What the last process did not come to do for runs that ended under it.
    pub(super) async fn settle_askers_that_are_over(self, person: Option<&UserId>) -> Result<()> {
        let over: Vec<RunId> = query(
            "SELECT DISTINCT d.asker_run FROM delegations d JOIN runs r ON r.id = d.asker_run
             WHERE r.running = 0 AND (d.state IN ('queued', 'running') OR d.delivered = 0)
               AND (CAST($1 AS TEXT) IS NULL OR d.user_id = $1)",
            (person,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for run in over {
            let is_stopped = self.was_stopped(&run).await?;
            self.settle_asker(&run, is_stopped).await?;
        }
        Ok(())
    }

    /// Whether this run was stopped, or one above it that had its sub-agent made, or the pipeline that did.
    async fn was_stopped(self, run: &RunId) -> Result<bool> {
        let mut at = run.clone();
        loop {
            let entries = run_entries(self.hub.store(), &at).await?;
            let is_stopped = entries.iter().rev().find_map(|entry| match &entry.body {
                EntryBody::RunFinished { outcome, .. } => Some(*outcome == Outcome::Stopped),
                _ => None,
            });
            if is_stopped == Some(true) {
                return Ok(true);
            }
            match rows::carried_out_by(self.hub.store().read(), &at).await? {
                Some(above) if above.kind == DelegationKind::SubAgent => at = above.asker_run,
                Some(_) => return Ok(false),
                None => {
                    return query("SELECT 1 FROM pipelines WHERE chain = $1 AND state = 'stopped'", (&at,))
                        .exists(self.hub.store().read())
                        .await;
                }
            }
        }
    }

    pub(super) async fn tell_asker_if_over(self, carried_out: Delegation) -> Result<()> {
        let is_running = query("SELECT 1 FROM runs WHERE id = $1 AND running = 1", (&carried_out.asker_run,))
            .exists(self.hub.store().read())
            .await?;
        if is_running { Ok(()) } else { self.deliver(carried_out).await }
    }

    /// Who is told of it: the asker, and where that is a sub-agent whose task is over, which has said its last word,
    /// the one that it did that for. `None`: that is a pipeline, which hears of its tasks alone, or its conversation was
    /// deleted, where nobody sees what it would do.
    async fn hearer(self, over: &Delegation) -> Result<Option<EntryScope>> {
        let (mut agent, mut conversation) = (over.asker.clone(), over.asker_conversation.clone());
        let mut run = over.asker_run.clone();
        while let Some(done) = rows::carried_out_by(self.hub.store().read(), &run).await?
            && done.kind == DelegationKind::SubAgent
            && done.state.is_over()
        {
            let is_of_a_run = query("SELECT 1 FROM runs WHERE id = $1", (&done.asker_run,))
                .exists(self.hub.store().read())
                .await?;
            if !is_of_a_run {
                return Ok(None);
            }
            (agent, conversation, run) = (done.asker, done.asker_conversation, done.asker_run);
        }
        let is_kept = self.hub.conversations().is_kept(&conversation).await?;
        Ok(is_kept.then_some(EntryScope { agent, conversation: Some(conversation), run: None }))
    }

    /// Tells the asker, whose run is over, what came of it: it is woken, if that has not happened too often.
    async fn deliver(self, over: Delegation) -> Result<()> {
        let DelegationOutcome { untrusted, text, .. } = self.outcome_of(&over, 0).await?;
        let hearer = self.hearer(&over).await?;
        let mut appending = self.hub.log().appending().await?;
        let told: i64 =
            query("SELECT COUNT(*) FROM delegations WHERE chain = $1 AND delivered = 2", (&over.chain,))
                .fetch_one(&mut *appending.tx)
                .await?;
        let woken = hearer.filter(|_| told < WAKES_PER_CHAIN);
        let is_first = query(
            "UPDATE delegations SET delivered = $2 WHERE id = $1 AND delivered = 0",
            (&over.id, if woken.is_some() { 2_i64 } else { 1_i64 }),
        )
        .execute(&mut *appending.tx)
        .await?;
        if is_first == 0 {
            return appending.give_up().await;
        }
        let Some(place) = woken else {
            return self.hub.log().commit(appending).await;
        };
        let from = Sender::Agent {
            agent: over.agent.clone(),
            name: over.name.clone(),
            delegation: over.id.clone(),
            untrusted,
            private: true,
        };
        let said = match over.state {
            DelegationState::Completed => text,
            _ => format!("It came to nothing. {} {text}", over.why).trim().to_owned(),
        };
        let said = if over.is_of_strangers() { fenced(&said) } else { said };
        let begins = match over.is_a_question() {
            true => format!(
                "Before it goes on with \"{}\", {} asks you this. Answer it with agent_ask, by its name and with its hub:",
                first_words(&over.task),
                over.name
            ),
            false => format!("What came of \"{}\":", first_words(&over.task)),
        };
        self.hub.runs().say_for_agent(appending, &place, from, format!("{begins}\n\n{said}")).await
    }

    pub(super) async fn end_queued(
        self,
        queued: &Delegation,
        state: DelegationState,
        why: &str,
    ) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let ended = query(
            "UPDATE delegations SET state = $2, why = $3, finished_at = $4 WHERE id = $1 AND state = 'queued'",
            (&queued.id, state, why, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        if ended > 0 {
            change(&mut tx, Changed::One(&queued.id)).await?;
        }
        tx.commit().await?;
        self.hub.delegations_changed().notify_waiters();
        let over: Option<Delegation> =
            query([DELEGATIONS, "d.id = $1"], (&queued.id,)).fetch_optional(self.hub.store().read()).await?;
        match over {
            Some(over) if !over.state.is_over() => Ok(()),
            Some(over) if over.across.is_some() => self.tell_asker_across(over).await,
            Some(over) => self.tell_asker_if_over(over).await,
            None => Ok(()),
        }
    }

    /// Stops it, whoever wants that.
    pub(crate) async fn stop(self, delegation: &Delegation) -> Result<()> {
        self.end_queued(delegation, DelegationState::Stopped, "It was stopped before it began.").await?;
        if is_elsewhere(delegation) {
            return self.stop_elsewhere(&delegation.id).await;
        }
        if let Some(across) = &delegation.across {
            return self.stop_across(delegation, across).await;
        }
        match self.require(&delegation.id).await? {
            Delegation { run: Some(run), agent, state: DelegationState::Running, .. } => {
                self.hub.runs().stop_only(&agent, &run).await
            }
            Delegation { run: Some(run), kind: DelegationKind::SubAgent, .. } => self.stop_below(&run).await,
            _ => Ok(()),
        }
    }
}

/// Of what somebody else's agent did nobody hears more than that it came to nothing.
fn told_to_others(state: DelegationState) -> &'static str {
    match state {
        DelegationState::Queued | DelegationState::Running | DelegationState::Completed => "",
        DelegationState::Failed => words!("It failed there."),
        DelegationState::Stopped | DelegationState::TimedOut => words!("It was stopped there."),
        DelegationState::OverBudget => words!("What its person lets questions of others cost is used up."),
    }
}

fn first_words(task: &str) -> String {
    let line = task.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(80).collect();
    if cut.len() < task.len() { format!("{cut}…") } else { cut }
}
