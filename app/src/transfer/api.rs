//! The server functions of settings that move. What is sealed, opened and chosen is the browser's.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{Settings, TakenSettings};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What there is to carry. No key is among it.
#[server(prefix = "/api", endpoint = "settings/all", protocol = Queried)]
pub async fn own_settings() -> Result<Settings, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).settings().read().await?)
}

/// Takes in what was chosen of the parcel with this id, all of it or nothing. `settings` is JSON.
#[server(prefix = "/api", endpoint = "settings/take", protocol = Posted)]
pub async fn take_settings(parcel: String, settings: String) -> Result<TakenSettings, AppError> {
    let viewer = viewer()?;
    let read = serde_json::from_str(&settings);
    let settings =
        read.map_err(|_| hub::Error::invalid(t("These are no settings that this hub can read.")))?;
    Ok(hub().for_viewer(&viewer).settings().take(&parcel, &settings).await?)
}
