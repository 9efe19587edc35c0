//! What waits for a person to look at it, gathered from the nouns that have some. No agent is held up by it.

use crate::access::Scoped;
use crate::error::Result;
use protocol::view::{
    McpConnection, McpLent, McpServerReview, McpServerView, ProposedSkill, Reviews, SkillView,
};

/// What waits for the viewer's word.
#[derive(Clone, Copy, Debug)]
pub struct OwnReviews<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn reviews(&self) -> OwnReviews<'a> {
        OwnReviews { scoped: *self }
    }
}

impl OwnReviews<'_> {
    pub async fn list(self) -> Result<Reviews> {
        let (memories, disagreeing) = self.scoped.memories().unsettled().await?;
        let skills = self.scoped.skills().proposed().await?;
        let servers = self.scoped.mcp_servers().list().await?;
        Ok(Reviews {
            memories,
            disagreeing,
            skills: skills.into_iter().map(|SkillView { id, name, .. }| ProposedSkill { id, name }).collect(),
            mcp_servers: servers.into_iter().filter_map(of_server).collect(),
        })
    }
}

/// `None`: nothing waits, or nothing that the person could do would help.
fn of_server(server: McpServerView) -> Option<McpServerReview> {
    let McpServerView { id, name, tools_changed, tools_new, connection, looked_at, lent, .. } = server;
    let is_signed_out = match connection {
        McpConnection::Over { .. } => true,
        // What was sent along was good enough for it before.
        McpConnection::Wanted => looked_at.is_some(),
        McpConnection::None | McpConnection::Connected { .. } => false,
    };
    let waits = (tools_changed + tools_new > 0 || is_signed_out) && lent != Some(McpLent::Over);
    waits.then_some(McpServerReview { id, name, tools_changed, tools_new, is_signed_out })
}
