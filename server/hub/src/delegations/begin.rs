//! Beginning what was asked, when it is its turn and its agent is free.

use super::elsewhere::is_elsewhere;
use super::rows::{Changed, DELEGATIONS, Delegation, change};
use super::time::{MINUTE_MS, NEVER_BEGUN};
use super::{AT_ONCE, Delegations};
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope};
use crate::marks;
use crate::skills::begin_with_those_of;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::log::{EntryBody, Sender};
use protocol::view::DelegationState;
use protocol::words;
use protocol::{ConversationId, DelegationId, PipelineId, RunId, ScheduleId, TokenId, UserId};

/// Looked at in one go; what is behind comes with the next end of a run.
const LOOKS: i64 = 50;
/// Of that what others asked one agent: who asked much holds up no other agent of the same person.
const LOOKS_OF_ONE: i64 = 10;
const CANNOT_ANSWER: &str = words!("It cannot answer others at the moment.");
/// More that an asker says to one that has not begun, and the task itself, in bytes.
const LONGEST_TASK: usize = 256 * 1024;

/// What began the chain that a run is a part of, and who pays for all of it.
pub(crate) struct Chain {
    pub(crate) begun_by: RunId,
    pub(crate) token: Option<TokenId>,
    pub(crate) schedule: Option<ScheduleId>,
    pub(crate) pipeline: Option<PipelineId>,
}

impl FromRow for Chain {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            begun_by: row.get("chain")?,
            token: row.get("token")?,
            schedule: row.get("schedule")?,
            pipeline: row.get("pipeline")?,
        })
    }
}

/// What a run is begun with for another agent.
pub(crate) struct DelegatedTask {
    pub(crate) id: DelegationId,
    asker_run: RunId,
    chain: RunId,
    text: String,
    from: Sender,
    /// Under which somebody else's agent does it: without that it does not.
    share: Option<TokenId>,
}

