//! What a run asks for beside its turns: a pause, and a reply that nobody is shown.

use super::Execution;
use super::slots::CallInFlight;
use crate::clock::random;
use crate::error::{Error, Result};
use crate::gateway;
use crate::ledger::{CallPhase, Slot};
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::BoxStream;
use protocol::model::Purpose;
use protocol::model::{Block, ModelEvent, ModelRequest, ToolCall};
use protocol::run::RunReply;
use protocol::view::CallKind;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Pauses, looks and calls on the side for each model call.
const EXTRAS: u32 = 3;
/// Longest pause before a call is made again.
const LONGEST_PAUSE_MS: u64 = 10 * 60 * 1000;
/// Longest look before the first call, and the calls of one.
const LONGEST_PREFETCH_MS: u64 = 5_000;
const MOST_PREFETCHED: usize = 5;
/// Longest call on the side.
const LONGEST_ASIDE_MS: u64 = 2 * 60 * 1000;

impl Execution {
    /// Says so when the time has come, unless the run is over by then.
    pub(super) fn arm(self: &Arc<Self>, timer: u32, least_ms: u64, most_ms: u64) -> Result<()> {
        self.count_extra()?;
        let least = least_ms.min(LONGEST_PAUSE_MS);
        let spread = most_ms.min(LONGEST_PAUSE_MS).saturating_sub(least);
        let chance = u64::from(u16::from_be_bytes(random()));
        let pause = Duration::from_millis(least + spread * chance / u64::from(u16::MAX));
        let execution = Arc::clone(self);
        self.hub.tasks().spawn(async move {
            tokio::select! {
                () = execution.hub.tasks().closing() => {}
                () = execution.ended() => {}
                () = tokio::time::sleep(pause) => execution.reply(RunReply::Timer { timer }),
            }
        });
        Ok(())
    }

    /// Looks up what the loop wants to know before the first call. What is not there in time is left out.
    pub(super) fn prefetch(
        self: &Arc<Self>,
        turn: u32,
        calls: Vec<ToolCall>,
        deadline_ms: u64,
    ) -> Result<()> {
        self.count_extra()?;
        let stop = CancellationToken::new();
        *self.tools.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        let deadline = Duration::from_millis(deadline_ms.min(LONGEST_PREFETCH_MS));
        let execution = Arc::clone(self);
        self.spawn_in_turn(async move {
            let until = tokio::time::Instant::now() + deadline;
            let caller = gateway::Caller::model(&execution, turn);
            let one = async |call: &ToolCall| gateway::look(&caller, call, until, &stop).await;
            let results = join_all(calls.iter().take(MOST_PREFETCHED).map(one)).await;
            let results = results.into_iter().flatten().collect();
            execution.reply(RunReply::Prefetched { turn, results });
        });
        Ok(())
    }

    /// Asks the model on the side, once the former calls are over and booked. It is metered like any other.
    pub(super) async fn ask_aside(
        self: &Arc<Self>,
        turn: u32,
        purpose: Purpose,
        mut request: ModelRequest,
        deadline_ms: u64,
    ) -> Result<()> {
        self.count_extra()?;
        if purpose.is_of_hub() {
            return Err(Error::invalid("No loop asks for this."));
        }
        self.slots.end().await;
        self.book_usage().await?;
        request.max_output_tokens = request.max_output_tokens.clamp(1, self.spec.max_output_tokens.max(1));
        request.sampling.extra.clear();
        let call = self.slots.begin(Slot::Aside, turn, kind_of(purpose));
        let deadline = Duration::from_millis(deadline_ms.min(LONGEST_ASIDE_MS));
        let execution = Arc::clone(self);
        self.spawn_in_turn(async move {
            let _over = call.over.clone().drop_guard();
            let model = execution.answering.model();
            let events = execution.call(Slot::Aside, model, &request, &call.tally).await;
            let text = tokio::select! {
                biased;
                () = call.stop.cancelled() => return,
                () = tokio::time::sleep(deadline) => None,
                text = execution.hear_out(&call, events) => text,
            };
            if execution.settle_ended(&call.stop).await.is_some() {
                execution.reply(RunReply::Aside { turn, purpose, text });
            }
        });
        Ok(())
    }

    /// Before each model call the loop asks for one of each kind at most.
    pub(super) fn count_extra(&self) -> Result<()> {
        let most = EXTRAS.saturating_mul(agent::most_turns(self.spec.round_limit));
        if self.extras.fetch_add(1, Ordering::Relaxed) < most {
            return Ok(());
        }
        Err(Error::invalid("The run has used up its pauses, looks and calls on the side."))
    }

    /// The text of the whole reply; `None` if it failed.
    async fn hear_out(
        &self,
        call: &CallInFlight,
        mut events: BoxStream<'static, ModelEvent>,
    ) -> Option<String> {
        let mut text = String::new();
        while let Some(event) = events.next().await {
            match event {
                ModelEvent::BlockFinished { block: Block::Text { text: more }, .. } => text.push_str(&more),
                ModelEvent::Usage { .. } => self.keep_told(Slot::Aside, call, CallPhase::On).await,
                ModelEvent::Stopped { .. } => return Some(text),
                ModelEvent::Failed { .. } => return None,
                ModelEvent::BlockStarted { .. }
                | ModelEvent::Delta { .. }
                | ModelEvent::BlockFinished { .. }
                | ModelEvent::Cited { .. }
                | ModelEvent::Unknown { .. } => {}
            }
        }
        None
    }
}

pub(super) fn kind_of(purpose: Purpose) -> CallKind {
    match purpose {
        Purpose::Summary => CallKind::Summary,
        Purpose::Plan => CallKind::Plan,
        Purpose::Title => CallKind::Title,
        Purpose::Memories => CallKind::Memories,
        Purpose::Search => CallKind::Search,
    }
}
