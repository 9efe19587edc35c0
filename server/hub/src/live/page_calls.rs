//! Tool calls of the page in one tab: how many there may be, and what the person is asked about them.

use super::{Live, TabKey, TabLink};
use crate::error::{Error, Result};
use protocol::AgentId;
use protocol::hub::{Decision, HubFrame};
use protocol::model::ToolCall;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Calls that may be under way, and that may begin within a minute.
const AT_ONCE: usize = 8;
const PER_MINUTE: u32 = 60;
const MINUTE: i64 = 60_000;

/// What one tab may do.
pub(crate) struct PageCalls {
    room: Arc<Semaphore>,
    /// When the minute began, in Unix milliseconds, and the calls since then.
    minute: Mutex<(i64, u32)>,
    /// Agents and tools to which the person said no here: not asked again until the tab comes anew.
    denied: Mutex<HashSet<(AgentId, String)>>,
}

impl Default for PageCalls {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(AT_ONCE)),
            minute: Mutex::new((i64::MIN, 0)),
            denied: Mutex::default(),
        }
    }
}

impl PageCalls {
    /// Lets a call begin; it is under way until what comes back is dropped.
    pub(crate) fn begin(&self, now: i64) -> Result<OwnedSemaphorePermit> {
        let too_many = |what: &str| Error::Limit(format!("The page calls too many tools: {what}."));
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_sub(minute.0) >= MINUTE {
            *minute = (now, 0);
        }
        if minute.1 >= PER_MINUTE {
            return Err(too_many(&format!("{PER_MINUTE} in a minute are the most")));
        }
        let permit = Arc::clone(&self.room)
            .try_acquire_owned()
            .map_err(|_| too_many(&format!("{AT_ONCE} at once are the most")))?;
        minute.1 += 1;
        Ok(permit)
    }

    fn denied(&self) -> MutexGuard<'_, HashSet<(AgentId, String)>> {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
pub(super) struct Questions {
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, Question>>,
}

struct Question {
    tab: TabKey,
    answer: oneshot::Sender<Decision>,
}

impl Questions {
    pub(super) fn forget_tab(&self, tab: TabKey) {
        self.lock().retain(|_, question| question.tab != tab);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Question>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// Asks the person in this tab. `None`: nobody answered in time.
    pub(crate) async fn ask_about_call(
        &self,
        tab: &TabLink,
        agent: &AgentId,
        call: &ToolCall,
        patience: Duration,
    ) -> Option<Decision> {
        let asked = (agent.clone(), call.name.clone());
        if tab.calls.denied().contains(&asked) {
            return Some(Decision::Deny);
        }
        let request = self.questions.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.questions.lock().insert(request, Question { tab: tab.key, answer });
        tab.send(&HubFrame::CallAsked {
            request,
            agent: agent.clone(),
            tool: call.name.clone(),
            input: call.input.clone(),
            within_ms: u64::try_from(patience.as_millis()).unwrap_or(u64::MAX),
        });
        let decision = tokio::time::timeout(patience, answered).await;
        self.questions.lock().remove(&request);
        let decision = decision.ok()?.ok()?;
        if decision == Decision::Deny {
            tab.calls.denied().insert(asked);
        }
        Some(decision)
    }

    /// Takes an answer, but only from the tab that was asked.
    pub(crate) fn decide_call(&self, tab: TabKey, request: u64, decision: Decision) {
        let mut waiting = self.questions.lock();
        if waiting.get(&request).is_none_or(|question| question.tab != tab) {
            return;
        }
        let Some(question) = waiting.remove(&request) else { return };
        // Whoever asked may have given up in this moment.
        let _ = question.answer.send(decision);
    }
}
