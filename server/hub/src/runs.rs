//! Runs: one at a time for each agent, under a lease. What starts them, who drives them, and how
//! they end, whoever drives.

mod after_run;
mod ambient;
mod answering;
mod asides;
mod beginning;
mod cause;
mod context;
mod definition;
mod device_key;
mod device_waits;
mod devices_told;
mod driver;
mod ending;
mod execution;
mod final_answer;
mod from_below;
mod hand_over;
mod inputs;
mod keeper;
mod lease;
mod lease_holder;
mod left_calls;
mod left_in_order;
mod metered_call;
mod model_call;
mod moving;
mod offer;
mod once;
mod page_emits;
mod page_errors;
mod page_events;
mod parked;
mod pausing;
mod recovery;
mod reported_events;
mod rule_wakes;
mod slots;
mod snapshot_cache;
mod start;
mod start_commit;
mod steering;
mod streamed;
mod tab_driver;
mod taken_up;
mod transcript;
mod unread;
mod vouched;
mod without_a_page;

use crate::access::Scoped;
pub(crate) use answering::Model;
pub(crate) use definition::Definition;
pub(crate) use device_waits::Offered;
pub(crate) use execution::{Execution, refusal};
pub(crate) use final_answer::in_words;
pub(crate) use from_below::FromBelow;
pub use inputs::Outgoing;
pub(crate) use inputs::{ProgramPlace, check_message};
pub(crate) use left_calls::OUTCOME_UNKNOWN;
pub use once::LONGEST_WAIT;
pub(crate) use start::MessageRun;
pub(crate) use unread::UnreadMessages;

use crate::Hub;
use crate::error::Result;
use crate::live::TabKey;
use ambient::Ambient;
use beginning::RunOwner;
use keeper::Keeper;
use protocol::log::Outcome;
use protocol::run::RunReply;
use protocol::{AgentId, ConversationId, RunId, ScheduleId, TokenId};
use rule_wakes::RuleWakes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use steering::Waiting;
use tokio::sync::Notify;

/// The runs of the viewer's agents.
#[derive(Clone, Copy, Debug)]
pub struct OwnRuns<'a> {
    scoped: Scoped<'a>,
    /// Absent: the one of the agent that was used last.
    conversation: Option<&'a ConversationId>,
    /// Empty: the one that the conversation is held with.
    model: &'a str,
}

impl<'a> Scoped<'a> {
    pub fn runs(&self) -> OwnRuns<'a> {
        OwnRuns { scoped: *self, conversation: None, model: "" }
    }
}

impl<'a> OwnRuns<'a> {
    /// What is said and tried again is in this conversation, or without one in that which was used last.
    pub fn of_conversation(self, conversation: Option<&'a ConversationId>) -> Self {
        Self { conversation, ..self }
    }

    /// What is said is answered by this model, one of the agent's provider, and what is said next by the usual one.
    pub fn answered_by(self, model: &'a str) -> Self {
        Self { model, ..self }
    }
}

/// The runs of all agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn runs(&self) -> Runs<'_> {
        Runs { hub: self }
    }

    fn active_runs(&self) -> &ActiveRuns {
        &self.0.runs
    }
}

/// How long a driver has to end its run after Stop before the hub ends it.
const STOP_GRACE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(crate) struct ActiveRuns {
    held: Mutex<HashMap<AgentId, RunOwner>>,
    keeper: Keeper,
    waiting: Mutex<HashMap<AgentId, Waiting>>,
    ambient: Ambient,
    rule_wakes: RuleWakes,
    recent: snapshot_cache::SnapshotCache,
    /// Some run began.
    begun: Notify,
}

impl ActiveRuns {
    fn active(&self, agent: &AgentId) -> Option<Arc<Execution>> {
        self.lock().get(agent).and_then(RunOwner::execution).cloned()
    }

    fn is_active(&self, agent: &AgentId) -> bool {
        self.active(agent).is_some()
    }

    /// The run with this id, if this token is its lease.
    fn leased(&self, run: &RunId, token: &str) -> Option<Arc<Execution>> {
        self.all().into_iter().find(|execution| execution.run == *run && execution.is_driven_with(token))
    }

    fn owned_by(&self, tab: TabKey) -> Vec<Arc<Execution>> {
        let mut all = self.all();
        all.retain(|execution| execution.holder().socket() == Some(tab));
        all
    }