impl Delegations<'_> {
    /// Begins what can be begun of what this person's agents asked, and others of them.
    pub(crate) async fn begin_queued(self, owner: &UserId) -> Result<()> {
        let own: Vec<Delegation> = query(
            [
                DELEGATIONS,
                // Who waits for one of its own has its place for that one. Those of an agent that is at work keep no
                // others waiting; of one elsewhere the agent of the row is who asks.
                "d.user_id = $1 AND d.state = 'queued' AND d.state IN ('queued', 'running')
                   AND (d.kind = 'peer' OR NOT EXISTS (
                       SELECT 1 FROM runs u WHERE u.agent_id = COALESCE(s.agent_id, d.agent_id) AND u.running = 1))
                 ORDER BY d.depth DESC, d.created_at, d.id LIMIT $2",
            ],
            (owner, LOOKS),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let of_others: Vec<Delegation> = query(
            [
                DELEGATIONS,
                "d.id IN (
                     SELECT q.id FROM (
                         SELECT e.id,
                             ROW_NUMBER() OVER (PARTITION BY f.agent_id ORDER BY e.created_at, e.id) AS place
                         FROM delegations e CROSS JOIN shared_tasks f
                         WHERE e.kind = 'shared' AND e.state = 'queued' AND e.state IN ('queued', 'running')
                           AND f.delegation_id = e.id AND f.owner_id = $1
                           AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.agent_id = f.agent_id AND u.running = 1)) q
                     WHERE q.place <= $2)
                 ORDER BY d.created_at, d.id LIMIT $3",
            ],
            (owner, LOOKS_OF_ONE, LOOKS),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for delegation in own.into_iter().chain(of_others) {
            self.begin(delegation).await?;
        }
        Ok(())
    }

    /// The same for all that is theirs, or everybody's, and the end of the time for those that are under way.
    pub(crate) async fn recover(self, person: Option<&UserId>) -> Result<()> {
        self.settle_askers_that_are_over(person).await?;
        if person.is_none() {
            self.stop_unwanted_of(&self.with_unwanted().await?).await?;
        }
        let open: Vec<Delegation> = query(
            [
                DELEGATIONS,
                "d.state IN ('queued', 'running') AND (CAST($1 AS TEXT) IS NULL OR d.user_id = $1)
                 ORDER BY d.depth DESC, d.created_at, d.id",
            ],
            (person,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let of_others: Vec<Delegation> = match person {
            // They are among all.
            None => Vec::new(),
            Some(person) => {
                query([DELEGATIONS, "s.owner_id = $1 AND d.state IN ('queued', 'running')"], (person,))
                    .fetch_all(self.hub.store().read())
                    .await?
            }
        };
        for delegation in open.into_iter().chain(of_others) {
            match delegation.state {
                DelegationState::Queued => self.begin(delegation).await?,
                _ if is_elsewhere(&delegation) => self.follow(&delegation.id),
                _ => self.end_in_time(&delegation),
            }
        }
        Ok(())
    }

    async fn begin(self, delegation: Delegation) -> Result<()> {
        if delegation.until <= self.hub.now() {
            return self.end_queued(&delegation, DelegationState::TimedOut, NEVER_BEGUN).await;
        }
        if is_elsewhere(&delegation) {
            return self.begin_elsewhere(&delegation).await;
        }
        if let Some(across) = &delegation.across {
            match self.is_kept_from(&delegation, across).await? {
                None => {}
                Some(true) => return self.end_unshared(&delegation).await,
                Some(false) => return Ok(()),
            }
        }
        let EntryScope { agent, conversation: Some(conversation), .. } = delegation.place() else {
            return Ok(());
        };
        let id = delegation.id.clone();
        let task = DelegatedTask {
            id: id.clone(),
            asker_run: delegation.asker_run.clone(),
            chain: delegation.chain.clone(),
            text: self.with_handed(&id, &delegation.task).await?,
            from: delegation.spoken_by_asker(),
            share: delegation.across.as_ref().map(|across| across.token.clone()),
        };
        match self.hub.runs().start_delegated(&agent, &conversation, task).await {
            Ok(Some(_)) => {
                self.end_in_time(&self.require(&id).await?);
                self.hub.delegations_changed().notify_waiters();
                Ok(())
            }
            // Another one has its turn, or its agent is at work.
            Ok(None) => Ok(()),
            Err(error) => {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "what agent {agent} was asked could not begin: {failure}");
                // Why it cannot is its person's.
                let why: &str = if delegation.across.is_some() { CANNOT_ANSWER } else { &failure.message };
                self.end_queued(&delegation, DelegationState::Failed, why).await
            }
        }
    }

    /// Says more to one that works for the asker, or is about to, with what marks the asker by now.
    pub(crate) async fn say_more(self, delegation: &Delegation, text: &str) -> Result<bool> {
        if delegation.is_a_question() {
            return Err(Error::invalid(
                "It asks something. Answer it with agent_ask, by its name and with its hub: it goes on then.",
            ));
        }
        // What goes elsewhere was permitted as it stood.
        if is_elsewhere(delegation) {
            return Err(Error::invalid(
                "It is at another hub, and takes nothing more until it has answered. Ask it once more then.",
            ));
        }
        if delegation.across.is_some() {
            return Err(Error::invalid(
                "It belongs to somebody else, and takes nothing more until it has answered. Ask it once more then.",
            ));
        }
        let delegation = self.marked_anew(delegation).await?;
        let mut tx = self.hub.store().write().await?;
        let added = query(
            "UPDATE delegations SET task = task || $2, untrusted = CAST($4 AS BIGINT), private = CAST($5 AS BIGINT)
             WHERE id = $1 AND state = 'queued' AND LENGTH(task) < $3",
            (
                &delegation.id,
                format!("\n\n{text}"),
                LONGEST_TASK,
                i64::from(delegation.untrusted),
                i64::from(delegation.private),
            ),
        )
        .execute(&mut *tx)
        .await?;
        if added > 0 {
            change(&mut tx, Changed::One(&delegation.id)).await?;
        }
        tx.commit().await?;
        if added > 0 {
            return Ok(true);
        }
        if self.require(&delegation.id).await?.state != DelegationState::Running {
            return Ok(false);
        }
        let appending = self.hub.log().appending().await?;
        self.hub
            .runs()
            .say_for_agent(appending, &delegation.place(), delegation.spoken_by_asker(), text.to_owned())
            .await?;
        Ok(true)
    }

    async fn marked_anew(self, delegation: &Delegation) -> Result<Delegation> {
        let mut connection = self.hub.store().reader().await?;
        let marks = marks::of(&mut connection, &delegation.asker).await?;
        Ok(Delegation {
            untrusted: delegation.untrusted || marks.untrusted,
            private: delegation.private || marks.private,
            ..delegation.clone()
        })
    }
}

impl Delegations<'_> {
    /// Of what a run in this conversation is a part that another agent began with this. Whoever shares an agent pays for
    /// it by the share. What is done for a pipeline spends under its budget, also again after that was started anew, and
    /// who hears of its end does not; where a run made it, its tasks are paid for as that run is.
    pub(crate) async fn chain_of(
        self,
        delegation: &DelegationId,
        conversation: &ConversationId,
    ) -> Result<Option<Chain>> {
        query(
            "SELECT d.chain, CASE WHEN o.token_id IS NULL THEN t.id ELSE p.id END AS token,
                    CASE WHEN o.token_id IS NULL THEN s.id END AS schedule,
                    CASE WHEN o.conversation_id = $2 THEN NULL
                         WHEN o.token_id IS NULL AND d.conversation_id = $2
                         THEN COALESCE(l.part_of, l.id, r.pipeline_id, b.pipeline_id)
                         ELSE COALESCE(l.part_of, r.pipeline_id) END AS pipeline
             FROM delegations d LEFT JOIN pipelines l ON l.chain = d.asker_run
             LEFT JOIN runs r ON r.id = CASE WHEN l.begun_by IS NULL THEN d.asker_run ELSE l.made_by_run END
             LEFT JOIN tokens t ON t.id = r.asked_by LEFT JOIN schedules s ON s.id = r.schedule_id
             LEFT JOIN shared_tasks o ON o.delegation_id = d.id LEFT JOIN tokens p ON p.id = o.token_id
             LEFT JOIN runs b ON b.id = d.run_id
             WHERE d.id = $1",
            (delegation, conversation),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }
}

