//! When the hub lets an agent think by itself. The rule is the loop's (`agent::ambient`); here is the
//! clock that asks it, for the agents that are to and whose home is the hub.

use super::start::Log;
use crate::Hub;
use crate::agents::loop_settings_of;
use crate::error::{Error, Result};
use crate::log;
use crate::store::Row;
use futures_util::future::BoxFuture;
use protocol::AgentId;
use protocol::log::Entry;
use sqlx::Row as _;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Ambient runs at once: nobody waits for them, and after a long rest of the hub many are due.
const AT_ONCE: usize = 4;
const MINUTE_MS: u64 = 60_000;

pub(super) struct Ambient {
    timers: Mutex<HashMap<AgentId, CancellationToken>>,
    slots: Semaphore,
}

/// An agent whose next ambient run has its time.
struct Resting {
    agent: AgentId,
    due: i64,
    /// The newest entry when the rule was asked.
    seq: u64,
}

impl Default for Ambient {
    fn default() -> Self {
        Self { timers: Mutex::default(), slots: Semaphore::new(AT_ONCE) }
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

/// What the rule needs of the log: what happened since somebody last spoke.
macro_rules! resting {
    ($which:literal) => {
        concat!(
            "SELECT a.loop_settings, a.last_seq, e.agent_id, e.seq, e.at, e.conversation_id, e.run_id, e.body
             FROM agents a JOIN entries e ON e.agent_id = a.id
             WHERE a.home = 'hub' AND a.ambient = 1
               AND e.kind IN ('message', 'run_started', 'run_finished', 'notice')
               AND e.seq >= (SELECT m.seq FROM entries m WHERE m.agent_id = a.id AND m.kind = 'message'
                             ORDER BY m.seq DESC LIMIT 1) ",
            $which,
            " ORDER BY e.agent_id, e.seq"
        )
    };
}

impl Hub {
    /// Sets the timers of all agents that are to think, when the hub starts.
    pub(crate) async fn arm_ambient_runs(&self) -> Result<()> {
        let rows = sqlx::query(resting!("")).fetch_all(self.store.read()).await?;
        for resting in resting(&rows)? {
            self.arm(resting);
        }
        Ok(())
    }

    /// Sets the agent's timer anew, after whatever may have changed when it is due.
    pub(crate) async fn arm_ambient_run(&self, agent: &AgentId) -> Result<()> {
        match self.resting(agent).await? {
            Some(resting) => self.arm(resting),
            None => self.runs.ambient.replace(agent, None),
        }
        Ok(())
    }

    async fn resting(&self, agent: &AgentId) -> Result<Option<Resting>> {
        let rows = sqlx::query(resting!("AND a.id = $1")).bind(&agent.0).fetch_all(self.store.read()).await?;
        Ok(resting(&rows)?.pop())
    }

    fn arm(&self, Resting { agent, due, .. }: Resting) {
        let timer = CancellationToken::new();
        self.runs.ambient.replace(&agent, Some(timer.clone()));
        let hub = self.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = timer.cancelled() => return,
                () = hub.clock.until(due) => {}
            }
            if let Err(error) = hub.think_over(&agent).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "agent {agent} could not think by itself: {failure}");
            }
        });
    }

    /// Starts the run if it is still due. Boxed, because a run that could not start is armed again.
    fn think_over<'a>(&'a self, agent: &'a AgentId) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let _slot = self.runs.ambient.slots.acquire().await.map_err(Error::internal)?;
            let Some(resting) = self.resting(agent).await?.filter(|resting| resting.due <= self.now()) else {
                return Ok(());
            };
            let mut definition = self.definition(agent).await?;
            definition.spec = agent::ambient::spec(&definition.spec);
            if self.start(agent, definition, None, Log::EndsAt(resting.seq)).await?.is_none() {
                return self.arm_ambient_run(agent).await;
            }
            if let Some(execution) = self.runs.active(agent) {
                execution.ended().await;
            }
            Ok(())
        })
    }
}

/// Asks the rule. `rows` are ordered by agent.
fn resting(rows: &[Row]) -> Result<Vec<Resting>> {
    let mut logs: BTreeMap<AgentId, (&Row, Vec<Entry>)> = BTreeMap::new();
    for row in rows {
        let entry = log::entry(row)?;
        logs.entry(entry.agent.clone()).or_insert_with(|| (row, Vec::new())).1.push(entry);
    }
    let mut resting = Vec::new();
    for (agent, (row, entries)) in logs {
        let Some(minutes) = loop_settings_of(row)?.ambient_after_minutes else { continue };
        if let Some(due) = agent::ambient::due(&entries, u64::from(minutes) * MINUTE_MS) {
            let seq = u64::try_from(row.try_get::<i64, _>("last_seq")?).map_err(Error::internal)?;
            resting.push(Resting { agent, due, seq });
        }
    }
    Ok(resting)
}
