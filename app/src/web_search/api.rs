//! The server functions of search sources.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::SearchSourceId;
use protocol::view::{Probe, SearchKind, SearchSourceView, Towards};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// In the order in which they are asked.
#[server(prefix = "/api", endpoint = "web_search/list", protocol = Queried)]
pub async fn list_search_sources() -> Result<Vec<SearchSourceView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).web_search().list().await?)
}

/// An empty `base_url` stands for the kind's own. A provider's own search has a `provider` and a `model` instead.
#[server(prefix = "/api", endpoint = "web_search/add", protocol = Posted)]
pub async fn add_search_source(
    kind: SearchKind,
    #[server(default)] base_url: String,
    #[server(default)] key: String,
    #[server(default)] provider: String,
    #[server(default)] model: String,
) -> Result<SearchSourceView, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let scoped = hub.for_viewer(&viewer);
    let added = match kind {
        SearchKind::Provider if !provider.is_empty() => {
            scoped.web_search().add_provider(&protocol::ProviderId(provider), &model).await?
        }
        kind => scoped.web_search().add(kind, Some(&base_url), Some(&key)).await?,
    };
    crate::context::redirect("/web-search?done=added");
    Ok(added)
}

/// Removes the source and its key.
#[server(prefix = "/api", endpoint = "web_search/remove", protocol = Posted)]
pub async fn remove_search_source(id: SearchSourceId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).web_search().remove(&id).await?;
    crate::context::redirect("/web-search");
    Ok(())
}

/// Moves the source by one place.
#[server(prefix = "/api", endpoint = "web_search/shift", protocol = Posted)]
pub async fn shift_search_source(id: SearchSourceId, towards: Towards) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).web_search().shift(&id, towards).await?;
    crate::context::redirect("/web-search");
    Ok(())
}

/// Searches there for one word; a source that does not answer is an error.
#[server(prefix = "/api", endpoint = "web_search/test", protocol = Posted)]
pub async fn test_search_source(id: SearchSourceId) -> Result<Probe, AppError> {
    let viewer = viewer()?;
    let probe = hub().for_viewer(&viewer).web_search().test(&id).await?;
    if !probe.ok {
        return Err(hub::Error::Upstream(probe.message).into());
    }
    crate::context::redirect(&format!("/web-search?tested={id}"));
    Ok(probe)
}
