//! The server functions that note which devices keep a key. The key is no part of them.

use crate::AppError;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
use crate::prelude::*;
use crate::transport::Posted;
use protocol::ProviderId;

/// This browser keeps a key for the provider from now on. The key is no part of it.
#[server(prefix = "/api", endpoint = "providers/key_kept", protocol = Posted)]
pub async fn key_kept(id: ProviderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().note_kept_key(&id).await?)
}

/// This browser keeps no key for the provider any more.
#[server(prefix = "/api", endpoint = "providers/key_forgotten", protocol = Posted)]
pub async fn key_forgotten(id: ProviderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().note_forgotten_key(&id).await?)
}
