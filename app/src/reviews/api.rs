//! The server function of what waits for a look.

use crate::AppError;
use crate::prelude::*;
use crate::transport::Queried;
use protocol::view::Reviews;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What waits for the viewer's word, and holds up no agent meanwhile.
#[server(prefix = "/api", endpoint = "reviews/list", protocol = Queried)]
pub async fn list_reviews() -> Result<Reviews, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).reviews().list().await?)
}
