//! Performs the effects of one run, for whichever driver holds its lease, and trusts neither.

use super::answering::{Answering, Model};
use super::definition::Definition;
use super::device_key::WantedKey;
use super::device_waits::DeviceWaits;
use super::hand_over::Destination;
use super::lease_holder::LeaseHolder;
use super::slots::Slots;
use super::streamed::Streamed;
use crate::error::{Error, Result};
use crate::ledger::Slot;
use crate::live::TabKey;
use crate::log::{Appending, EntryScope};
use crate::{Hub, gateway};
use protocol::agent::Home;
use protocol::log::{EntryBody, Outcome};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ToolCall, ToolResult};
use protocol::run::{Effect, RunReply, RunSpec};
use protocol::view::CallKind;
use protocol::{AgentId, CallId, ConversationId, PipelineId, RunId, ScheduleId, TokenId, UserId};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span, info_span};

/// Model events that may be on their way to a browser without its having said that it keeps up.
pub(super) const CREDIT: usize = 64;

/// Characters of a driver's own words about how its run ended.
const LONGEST_CLAIM: usize = 300;

pub(crate) struct Execution {
    pub(super) hub: Hub,
    pub(crate) agent: AgentId,
    pub(crate) owner: UserId,
    pub(crate) root: AgentId,
    pub(super) conversation: ConversationId,
    pub(crate) run: RunId,
    pub(crate) spec: RunSpec,
    /// The token of the program that it answers.
    pub(super) asked_by: Option<TokenId>,
    /// The schedule whose words it answers.
    pub(super) scheduled_by: Option<ScheduleId>,
    /// The pipeline under whose budget it spends.
    pub(super) pipeline: Option<PipelineId>,
    pub(super) answering: Answering,
    /// How long at home in a browser it may be without one before the hub goes on with it.
    pub(super) hub_after_ms: Option<i64>,
    /// What was said of the key that the run waits for.
    pub(super) wanted_key: Mutex<WantedKey>,
    pub(super) holder: Mutex<LeaseHolder>,
    /// Where the run goes before its next model call.
    pub(super) bound_for: Mutex<Option<Destination>>,
    pub(super) credit: Semaphore,
    pub(super) streamed: Mutex<Streamed>,
    /// Pauses, looks and calls on the side so far.
    pub(super) extras: AtomicU32,
    /// Bytes of the loop's own entries so far.
    pub(super) own_words: AtomicUsize,
    pub(super) slots: Slots,
    pub(super) device_waits: DeviceWaits,
    /// Ends the tool calls in flight.
    pub(super) tools: Mutex<CancellationToken>,
    /// Those calls, by turn.
    pub(super) under_way: Mutex<HashSet<(u32, CallId)>>,
    /// How it ends, as soon as that is clear. It may not be written down yet.
    pub(super) outcome: OnceLock<Outcome>,
    pub(super) ended: CancellationToken,
    /// What the run does is within it, whoever drives.
    pub(super) span: Span,
    /// That of the turn under way.
    pub(super) turn_span: Mutex<Span>,
    /// Its end is a pause, and not its person's word about this run.
    pub(super) is_paused: AtomicBool,
    /// The process ends, and the run waits on for a person.
    abandoned: CancellationToken,
    /// Effects of one run, its end and its moves happen one after the other.
    pub(super) writing: tokio::sync::Mutex<()>,
}

impl Execution {
    pub(super) fn new(
        hub: &Hub,
        agent: &AgentId,
        definition: Definition,
        run: &RunId,
        holder: LeaseHolder,
    ) -> Arc<Self> {
        let span = info_span!("run", run.id = %run, agent.id = %agent);
        let own = Model { provider: definition.provider, name: definition.spec.model.clone() };
        Arc::new(Self {
            hub: hub.clone(),
            agent: agent.clone(),
            owner: definition.owner,
            root: definition.root,
            conversation: definition.conversation,
            run: run.clone(),
            spec: definition.spec,
            asked_by: definition.asked_by,
            scheduled_by: definition.scheduled_by,
            pipeline: definition.pipeline,
            answering: Answering::new(own, definition.reserve),
            hub_after_ms: definition.hub_after_ms,
            wanted_key: Mutex::default(),
            holder: Mutex::new(holder),
            bound_for: Mutex::default(),
            credit: Semaphore::new(CREDIT),
            streamed: Mutex::new(Streamed::default()),
            extras: AtomicU32::new(0),
            own_words: AtomicUsize::new(0),
            slots: Slots::empty(),
            device_waits: DeviceWaits::default(),
            tools: Mutex::new(CancellationToken::new()),
            under_way: Mutex::default(),
            outcome: OnceLock::new(),
            ended: CancellationToken::new(),
            turn_span: Mutex::new(span.clone()),
            span,
            is_paused: AtomicBool::new(false),
            abandoned: CancellationToken::new(),
            writing: tokio::sync::Mutex::default(),
        })
    }

