//! How calls of models went since the start, by the kind of provider: numbers and times, nobody's names.

use super::Models;
use crate::slowness::{Lately, Slowness};
use protocol::agent::ProviderKind;
use protocol::model::{ModelEvent, ModelFailure};
use protocol::view::{ProviderFailure, ProviderHealth};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A call that takes longer is slow.
const SLOW_MS: u64 = 60_000;

#[derive(Debug, Default)]
pub(super) struct Health(Arc<Mutex<Vec<OfKind>>>);

#[derive(Debug)]
struct OfKind {
    health: ProviderHealth,
    slowness: Slowness<()>,
}

/// One call of it.
#[derive(Clone)]
pub(super) struct Noted {
    all: Arc<Mutex<Vec<OfKind>>>,
    kind: ProviderKind,
    asked_at: i64,
}

impl Health {
    pub(super) fn of(&self, kind: ProviderKind, asked_at: i64) -> Noted {
        Noted { all: Arc::clone(&self.0), kind, asked_at }
    }
}

impl Noted {
    pub(super) fn event(&self, event: &ModelEvent, now: i64) {
        match event {
            ModelEvent::Stopped { .. } => self.note(now, |health| {
                health.answered += 1;
                health.last_answer_at = Some(now);
            }),
            ModelEvent::Failed { failure } => self.failure(failure, now),
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
    }

    pub(super) fn failure(&self, failure: &ModelFailure, now: i64) {
        if super::lane::is_its_own_fault(failure) {
            self.note(now, |health| {
                health.failed += 1;
                health.last_failure = Some(ProviderFailure { at: now, kind: failure.kind });
            });
        }
    }

    /// The call is over.
    fn note(&self, now: i64, note: impl FnOnce(&mut ProviderHealth)) {
        let mut all = lock(&self.all);
        let place = all.iter().position(|of| of.health.kind == self.kind).unwrap_or_else(|| {
            let health = ProviderHealth {
                kind: self.kind,
                answered: 0,
                failed: 0,
                last_answer_at: None,
                last_failure: None,
                slow: 0,
                slowest_ms: None,
            };
            all.push(OfKind { health, slowness: Slowness::than(SLOW_MS) });
            all.len() - 1
        });
        let OfKind { health, slowness } = &mut all[place];
        note(health);
        slowness.note(now, u64::try_from(now - self.asked_at).unwrap_or_default(), ());
    }
}

impl Models<'_> {
    /// Of each kind that was called.
    pub(crate) fn health(self) -> Vec<ProviderHealth> {
        let now = self.hub.now();
        let shown = |OfKind { health, slowness }: &OfKind| {
            let Lately { count, longest } = slowness.lately(now);
            ProviderHealth { slow: count, slowest_ms: longest.map(|(ms, ())| ms), ..*health }
        };
        lock(&self.hub.0.models.health.0).iter().map(shown).collect()
    }
}

fn lock(all: &Mutex<Vec<OfKind>>) -> MutexGuard<'_, Vec<OfKind>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}
