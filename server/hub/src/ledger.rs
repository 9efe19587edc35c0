//! Money: what may be spent, what is held for model calls under way, and what was spent. A call is
//! made only when the most that it can cost fits into every limit that applies to it.

mod booking_queue;
mod budget_status;
mod caps;
mod checkpoint;
mod day;
pub(crate) mod given_up;
mod held;
mod hold;
mod people;
mod price_requests;
mod removed;
mod resume;
mod scope;
mod server_spending;
mod settling;
mod spender;
mod spending;
mod usage;
mod warn;

use crate::Hub;
use crate::access::{Admin, Scoped, Viewer};
use crate::clock::Clock;
use crate::store::{ReadCache, Store};
pub(crate) use caps::{
    copy_agent_caps, limit_pipeline, limit_shared, limit_token, put_own_caps, put_schedule_caps,
};
pub(crate) use checkpoint::CallPhase;
pub(crate) use day::{month_of, number_of as day_number, of as day_of};
pub(crate) use hold::{CostBound, PricedCall, ReservedAmount};
pub(crate) use price_requests::clear as settle_wanted;
pub(crate) use removed::hand_over;
pub(crate) use resume::forget as forget_stop;
pub(crate) use spender::{Slot, Spender};
pub(crate) use spending::{BookedCall, Metered};
pub(crate) use warn::{forget_warnings_of_pipeline, pipeline_is_used_up};

use booking_queue::BookingQueue;
use hold::Limited;
use std::sync::Arc;

/// What all people may spend, and what was spent.
#[derive(Clone, Copy, Debug)]
pub struct WholeLedger<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn ledger(&self) -> WholeLedger<'a> {
        WholeLedger { hub: self.hub, viewer: self.viewer }
    }
}

/// What the viewer may spend, and what was spent.
#[derive(Clone, Copy, Debug)]
pub struct OwnLedger<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn ledger(&self) -> OwnLedger<'a> {
        OwnLedger { scoped: *self }
    }
}

/// What may be spent, what is held, and what was spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ledger<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn ledger(&self) -> Ledger<'_> {
        Ledger { hub: self }
    }

    fn booking_queue(&self) -> &BookingQueue {
        &self.0.ledger.booking_queue
    }

    fn limited(&self) -> &ReadCache<Limited, Arc<[bool]>> {
        &self.0.ledger.limited
    }
}

pub(crate) struct InMemory {
    booking_queue: BookingQueue,
    /// Which scopes of a caller have a limit.
    limited: ReadCache<Limited, Arc<[bool]>>,
}

impl InMemory {
    pub(crate) fn open(store: Store, clock: Clock) -> Self {
        Self { booking_queue: BookingQueue::open(store, clock), limited: ReadCache::default() }
    }
}

impl Ledger<'_> {
    /// Returns when everything is booked that was to be.
    pub(crate) async fn close(self) {
        self.hub.booking_queue().close().await;
    }
}
