//! What lower wings ask of runs, which they do not know: a trait, and whoever opens the hub gives it.

use crate::Hub;
use crate::error::Result;
use crate::live::{TabKey, TabLink};
use futures_util::future::BoxFuture;
use protocol::{AgentId, ConversationId, DelegationId, TokenId, UserId};

impl Hub {
    pub(crate) fn running(&self) -> &dyn Running {
        self.0.running.as_ref()
    }
}

pub(crate) trait Running: Send + Sync {
    /// A tab closed, or lost its connection.
    fn tab_gone(&self, hub: &Hub, tab: &TabLink);

    /// Stops the agent's run, if there is one or one is about to begin. Ready when it has ended.
    fn stop<'a>(&'a self, hub: &'a Hub, agent: &'a AgentId) -> BoxFuture<'a, Result<()>>;

    /// Stops what runs of this conversation, which is about to be deleted, left at work.
    fn stop_left_in<'a>(
        &'a self,
        hub: &'a Hub,
        conversation: &'a ConversationId,
    ) -> BoxFuture<'a, Result<()>>;

    /// Stops what the program with this token had asked for.
    fn stop_for_token<'a>(&'a self, hub: &'a Hub, token: &'a TokenId) -> BoxFuture<'a, Result<()>>;

    /// What agents of others asked ended in a commit that no run made: they hear of it.
    fn shared_tasks_ended<'a>(&'a self, hub: &'a Hub, ended: &'a [DelegationId])
    -> BoxFuture<'a, Result<()>>;

    /// Agents of these people may do what nobody waits for any more: that stops.
    fn stop_unwanted_runs<'a>(&'a self, hub: &'a Hub, people: &'a [UserId]) -> BoxFuture<'a, Result<()>>;

    /// This person is about to be deleted: what agents at other hubs do for theirs is cancelled there.
    fn give_up_elsewhere<'a>(&'a self, hub: &'a Hub, person: &'a UserId) -> BoxFuture<'a, Result<()>>;

    /// Nothing is in the way of a stopped agent any more.
    fn resume_stopped_agent<'a>(
        &'a self,
        hub: &'a Hub,
        agent: &'a AgentId,
        tab: Option<TabKey>,
    ) -> BoxFuture<'a, Result<()>>;

    /// A price was entered, by this person or for everybody: pipelines that waited for one go on.
    fn begin_unpriced_pipelines<'a>(
        &'a self,
        hub: &'a Hub,
        person: Option<&'a UserId>,
    ) -> BoxFuture<'a, Result<()>>;

    /// A rule about the agent's state came true.
    fn wake_for_rule<'a>(
        &'a self,
        hub: &'a Hub,
        agent: &'a AgentId,
        key: String,
        text: String,
    ) -> BoxFuture<'a, Result<()>>;

    /// This key of the storage of an agent's page was written.
    fn wrote_storage(&self, hub: &Hub, agent: &AgentId, key: &str);

    /// When the agent is to think by itself may have changed.
    fn arm_ambient_run<'a>(&'a self, hub: &'a Hub, agent: &'a AgentId) -> BoxFuture<'a, Result<()>>;
}
