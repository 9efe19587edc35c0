//! The server functions of approvals. Forms without script come back to the page they are on.

use crate::AppError;
use crate::transport::{Posted, Queried};
use leptos::prelude::*;
use protocol::ApprovalId;
use protocol::approval::{ApprovalView, Decision};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Everything that waits for the person, the oldest first.
#[server(prefix = "/api", endpoint = "approvals/list", protocol = Queried)]
pub async fn list_approvals() -> Result<Vec<ApprovalView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).approvals().list().await?)
}

/// Answers what was shown, which `hash` stands for. `word` is for the agent, or empty; `times` is for how many
/// calls like it an answer holds that lasts, 0 for any number.
#[server(prefix = "/api", endpoint = "approvals/answer", protocol = Posted)]
pub async fn answer_approval(
    id: ApprovalId,
    hash: String,
    decision: Decision,
    #[server(default)] word: String,
    #[server(default)] times: u32,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).approvals().answer_for(&id, &hash, decision, &word, times).await?)
}
