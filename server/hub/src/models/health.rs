//! How calls of models went since the start, by the kind of provider: numbers and times, nobody's names.

use super::Models;
use protocol::agent::ProviderKind;
use protocol::model::{ModelEvent, ModelFailure};
use protocol::view::{ProviderFailure, ProviderHealth};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug, Default)]
pub(super) struct Health(Arc<Mutex<Vec<ProviderHealth>>>);

/// One call of it.
#[derive(Clone)]
pub(super) struct Noted {
    health: Arc<Mutex<Vec<ProviderHealth>>>,
    kind: ProviderKind,
}

impl Health {
    pub(super) fn of(&self, kind: ProviderKind) -> Noted {
        Noted { health: Arc::clone(&self.0), kind }
    }
}

impl Noted {
    pub(super) fn event(&self, event: &ModelEvent, now: i64) {
        match event {
            ModelEvent::Stopped { .. } => self.note(|health| {
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
            self.note(|health| {
                health.failed += 1;
                health.last_failure = Some(ProviderFailure { at: now, kind: failure.kind });
            });
        }
    }

    fn note(&self, note: impl FnOnce(&mut ProviderHealth)) {
        let mut all = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(|health| health.kind == self.kind).unwrap_or_else(|| {
            all.push(ProviderHealth {
                kind: self.kind,
                answered: 0,
                failed: 0,
                last_answer_at: None,
                last_failure: None,
            });
            all.len() - 1
        });
        note(&mut all[place]);
    }
}

impl Models<'_> {
    /// Of each kind that was called.
    pub(crate) fn health(self) -> Vec<ProviderHealth> {
        self.hub.0.models.health.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
