//! Telling a server of before that nobody waits for an answer any more. One of today sees it by the connection that
//! is closed.

use super::back::Back;
use super::message::Message;
use super::{Era, WebClient};
use crate::Hub;

/// Says so when it is dropped, unless the request is over.
pub(super) struct Cancelling(Option<Word>);

struct Word {
    hub: Hub,
    back: Back,
    message: Message,
}

impl WebClient<'_> {
    /// Of the request with this number.
    pub(super) fn cancelling(&self, era: &Era, id: u64) -> Cancelling {
        match era {
            Era::Modern => Cancelling(None),
            Era::Legacy { .. } => Cancelling::of(self.hub, self.back(Some(era)), id),
        }
    }
}

impl Cancelling {
    pub(super) fn of(hub: &Hub, back: Back, id: u64) -> Self {
        Self(Some(Word { hub: hub.clone(), back, message: Message::cancelled(id) }))
    }

    /// An answer came, or none will.
    pub(super) fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for Cancelling {
    fn drop(&mut self) {
        let Some(Word { hub, back, message }) = self.0.take() else { return };
        // It goes on for nobody if it does not hear.
        hub.tasks().spawn(async move { back.say(&message).await });
    }
}
