//! Telling a server of before that nobody waits for an answer any more. One of today sees it by the connection that
//! is closed.

use super::message::Message;
use super::{Client, Era};
use crate::Hub;
use crate::mcp_servers::PARTING;
use crate::outbound::Target;
use reqwest::Method;
use reqwest::header::HeaderMap;
use tokio::time::timeout;

/// Says so when it is dropped, unless the request is over.
pub(super) struct Cancelling(Option<Word>);

struct Word {
    hub: Hub,
    target: Target,
    headers: HeaderMap,
    message: Message,
}

impl Client<'_> {
    /// Of the request with this number.
    pub(super) fn cancelling(&self, era: &Era, id: u64) -> Cancelling {
        Cancelling(match era {
            Era::Modern => None,
            Era::Legacy { .. } => Some(Word {
                hub: self.hub.clone(),
                target: self.target.clone(),
                headers: self.headers(Some(era)),
                message: Message::cancelled(id),
            }),
        })
    }
}

impl Cancelling {
    /// An answer came, or none will.
    pub(super) fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for Cancelling {
    fn drop(&mut self) {
        let Some(Word { hub, target, headers, message }) = self.0.take() else { return };
        hub.clone().tasks().spawn(async move {
            let said = hub.outbound().send(Method::POST, &target, headers, message.bytes());
            // It goes on for nobody if it does not hear.
            let _ = timeout(PARTING, said).await;
        });
    }
}
