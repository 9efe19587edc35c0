//! The server functions of jobs elsewhere and of the services that carry them out.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{
    ExternalJobDetail, ExternalJobLog, ExternalJobView, JobServiceKind, JobServiceView, Probe,
};
use protocol::{ExternalJobId, JobServiceId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// By name.
#[server(prefix = "/api", endpoint = "job_services/list", protocol = Queried)]
pub async fn list_job_services() -> Result<Vec<JobServiceView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).job_services().list().await?)
}

/// One service.
#[server(prefix = "/api", endpoint = "job_services/read", protocol = Queried)]
pub async fn read_job_service(id: JobServiceId) -> Result<JobServiceView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).job_services().read(&id).await?)
}

/// Adds a service and tries it.
#[server(prefix = "/api", endpoint = "job_services/add", protocol = Posted)]
pub async fn add_job_service(
    name: String,
    kind: JobServiceKind,
    url: String,
    #[server(default)] repository: String,
    #[server(default)] log_url: String,
    #[server(default)] jobs: String,
    #[server(default)] token: String,
) -> Result<JobServiceView, AppError> {
    let viewer = viewer()?;
    let draft = protocol::view::JobServiceDraft { name, kind, url, repository, log_url, jobs, token };
    let added = hub().for_viewer(&viewer).job_services().add(&draft).await?;
    crate::context::redirect(&format!("/job-services/{}?done=added", added.id));
    Ok(added)
}

/// Says which jobs agents may start there, and where its logs lie.
#[server(prefix = "/api", endpoint = "job_services/change", protocol = Posted)]
pub async fn change_job_service(
    id: JobServiceId,
    #[server(default)] jobs: String,
    #[server(default)] log_url: String,
) -> Result<JobServiceView, AppError> {
    let viewer = viewer()?;
    let changed = hub().for_viewer(&viewer).job_services().change(&id, &jobs, &log_url).await?;
    crate::context::redirect(&format!("/job-services/{id}?done=changed"));
    Ok(changed)
}

/// Says who asks by this token from now on; without one by nothing.
#[server(prefix = "/api", endpoint = "job_services/set_token", protocol = Posted)]
pub async fn set_job_service_token(
    id: JobServiceId,
    #[server(default)] token: String,
) -> Result<JobServiceView, AppError> {
    let viewer = viewer()?;
    let service = hub().for_viewer(&viewer).job_services().set_token(&id, &token).await?;
    crate::context::redirect(&format!("/job-services/{id}?done=token"));
    Ok(service)
}

/// Tries the service; one that does not answer is an error.
#[server(prefix = "/api", endpoint = "job_services/look", protocol = Posted)]
pub async fn look_at_job_service(id: JobServiceId) -> Result<Probe, AppError> {
    let viewer = viewer()?;
    let probe = hub().for_viewer(&viewer).job_services().look(&id).await?;
    if !probe.ok {
        return Err(hub::Error::Upstream(probe.message).into());
    }
    crate::context::redirect(&format!("/job-services/{id}?done=looked"));
    Ok(probe)
}

/// Switches the service on or off.
#[server(prefix = "/api", endpoint = "job_services/switch", protocol = Posted)]
pub async fn switch_job_service(id: JobServiceId, #[server(default)] on: bool) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).job_services().switch(&id, on).await?;
    crate::context::redirect(&format!("/job-services/{id}"));
    Ok(())
}

/// Removes the service and its token.
#[server(prefix = "/api", endpoint = "job_services/remove", protocol = Posted)]
pub async fn remove_job_service(id: JobServiceId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).job_services().remove(&id).await?;
    crate::context::redirect("/external-jobs");
    Ok(())
}

/// The newest first.
#[server(prefix = "/api", endpoint = "external_jobs/list", protocol = Queried)]
pub async fn list_external_jobs() -> Result<Vec<ExternalJobView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).external_jobs().list().await?)
}

/// One job, with the end of its log.
#[server(prefix = "/api", endpoint = "external_jobs/read", protocol = Queried)]
pub async fn read_external_job(id: ExternalJobId) -> Result<ExternalJobDetail, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).external_jobs().read(&id).await?)
}

/// Its log from that byte on.
#[server(prefix = "/api", endpoint = "external_jobs/log", protocol = Queried)]
pub async fn read_external_job_log(
    id: ExternalJobId,
    #[server(default)] from: u64,
) -> Result<ExternalJobLog, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).external_jobs().log(&id, from).await?)
}

/// Asks its service to end it.
#[server(prefix = "/api", endpoint = "external_jobs/cancel", protocol = Posted)]
pub async fn cancel_external_job(id: ExternalJobId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).external_jobs().cancel(&id).await?;
    crate::context::redirect(&format!("/external-jobs/{id}"));
    Ok(())
}