    fn all(&self) -> Vec<Arc<Execution>> {
        self.lock().values().filter_map(RunOwner::execution).cloned().collect()
    }

    fn insert(&self, execution: Arc<Execution>) {
        self.lock().insert(execution.agent.clone(), RunOwner::Begun(execution));
        self.begun.notify_waiters();
    }

    fn remove(&self, agent: &AgentId) {
        self.lock().remove(agent);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentId, RunOwner>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<AgentId, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Execution {
    /// Returns when it has ended. Fails if that cannot be written down now; then somebody tries again.
    async fn stop(&self) -> Result<()> {
        self.give_up();
        self.reply(RunReply::Stop);
        match tokio::time::timeout(STOP_GRACE, self.ended()).await {
            Ok(()) => Ok(()),
            Err(_) => self.end_by_force(Outcome::Stopped).await,
        }
    }
}

impl Runs<'_> {
    /// The conversation in which the agent is at work.
    pub(crate) fn conversation_at_work(self, agent: &AgentId) -> Option<ConversationId> {
        self.hub.active_runs().active(agent).map(|execution| execution.conversation().clone())
    }

    /// How many this process looks after.
    pub(crate) fn count(self) -> u64 {
        self.hub.active_runs().all().len() as u64
    }

    pub(crate) fn is_active(self, agent: &AgentId) -> bool {
        self.hub.active_runs().is_active(agent)
    }

    /// Those that end with this process: who waits for a person or a browser waits on when the hub is back.
    pub(crate) async fn under_way(self) -> Vec<Arc<Execution>> {
        let mut under_way = Vec::new();
        for run in self.hub.active_runs().all() {
            let has_driver = !run.holder().is_empty();
            if has_driver && !run.waits_for_a_person().await {
                under_way.push(run);
            }
        }
        under_way
    }

    /// Stops the agent's run, if there is one or one is about to begin, and returns when it has ended.
    pub(crate) async fn stop(self, agent: &AgentId) -> Result<()> {
        if let Some(over) = self.hub.active_runs().beginning(agent) {
            over.cancelled().await;
        }
        match self.hub.active_runs().active(agent) {
            Some(execution) => execution.stop().await,
            None => self.end_lost_run_of(agent).await.map(|_| ()),
        }
    }

    /// Stops this very run, if it still goes on.
    pub(crate) async fn stop_only(self, agent: &AgentId, run: &RunId) -> Result<()> {
        match self.hub.active_runs().active(agent).filter(|execution| execution.run == *run) {
            Some(execution) => execution.stop().await,
            None => Ok(()),
        }
    }

    /// Ready when this run has ended here, or is not driven here.
    pub(crate) async fn ended(self, agent: &AgentId, run: &RunId) {
        if let Some(execution) = self.hub.active_runs().active(agent).filter(|active| active.run == *run) {
            execution.ended().await;
        }
    }

    /// Stops what the program with this token had asked for, or by this share agents of others.
    pub(crate) async fn stop_for_token(self, token: &TokenId) -> Result<()> {
        for execution in self.hub.active_runs().all() {
            if execution.asked_by.as_ref() == Some(token) {
                execution.stop().await?;
            }
        }
        self.hub.delegations().end_of_share(token).await
    }

    /// Ends what this schedule began.
    pub(crate) async fn stop_of_person(self, schedule: &ScheduleId) -> Result<()> {
        for execution in self.hub.active_runs().all() {
            if execution.scheduled_by.as_ref() == Some(schedule) {
                execution.stop().await?;
            }
        }
        Ok(())
    }

    /// Lets go of every run of this process, so that it can stop. They go on in the next one.
    pub(crate) async fn leave_all(self) {
        for execution in self.hub.active_runs().all() {
            if execution.waits_for_a_person().await {
                execution.abandon();
                continue;
            }
            let left = match execution.is_finishing() {
                true => execution.end_now().await,
                false => execution.leave_to_next_process().await,
            };
            if let Err(error) = left {
                let failure = error.into_failure();
                tracing::warn!(run.id = %execution.run, "run {} was not left in order: {failure}", execution.run);
                execution.give_up();
                execution.abandon();
            }
        }
    }
}
