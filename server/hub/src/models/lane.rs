//! The way to one provider: how many calls at once, how far apart, when they wait, and when nobody
//! asks any more. Whether a failed call is made again is the loop's to say. Those who share a provider
//! share its places fairly, and what the provider says to one's calls holds up that one.

mod pace;

use crate::clock::random;
use crate::fair_queue::{FairQueue, Permit, QueueFull};
use crate::ledger::Spender;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use pace::{Admission, Pace, ProviderOutcome, Rest};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use protocol::{ProviderId, UserId};
use protocol::{told, words};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Calls to one provider at once: of agents, and of programs, which are many people's requests. One person
/// has at most half of them.
const AGENTS_AT_ONCE: usize = 32;
const PROGRAMS_AT_ONCE: usize = 2048;
/// Calls of one person that may wait for their turn.
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
            Spender::Run { .. } | Spender::Speech { .. } | Spender::Person { .. } => Self::Agents,
            Spender::Program { .. } => Self::Programs,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Lanes(Mutex<HashMap<ProviderId, Arc<Lane>>>);

impl Lanes {
    pub(super) fn to(&self, provider: &ProviderId) -> Arc<Lane> {
        let mut lanes = lock(&self.0);
        if !lanes.contains_key(provider) {
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1 || !lane.is_calm());
        }
        Arc::clone(lanes.entry(provider.clone()).or_default())
    }
}

#[derive(Debug)]
pub(super) struct Lane {
    agents: FairQueue<UserId>,
    programs: FairQueue<UserId>,
    /// Of those whose calls did not go well of late.
    paces: Mutex<HashMap<UserId, Pace>>,
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            agents: FairQueue::new(AGENTS_AT_ONCE, WAITING),
            programs: FairQueue::new(PROGRAMS_AT_ONCE, WAITING),
            paces: Mutex::default(),
        }
    }
}

impl Lane {
    /// Waits for a turn. Fails at once when too many of the person's calls wait, or when the provider is to
    /// be left alone.
    pub(super) async fn enter(
        self: &Arc<Self>,
        person: &UserId,
        traffic: Traffic,
    ) -> Result<Ticket, ModelFailure> {
        let queue = match traffic {
            Traffic::Agents => &self.agents,
            Traffic::Programs => &self.programs,
        };
        let place = queue.enter(person).await.map_err(|QueueFull| {
            failure(
                ModelFailureKind::RateLimited,
                words!("Too many of your calls wait for this provider. Try again in a moment.").to_owned(),
                None,
            )
        })?;
        loop {
            let admission = self.pace_of(person, |pace, now| pace.admit(now));
            match admission {
                Admission::Go => {
                    let (lane, person) = (Arc::clone(self), person.clone());
                    return Ok(Ticket { lane, person, is_reported: false, _place: place });
                }
                Admission::Wait(wait) => tokio::time::sleep(wait).await,
                Admission::Refuse { why, left } => return Err(left_alone(why, left)),
            }
        }
    }

    /// A pace that is calm again is not kept.
    fn pace_of<T>(&self, person: &UserId, act: impl FnOnce(&mut Pace, Instant) -> T) -> T {
        let (mut paces, now) = (lock(&self.paces), Instant::now());
        let mut pace = paces.remove(person).unwrap_or_default();
        let outcome = act(&mut pace, now);
        if !pace.is_calm(now) {
            paces.insert(person.clone(), pace);
        }
        outcome
    }

    fn is_calm(&self) -> bool {
        let now = Instant::now();
        lock(&self.paces).values().all(|pace| pace.is_calm(now))
    }
}

/// One call on its way. It has to say how it went; one that does not was given up by a person.
#[derive(Debug)]
pub(super) struct Ticket {
    lane: Arc<Lane>,
    person: UserId,
    is_reported: bool,
    _place: Permit<UserId>,
}

impl Ticket {
    pub(super) fn report(&mut self, failure: Option<&ModelFailure>) {
        self.is_reported = true;
        let [chance] = random::<1>();
        self.lane.pace_of(&self.person, |pace, now| pace.note(now, verdict(failure), chance));
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
                | ModelEvent::Cited { .. }
                | ModelEvent::Unknown { .. } => {}
            })
            .boxed()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.is_reported {
            self.lane.pace_of(&self.person, |pace, _| pace.forget());
        }
    }
}

/// Whether it says something about the provider, and not about what was asked.
pub(super) fn is_its_own_fault(failure: &ModelFailure) -> bool {
    !matches!(verdict(Some(failure)), ProviderOutcome::Well)
}

/// What an outcome says about the provider. A request that it refused says nothing about its health.
fn verdict(failure: Option<&ModelFailure>) -> ProviderOutcome {
    use ModelFailureKind as Kind;
    let Some(failure) = failure else { return ProviderOutcome::Well };
    match failure.kind {
        Kind::RateLimited | Kind::Overloaded => {
            ProviderOutcome::TooFast { pause: failure.retry_after_ms.map(Duration::from_millis) }
        }
        Kind::Unreachable | Kind::Timeout | Kind::Server | Kind::Cut | Kind::NotThisKind => {
            ProviderOutcome::Unwell
        }
        Kind::NotConfigured
        | Kind::OverBudget
        | Kind::BadKey
        | Kind::UnknownModel
        | Kind::ContextTooLong
        | Kind::Refused
        | Kind::BadRequest
        | Kind::Malformed
        | Kind::Aborted => ProviderOutcome::Well,
    }
}

fn left_alone(why: Rest, left: Duration) -> ModelFailure {
    let seconds = left.as_secs_f64().ceil().max(1.0);
    let (kind, message) = match why {
        Rest::Unwell => (
            ModelFailureKind::Unreachable,
            told!("The provider failed several times in a row and is left alone for {seconds} more seconds."),
        ),
        Rest::Asked => (
            ModelFailureKind::RateLimited,
            told!("The provider asked to wait. It takes calls again in {seconds} seconds."),
        ),
    };
    failure(kind, message, Some(left))
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
