//! Whether the request of a call without events is with its server. What a server took may have to be paid, also if no
//! answer came, or none in time.

use super::http;
use crate::outbound::{Answer, Outbound};
use crate::providers::Server;
use agent::providers::HttpRequest;
use protocol::model::{ModelFailure, ModelFailureKind};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Default)]
pub(super) struct Dispatch {
    is_taken: AtomicBool,
}

impl Dispatch {
    /// Sends the request. Who stops waiting for this does not know whether the server does what was asked.
    pub(super) async fn send(
        &self,
        outbound: &Outbound,
        server: &Server,
        request: HttpRequest,
        now: i64,
    ) -> Result<Answer, ModelFailure> {
        self.is_taken.store(true, Ordering::Relaxed);
        let sent = http::send(outbound, server, request, now).await;
        if let Err(failure) = &sent {
            // One that hangs up has said neither yes nor no.
            self.is_taken.store(failure.kind == ModelFailureKind::Cut, Ordering::Relaxed);
        }
        sent
    }

    /// The server has it, and did not refuse it.
    pub(super) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Relaxed)
    }
}
