//! Calls outside of runs on their way into the books: tried until the database takes them, whoever waits for it.

use super::booking_queue::{BookingRequest, SettleRequest};
use super::held;
use super::hold::ReservedAmount;
use super::spender::Spender;
use super::spending::Metered;
use crate::Hub;
use crate::error::Result;
use crate::ledger::Ledger;
use tokio::sync::oneshot;

impl Ledger<'_> {
    /// Puts what a call used on the meter and lets go of what was held for it, in a task that has it from now on:
    /// nobody has to wait. What can be waited for is the first try, so that no reply hangs on a database that is
    /// away. `held` is what was held for it: that it is gone tells a commit whose answer was lost from one that failed.
    pub(crate) fn settle(
        self,
        spender: Spender,
        metered: Option<Metered>,
        held: ReservedAmount,
    ) -> impl Future<Output = ()> + use<> {
        let (tried, first) = oneshot::channel();
        let request = SettleRequest { spender, metered };
        let is_held = held != ReservedAmount::Nothing;
        self.hub.tasks().spawn(settle_in_the_end(self.hub.clone(), request, is_held, tried));
        async move {
            // Nothing is sent: the first try was made when the sender is gone.
            first.await.ok();
        }
    }

    pub(super) async fn settle_once(self, request: SettleRequest) -> Result<()> {
        self.hub.booking_queue().visit(|told| BookingRequest::Bill(request, told)).await
    }
}

/// A hub that closes before leaves what is held, and what was told of it last, to the next one.
async fn settle_in_the_end(hub: Hub, request: SettleRequest, is_held: bool, tried: oneshot::Sender<()>) {
    let (mut tried, mut patience) = (Some(tried), hub.tasks().patience());
    while let Err(error) = hub.ledger().settle_once(request.clone()).await {
        drop(tried.take());
        let mut away = error;
        // Where something was held, it is not tried again before it is known whether it was booked after all.
        loop {
            if !patience.outlasts(&away).await {
                tracing::error!(error = ?away, "a call outside of runs was not booked");
                return;
            }
            if !is_held {
                break;
            }
            match held::is_let_go(hub.store().read(), &request.spender).await {
                Ok(true) => return,
                Ok(false) => break,
                Err(error) => away = error,
            }
        }
    }
}
