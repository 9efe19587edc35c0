//! What a browser tells of a model on its device. It is treated as if the hub had streamed it, and
//! held to the shape of a stream: what viewers see, what the log takes and what tools are called for
//! are the same words. Whether a model ever said them nobody knows, and the run says so.

use super::Execution;
use super::asides::kind_of;
use super::streamed::Streamed;
use crate::error::{Error, Result};
use crate::ledger::{CallPhase, Slot};
use crate::tally::Expected;
use protocol::model::Purpose;
use protocol::model::{Block, BlockKind, ModelEvent, Usage};
use protocol::view::CallKind;
use std::sync::Arc;

/// Longest text of a reply, in bytes.
const MAX_REPLY_BYTES: usize = 4 * 1024 * 1024;
const MOST_BLOCKS: usize = 4096;
/// A call for which no money was held.
const UNKNOWN: Expected = Expected { input: 0, most_input: u64::MAX, most_output: u64::MAX };

impl Execution {
    /// Takes the next event of the reply in `turn`. The first one of a turn begins it.
    pub(super) async fn take_reported_event(
        self: &Arc<Self>,
        token: &str,
        turn: u32,
        mut event: ModelEvent,
    ) -> Result<()> {
        self.require_on_device()?;
        let _one_at_a_time = self.writing.lock().await;
        self.require_driven_with(token)?;
        self.has_key();
        if turn >= agent::most_turns(self.spec.round_limit) {
            return Err(Error::invalid("The run has used up its rounds."));
        }
        if !self.streamed().is_at(turn) {
            if self.move_on().await {
                return Ok(());
            }
            self.begin_told(turn).await?;
            self.had_key();
        }
        if let ModelEvent::Failed { failure } = &mut event {
            failure.message = super::execution::cut(&failure.message);
        }
        self.streamed().admit(&event).map_err(Error::invalid)?;
        let call = self.slots.call(Slot::Turn);
        // A call without a key costs nothing, and counts as far as the browser counts it.
        if !self.is_on_own_device() && !matches!(event, ModelEvent::Failed { .. }) {
            call.tally.sent();
        }
        call.tally.note(&event);
        self.show(turn, &event);
        self.streamed().note(&event);
        match event {
            ModelEvent::Stopped { .. } => self.keep_told(Slot::Turn, &call, CallPhase::Over).await,
            ModelEvent::Failed { .. } => self.book_usage().await?,
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
        Ok(())
    }

    /// The first event of a turn is that of the call for which money was held last, if none was told of it.
    async fn begin_told(&self, turn: u32) -> Result<()> {
        let held = self.slots.call(Slot::Turn);
        if held.tally.is_open() && !held.tally.has_begun() {
            self.slots.name(Slot::Turn, turn, CallKind::Unfinished);
            return self.streamed().begin(turn);
        }
        self.begin_turn(turn).await?;
        self.slots.begin_elsewhere(Slot::Turn, turn, CallKind::Unfinished).tally.begin(UNKNOWN);
        Ok(())
    }

    /// Books a call on the side that the model on the device answered.
    pub(super) async fn aside_told(
        &self,
        token: &str,
        turn: u32,
        purpose: Purpose,
        usage: Option<Usage>,
    ) -> Result<()> {
        self.require_on_device()?;
        let _one_at_a_time = self.writing.lock().await;
        self.require_driven_with(token)?;
        self.count_extra()?;
        if !self.slots.call(Slot::Aside).tally.is_open() {
            self.slots.begin_elsewhere(Slot::Aside, turn, kind_of(purpose)).tally.begin(UNKNOWN);
        }
        self.slots.name(Slot::Aside, turn, kind_of(purpose));
        if let Some(usage) = usage {
            self.slots.call(Slot::Aside).tally.note(&ModelEvent::Usage { usage });
        }
        self.book_usage().await
    }

    /// The driver gave up the call on its device: no more is told of it.
    pub(super) fn close_told(&self) {
        if self.spec.on_device.is_none() {
            return;
        }
        let turn = {
            let mut streamed = self.streamed();
            streamed.is_closed = true;
            streamed.turn
        };
        self.hub().live().void(&self.agent, &self.run, turn);
    }

    fn require_on_device(&self) -> Result<()> {
        if self.spec.on_device.is_some() {
            return Ok(());
        }
        Err(Error::invalid("The hub calls the model of this run and hears itself what it says."))
    }
}

impl Streamed {
    /// Whether this event can come next.
    fn admit(&mut self, event: &ModelEvent) -> std::result::Result<(), &'static str> {
        if self.is_over() {
            return Err("Nothing comes after the end of a reply.");
        }
        match event {
            ModelEvent::BlockStarted { index, .. } => {
                if self.len() >= MOST_BLOCKS || usize::try_from(*index) != Ok(self.len()) {
                    return Err("The blocks of a reply count up from 0.");
                }
            }
            ModelEvent::Delta { index, text } => {
                if self.open(*index).is_none() {
                    return Err("Only a block that has begun can grow.");
                }
                self.told += text.len();
                if self.told > MAX_REPLY_BYTES {
                    return Err("The reply is longer than 4 MB.");
                }
            }
            ModelEvent::BlockFinished { index, block } => {
                let is_same = match (self.open(*index), block) {
                    (Some((BlockKind::Text, said)), Block::Text { text })
                    | (Some((BlockKind::Reasoning, said)), Block::Reasoning { text, .. }) => said == text,
                    (Some((BlockKind::ToolUse { id, name }, _)), Block::ToolUse(call)) => {
                        *id == call.id && *name == call.name
                    }
                    _ => false,
                };
                if !is_same {
                    return Err("A block ends as what it grew to.");
                }
            }
            ModelEvent::Usage { .. }
            | ModelEvent::Stopped { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
        Ok(())
    }
}
