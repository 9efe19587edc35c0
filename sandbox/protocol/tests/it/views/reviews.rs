//! What waits for a person to look at it.

use crate::golden::{Section, section};
use protocol::view::{McpServerReview, ProposedSkill, Reviews};

pub fn sections() -> Vec<Section> {
    let reviews = Reviews {
        memories: 2,
        disagreeing: 1,
        skills: vec![ProposedSkill { id: "skill-1".into(), name: "moss".to_owned() }],
        mcp_servers: vec![McpServerReview {
            id: "server-1".into(),
            name: "garden".to_owned(),
            tools_changed: 1,
            tools_new: 1,
            is_signed_out: true,
        }],
    };
    vec![section("Reviews", &[reviews])]
}
