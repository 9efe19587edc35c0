//! The server functions of topics.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::view::TopicView;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// By name, with who hears each of them and what was published lately.
#[server(prefix = "/api", endpoint = "topics/list", protocol = Queried)]
pub async fn list_topics() -> Result<Vec<TopicView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).topics().list().await?)
}

/// Says it to every agent that hears the topic, as their person. How many did?
#[server(prefix = "/api", endpoint = "topics/publish", protocol = Posted)]
pub async fn publish_topic(topic: String, text: String) -> Result<u32, AppError> {
    let viewer = viewer()?;
    let heard = hub().for_viewer(&viewer).topics().publish(&topic, &text).await?;
    crate::context::redirect("/topics?done=published");
    Ok(heard)
}

/// Lets the agent hear the topic; with a condition only what fulfils it.
#[server(prefix = "/api", endpoint = "topics/subscribe", protocol = Posted)]
pub async fn subscribe_topic(
    agent: AgentId,
    topic: String,
    #[server(default)] condition: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).topics().subscribe(&agent, &topic, &condition).await?;
    crate::context::redirect("/topics");
    Ok(())
}

/// Ends a subscription.
#[server(prefix = "/api", endpoint = "topics/unsubscribe", protocol = Posted)]
pub async fn unsubscribe_topic(agent: AgentId, topic: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).topics().unsubscribe(&agent, &topic).await?;
    crate::context::redirect("/topics");
    Ok(())
}