    pub(crate) fn place(&self) -> EntryScope {
        EntryScope {
            agent: self.agent.clone(),
            conversation: Some(self.conversation.clone()),
            run: Some(self.run.clone()),
        }
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.hub
    }

    pub(crate) fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    pub(crate) fn home(&self) -> Home {
        self.holder().home()
    }

    /// The tab that drives, if one does and is there.
    pub(crate) fn driving_tab(&self) -> Option<TabKey> {
        self.holder().socket()
    }

    pub(super) fn holder(&self) -> MutexGuard<'_, LeaseHolder> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this token is the lease of a run that goes on.
    pub(super) fn is_driven_with(&self, token: &str) -> bool {
        !self.is_finishing() && self.holder().token == token
    }

    /// Nothing more is done for it, though its end may have to be written yet.
    pub(super) fn is_finishing(&self) -> bool {
        self.outcome.get().is_some()
    }

    pub(super) fn require_driven_with(&self, token: &str) -> Result<()> {
        if self.is_driven_with(token) {
            return Ok(());
        }
        Err(Error::Conflict("This run has another driver now.".to_owned()))
    }

    /// Fails if the run is over. Call it after the append, like the check of the lease.
    pub(crate) async fn require_running(&self, appending: &mut Appending) -> Result<()> {
        appending.require_running(&self.run).await
    }

    /// Performs one effect for whoever has the lease. What comes of model and tool calls arrives as
    /// replies.
    pub(crate) async fn perform(self: &Arc<Self>, token: &str, effect: Effect) -> Result<()> {
        self.perform_one(token, effect).instrument(self.span.clone()).await
    }

    /// What cannot be written because the database is away is written when it is back: the driver knows what the log
    /// does not have yet, and what comes after it waits.
    async fn perform_one(self: &Arc<Self>, token: &str, effect: Effect) -> Result<()> {
        let _one_at_a_time = self.writing.lock().await;
        let mut patience = self.hub.tasks().patience();
        loop {
            let done = self.try_effect(token, effect.clone()).await;
            let Err(error) = &done else { return done };
            if self.is_finishing() || !patience.outlasts(error).await {
                return done;
            }
        }
    }

    async fn try_effect(self: &Arc<Self>, token: &str, effect: Effect) -> Result<()> {
        self.require_driven_with(token)?;
        if matches!(effect, Effect::CallModel { .. })
            && (self.ends_for_a_pause().await? || self.move_on().await)
        {
            return Ok(());
        }
        match effect {
            Effect::CallModel { turn, request } => self.call_model(turn, request).await,
            Effect::AbortModel => {
                self.slots.end().await;
                self.close_told();
                self.book_usage().await
            }
            Effect::RunTools { turn, calls } => self.run_tools(turn, calls),
            Effect::Prefetch { turn, calls, deadline_ms } => self.prefetch(turn, calls, deadline_ms),
            Effect::AbortTools => {
                self.abort_tools();
                Ok(())
            }
            Effect::Arm { timer, least_ms, most_ms } => self.arm(timer, least_ms, most_ms),
            Effect::Aside { turn, purpose, request, deadline_ms } => {
                self.ask_aside(turn, purpose, request, deadline_ms).await
            }
            Effect::Append { ordinal, body } => self.append(token, ordinal, body).await,
            Effect::Finish { ordinal: _, outcome } => self.finish(outcome).await,
        }
    }

