//! What a client says who asks by, which becomes another while a call is under way that goes on for longer than it.

use super::Access;
use std::sync::{Arc, Mutex, PoisonError};

/// `None`: by nothing.
#[derive(Default)]
pub(in super::super) struct HeldAccess(Mutex<Option<Arc<Access>>>);

impl HeldAccess {
    pub(in super::super) fn new(access: Option<Access>) -> Self {
        let held = Self::default();
        held.set(access);
        held
    }

    pub(in super::super) fn get(&self) -> Option<Arc<Access>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(in super::super) fn set(&self, access: Option<Access>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = access.map(Arc::new);
    }
}
