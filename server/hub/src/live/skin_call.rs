//! Calls to the page of an agent, performed by one tab and answered over its socket.

use super::{Live, TabKey, TabLink};
use protocol::AgentId;
use protocol::frame::{SkinCommand, SkinDone};
use protocol::hub::HubFrame;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

#[derive(Default)]
pub(super) struct SkinCalls {
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, Waiting>>,
}

struct Waiting {
    tab: TabKey,
    answer: oneshot::Sender<SkinDone>,
}

/// Why a page did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkinCallError {
    TabGone,
    TimedOut,
}

impl SkinCalls {
    pub(super) fn forget_tab(&self, tab: TabKey) {
        self.lock().retain(|_, waiting| waiting.tab != tab);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    pub(crate) async fn call_skin(
        &self,
        tab: &TabLink,
        agent: &AgentId,
        command: SkinCommand,
        limit: Duration,
    ) -> Result<SkinDone, SkinCallError> {
        let request = self.skin_calls.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.skin_calls.lock().insert(request, Waiting { tab: tab.key, answer });
        tab.send(&HubFrame::SkinCall { request, agent: agent.clone(), command });
        let outcome = tokio::time::timeout(limit, answered).await;
        self.skin_calls.lock().remove(&request);
        match outcome {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => Err(SkinCallError::TabGone),
            Err(_) => Err(SkinCallError::TimedOut),
        }
    }

    /// Takes an answer, but only from the tab that was asked.
    pub(crate) fn answer_skin_call(&self, tab: TabKey, request: u64, done: SkinDone) {
        let mut waiting = self.skin_calls.lock();
        if waiting.get(&request).is_none_or(|waiting| waiting.tab != tab) {
            return;
        }
        let Some(waiting) = waiting.remove(&request) else { return };
        // The caller may have stopped waiting in this moment.
        let _ = waiting.answer.send(done);
    }
}
