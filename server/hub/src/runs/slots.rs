//! The model calls of a run: one at a time in each slot. Whoever makes the next one, gives one up or ends
//! the run waits until nothing more comes of it; what it used is booked then, and nothing is held any more.

use super::Execution;
use crate::error::Result;
use crate::ledger::{BookedCall, ReservedAmount, Slot};
use crate::log::Appending;
use crate::store::query;
use crate::tally::{Settlement, Tally};
use protocol::view::CallKind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// A call in flight, or the last one.
#[derive(Clone)]
pub(super) struct CallInFlight {
    pub(super) turn: u32,
    pub(super) kind: CallKind,
    pub(super) stop: CancellationToken,
    /// Nothing more comes of it.
    pub(super) over: CancellationToken,
    pub(super) tally: Tally,
}

pub(super) struct Slots {
    turn: Mutex<CallInFlight>,
    aside: Mutex<CallInFlight>,
}

impl Slots {
    pub(super) fn empty() -> Self {
        let none = || {
            let none = CallInFlight::new(0, CallKind::Unfinished);
            none.over.cancel();
            Mutex::new(none)
        };
        Self { turn: none(), aside: none() }
    }

    /// The call in this slot, or the last one.
    pub(super) fn call(&self, slot: Slot) -> CallInFlight {
        self.lock(slot).clone()
    }

    /// Whoever calls it holds `writing`, and has settled the former calls.
    pub(super) fn begin(&self, slot: Slot, turn: u32, kind: CallKind) -> CallInFlight {
        let call = CallInFlight::new(turn, kind);
        *self.lock(slot) = call.clone();
        call
    }

    /// The same for a call that a browser makes: nothing comes of it here.
    pub(super) fn begin_elsewhere(&self, slot: Slot, turn: u32, kind: CallKind) -> CallInFlight {
        let call = self.begin(slot, turn, kind);
        call.over.cancel();
        call
    }

    /// What the call in this slot is for, where that becomes known later.
    pub(super) fn name(&self, slot: Slot, turn: u32, kind: CallKind) {
        let mut call = self.lock(slot);
        (call.turn, call.kind) = (turn, kind);
    }

    /// Gives up what is in flight.
    pub(super) fn give_up(&self) {
        self.both().iter().for_each(|call| call.stop.cancel());
    }

    /// Gives up what is in flight, and returns when nothing more comes of it.
    pub(super) async fn end(&self) {
        for call in self.both() {
            call.stop.cancel();
            call.over.cancelled().await;
        }
    }

    fn both(&self) -> [CallInFlight; 2] {
        [self.call(Slot::Turn), self.call(Slot::Aside)]
    }

    fn lock(&self, slot: Slot) -> MutexGuard<'_, CallInFlight> {
        let call = match slot {
            Slot::Turn => &self.turn,
            // Those in the background come after a run, and whoever searches keeps its call itself.
            Slot::Aside | Slot::Background | Slot::Search => &self.aside,
        };
        call.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallInFlight {
    fn new(turn: u32, kind: CallKind) -> Self {
        let (stop, over) = (CancellationToken::new(), CancellationToken::new());
        Self { turn, kind, stop, over, tally: Tally::default() }
    }
}

impl Execution {
    /// Appends what the calls so far used, once. Whoever calls it holds `writing`, and none is in flight.
    pub(super) async fn book_usage(&self) -> Result<()> {
        let holds = self.answering.terms().held == ReservedAmount::Most;
        let has_more = |call: &CallInFlight| call.tally.is_open() && (holds || call.tally.has_begun());
        if !self.slots.both().iter().any(has_more) {
            return Ok(());
        }
        let mut appending = self.hub.log().appending().await?;
        self.book_all(&mut appending).await?;
        self.hub.log().commit(appending).await?;
        Ok(())
    }

    /// The same, as a part of what is written anyway.
    pub(super) async fn book_all(&self, appending: &mut Appending) -> Result<()> {
        self.book(appending, Slot::Turn, self.slots.call(Slot::Turn).kind).await?;
        self.book(appending, Slot::Aside, self.slots.call(Slot::Aside).kind).await
    }

    /// Appends what the last call of this slot used, once, and lets go of what was held for it.
    pub(super) async fn book(&self, appending: &mut Appending, slot: Slot, kind: CallKind) -> Result<()> {
        let call = self.slots.call(slot);
        match call.tally.owed() {
            None => {}
            Some(Settlement::Used(usage)) => {
                appending.book(&self.place(), self.booked(call.turn, usage, kind)).await?;
            }
            Some(Settlement::Unused) if self.answering.terms().held == ReservedAmount::Nothing => {}
            Some(Settlement::Unused) => appending.let_go(&self.spender(slot)).await?,
        }
        appending.books(call.tally);
        Ok(())
    }

    /// Where the agent is gone, and its log with it, what the last calls used is used all the same.
    pub(super) async fn book_if_gone(&self) {
        if let Err(error) = self.book_without_log().await {
            tracing::error!(run.id = %self.run, error = ?error, "what a call used was not booked");
        }
    }

    async fn book_without_log(&self) -> Result<()> {
        let is_there = query("SELECT 1 FROM agents WHERE id = $1", (&self.agent,));
        if is_there.exists(self.hub.store().read()).await? {
            return Ok(());
        }
        let mut appending = self.hub.log().appending().await?;
        for slot in [Slot::Turn, Slot::Aside] {
            let call = self.slots.call(slot);
            if let Some(Settlement::Used(usage)) = call.tally.owed() {
                let BookedCall { metered, .. } = self.booked(call.turn, usage, call.kind);
                appending.book_unlogged(&self.spender(slot), &metered).await?;
            }
            appending.books(call.tally);
        }
        self.hub.log().commit(appending).await
    }

    /// Books a call that has come to its end by itself. `None`: it was given up, and whoever did that books
    /// it.
    pub(super) async fn settle_ended(&self, stop: &CancellationToken) -> Option<()> {
        let _one_at_a_time = tokio::select! {
            biased;
            () = stop.cancelled() => return None,
            guard = self.writing.lock() => guard,
        };
        if let Err(error) = self.book_usage().await {
            tracing::error!(run.id = %self.run, error = ?error, "what a call used was not booked");
        }
        Some(())
    }
}
