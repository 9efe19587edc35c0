//! The server functions of pipelines.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::PipelineId;
use protocol::view::{PipelineCard, PipelineView};

#[cfg(feature = "ssr")]
use crate::amount;
#[cfg(feature = "ssr")]
use crate::context::{hub, redirect, viewer};

/// The newest first.
#[server(prefix = "/api", endpoint = "pipelines/list", protocol = Queried)]
pub async fn list_pipelines() -> Result<Vec<PipelineCard>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pipelines().list().await?)
}

/// Those that wait for the person's yes or no, the newest first.
#[server(prefix = "/api", endpoint = "pipelines/asking", protocol = Queried)]
pub async fn asking_pipelines() -> Result<Vec<PipelineCard>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pipelines().asking_pipelines().await?)
}

#[server(prefix = "/api", endpoint = "pipelines/get", protocol = Queried)]
pub async fn get_pipeline(id: PipelineId) -> Result<PipelineView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pipelines().get(&id).await?)
}

/// Makes one of YAML or JSON, which does not begin yet.
#[server(prefix = "/api", endpoint = "pipelines/create", protocol = Posted)]
pub async fn create_pipeline(text: String) -> Result<PipelineId, AppError> {
    let viewer = viewer()?;
    let id = hub().for_viewer(&viewer).pipelines().create(&text).await?;
    redirect(&format!("/pipelines/{id}"));
    Ok(id)
}

/// Begins it, or does all of it once more.
#[server(prefix = "/api", endpoint = "pipelines/start", protocol = Posted)]
pub async fn start_pipeline(id: PipelineId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pipelines().start(&id).await?)
}

#[server(prefix = "/api", endpoint = "pipelines/stop", protocol = Posted)]
pub async fn stop_pipeline(id: PipelineId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pipelines().stop(&id).await?)
}

/// Tries a task again that is over and not done, and what could not be done because of it.
#[server(prefix = "/api", endpoint = "pipelines/retry", protocol = Posted)]
pub async fn retry_task(id: PipelineId, task: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pipelines().retry(&id, &task).await?)
}

/// Says yes or no to a task that asks for it.
#[server(prefix = "/api", endpoint = "pipelines/answer", protocol = Posted)]
pub async fn answer_task(
    id: PipelineId,
    task: String,
    yes: bool,
    #[server(default)] words: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).pipelines().answer(&id, &task, yes, &words).await?)
}

/// Replaces the most that all of it may cost, in dollars; an empty one is no limit. What it stopped begins again.
#[server(prefix = "/api", endpoint = "pipelines/limit", protocol = Posted)]
pub async fn limit_pipeline(id: PipelineId, #[server(default)] budget: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    let budget = amount::read(&budget)?;
    Ok(hub().for_viewer(&viewer).pipelines().limit(&id, budget).await?)
}

/// For good. The conversations of its tasks stay.
#[server(prefix = "/api", endpoint = "pipelines/delete", protocol = Posted)]
pub async fn delete_pipeline(id: PipelineId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).pipelines().delete(&id).await?;
    redirect("/pipelines");
    Ok(())
}
