//! The model call of a turn: the provider's stream, shown live and handed to the driver.

use super::Execution;
use super::execution::failed;
use super::slots::CallInFlight;
use crate::error::Result;
use crate::ledger::{BookedCall, CallPhase, ReservedAmount, Slot};
use futures_util::StreamExt;
use protocol::agent::Home;
use protocol::log::{EntryBody, NoticeKind};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, Source};
use protocol::run::RunReply;
use protocol::view::CallKind;
use protocol::words;
use std::sync::{Arc, PoisonError};
use tokio_util::sync::CancellationToken;
use tracing::info_span;

impl Execution {
    /// Starts the call, once the former ones are over and booked. The model and the limits are those of the
    /// run, whatever the request says. If the model is local and out of reach, the one in reserve is called
    /// in its place.
    pub(super) async fn call_model(self: &Arc<Self>, turn: u32, mut request: ModelRequest) -> Result<()> {
        self.slots.end().await;
        self.begin_turn(turn).await?;
        request.max_output_tokens = self.spec.max_output_tokens;
        request.sampling = self.spec.sampling.clone();
        self.renew_credit();
        let call = self.slots.begin(Slot::Turn, turn, CallKind::Unfinished);
        let execution = Arc::clone(self);
        self.spawn_in_turn(async move {
            let _over = call.over.clone().drop_guard();
            if execution.stream(&call, request).await.is_none() {
                execution.hub.live().void(&execution.agent, &execution.run, turn);
            }
        });
        Ok(())
    }

    pub(super) async fn begin_turn(&self, turn: u32) -> Result<()> {
        // A reply that is whole was booked with it.
        self.book_usage().await?;
        *self.turn_span.lock().unwrap_or_else(PoisonError::into_inner) =
            info_span!(parent: &self.span, "turn", turn);
        self.streamed().begin(turn)
    }

    /// `None` when the call was given up.
    async fn stream(&self, call: &CallInFlight, mut request: ModelRequest) -> Option<()> {
        let (turn, stop) = (call.turn, &call.stop);
        if turn >= agent::most_turns(self.spec.round_limit) {
            let event = failed(ModelFailureKind::Refused, words!("The run has used up its rounds."));
            return self.pass_on(call, event).await;
        }
        let mut events = self.call(Slot::Turn, self.answering.model(), &request, &call.tally).await;
        let mut has_begun = false;
        loop {
            let event = tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                event = events.next() => event,
            };
            let Some(event) = event else { return self.settle_ended(stop).await };
            if let ModelEvent::Failed { failure } = &event {
                if !has_begun && self.falls_back(turn, failure, stop).await? {
                    // They are fields of the other provider.
                    request.sampling.extra.clear();
                    events = self.call(Slot::Turn, self.answering.model(), &request, &call.tally).await;
                    continue;
                }
                self.settle_ended(stop).await?;
            }
            has_begun |= !matches!(
                event,
                ModelEvent::Usage { .. } | ModelEvent::Cited { .. } | ModelEvent::Unknown { .. }
            );
            self.answering.note(&event);
            let is_last = matches!(event, ModelEvent::Stopped { .. } | ModelEvent::Failed { .. });
            self.pass_on(call, event).await?;
            if is_last {
                return Some(());
            }
        }
    }

    /// What cannot be written down is not done.
    async fn falls_back(&self, turn: u32, failure: &ModelFailure, stop: &CancellationToken) -> Option<bool> {
        let done = self.fall_back(turn, failure, stop).await.transpose()?;
        Some(done.unwrap_or_else(|error| {
            tracing::error!(run.id = %self.run, error = ?error, "the model in reserve could not be asked");
            false
        }))
    }

    async fn pass_on(&self, call: &CallInFlight, event: ModelEvent) -> Option<()> {
        let is_elsewhere = self.home() == Home::Browser;
        match &event {
            ModelEvent::Usage { .. } => self.keep_told(Slot::Turn, call, CallPhase::On).await,
            // The driver has it booked, and may take its time.
            ModelEvent::Stopped { .. } if is_elsewhere => {
                self.keep_told(Slot::Turn, call, CallPhase::Over).await
            }
            ModelEvent::Cited { sources, .. } => self.note_sources(call, sources).await,
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Stopped { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Unknown { .. } => {}
        }
        if is_elsewhere {
            let permit = tokio::select! {
                () = call.stop.cancelled() => return None,
                permit = self.credit.acquire() => permit.ok()?,
            };
            permit.forget();
        }
        self.show(call.turn, &event);
        self.streamed().note(&event);
        self.reply(RunReply::Model { turn: call.turn, event });
        Some(())
    }

    /// What a process that ends within the call leaves to the next one. The call goes on without it.
    pub(super) async fn keep_told(&self, slot: Slot, call: &CallInFlight, going: CallPhase) {
        if self.answering.terms().held == ReservedAmount::Nothing {
            return;
        }
        let Some(usage) = call.tally.used() else { return };
        let BookedCall { metered, .. } = self.booked(call.turn, usage, call.kind);
        if let Err(error) =
            self.hub.ledger().keep_told(&self.spender(slot), Some(call.turn), &metered, going).await
        {
            tracing::error!(run.id = %self.run, error = ?error, "what a call used so far was not kept");
        }
    }

    /// Only the hub says what a provider's search found. An answer is none the worse without.
    async fn note_sources(&self, call: &CallInFlight, sources: &[Source]) {
        if sources.is_empty() {
            return;
        }
        let _one_at_a_time = tokio::select! {
            biased;
            () = call.stop.cancelled() => return,
            guard = self.writing.lock() => guard,
        };
        let link = |Source { url, title, .. }: &Source| {
            let title = title.replace(['[', ']', '\\'], " ");
            format!("- [{}]({url})", if title.trim().is_empty() { url } else { title.trim() })
        };
        let text = sources.iter().map(link).collect::<Vec<_>>().join("\n");
        if let Err(error) = self.write_sources(call.turn, text).await {
            tracing::error!(run.id = %self.run, error = ?error, "what a provider's search found was not kept");
        }
    }

    async fn write_sources(&self, turn: u32, text: String) -> Result<()> {
        let mut appending = self.hub.log().appending().await?;
        let body = EntryBody::Notice { turn, kind: NoticeKind::Sources, text };
        appending.append(&self.place(), body).await?;
        self.require_running(&mut appending).await?;
        self.hub.log().commit(appending).await
    }

    pub(super) fn show(&self, turn: u32, event: &ModelEvent) {
        match event {
            ModelEvent::BlockStarted { index, kind } => {
                self.hub.live().start_block(&self.agent, &self.run, turn, *index, kind);
            }
            ModelEvent::Delta { index, text } => self.hub.show_piece(&self.agent, *index, text),
            ModelEvent::Failed { .. } => self.hub.live().void(&self.agent, &self.run, turn),
            ModelEvent::Unknown { what } => {
                tracing::debug!(run.id = %self.run, "unknown event of a provider: {what}");
            }
            ModelEvent::BlockFinished { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Stopped { .. } => {}
        }
    }
}