    /// Starts a task of the run's. The hub lets it come to its end, unless the run waits for a person then.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let abandoned = self.abandoned.clone();
        let unless_abandoned = async move {
            tokio::select! {
                biased;
                () = abandoned.cancelled() => {}
                () = task => {}
            }
        };
        self.hub.tasks().spawn(unless_abandoned.instrument(self.span.clone()));
    }

    /// The same for what belongs to the turn under way.
    pub(super) fn spawn_in_turn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let span = self.turn_span.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.spawn(task.instrument(span));
    }

    /// Drops the tasks of a run that goes on in the next process.
    pub(super) fn abandon(&self) {
        self.abandoned.cancel();
    }

    /// Aborts everything in flight at once.
    pub(crate) fn give_up(&self) {
        self.slots.give_up();
        self.abort_tools();
    }

    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    pub(crate) fn reply(&self, reply: RunReply) {
        self.holder().reply(&self.run, reply);
    }

    /// A browser's driver keeps up: it may be sent `count` more model events.
    pub(crate) fn add_credit(&self, count: u32) {
        let room = CREDIT.saturating_sub(self.credit.available_permits());
        self.credit.add_permits(room.min(usize::try_from(count).unwrap_or(room)));
    }

    /// As many model events may be on their way as at the beginning.
    pub(super) fn renew_credit(&self) {
        self.credit.forget_permits(CREDIT);
        self.credit.add_permits(CREDIT - self.credit.available_permits());
    }

    fn abort_tools(&self) {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }

    pub(super) fn streamed(&self) -> MutexGuard<'_, Streamed> {
        self.streamed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_tools(self: &Arc<Self>, turn: u32, calls: Vec<ToolCall>) -> Result<()> {
        if let Some(call) = calls.iter().find(|call| !self.streamed().asked_for(turn, call)) {
            return Err(Error::Invalid(format!("The model did not ask for the call {}.", call.id)));
        }
        let stop = CancellationToken::new();
        *self.tools.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        let execution = Arc::clone(self);
        // A call that a former driver asked for is answered to whoever drives when it is done.
        let begins = |call: &ToolCall| self.under_way().insert((turn, call.id.clone()));
        let calls: Vec<ToolCall> = calls.into_iter().filter(begins).collect();
        self.spawn_in_turn(async move {
            let caller = gateway::Caller::model(&execution, turn);
            let one = async |call: &ToolCall| {
                let gateway::GatewayResult { result, denied } = gateway::call(&caller, call, &stop).await;
                execution.under_way().remove(&(turn, call.id.clone()));
                execution.reply(RunReply::Tool { turn, result, denied });
            };
            futures_util::future::join_all(calls.iter().map(one)).await;
        });
        Ok(())
    }

    fn under_way(&self) -> MutexGuard<'_, HashSet<(u32, CallId)>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn append(&self, token: &str, ordinal: u32, body: EntryBody) -> Result<()> {
        self.require_vouched(&body)?;
        let steered = match &body {
            EntryBody::Steered { seq, .. } => Some(*seq),
            _ => None,
        };
        let mut appending = self.hub.log().appending().await?;
        if appending.seq_of(&self.run, ordinal).await?.is_some() {
            return Ok(());
        }
        appending.require_next(&self.run, ordinal).await?;
        let place = self.place();
        let turn_over = matches!(body, EntryBody::TurnFinished { .. });
        appending.append_numbered(&place, Some(ordinal), body).await?;
        appending.require_lease(&self.run, token).await?;
        if turn_over {
            self.book(&mut appending, Slot::Turn, CallKind::Reply).await?;
        }
        self.hub.log().commit(appending).await?;
        if let Some(seq) = steered {
            self.hub.runs().message_was_read(&self.agent, seq);
        }
        Ok(())
    }
}

/// A failure that the hub itself found.
pub(super) fn failed(kind: ModelFailureKind, message: &str) -> ModelEvent {
    ModelEvent::Failed { failure: ModelFailure { kind, message: message.to_owned(), retry_after_ms: None } }
}

impl std::fmt::Debug for Execution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Execution").field("run", &self.run).finish_non_exhaustive()
    }
}

pub(super) fn cut(words: &str) -> String {
    words.chars().take(LONGEST_CLAIM).collect()
}

/// The answer to a call that was not performed.
pub(crate) fn refusal(call: &ToolCall, why: &str) -> ToolResult {
    ToolResult {
        call: call.id.clone(),
        name: call.name.clone(),
        content: why.to_owned(),
        media: Vec::new(),
        is_error: true,
    }
}
