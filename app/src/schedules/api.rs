//! The server functions of schedules.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::schedule::{ScheduleDraft, ScheduleView};
use protocol::{AgentId, ScheduleId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use crate::money::api::caps;

/// The schedules of an agent, those that are due next first.
#[server(prefix = "/api", endpoint = "schedules/list", input = GetUrl)]
pub async fn list_schedules(agent: AgentId) -> Result<Vec<ScheduleView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).schedules(&agent).await?)
}

/// The schedules of all agents, those that are due next first.
#[server(prefix = "/api", endpoint = "schedules/all", input = GetUrl)]
pub async fn all_schedules() -> Result<Vec<ScheduleView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).all_schedules().await?)
}

/// Those of all agents that run while nobody looks.
#[server(prefix = "/api", endpoint = "schedules/idle", input = GetUrl)]
pub async fn idle_schedules() -> Result<Vec<ScheduleView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).idle_schedules().await?)
}

#[server(prefix = "/api", endpoint = "schedules/create", input = PostUrl)]
pub async fn create_schedule(agent: AgentId, draft: ScheduleDraft) -> Result<ScheduleId, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).create_schedule(&agent, &draft).await?)
}

/// Replaces everything but the limits. Its times are counted anew.
#[server(prefix = "/api", endpoint = "schedules/edit", input = PostUrl)]
pub async fn edit_schedule(id: ScheduleId, draft: ScheduleDraft) -> Result<(), AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).edit_schedule(&id, &draft).await?;
    leptos_axum::redirect(&format!("/agents/{agent}/schedules"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "schedules/pause", input = PostUrl)]
pub async fn pause_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pause_schedule(&id).await?)
}

#[server(prefix = "/api", endpoint = "schedules/resume", input = PostUrl)]
pub async fn resume_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).resume_schedule(&id).await?)
}

/// Lets it run once more, now; its times stay what they are.
#[server(prefix = "/api", endpoint = "schedules/run", input = PostUrl)]
pub async fn run_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).run_schedule_now(&id).await?)
}

/// Replaces all limits on what it may spend, in dollars; an empty one is no limit.
#[server(prefix = "/api", endpoint = "schedules/limit", input = PostUrl)]
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
    Ok(hub().for_viewer(&viewer).limit_schedule(&id, &caps).await?)
}

#[server(prefix = "/api", endpoint = "schedules/delete", input = PostUrl)]
pub async fn delete_schedule(id: ScheduleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).delete_schedule(&id).await?;
    leptos_axum::redirect(&format!("/agents/{agent}/schedules"));
    Ok(())
}
