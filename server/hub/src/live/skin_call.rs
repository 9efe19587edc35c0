//! Calls to the page of an agent, performed by one tab and answered over its socket.

use super::{Live, TabKey, TabLink};
use protocol::AgentId;
use protocol::hub::HubFrame;
use protocol::page::{SkinCommand, SkinDone};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a tab has to say that it is there.
const CLAIM: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(super) struct SkinCalls {
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, PendingCall>>,
}

struct PendingCall {
    tab: TabKey,
    /// Who is told that the tab wants the call, while it is only offered.
    claimed: Option<oneshot::Sender<()>>,
    answer: oneshot::Sender<SkinDone>,
}

/// Why a page did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkinCallError {
    TabGone,
    TimedOut,
    /// It was offered to each, and none wanted it: nothing was done.
    NobodyThere,
}

impl SkinCallError {
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::TabGone => "outcome unknown: the page was closed before it answered",
            Self::TimedOut => "outcome unknown: the page did not answer in time; a script may be stuck",
            Self::NobodyThere => "none of the open pages answered, so nothing was done",
        }
    }
}

impl SkinCalls {
    pub(super) fn forget_tab(&self, tab: TabKey) {
        self.lock().retain(|_, waiting| waiting.tab != tab);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, PendingCall>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// Has a call performed by the first of these tabs that is there. With several a call is offered
    /// before it is made: one that is silent is passed over, and none performs what another does.
    pub(crate) async fn call_skin(
        &self,
        tabs: Vec<Arc<TabLink>>,
        agent: &AgentId,
        command: SkinCommand,
        limit: Duration,
    ) -> Result<(Arc<TabLink>, SkinDone), SkinCallError> {
        if let [only] = tabs.as_slice() {
            let call = self.start(only, agent, command, None);
            return Ok((Arc::clone(only), self.finish(call, limit).await?));
        }
        for tab in tabs {
            let (claimed, is_claimed) = oneshot::channel();
            let call = self.start(&tab, agent, command.clone(), Some(claimed));
            if let Ok(Ok(())) = tokio::time::timeout(CLAIM, is_claimed).await {
                tab.send(&HubFrame::SkinGo { request: call.request });
                return Ok((tab, self.finish(call, limit).await?));
            }
            self.skin_calls.lock().remove(&call.request);
            tab.step_back();
        }
        Err(SkinCallError::NobodyThere)
    }

    /// Takes an answer, but only from the tab that was asked.
    pub(crate) fn answer_skin_call(&self, tab: TabKey, request: u64, done: SkinDone) {
        let mut waiting = self.skin_calls.lock();
        if waiting.get(&request).is_none_or(|waiting| waiting.tab != tab || waiting.claimed.is_some()) {
            return;
        }
        let Some(waiting) = waiting.remove(&request) else { return };
        // The caller may have stopped waiting in this moment.
        let _ = waiting.answer.send(done);
    }

    /// Takes a claim, but only from the tab that the call was offered to, and in time.
    pub(crate) fn claim_skin_call(&self, tab: TabKey, request: u64) {
        let mut waiting = self.skin_calls.lock();
        let Some(waiting) = waiting.get_mut(&request).filter(|waiting| waiting.tab == tab) else { return };
        if let Some(claimed) = waiting.claimed.take() {
            // The caller may have gone on to the next tab in this moment.
            let _ = claimed.send(());
        }
    }

    fn start(
        &self,
        tab: &TabLink,
        agent: &AgentId,
        command: SkinCommand,
        claimed: Option<oneshot::Sender<()>>,
    ) -> OfferedCall {
        let request = self.skin_calls.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        let claim = claimed.is_some();
        self.skin_calls.lock().insert(request, PendingCall { tab: tab.key, claimed, answer });
        tab.send(&HubFrame::SkinCall { request, agent: agent.clone(), command, claim });
        OfferedCall { request, answered }
    }

    async fn finish(&self, call: OfferedCall, limit: Duration) -> Result<SkinDone, SkinCallError> {
        let outcome = tokio::time::timeout(limit, call.answered).await;
        self.skin_calls.lock().remove(&call.request);
        match outcome {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => Err(SkinCallError::TabGone),
            Err(_) => Err(SkinCallError::TimedOut),
        }
    }
}

/// A call that a tab has.
struct OfferedCall {
    request: u64,
    answered: oneshot::Receiver<SkinDone>,
}
