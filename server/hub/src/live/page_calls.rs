//! Tool calls of the page in one tab: how many there may be, and what the person said no to here.

use crate::clock::Moment;
use crate::error::{Error, Result};
use protocol::AgentId;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// Calls that may be under way, and that may begin within a minute.
const CONCURRENT_CALLS: usize = 8;
const PER_MINUTE: u32 = 60;
const MINUTE_MS: i64 = 60_000;

/// What one tab may do.
pub(crate) struct PageCalls {
    room: Arc<Semaphore>,
    /// When the minute began, and the calls since then.
    minute: Mutex<(Moment, u32)>,
    /// Agents and tools to which the person said no here: not asked again until the tab comes anew.
    denied: Mutex<HashSet<(AgentId, String)>>,
    /// How many calls of an agent's page were denied here, by whatever speaks of this agent.
    denials: Mutex<HashMap<AgentId, u32>>,
    gone: CancellationToken,
}

impl Default for PageCalls {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(CONCURRENT_CALLS)),
            minute: Mutex::default(),
            denied: Mutex::default(),
            denials: Mutex::default(),
            gone: CancellationToken::new(),
        }
    }
}

impl PageCalls {
    /// Lets a call begin; it is under way until what comes back is dropped.
    pub(crate) fn begin(&self, now: Moment) -> Result<OwnedSemaphorePermit> {
        let too_many = |what: &str| Error::Limit(format!("The page calls too many tools: {what}."));
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        if now.ms_since(minute.0) >= MINUTE_MS {
            *minute = (now, 0);
        }
        if minute.1 >= PER_MINUTE {
            return Err(too_many(&format!("{PER_MINUTE} in a minute are the most")));
        }
        let permit = Arc::clone(&self.room)
            .try_acquire_owned()
            .map_err(|_| too_many(&format!("{CONCURRENT_CALLS} at once are the most")))?;
        minute.1 += 1;
        Ok(permit)
    }

    /// Whether the person said no to this tool in this tab. They are not asked again before it is loaded
    /// anew.
    pub(crate) fn was_denied(&self, agent: &AgentId, tool: &str) -> bool {
        self.denied().contains(&(agent.clone(), tool.to_owned()))
    }

    pub(crate) fn deny(&self, agent: &AgentId, tool: &str) {
        self.denied().insert((agent.clone(), tool.to_owned()));
    }

    /// Counts a call of the agent's page that was denied, until the tab is loaded anew.
    pub(crate) fn count_denial(&self, agent: &AgentId) {
        *self.denials.lock().unwrap_or_else(PoisonError::into_inner).entry(agent.clone()).or_default() += 1;
    }

    pub(crate) fn denials(&self, agent: &AgentId) -> u32 {
        let denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        denials.get(agent).copied().unwrap_or(0)
    }

    /// The tab is closed: nobody waits for its calls.
    pub(super) fn give_up(&self) {
        self.gone.cancel();
    }

    pub(crate) async fn gone(&self) {
        self.gone.cancelled().await;
    }

    fn denied(&self) -> MutexGuard<'_, HashSet<(AgentId, String)>> {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
