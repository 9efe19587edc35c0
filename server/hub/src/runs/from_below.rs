//! What lower wings ask of runs.

use crate::Hub;
use crate::error::Result;
use crate::live::{TabKey, TabLink};
use crate::running::Running;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::{AgentId, ConversationId, DelegationId, TokenId, UserId};

pub(crate) struct FromBelow;

impl Running for FromBelow {
    fn tab_gone(&self, hub: &Hub, tab: &TabLink) {
        hub.runs().tab_gone(tab);
    }

    fn stop<'a>(&'a self, hub: &'a Hub, agent: &'a AgentId) -> BoxFuture<'a, Result<()>> {
        hub.runs().stop(agent).boxed()
    }

    fn stop_left_in<'a>(
        &'a self,
        hub: &'a Hub,
        conversation: &'a ConversationId,
    ) -> BoxFuture<'a, Result<()>> {
        hub.delegations().stop_left_in(conversation).boxed()
    }

    fn stop_for_token<'a>(&'a self, hub: &'a Hub, token: &'a TokenId) -> BoxFuture<'a, Result<()>> {
        hub.runs().stop_for_token(token).boxed()
    }

    fn shared_tasks_ended<'a>(
        &'a self,
        hub: &'a Hub,
        ended: &'a [DelegationId],
    ) -> BoxFuture<'a, Result<()>> {
        hub.delegations().ended_across_without_run(ended).boxed()
    }

    fn stop_unwanted_runs<'a>(&'a self, hub: &'a Hub, people: &'a [UserId]) -> BoxFuture<'a, Result<()>> {
        hub.delegations().stop_unwanted_of(people).boxed()
    }

    fn give_up_elsewhere<'a>(&'a self, hub: &'a Hub, person: &'a UserId) -> BoxFuture<'a, Result<()>> {
        hub.delegations().give_up_elsewhere(person).boxed()
    }

    fn resume_stopped_agent<'a>(
        &'a self,
        hub: &'a Hub,
        agent: &'a AgentId,
        tab: Option<TabKey>,
    ) -> BoxFuture<'a, Result<()>> {
        async move { hub.runs().continue_last_run(agent, tab).await.map(|_| ()) }.boxed()
    }

    fn begin_unpriced_pipelines<'a>(
        &'a self,
        hub: &'a Hub,
        person: Option<&'a UserId>,
    ) -> BoxFuture<'a, Result<()>> {
        hub.pipelines().begin_unpriced(person).boxed()
    }

    fn wake_for_rule<'a>(
        &'a self,
        hub: &'a Hub,
        agent: &'a AgentId,
        key: String,
        text: String,
    ) -> BoxFuture<'a, Result<()>> {
        hub.runs().wake_for_rule(agent, key, text)
    }

    fn wrote_storage(&self, hub: &Hub, agent: &AgentId, key: &str) {
        hub.gateway().wrote_storage(agent, key);
    }

    fn arm_ambient_run<'a>(&'a self, hub: &'a Hub, agent: &'a AgentId) -> BoxFuture<'a, Result<()>> {
        hub.runs().arm_ambient_run(agent).boxed()
    }
}
