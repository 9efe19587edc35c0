//! What of a conversation is to be remembered, as the address names it.

use super::api::read_said;
use crate::AppError;
use leptos_router::params::ParamsMap;
use protocol::AgentId;
use serde::{Deserialize, Serialize};

/// An empty `agent` is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Said {
    pub(super) agent: String,
    pub(super) message: Option<u64>,
    pub(super) run: String,
}

/// What the form begins with, and what that is of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Beginning {
    pub(super) text: String,
    pub(super) of: Said,
}

impl Said {
    pub(super) fn of(query: &ParamsMap) -> Self {
        Self {
            agent: query.get("agent").unwrap_or_default(),
            message: query.get_str("message").and_then(|message| message.parse().ok()),
            run: query.get("run").unwrap_or_default(),
        }
    }

    pub(super) async fn read(self) -> Result<Beginning, AppError> {
        if self.agent.is_empty() {
            return Ok(Beginning::default());
        }
        let text = read_said(AgentId(self.agent.clone()), self.message, self.run.clone()).await?;
        Ok(Beginning { text, of: self })
    }
}
