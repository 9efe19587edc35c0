//! Calls to the page of an agent, or to the device that shows it: performed by one tab and answered over its socket.

use super::{Live, TabKey, TabLink};
use protocol::AgentId;
use protocol::device::{DeviceAnswer, DeviceAsk};
use protocol::hub::HubFrame;
use protocol::page::{SkinCommand, SkinDone};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a tab has to say that it is there.
const CLAIM: Duration = Duration::from_secs(2);

/// What a tab can be asked to do, and what it then says.
pub(crate) trait TabCommand: Clone {
    type Done;
    /// What is said if no answer comes in time.
    const LATE: &str;

    fn into_frame(self, request: u64, agent: AgentId, claim: bool) -> HubFrame;

    /// None: the tab answered something else.
    fn done(answer: TabAnswer) -> Option<Self::Done>;
}

/// What a tab says that was asked.
pub(crate) enum TabAnswer {
    Page(SkinDone),
    Device(DeviceAnswer),
}

impl TabCommand for SkinCommand {
    type Done = SkinDone;
    const LATE: &str = "outcome unknown: the page did not answer in time; a script may be stuck";

    fn into_frame(self, request: u64, agent: AgentId, claim: bool) -> HubFrame {
        HubFrame::SkinCall { request, agent, command: self, claim }
    }

    fn done(answer: TabAnswer) -> Option<SkinDone> {
        match answer {
            TabAnswer::Page(done) => Some(done),
            TabAnswer::Device(_) => None,
        }
    }
}

impl TabCommand for DeviceAsk {
    type Done = DeviceAnswer;
    const LATE: &str =
        "outcome unknown: the device did not answer in time; its browser may have asked its person";

    fn into_frame(self, request: u64, agent: AgentId, claim: bool) -> HubFrame {
        HubFrame::DeviceCall { request, agent, ask: self, claim }
    }

    fn done(answer: TabAnswer) -> Option<DeviceAnswer> {
        match answer {
            TabAnswer::Device(answer) => Some(answer),
            TabAnswer::Page(_) => None,
        }
    }
}

#[derive(Default)]
pub(super) struct TabCalls {
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, PendingCall>>,
}

struct PendingCall {
    tab: TabKey,
    /// Who is told that the tab wants the call, while it is only offered.
    claimed: Option<oneshot::Sender<()>>,
    answer: oneshot::Sender<TabAnswer>,
}

/// Why a page did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TabCallError {
    TabGone,
    TimedOut,
    /// It was offered to each, and none wanted it: nothing was done.
    NobodyThere,
}

impl TabCallError {
    pub(crate) fn in_words<C: TabCommand>(self) -> &'static str {
        match self {
            Self::TabGone => "outcome unknown: the page was closed before it answered",
            Self::TimedOut => C::LATE,
            Self::NobodyThere => "none of the open pages answered, so nothing was done",
        }
    }
}

impl TabCalls {
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
    pub(crate) async fn call_tab<C: TabCommand>(
        &self,
        tabs: Vec<Arc<TabLink>>,
        agent: &AgentId,
        command: C,
        limit: Duration,
    ) -> Result<(Arc<TabLink>, C::Done), TabCallError> {
        if let [only] = tabs.as_slice() {
            let call = self.start(only, agent, command, None);
            return Ok((Arc::clone(only), self.finish::<C>(call, limit).await?));
        }
        for tab in tabs {
            let (claimed, is_claimed) = oneshot::channel();
            let call = self.start(&tab, agent, command.clone(), Some(claimed));
            if let Ok(Ok(())) = tokio::time::timeout(CLAIM, is_claimed).await {
                tab.send(&HubFrame::SkinGo { request: call.request });
                return Ok((tab, self.finish::<C>(call, limit).await?));
            }
            self.tab_calls.lock().remove(&call.request);
            tab.step_back();
        }
        Err(TabCallError::NobodyThere)
    }

    /// Takes an answer, but only from the tab that was asked.
    pub(crate) fn answer_tab_call(&self, tab: TabKey, request: u64, answer: TabAnswer) {
        let mut waiting = self.tab_calls.lock();
        if waiting.get(&request).is_none_or(|waiting| waiting.tab != tab || waiting.claimed.is_some()) {
            return;
        }
        let Some(waiting) = waiting.remove(&request) else { return };
        // The caller may have stopped waiting in this moment.
        let _ = waiting.answer.send(answer);
    }

    /// Takes a claim, but only from the tab that the call was offered to, and in time.
    pub(crate) fn claim_tab_call(&self, tab: TabKey, request: u64) {
        let mut waiting = self.tab_calls.lock();
        let Some(waiting) = waiting.get_mut(&request).filter(|waiting| waiting.tab == tab) else { return };
        if let Some(claimed) = waiting.claimed.take() {
            // The caller may have gone on to the next tab in this moment.
            let _ = claimed.send(());
        }
    }

    fn start<C: TabCommand>(
        &self,
        tab: &TabLink,
        agent: &AgentId,
        command: C,
        claimed: Option<oneshot::Sender<()>>,
    ) -> OfferedCall {
        let request = self.tab_calls.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        let claim = claimed.is_some();
        self.tab_calls.lock().insert(request, PendingCall { tab: tab.key, claimed, answer });
        tab.send(&command.into_frame(request, agent.clone(), claim));
        OfferedCall { request, answered }
    }

    async fn finish<C: TabCommand>(
        &self,
        call: OfferedCall,
        limit: Duration,
    ) -> Result<C::Done, TabCallError> {
        let outcome = tokio::time::timeout(limit, call.answered).await;
        self.tab_calls.lock().remove(&call.request);
        match outcome {
            Ok(Ok(answer)) => C::done(answer).ok_or(TabCallError::TabGone),
            Ok(Err(_)) => Err(TabCallError::TabGone),
            Err(_) => Err(TabCallError::TimedOut),
        }
    }
}

/// A call that a tab has.
struct OfferedCall {
    request: u64,
    answered: oneshot::Receiver<TabAnswer>,
}
