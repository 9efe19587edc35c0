//! The server functions of approvals. Forms without script come back to the page they are on.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::approval::{ApprovalView, Decision};
use protocol::question::FieldDraft;
use protocol::{ApprovalId, AttachmentId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::question::AnswerDraft;

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

/// Answers what an agent asks, which `hash` stands for: with labels of its options, with a `text` (a number or a
/// date where it wants one, or words beside the options), with a file that `POST /attachments` made, with the `fields`
/// of a form by their names, or with `skip`.
#[server(prefix = "/api", endpoint = "approvals/reply", protocol = Posted)]
pub async fn answer_question(
    id: ApprovalId,
    hash: String,
    #[server(default)] chosen: Vec<String>,
    #[server(default)] text: String,
    #[server(default)] files: Vec<AttachmentId>,
    #[server(default)] fields: Vec<FieldDraft>,
    #[server(default)] skip: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let said = AnswerDraft { chosen, text, files, fields, skip };
    Ok(hub().for_viewer(&viewer).approvals().reply(&id, &hash, said).await?)
}

/// Answers from where a notification is shown, by the secret that came with it: allows the call once, or denies it.
#[server(prefix = "/api", endpoint = "approvals/answer_notified", protocol = Posted)]
pub async fn answer_notified(secret: String, decision: Decision) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).approvals().answer_notified(&secret, decision).await?)
}

/// Says `text` to what a notification tells, by the secret that came with it: it answers a question, or is the next
/// message to an agent that is done.
#[server(prefix = "/api", endpoint = "approvals/reply_notified", protocol = Posted)]
pub async fn reply_notified(secret: String, text: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).approvals().reply_notified(&secret, &text).await?)
}
