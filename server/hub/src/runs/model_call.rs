//! The model call of a turn: the provider's stream, shown live and handed to the driver.

use super::Execution;
use super::execution::failed;
use super::streamed::Streamed;
use crate::error::{Error, Result};
use futures_util::StreamExt;
use protocol::hub::RunReply;
use protocol::model::{ModelEvent, ModelFailureKind, ModelRequest};
use std::sync::{Arc, PoisonError};
use tokio_util::sync::CancellationToken;

impl Execution {
    /// Starts the call. The model and the limits are those of the run, whatever the request says.
    pub(super) async fn call_model(self: &Arc<Self>, turn: u32, mut request: ModelRequest) -> Result<()> {
        self.begin_turn(turn).await?;
        request.model.clone_from(&self.spec.model);
        request.max_output_tokens = self.spec.max_output_tokens;
        let stop = CancellationToken::new();
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        let execution = Arc::clone(self);
        tokio::spawn(async move {
            if execution.stream(turn, request, &stop).await.is_none() {
                execution.hub.live.void(&execution.agent, &execution.run, turn);
            }
        });
        Ok(())
    }

    pub(super) async fn begin_turn(&self, turn: u32) -> Result<()> {
        let _one_at_a_time = self.writing.lock().await;
        let mut appending = self.hub.appending().await?;
        self.book(&mut appending).await?;
        self.hub.commit(appending).await?;
        let mut streamed = self.streamed();
        let fresh = streamed.turn == turn && turn == 0;
        if !fresh && turn <= streamed.turn {
            return Err(Error::invalid("Turns of a run count up."));
        }
        *streamed = Streamed::new(turn);
        Ok(())
    }

    /// `None` when the call was given up.
    async fn stream(&self, turn: u32, request: ModelRequest, stop: &CancellationToken) -> Option<()> {
        if turn >= agent::most_turns(self.spec.round_limit) {
            let event = failed(ModelFailureKind::Refused, "The run has used up its rounds.");
            self.pass_on(turn, event, stop).await?;
            return Some(());
        }
        let mut events = self.hub.stream_model(self.owner.clone(), self.provider.clone(), request);
        loop {
            let event = tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                event = events.next() => event,
            };
            let Some(event) = event else { return Some(()) };
            self.pass_on(turn, event, stop).await?;
        }
    }

    async fn pass_on(&self, turn: u32, event: ModelEvent, stop: &CancellationToken) -> Option<()> {
        if self.tab.is_some() {
            let permit = tokio::select! {
                () = stop.cancelled() => return None,
                permit = self.credit.acquire() => permit.ok()?,
            };
            permit.forget();
        }
        self.show(turn, &event);
        self.streamed().note(&event);
        self.reply(RunReply::Model { turn, event }).await;
        Some(())
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
