//! The way to one provider: how many calls at once, how far apart, when they wait, and when nobody
//! asks any more. Whether a failed call is made again is the loop's to say.

mod pace;

use crate::clock::random;
use crate::ledger::Spender;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use pace::{Admission, Pace, Verdict};
use protocol::ProviderId;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Calls to one provider at once: of agents, and of programs, which are many people's requests.
const AGENTS_AT_ONCE: usize = 16;
const PROGRAMS_AT_ONCE: usize = 1024;
/// Calls that may wait for their turn.
const WAITING: usize = 64;

/// On whose behalf a call is made. Neither takes the other's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Traffic {
    Agents,
    Programs,
}

impl Traffic {
    pub(super) fn of(spender: &Spender) -> Self {
        match spender {
            Spender::Run { .. } => Self::Agents,
            Spender::Program { .. } => Self::Programs,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Lanes(Mutex<HashMap<ProviderId, Arc<Lane>>>);

impl Lanes {
    pub(super) fn to(&self, provider: &ProviderId) -> Arc<Lane> {
        let mut lanes = lock(&self.0);
        if !lanes.contains_key(provider) {
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1 || !lane.pace().is_calm(Instant::now()));
        }
        Arc::clone(lanes.entry(provider.clone()).or_default())
    }
}

#[derive(Debug)]
pub(super) struct Lane {
    agents: Places,
    programs: Places,
    pace: Mutex<Pace>,
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            agents: Places::new(AGENTS_AT_ONCE),
            programs: Places::new(PROGRAMS_AT_ONCE),
            pace: Mutex::default(),
        }
    }
}

#[derive(Debug)]
struct Places {
    slots: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Places {
    fn new(at_once: usize) -> Self {
        let semaphore = |places| Arc::new(Semaphore::new(places));
        Self { slots: semaphore(at_once), queue: semaphore(at_once + WAITING) }
    }
}

impl Lane {
    /// Waits for a turn. Fails at once when too many wait, or when the provider is to be left alone.
    pub(super) async fn enter(self: &Arc<Self>, traffic: Traffic) -> Result<Ticket, ModelFailure> {
        let Places { slots, queue } = match traffic {
            Traffic::Agents => &self.agents,
            Traffic::Programs => &self.programs,
        };
        let Ok(queued) = Arc::clone(queue).try_acquire_owned() else {
            return Err(failure(
                ModelFailureKind::RateLimited,
                "Too many calls wait for this provider. Try again in a moment.".to_owned(),
                None,
            ));
        };
        let slot = Arc::clone(slots).acquire_owned().await.expect("the semaphore is never closed");
        loop {
            let admission = self.pace().admit(Instant::now());
            match admission {
                Admission::Go => {
                    return Ok(Ticket {
                        lane: Arc::clone(self),
                        is_reported: false,
                        _places: [queued, slot],
                    });
                }
                Admission::Wait(wait) => tokio::time::sleep(wait).await,
                Admission::Refuse { left } => return Err(left_alone(left)),
            }
        }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        lock(&self.pace)
    }
}

/// One call on its way. It has to say how it went; one that does not was given up by a person.
#[derive(Debug)]
pub(super) struct Ticket {
    lane: Arc<Lane>,
    is_reported: bool,
    _places: [OwnedSemaphorePermit; 2],
}

impl Ticket {
    pub(super) fn report(&mut self, failure: Option<&ModelFailure>) {
        self.is_reported = true;
        let [chance] = random::<1>();
        self.lane.pace().note(Instant::now(), verdict(failure), chance);
    }

    /// The call's events; the last one is the report.
    pub(super) fn watch(mut self, events: BoxStream<'static, ModelEvent>) -> BoxStream<'static, ModelEvent> {
        events
            .inspect(move |event| match event {
                ModelEvent::Stopped { .. } => self.report(None),
                ModelEvent::Failed { failure } => self.report(Some(failure)),
                ModelEvent::BlockStarted { .. }
                | ModelEvent::Delta { .. }
                | ModelEvent::BlockFinished { .. }
                | ModelEvent::Usage { .. }
                | ModelEvent::Unknown { .. } => {}
            })
            .boxed()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.is_reported {
            self.lane.pace().forget();
        }
    }
}

/// What an outcome says about the provider. A request that it refused says nothing about its health.
fn verdict(failure: Option<&ModelFailure>) -> Verdict {
    use ModelFailureKind as Kind;
    let Some(failure) = failure else { return Verdict::Well };
    match failure.kind {
        Kind::RateLimited | Kind::Overloaded => {
            Verdict::TooFast { pause: failure.retry_after_ms.map(Duration::from_millis) }
        }
        Kind::Unreachable | Kind::Timeout | Kind::Server | Kind::Cut | Kind::NotThisKind => Verdict::Unwell,
        Kind::NotConfigured
        | Kind::OverBudget
        | Kind::BadKey
        | Kind::UnknownModel
        | Kind::ContextTooLong
        | Kind::Refused
        | Kind::BadRequest
        | Kind::Malformed
        | Kind::Aborted => Verdict::Well,
    }
}

fn left_alone(left: Duration) -> ModelFailure {
    let seconds = left.as_secs().max(1);
    failure(
        ModelFailureKind::Unreachable,
        format!("The provider failed several times in a row and is left alone for {seconds} more seconds."),
        Some(left),
    )
}

fn failure(kind: ModelFailureKind, message: String, after: Option<Duration>) -> ModelFailure {
    let retry_after_ms = after.and_then(|after| u64::try_from(after.as_millis()).ok());
    ModelFailure { kind, message, retry_after_ms }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
