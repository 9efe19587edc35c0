//! Topics: what agents of one person publish, and which of them hear it. A subscriber is told by a delegation, under
//! the chain of the run that published, so that the limits of chains hold for whatever follows.

mod check;
mod publish;
mod rows;

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use protocol::view::{TopicMessage, TopicSubscriber, TopicView};
use protocol::{AgentId, UserId};

/// The topics of the viewer's agents.
#[derive(Clone, Copy, Debug)]
pub struct OwnTopics<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn topics(&self) -> OwnTopics<'a> {
        OwnTopics { scoped: *self }
    }
}

/// The topics of all agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Topics<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn topics(&self) -> Topics<'_> {
        Topics { hub: self }
    }
}

/// Subscriptions of a person's agents, and agents that hear one topic.
const MAX_SUBSCRIPTIONS: i64 = 200;
const MAX_SUBSCRIBERS: i64 = 20;
/// What was said lately: of a topic, and of all of a person's.
const RING: i64 = 50;
const RINGS: i64 = 500;

impl OwnTopics<'_> {
    /// By name, with what was published lately.
    pub async fn list(self) -> Result<Vec<TopicView>> {
        self.scoped.hub.topics().list(&self.scoped.viewer.me.id).await
    }

    /// Says it to every agent that hears the topic, as their person. How many did?
    pub async fn publish(self, topic: &str, text: &str) -> Result<u32> {
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let (topic, text) = (check::topic(topic)?, check::text(text)?);
        let hearing = hub.topics().hearing(owner, topic, text).await?;
        if hearing.is_empty() {
            return Err(Error::invalid(format!("No agent of yours hears {topic} now. Subscribe one first.")));
        }
        let mut tx = hub.store().write().await?;
        let name = self.scoped.viewer.me.name.as_str();
        rows::keep(&mut tx, owner, topic, (None, name), text, (false, hearing.len()), hub.now()).await?;
        tx.commit().await?;
        let mut heard = 0;
        for agent in hearing {
            let said = format!("[published under the topic {topic}]\n{text}");
            match self.scoped.runs().send_message(&agent, &said, None, None).await {
                Ok(_) => heard += 1,
                // One that is paused hears nothing, and keeps nobody else from it.
                Err(Error::Conflict(_) | Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(heard)
    }

    pub async fn subscribe(self, agent: &AgentId, topic: &str, condition: &str) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let condition = Some(condition.trim()).filter(|condition| !condition.is_empty());
        self.scoped.hub.topics().subscribe(&self.scoped.viewer.me.id, agent, topic, condition).await
    }

    pub async fn unsubscribe(self, agent: &AgentId, topic: &str) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        match self.scoped.hub.topics().unsubscribe(&self.scoped.viewer.me.id, agent, topic).await? {
            true => Ok(()),
            false => Err(Error::NotFound("subscription")),
        }
    }
}

impl Topics<'_> {
    pub(crate) async fn list(self, owner: &UserId) -> Result<Vec<TopicView>> {
        let store = self.hub.store().read();
        let mut topics: Vec<TopicView> = Vec::new();
        let of = |topics: &mut Vec<TopicView>, name: String| match topics
            .iter()
            .position(|one| one.name == name)
        {
            Some(at) => at,
            None => {
                topics.push(TopicView { name, subscribers: Vec::new(), messages: Vec::new() });
                topics.len() - 1
            }
        };
        for (topic, subscriber) in rows::subscribers(store, owner).await? {
            let at = of(&mut topics, topic);
            topics[at].subscribers.push(subscriber);
        }
        for (topic, message) in rows::messages(store, owner).await? {
            let at = of(&mut topics, topic);
            topics[at].messages.push(message);
        }
        topics.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(topics)
    }

    /// Changes the subscription that there is.
    pub(crate) async fn subscribe(
        self,
        owner: &UserId,
        agent: &AgentId,
        topic: &str,
        condition: Option<&str>,
    ) -> Result<()> {
        let topic = check::topic(topic)?;
        let condition = condition.map(check::condition).transpose()?;
        let mut tx = self.hub.store().write().await?;
        let (all, of_topic) = rows::counts_beside(&mut tx, owner, topic, agent).await?;
        if all >= MAX_SUBSCRIPTIONS || of_topic >= MAX_SUBSCRIBERS {
            return Err(Error::Limit(format!(
                "At most {MAX_SUBSCRIBERS} agents hear one topic, and {MAX_SUBSCRIPTIONS} subscriptions are kept. End some first."
            )));
        }
        rows::subscribe(&mut tx, owner, topic, agent, condition.as_deref(), self.hub.now()).await?;
        tx.commit().await
    }

    /// Whether there was one.
    pub(crate) async fn unsubscribe(self, owner: &UserId, agent: &AgentId, topic: &str) -> Result<bool> {
        let mut tx = self.hub.store().write().await?;
        let gone = rows::unsubscribe(&mut tx, owner, topic.trim(), agent).await?;
        tx.commit().await?;
        Ok(gone)
    }
}

/// Who is told of something new, by what was said before it.
fn fulfils(subscriber: &TopicSubscriber, before: Option<&TopicMessage>, text: &str) -> bool {
    let Some(condition) = &subscriber.condition else { return true };
    let before = before.map_or(serde_json::Value::Null, |before| check::value(&before.text));
    check::fires(condition, &before, &check::value(text))
}
