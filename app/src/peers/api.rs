//! The server functions of peers.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{PeerDetail, PeerView, Probe};
use protocol::{PeerAgentId, PeerId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// By name.
#[server(prefix = "/api", endpoint = "peers/list", protocol = Queried)]
pub async fn list_peers() -> Result<Vec<PeerView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).peers().list().await?)
}

/// One peer with its agents.
#[server(prefix = "/api", endpoint = "peers/read", protocol = Queried)]
pub async fn read_peer(id: PeerId) -> Result<PeerDetail, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).peers().read(&id).await?)
}

/// Adds a peer and asks it which agents it has.
#[server(prefix = "/api", endpoint = "peers/add", protocol = Posted)]
pub async fn add_peer(
    name: String,
    url: String,
    #[server(default)] token: String,
) -> Result<PeerView, AppError> {
    let viewer = viewer()?;
    let added = hub().for_viewer(&viewer).peers().add(&name, &url, &token).await?;
    crate::context::redirect(&format!("/peers/{}?done=added", added.id));
    Ok(added)
}

/// Asks the peer again which agents it has; one that does not answer is an error.
#[server(prefix = "/api", endpoint = "peers/look", protocol = Posted)]
pub async fn look_at_peer(id: PeerId) -> Result<Probe, AppError> {
    let viewer = viewer()?;
    let probe = hub().for_viewer(&viewer).peers().look(&id).await?;
    if !probe.ok {
        return Err(hub::Error::Upstream(probe.message).into());
    }
    crate::context::redirect(&format!("/peers/{id}?done=looked"));
    Ok(probe)
}

/// Says who asks by this token from now on; without one by nothing.
#[server(prefix = "/api", endpoint = "peers/set_token", protocol = Posted)]
pub async fn set_peer_token(id: PeerId, #[server(default)] token: String) -> Result<PeerView, AppError> {
    let viewer = viewer()?;
    let peer = hub().for_viewer(&viewer).peers().set_token(&id, &token).await?;
    crate::context::redirect(&format!("/peers/{id}?done=token"));
    Ok(peer)
}

/// Switches all of the peer on or off.
#[server(prefix = "/api", endpoint = "peers/switch", protocol = Posted)]
pub async fn switch_peer(id: PeerId, #[server(default)] on: bool) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).peers().switch(&id, on).await?;
    crate::context::redirect(&format!("/peers/{id}"));
    Ok(())
}

/// Switches an agent of the peer on, in the words with this digest, or off.
#[server(prefix = "/api", endpoint = "peers/switch_agent", protocol = Posted)]
pub async fn switch_peer_agent(
    id: PeerId,
    agent: PeerAgentId,
    #[server(default)] on: bool,
    #[server(default)] digest: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).peers().switch_agent(&id, &agent, on, &digest).await?;
    crate::context::redirect(&format!("/peers/{id}#agents"));
    Ok(())
}

/// Removes the peer and its token.
#[server(prefix = "/api", endpoint = "peers/remove", protocol = Posted)]
pub async fn remove_peer(id: PeerId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).peers().remove(&id).await?;
    crate::context::redirect("/peers");
    Ok(())
}
