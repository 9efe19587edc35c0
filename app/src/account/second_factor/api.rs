//! The server functions of the second factor.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{NewSecondFactor, RecoveryCodes, SecondFactor};

#[cfg(feature = "ssr")]
use crate::context::{facts, hub, viewer};
#[cfg(feature = "ssr")]
use crate::response::is_plain_form;
#[cfg(feature = "ssr")]
use protocol::view::OneTime;

#[server(name = GetSecondFactor, prefix = "/api", endpoint = "second_factor/get", protocol = Queried)]
pub async fn second_factor() -> Result<SecondFactor, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().second_factor().await?)
}

/// Begins to set it up on this device; nothing changes before [`confirm_second_factor`].
#[server(prefix = "/api", endpoint = "second_factor/start", protocol = Posted)]
pub async fn start_second_factor(password: String) -> Result<NewSecondFactor, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().start_second_factor(&password, facts().host()).await?)
}

/// What is being set up on the asking device.
#[server(prefix = "/api", endpoint = "second_factor/started", protocol = Queried)]
pub async fn started_second_factor() -> Result<Option<NewSecondFactor>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().started_second_factor(facts().host())?)
}

#[server(prefix = "/api", endpoint = "second_factor/leave", protocol = Posted)]
pub async fn leave_second_factor() -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).account().leave_second_factor()?;
    crate::context::redirect("/account");
    Ok(())
}

/// The answer is the only time that the recovery codes are seen.
#[server(prefix = "/api", endpoint = "second_factor/confirm", protocol = Posted)]
pub async fn confirm_second_factor(code: String) -> Result<RecoveryCodes, AppError> {
    let viewer = viewer()?;
    let codes = hub().for_viewer(&viewer).account().confirm_second_factor(&code).await?;
    if is_plain_form() {
        hub().for_viewer(&viewer).account().show_once(OneTime::RecoveryCodes(codes.clone()));
    }
    Ok(codes)
}

/// The answer is the only time that the new recovery codes are seen.
#[server(prefix = "/api", endpoint = "second_factor/renew_codes", protocol = Posted)]
pub async fn renew_recovery_codes(password: String, code: String) -> Result<RecoveryCodes, AppError> {
    let viewer = viewer()?;
    let codes = hub().for_viewer(&viewer).account().renew_recovery_codes(&password, &code).await?;
    if is_plain_form() {
        hub().for_viewer(&viewer).account().show_once(OneTime::RecoveryCodes(codes.clone()));
    }
    Ok(codes)
}

#[server(prefix = "/api", endpoint = "second_factor/stop", protocol = Posted)]
pub async fn stop_second_factor(password: String, code: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).account().stop_second_factor(&password, &code).await?;
    crate::context::redirect("/account/second-factor?done=off");
    Ok(())
}