/// Of the tree that a row of delegations belongs to, how many are at work: of all that one word led to, what the agent
/// at the top and its sub-agents asked for. Who has sub-agents of its own under way leaves its place to them.
pub(super) const AT_WORK: &str = "(SELECT COUNT(*) FROM delegations o JOIN agents m ON m.id = o.asker_id
      WHERE o.chain = delegations.chain AND o.state = 'running'
        AND COALESCE(m.root_id, m.id) =
            (SELECT COALESCE(k.root_id, k.id) FROM agents k WHERE k.id = delegations.asker_id)
        AND NOT (o.kind = 'sub_agent' AND EXISTS (
            SELECT 1 FROM delegations w WHERE w.asker_run = o.run_id AND w.state IN ('queued', 'running'))))";

/// Nothing else of this chain is made or begins until the transaction ends: two that count at once would both find room.
pub(super) async fn lock_chain(tx: &mut Transaction, chain: &RunId) -> Result<()> {
    query("UPDATE runs SET id = id WHERE id = $1", (chain,)).execute(&mut **tx).await?;
    Ok(())
}

impl Delegation {
    /// An agent elsewhere has not done it, and wants to hear more first.
    pub(crate) fn is_a_question(&self) -> bool {
        self.asks && self.state == DelegationState::Completed
    }

    /// Where it is worked on.
    pub(super) fn place(&self) -> EntryScope {
        let (agent, conversation) = match &self.across {
            Some(across) => (&across.agent, &across.conversation),
            None => (&self.agent, &self.conversation),
        };
        EntryScope { agent: agent.clone(), conversation: Some(conversation.clone()), run: None }
    }

    /// Somebody else's agent is told of as who asked, and leads nowhere: its words are a stranger's.
    fn spoken_by_asker(&self) -> Sender {
        if let Some(across) = &self.across {
            return Sender::Agent {
                agent: across.agent.clone(),
                name: across.asker.clone(),
                delegation: self.id.clone(),
                untrusted: true,
                private: false,
            };
        }
        Sender::Agent {
            agent: self.asker.clone(),
            name: self.asker_name.clone(),
            delegation: self.id.clone(),
            untrusted: self.untrusted,
            private: self.private,
        }
    }
}

impl Appending {
    /// Says it to the agent whose run begins in this commit. `false`: it was begun or given up meanwhile, or others
    /// of its asker's have their turn.
    pub(crate) async fn begin_delegated(
        &mut self,
        task: &DelegatedTask,
        place: &EntryScope,
        run: &RunId,
    ) -> Result<bool> {
        let now = self.now();
        lock_chain(&mut self.tx, &task.chain).await?;
        if let Some(token) = &task.share {
            let is_there =
                query("UPDATE tokens SET id = id WHERE id = $1", (token,)).execute(&mut *self.tx).await?;
            if is_there == 0 {
                return Ok(false);
            }
        }
        let begun = query(
            [
                "UPDATE delegations SET state = 'running', run_id = $2, started_at = $3, until = $3 + minutes * $5
                 WHERE id = $1 AND state = 'queued' AND",
                AT_WORK,
                "< $4",
            ],
            (&task.id, run, now, AT_ONCE, MINUTE_MS),
        )
        .execute(&mut *self.tx)
        .await?;
        if begun == 0 {
            return Ok(false);
        }
        // The time of a sub-agent is that of all below it too.
        query(
            "UPDATE delegations SET until = (SELECT m.until FROM delegations m WHERE m.run_id = $2)
             WHERE id = $1 AND EXISTS (
                 SELECT 1 FROM delegations m
                 WHERE m.run_id = $2 AND m.kind = 'sub_agent' AND m.until < delegations.until)",
            (&task.id, &task.asker_run),
        )
        .execute(&mut *self.tx)
        .await?;
        change(&mut self.tx, Changed::One(&task.id)).await?;
        begin_with_those_of(&mut self.tx, &task.asker_run, run, &place.agent).await?;
        self.append(place, EntryBody::said(task.from.clone(), task.text.clone())).await?;
        if let Some(conversation) = &place.conversation {
            self.use_conversation(conversation, &task.text).await?;
        }
        Ok(true)
    }
}
