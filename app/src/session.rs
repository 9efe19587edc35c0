//! Who is signed in, and signing out: what every page asks and offers.

use crate::AppError;
#[cfg(feature = "ssr")]
use crate::context::{end_session, facts, hub, viewer};
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{Me, Right};

#[server(name = GetMe, prefix = "/api", endpoint = "account/me", protocol = Queried)]
pub async fn me() -> Result<Me, AppError> {
    let viewer = viewer()?;
    let unread = hub().for_viewer(&viewer).notifications().unread().await?;
    let disk = hub().disk_warning(&viewer);
    let reports = hub().for_viewer(&viewer).person_context().reported().await?;
    Ok(Me { unread: Some(unread), disk, reports, ..viewer.me })
}

/// Whether they may bring in providers, servers and sources of their own. Guests use what others share.
pub fn brings_own(me: &Me) -> bool {
    me.rights.contains(&Right::SaveProviders)
}

#[server(prefix = "/api", endpoint = "account/sign_out", protocol = Posted)]
pub async fn sign_out() -> Result<(), AppError> {
    if let Some(viewer) = facts().viewer {
        hub().for_viewer(&viewer).account().sign_out().await?;
    }
    end_session();
    crate::context::redirect("/sign-in");
    Ok(())
}
