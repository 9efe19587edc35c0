//! The server functions of schedules.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::schedule::{Firing, ScheduleDraft, SchedulePreview, ScheduleView};
use protocol::{AgentId, ScheduleId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use crate::money::api::caps;
#[cfg(feature = "ssr")]
use protocol::view::OneTime;

/// The schedules of an agent, those that are due next first.
#[server(prefix = "/api", endpoint = "schedules/list", protocol = Queried)]
pub async fn list_schedules(agent: AgentId) -> Result<Vec<ScheduleView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().of_agent(&agent).await?)
}

/// The schedules of all agents, those that are due next first.
#[server(prefix = "/api", endpoint = "schedules/all", protocol = Queried)]
pub async fn all_schedules() -> Result<Vec<ScheduleView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().list().await?)
}

/// Those of all agents that run while nobody looks.
#[server(prefix = "/api", endpoint = "schedules/idle", protocol = Queried)]
pub async fn idle_schedules() -> Result<Vec<ScheduleView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().idle_schedules().await?)
}

/// The last fifty times that it was due, the newest first.
#[server(prefix = "/api", endpoint = "schedules/history", protocol = Queried)]
pub async fn schedule_history(id: ScheduleId) -> Result<Vec<Firing>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().history(&id).await?)
}

/// What it would say, whether its condition holds, and when it is due next. It costs nothing.
#[server(prefix = "/api", endpoint = "schedules/preview", protocol = Queried)]
pub async fn preview_schedule(id: ScheduleId) -> Result<SchedulePreview, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().preview(&id).await?)
}

#[server(prefix = "/api", endpoint = "schedules/create", protocol = Posted)]
pub async fn create_schedule(agent: AgentId, draft: ScheduleDraft) -> Result<ScheduleId, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().create(&agent, &draft).await?)
}

/// Replaces everything but the limits. Its times are counted anew.
#[server(prefix = "/api", endpoint = "schedules/edit", protocol = Posted)]
pub async fn edit_schedule(id: ScheduleId, draft: ScheduleDraft) -> Result<(), AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).schedules().edit(&id, &draft).await?;
    crate::context::redirect(&format!("/agents/{agent}/schedules"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "schedules/pause", protocol = Posted)]
pub async fn pause_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().pause(&id).await?)
}

#[server(prefix = "/api", endpoint = "schedules/resume", protocol = Posted)]
pub async fn resume_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().resume(&id).await?)
}

/// Lets it run once more, now; its times stay what they are.
#[server(prefix = "/api", endpoint = "schedules/run", protocol = Posted)]
pub async fn run_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules().run_now(&id).await?)
}

/// Replaces all limits on what it may spend, in dollars; an empty one is no limit.
#[server(prefix = "/api", endpoint = "schedules/limit", protocol = Posted)]
pub async fn limit_schedule(
    id: ScheduleId,
    #[server(default)] per_call: String,
    #[server(default)] per_run: String,
    #[server(default)] per_day: String,
    #[server(default)] per_month: String,
    #[server(default)] ever: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let caps = caps([per_call, per_run, per_day, per_month, ever])?;
    Ok(hub().for_viewer(&viewer).schedules().limit(&id, &caps).await?)
}

/// Replaces the secret that deliveries show. The answer is the only time that it is seen.
#[server(prefix = "/api", endpoint = "schedules/new_secret", protocol = Posted)]
pub async fn new_webhook_secret(id: ScheduleId) -> Result<String, AppError> {
    let viewer = viewer()?;
    let secret = hub().for_viewer(&viewer).schedules().new_webhook_secret(&id).await?;
    if crate::response::is_plain_form() {
        hub().for_viewer(&viewer).account().show_once(OneTime::WebhookSecret(secret.clone()));
    }
    Ok(secret)
}

#[server(prefix = "/api", endpoint = "schedules/delete", protocol = Posted)]
pub async fn delete_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).schedules().delete(&id).await?;
    crate::context::redirect(&format!("/agents/{agent}/schedules"));
    Ok(())
}
