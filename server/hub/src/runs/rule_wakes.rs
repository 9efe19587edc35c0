//! Waking an agent for a rule that came true: not so often that it can keep itself going.

use super::page_events::PageEvent;
use crate::clock::Moment;
use crate::error::{Error, Result};
use crate::runs::Runs;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::AgentId;
use protocol::log::Sender;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Times that rules wake an agent within a minute. What comes more often is in the state all the same.
const PER_MINUTE: usize = 6;
const MINUTE_MS: i64 = 60_000;

/// When rules woke each agent.
#[derive(Default)]
pub(super) struct RuleWakes(Mutex<HashMap<AgentId, Vec<Moment>>>);

impl RuleWakes {
    fn allow(&self, agent: &AgentId, now: Moment) -> bool {
        let mut agents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        agents.retain(|_, wakes| {
            wakes.retain(|at| now.ms_since(*at) < MINUTE_MS);
            !wakes.is_empty()
        });
        let wakes = agents.entry(agent.clone()).or_default();
        let is_allowed = wakes.len() < PER_MINUTE;
        if is_allowed {
            wakes.push(now);
        }
        is_allowed
    }
}

impl<'a> Runs<'a> {
    /// Boxed, because the run that it starts may write state in its turn.
    pub(crate) fn wake_for_rule(
        self,
        agent: &'a AgentId,
        key: String,
        text: String,
    ) -> BoxFuture<'a, Result<()>> {
        async move {
            if !self.hub.active_runs().rule_wakes.allow(agent, self.hub.moment()) {
                tracing::debug!(agent.id = %agent, "rules of agent {agent} come true too often");
                return Ok(());
            }
            let event = PageEvent { tab: None, sender: Sender::Rule { key }, text, ask: None };
            match self.take_event(agent, event).await {
                // Whoever wrote the value did nothing wrong.
                Err(Error::Limit(_)) => Ok(()),
                outcome => outcome,
            }
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_times_a_minute_and_each_agent_for_itself() {
        let wakes = RuleWakes::default();
        let (one, other) = (AgentId::from("one"), AgentId::from("other"));
        let allowed = (0..10).filter(|n| wakes.allow(&one, Moment(n * 1000))).count();
        assert_eq!(allowed, 6);
        assert!(wakes.allow(&other, Moment(9000)));
        assert!(!wakes.allow(&one, Moment(59_999)));
        assert!(wakes.allow(&one, Moment(60_000)));
    }
}
