//! The server functions of approvals. Forms without script come back to the page they are on.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::ApprovalId;
use protocol::approval::{ApprovalView, Decision};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Everything that waits for the person, the oldest first.
#[server(prefix = "/api", endpoint = "approvals/list", input = GetUrl)]
pub async fn list_approvals() -> Result<Vec<ApprovalView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).approvals().await?)
}

/// Answers what was shown, which `hash` stands for. `word` is for the agent, or empty; `times` is for how many
/// calls like it an answer holds that lasts, 0 for any number.
#[server(prefix = "/api", endpoint = "approvals/answer", input = PostUrl)]
pub async fn answer_approval(
    id: ApprovalId,
    hash: String,
    decision: Decision,
    #[server(default)] word: String,
    #[server(default)] times: u32,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).answer_approval_for(&id, &hash, decision, &word, times).await?)
}
