//! When the hub lets an agent think by itself. The rule is the loop's (`agent::ambient`); here is the
//! clock that asks it, for the agents that are to and whose home is the hub.

use super::start_commit::LogPrecondition;
use crate::agents::loop_settings_of;
use crate::error::{Error, Result};
use crate::fair_queue::{FairQueue, QueueFull};
use crate::runs::Runs;
use crate::store::{FromRow, Row, query};
use futures_util::future::BoxFuture;
use protocol::log::Entry;
use protocol::{AgentId, ConversationId, UserId};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// Ambient runs at once, half of them one person's: nobody waits for them, and after a long rest of the hub
/// many are due.
const CONCURRENT_AMBIENT_RUNS: usize = 8;
/// Those of one person that wait: as many as there can be agents.
const WAITING: usize = 1000;
const MINUTE_MS: u64 = 60_000;

pub(super) struct Ambient {
    timers: Mutex<HashMap<AgentId, CancellationToken>>,
    slots: FairQueue<UserId>,
}

/// An agent whose next ambient run has its time.
struct Resting {
    agent: AgentId,
    due: i64,
    /// The newest entry when the rule was asked.
    seq: u64,
    /// The one in which something was said last.
    conversation: Option<ConversationId>,
}

impl Default for Ambient {
    fn default() -> Self {
        Self { timers: Mutex::default(), slots: FairQueue::new(CONCURRENT_AMBIENT_RUNS, WAITING) }
    }
}

impl Ambient {
    /// Ends the agent's timer, and gives another one if it is to have one.
    fn replace(&self, agent: &AgentId, next: Option<CancellationToken>) {
        let mut timers = self.timers.lock().unwrap_or_else(PoisonError::into_inner);
        let former = match next {
            Some(timer) => timers.insert(agent.clone(), timer),
            None => timers.remove(agent),
        };
        if let Some(former) = former {
            former.cancel();
        }
    }
}

/// What the rule needs of the log: what happened since somebody last spoke. What came in a file was said elsewhere. Where
/// the last word is packed, it was said longer ago than any rest takes: nothing is due before the next one.
const RESTING: &str =
    "SELECT a.loop_settings, a.last_seq, e.agent_id, e.seq, e.at, e.conversation_id, e.run_id, e.body
     FROM agents a JOIN entries e ON e.agent_id = a.id
     WHERE a.home = 'hub' AND a.ambient = 1
       AND e.kind IN ('message', 'run_started', 'run_finished', 'notice')
       AND e.seq >= (SELECT s.seq
                     FROM (SELECT m.seq FROM entries m WHERE m.agent_id = a.id AND m.kind = 'message'
                             AND NOT EXISTS (SELECT 1 FROM imported_conversations i
                                             WHERE i.conversation_id = m.conversation_id AND i.last_seq >= m.seq)
                           ORDER BY m.seq DESC LIMIT 1) s
                     WHERE NOT EXISTS (
                         SELECT 1 FROM packed_conversations p WHERE p.agent_id = a.id AND p.last_seq > s.seq
                           AND NOT EXISTS (SELECT 1 FROM imported_conversations i
                                           WHERE i.conversation_id = p.conversation_id AND i.last_seq >= p.last_seq)))
       AND NOT EXISTS (SELECT 1 FROM imported_conversations i
                       WHERE i.conversation_id = e.conversation_id AND i.last_seq >= e.seq)";

impl Runs<'_> {
    /// Sets the timers of all agents of this person, or everybody's, that are to think.
    pub(crate) async fn arm_ambient_runs(self, person: Option<&UserId>) -> Result<()> {
        let whose = "AND (CAST($1 AS TEXT) IS NULL OR a.user_id = $1) ORDER BY e.agent_id, e.seq";
        let rows = query([RESTING, whose], (person,)).fetch_all::<Row>(self.hub.store().read()).await?;
        for resting in resting(&rows)? {
            self.arm(resting);
        }
        Ok(())
    }

    /// Sets the agent's timer anew, after whatever may have changed when it is due.
    pub(crate) async fn arm_ambient_run(self, agent: &AgentId) -> Result<()> {
        match self.resting(agent).await? {
            Some(resting) => self.arm(resting),
            None => self.hub.active_runs().ambient.replace(agent, None),
        }
        Ok(())
    }

    async fn resting(self, agent: &AgentId) -> Result<Option<Resting>> {
        let rows = query([RESTING, "AND a.id = $1 ORDER BY e.agent_id, e.seq"], (agent,))
            .fetch_all::<Row>(self.hub.store().read())
            .await?;
        Ok(resting(&rows)?.pop())
    }

    fn arm(self, Resting { agent, due, .. }: Resting) {
        let timer = CancellationToken::new();
        self.hub.active_runs().ambient.replace(&agent, Some(timer.clone()));
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            let until = hub.moment().plus_ms(due.saturating_sub(hub.now()));
            tokio::select! {
                () = hub.tasks().closing() => return,
                () = timer.cancelled() => return,
                () = hub.clock().until(until) => {}
            }
            if let Err(error) = hub.runs().think_over(&agent).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "agent {agent} could not think by itself: {failure}");
            }
        });
    }

    /// Starts the run if it is still due. Boxed, because a run that could not start is armed again.
    fn think_over<'a>(&'a self, agent: &'a AgentId) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let owner = self.definition(agent).await?.owner;
            // Whoever was handed over to another node has their timers there.
            if self.hub.cluster().has_let_go_of(&owner) {
                return Ok(());
            }
            let full =
                |QueueFull| Error::Limit("Too many of this person's agents are about to think.".to_owned());
            let _slot = self.hub.active_runs().ambient.slots.enter(&owner).await.map_err(full)?;
            let Some(resting) = self.resting(agent).await? else { return Ok(()) };
            // The machine's clock may have been set back.
            if resting.due > self.hub.now() {
                self.arm(resting);
                return Ok(());
            }
            let conversation = resting.conversation.as_ref();
            if let Some(conversation) = conversation
                && !self.hub.conversations().is_kept(conversation).await?
            {
                return Ok(());
            }
            let mut definition = self.definition_in(agent, conversation).await?;
            if self.hub.spaces().require(&definition.owner).await.is_err() {
                return Ok(());
            }
            definition.spec = agent::ambient::spec(&definition.spec);
            if self.start(agent, definition, None, LogPrecondition::EndsAt(resting.seq)).await?.is_none() {
                return self.arm_ambient_run(agent).await;
            }
            if let Some(execution) = self.hub.active_runs().active(agent) {
                // One that waits for a person may outlive this process.
                tokio::select! {
                    () = self.hub.tasks().closing() => {}
                    () = execution.ended() => {}
                }
            }
            Ok(())
        })
    }
}

/// Asks the rule. `rows` are ordered by agent.
fn resting(rows: &[Row]) -> Result<Vec<Resting>> {
    let mut logs: BTreeMap<AgentId, (&Row, Vec<Entry>)> = BTreeMap::new();
    for row in rows {
        let entry = Entry::from_row(row)?;
        logs.entry(entry.agent.clone()).or_insert_with(|| (row, Vec::new())).1.push(entry);
    }
    let mut resting = Vec::new();
    for (agent, (row, entries)) in logs {
        let Some(minutes) = loop_settings_of(row)?.ambient_after_minutes else { continue };
        if let Some(due) = agent::ambient::due(&entries, u64::from(minutes) * MINUTE_MS) {
            let seq = row.get::<u64>("last_seq")?;
            let conversation = entries.iter().rev().find_map(|entry| entry.conversation.clone());
            resting.push(Resting { agent, due, seq, conversation });
        }
    }
    Ok(resting)
}
