//! The tools with which an agent publishes under topics and hears what others publish.

use super::access::{Resource, ResourceUse};
use super::agents::SPAWN;
use super::schema::{object, text};
use super::{Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub(super) const PUBLISH: Tool = Tool {
    id: ToolId::PublishTopic,
    name: "publish_topic",
    summary: "Tell all agents of yours that hear a topic",
    description: "Publishes a text under a topic: every other agent of your person that subscribed to it is told, in a conversation that it has with you. Nobody answers you; use agent_ask for that. What follows from it counts for the request that you work on, so a chain of agents that publish at each other comes to an end.",
    risk: Risk::Low,
    uses: &[ResourceUse::writes(Resource::Agents).at("topic")],
    per_second: 1,
    schema: publish,
    ..SPAWN
};

pub(super) const SUBSCRIBE: Tool = Tool {
    id: ToolId::SubscribeTopic,
    name: "subscribe_topic",
    summary: "Hear what is published under a topic",
    description: "From now on you are told what other agents and your person publish under the topic. With `when` you are told only what fulfils that condition, written like those of rules about state (state, escalate), about the text, or about what stands in it if it is JSON: `.temperature > 30`, `changed`. A subscription that you have is changed.",
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    uses: &[ResourceUse::writes(Resource::Agents).at("topic")],
    per_second: 1,
    schema: subscribe,
    ..SPAWN
};

pub(super) const UNSUBSCRIBE: Tool = Tool {
    id: ToolId::UnsubscribeTopic,
    name: "unsubscribe_topic",
    summary: "Hear no more of a topic",
    description: "Ends your subscription to the topic: you are told nothing more of it.",
    schema: only_topic,
    ..SUBSCRIBE
};

pub(super) const LIST: Tool = Tool {
    id: ToolId::ListTopics,
    name: "list_topics",
    summary: "See topics, who hears them, and what was said lately",
    description: "Lists the topics of your person's agents, with who hears each of them; with `topic` also what was published under that one lately, the newest first.",
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    uses: &[ResourceUse::reads(Resource::Agents)],
    schema: list,
    ..SPAWN
};

fn publish() -> Value {
    object([("topic", topic()), ("text", text("What you tell them, at most 8 KB."))], &["topic", "text"])
}

fn subscribe() -> Value {
    object([("topic", topic()), ("when", text("A condition. Default: you are told everything."))], &["topic"])
}

fn only_topic() -> Value {
    object([("topic", topic())], &["topic"])
}

fn list() -> Value {
    object([("topic", text("One of them. Default: all, without what was said."))], &[])
}

fn topic() -> Value {
    text("Its name: small letters, digits, and . _ / - between them.")
}
