//! The server function of the side bar.

use crate::AppError;
use crate::prelude::*;
use crate::transport::Queried;
use protocol::view::SideBar;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::view::{AgentCard, ConversationView, Me, SideAgent, SideConversation};

/// Conversations of an agent.
#[cfg(feature = "ssr")]
const MAX_CONVERSATIONS: usize = 5;

/// The way to all agents of the viewer, and to what they said last.
#[server(name = GetSideBar, prefix = "/api", endpoint = "account/side_bar", protocol = Queried)]
pub async fn side_bar() -> Result<SideBar, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let scoped = hub.for_viewer(&viewer);
    let unread = scoped.notifications().unread().await?;
    let recent = scoped.conversations().recent().await?;
    let agents = scoped.agents().list().await?.into_iter().map(|card| beside(card, &recent)).collect();
    Ok(SideBar { me: Me { unread: Some(unread), ..viewer.me }, agents })
}

#[cfg(feature = "ssr")]
fn beside(card: AgentCard, recent: &[ConversationView]) -> SideAgent {
    let AgentCard { id, name, colour, status, paused, unread, seq, .. } = card;
    let conversations = recent
        .iter()
        .filter(|conversation| conversation.agent == id && !conversation.title.is_empty())
        .take(MAX_CONVERSATIONS)
        .map(|ConversationView { id, title, unread, .. }| SideConversation {
            id: id.clone(),
            title: title.clone(),
            unread: *unread,
        })
        .collect();
    SideAgent { id, name, colour, status, paused, unread, conversations, seq }
}
