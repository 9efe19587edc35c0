//! What a run asks for beside its turns: a pause, and a reply that nobody is shown.

use super::Execution;
use super::answering::Model;
use crate::clock::random;
use crate::error::{Error, Result};
use crate::gateway;
use crate::ledger::Slot;
use futures_util::StreamExt;
use futures_util::future::join_all;
use protocol::hub::{Purpose, RunReply};
use protocol::model::{Block, ModelEvent, ModelRequest, ToolCall, Usage};
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
        tokio::spawn(async move {
            tokio::select! {
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
        tokio::spawn(async move {
            let until = tokio::time::Instant::now() + deadline;
            let caller = gateway::Caller::model(&execution, turn);
            let one = async |call: &ToolCall| {
                let looked = gateway::look(&caller, call, &stop);
                tokio::time::timeout_at(until, looked).await.ok().flatten()
            };
            let results = join_all(calls.iter().take(MOST_PREFETCHED).map(one)).await;
            let results = results.into_iter().flatten().collect();
            execution.reply(RunReply::Prefetched { turn, results });
        });
        Ok(())
    }

    /// Asks the model on the side. It is metered like any other call.
    pub(super) fn ask_aside(
        self: &Arc<Self>,
        turn: u32,
        purpose: Purpose,
        mut request: ModelRequest,
        deadline_ms: u64,
    ) -> Result<()> {
        self.count_extra()?;
        let model = self.answering.model();
        request.max_output_tokens = request.max_output_tokens.min(self.spec.max_output_tokens);
        let (stop, over) = self.new_model_call();
        let deadline = Duration::from_millis(deadline_ms.min(LONGEST_ASIDE_MS));
        let execution = Arc::clone(self);
        tokio::spawn(async move {
            let over = over.drop_guard();
            let mut heard = Heard::default();
            let text = tokio::select! {
                biased;
                () = stop.cancelled() => None,
                () = tokio::time::sleep(deadline) => Some(None),
                text = heard.out(&execution, model, request, turn, purpose) => Some(text),
            };
            // Whoever waits for this may hold what booking needs.
            drop(over);
            if let Err(error) = execution.book_aside(turn, purpose, heard.usage).await {
                tracing::error!(run.id = %execution.run, error = ?error, "a call on the side was not booked");
            }
            if let Some(text) = text {
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

    async fn book_aside(&self, turn: u32, purpose: Purpose, usage: Option<Usage>) -> Result<()> {
        let _one_at_a_time = self.writing.lock().await;
        self.write_aside(turn, purpose, usage).await
    }

    /// Appends what a call on the side used. Whoever calls it holds `writing`.
    pub(super) async fn write_aside(&self, turn: u32, purpose: Purpose, usage: Option<Usage>) -> Result<()> {
        let Some(usage) = usage else { return Ok(()) };
        let mut appending = self.hub().appending().await?;
        appending.book(&self.place(), self.booked(turn, usage, kind_of(purpose))).await?;
        self.hub().commit(appending).await?;
        Ok(())
    }
}

fn kind_of(purpose: Purpose) -> CallKind {
    match purpose {
        Purpose::Summary => CallKind::Summary,
        Purpose::Plan => CallKind::Plan,
    }
}

/// What a call on the side has brought so far: also one that is given up has been used.
#[derive(Default)]
struct Heard {
    usage: Option<Usage>,
}

impl Heard {
    /// The text of the whole reply; `None` if it failed.
    async fn out(
        &mut self,
        execution: &Arc<Execution>,
        model: Model,
        request: ModelRequest,
        turn: u32,
        purpose: Purpose,
    ) -> Option<String> {
        let mut events = execution.call(Slot::Aside, model, &request);
        let mut text = String::new();
        while let Some(event) = events.next().await {
            match event {
                ModelEvent::BlockFinished { block: Block::Text { text: more }, .. } => text.push_str(&more),
                ModelEvent::Usage { usage } => {
                    execution.keep_told(Slot::Aside, turn, usage, kind_of(purpose)).await;
                    self.usage = Some(usage);
                }
                ModelEvent::Stopped { .. } => return Some(text),
                ModelEvent::Failed { .. } => return None,
                ModelEvent::BlockStarted { .. }
                | ModelEvent::Delta { .. }
                | ModelEvent::BlockFinished { .. }
                | ModelEvent::Unknown { .. } => {}
            }
        }
        None
    }
}
