//! What of a conversation is to be remembered, as the address names it.

use super::api::read_said;
use crate::AppError;
use leptos_router::params::ParamsMap;
use protocol::AgentId;
use serde::{Deserialize, Serialize};

/// An empty `agent` is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Said {
    agent: String,
    message: Option<u64>,
    run: String,
}

impl Said {
    pub(super) fn of(query: &ParamsMap) -> Self {
        Self {
            agent: query.get("agent").unwrap_or_default(),
            message: query.get_str("message").and_then(|message| message.parse().ok()),
            run: query.get("run").unwrap_or_default(),
        }
    }

    pub(super) async fn text(self) -> Result<String, AppError> {
        match self.agent.is_empty() {
            true => Ok(String::new()),
            false => read_said(AgentId(self.agent), self.message, self.run).await,
        }
    }
}
