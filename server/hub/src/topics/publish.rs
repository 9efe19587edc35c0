//! An agent publishes: in one commit what was said is kept, and everyone who hears it has a delegation.

use super::{Topics, check, fulfils, rows};
use crate::error::Result;
use crate::gateway::Caller;
use protocol::{AgentId, UserId};

/// What became of it.
pub(crate) struct Published {
    /// The names of those who are told.
    pub(crate) told: Vec<String>,
}

impl Topics<'_> {
    /// Tells the other agents that hear the topic. A chain that has had its share publishes nothing.
    pub(crate) async fn publish(self, caller: &Caller<'_>, topic: &str, text: &str) -> Result<Published> {
        let (topic, text) = (check::topic(topic)?, check::text(text)?);
        let mut hearing = self.hearing(caller.owner, topic, text).await?;
        hearing.retain(|agent| agent != caller.agent && agent != caller.root);
        let said = format!("[published under the topic {topic}]\n{text}");
        let (mut tx, telling) = self.hub.delegations().telling(caller, &said).await?;
        let mut told = Vec::new();
        for agent in &hearing {
            if let Some(name) = telling.tell(&mut tx, agent).await? {
                told.push(name);
            }
        }
        let from = (Some(caller.agent), caller.spec.name.as_str());
        let count = (telling.is_untrusted(), told.len());
        rows::keep(&mut tx, caller.owner, topic, from, text, count, self.hub.now()).await?;
        tx.commit().await?;
        self.hub.delegations().begin_queued(caller.owner).await?;
        Ok(Published { told })
    }

    /// The agents that hear this, by what was said before it.
    pub(super) async fn hearing(self, owner: &UserId, topic: &str, text: &str) -> Result<Vec<AgentId>> {
        let before = rows::last(self.hub.store().read(), owner, topic).await?;
        let subscribers = rows::subscribers(self.hub.store().read(), owner).await?;
        let hearing = subscribers
            .into_iter()
            .filter(|(of, subscriber)| of == topic && fulfils(subscriber, before.as_ref(), text));
        Ok(hearing.map(|(_, subscriber)| subscriber.agent).collect())
    }
}
