//! The model call of a turn: the provider's stream, shown live and handed to the driver.

use super::Execution;
use super::execution::failed;
use crate::error::Result;
use crate::ledger::{Booked, Held, Slot};
use futures_util::StreamExt;
use protocol::hub::RunReply;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, Usage};
use protocol::view::{CallKind, Home};
use std::sync::{Arc, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// The model call in flight, or the last one.
pub(super) struct ModelCall {
    stop: CancellationToken,
    /// Nothing more comes of it.
    over: CancellationToken,
}

impl ModelCall {
    pub(super) fn none() -> Self {
        let none = Self { stop: CancellationToken::new(), over: CancellationToken::new() };
        none.over.cancel();
        none
    }
}

impl Execution {
    /// Starts the call. The model and the limits are those of the run, whatever the request says. If the
    /// model is local and out of reach, the one in reserve is called in its place.
    pub(super) async fn call_model(self: &Arc<Self>, turn: u32, mut request: ModelRequest) -> Result<()> {
        self.begin_turn(turn).await?;
        request.max_output_tokens = self.spec.max_output_tokens;
        self.renew_credit();
        let (stop, over) = self.new_model_call();
        let execution = Arc::clone(self);
        tokio::spawn(async move {
            let _over = over.drop_guard();
            if execution.stream(turn, request, &stop).await.is_none() {
                execution.hub.live.void(&execution.agent, &execution.run, turn);
            }
        });
        Ok(())
    }

    pub(super) fn abort_model(&self) {
        self.model().stop.cancel();
    }

    /// Gives up the call in flight, and returns when nothing more comes of it.
    pub(super) async fn end_model_call(&self) {
        self.abort_model();
        let over = self.model().over.clone();
        over.cancelled().await;
    }

    /// What stops the call that is about to be made, and what says that it is over.
    pub(super) fn new_model_call(&self) -> (CancellationToken, CancellationToken) {
        let (stop, over) = (CancellationToken::new(), CancellationToken::new());
        *self.model() = ModelCall { stop: stop.clone(), over: over.clone() };
        (stop, over)
    }

    fn model(&self) -> MutexGuard<'_, ModelCall> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn begin_turn(&self, turn: u32) -> Result<()> {
        let mut appending = self.hub.appending().await?;
        // A reply that is whole was booked with it.
        self.book(&mut appending, CallKind::Unfinished).await?;
        self.hub.commit(appending).await?;
        self.streamed().begin(turn)
    }

    /// `None` when the call was given up.
    async fn stream(
        self: &Arc<Self>,
        turn: u32,
        request: ModelRequest,
        stop: &CancellationToken,
    ) -> Option<()> {
        if turn >= agent::most_turns(self.spec.round_limit) {
            let event = failed(ModelFailureKind::Refused, "The run has used up its rounds.");
            self.pass_on(turn, event, stop).await?;
            return Some(());
        }
        let mut events = self.call(Slot::Turn, self.answering.model(), &request);
        let mut has_begun = false;
        loop {
            let event = tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                event = events.next() => event,
            };
            let Some(event) = event else { return Some(()) };
            if let ModelEvent::Failed { failure } = &event
                && !has_begun
                && self.falls_back(turn, failure).await
            {
                events = self.call(Slot::Turn, self.answering.model(), &request);
                continue;
            }
            has_begun |= !matches!(event, ModelEvent::Usage { .. } | ModelEvent::Unknown { .. });
            self.answering.note(&event);
            self.pass_on(turn, event, stop).await?;
        }
    }

    /// What cannot be written down is not done.
    async fn falls_back(&self, turn: u32, failure: &ModelFailure) -> bool {
        self.fall_back(turn, failure).await.unwrap_or_else(|error| {
            tracing::error!(run.id = %self.run, error = ?error, "the model in reserve could not be asked");
            false
        })
    }

    async fn pass_on(&self, turn: u32, event: ModelEvent, stop: &CancellationToken) -> Option<()> {
        if self.home() == Home::Browser {
            let permit = tokio::select! {
                () = stop.cancelled() => return None,
                permit = self.credit.acquire() => permit.ok()?,
            };
            permit.forget();
        }
        if let ModelEvent::Usage { usage } = &event {
            self.keep_told(Slot::Turn, turn, *usage, CallKind::Unfinished).await;
        }
        self.show(turn, &event);
        self.streamed().note(&event);
        self.reply(RunReply::Model { turn, event });
        Some(())
    }

    /// What a process that ends within the call leaves to the next one. The call goes on without it.
    pub(super) async fn keep_told(&self, slot: Slot, turn: u32, usage: Usage, kind: CallKind) {
        if self.answering.terms().held == Held::Nothing {
            return;
        }
        let Booked { metered, .. } = self.booked(turn, usage, kind);
        if let Err(error) = self.hub.keep_told(&self.spender(slot), Some(turn), &metered).await {
            tracing::error!(run.id = %self.run, error = ?error, "what a call used so far was not kept");
        }
    }

    pub(super) fn show(&self, turn: u32, event: &ModelEvent) {
        match event {
            ModelEvent::BlockStarted { index, kind } => {
                self.hub.live.start_block(&self.agent, &self.run, turn, *index, kind);
            }
            ModelEvent::Delta { index, text } => self.hub.live.grow_block(&self.agent, *index, text),
            ModelEvent::Failed { .. } => self.hub.live.void(&self.agent, &self.run, turn),
            ModelEvent::Unknown { what } => {
                tracing::debug!(run.id = %self.run, "unknown event of a provider: {what}");
            }
            ModelEvent::BlockFinished { .. } | ModelEvent::Usage { .. } | ModelEvent::Stopped { .. } => {}
        }
    }
}
