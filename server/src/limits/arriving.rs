//! What comes over a connection and is no whole message yet. A socket may take its time with one, and a
//! person may have many sockets: all that they bring together has so much room.

use super::{BodyRoom, QuotaFull};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Of one connection. Nothing is counted until somebody is charged for it.
#[derive(Debug, Default)]
pub struct Arriving(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    room: Option<BodyRoom>,
    is_full: bool,
}

impl Arriving {
    /// From here on what comes takes this room.
    pub fn charge(&self, room: BodyRoom) {
        self.state().room = Some(room);
    }

    /// So many bytes have come.
    pub fn grow(&self, bytes: usize) -> Result<(), QuotaFull> {
        let mut state = self.state();
        let grown = state.room.as_mut().map_or(Ok(()), |room| room.grow(bytes));
        state.is_full |= grown.is_err();
        grown
    }

    /// A whole message was taken.
    pub fn message_taken(&self) {
        if let Some(room) = &mut self.state().room {
            room.empty();
        }
    }

    /// So many bytes of what has come were taken, maybe from between the parts of a message.
    pub fn take(&self, bytes: usize) {
        if let Some(room) = &mut self.state().room {
            room.shrink(bytes);
        }
    }

    /// Whether more has come than there was room for.
    pub fn is_full(&self) -> bool {
        self.state().is_full
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
