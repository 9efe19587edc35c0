//! The server functions of passkeys.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::PasskeyId;
use protocol::view::{PasskeyChallenge, PasskeyOptions, PasskeyPlace, PasskeyView};

#[cfg(feature = "ssr")]
use super::super::api::enter;
#[cfg(feature = "ssr")]
use crate::context::{facts, hub, viewer};
#[cfg(feature = "ssr")]
use crate::response::is_plain_form;

#[server(name = GetPasskeys, prefix = "/api", endpoint = "passkeys/list", protocol = Queried)]
pub async fn passkeys() -> Result<Vec<PasskeyView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().passkeys().await?)
}

/// Where passkeys of this hub work.
#[server(name = GetPasskeyPlace, prefix = "/api", endpoint = "passkeys/place", protocol = Queried)]
pub async fn passkey_place() -> Result<PasskeyPlace, AppError> {
    let facts = facts();
    Ok(hub().accounts().passkey_place(&facts.front_door, &facts.origin))
}

/// The same for the sign-in page; nothing where nobody has one.
#[server(prefix = "/api", endpoint = "passkeys/offered", protocol = Queried)]
pub async fn passkeys_offered() -> Result<Option<PasskeyPlace>, AppError> {
    let facts = facts();
    let offered = hub().accounts().has_passkeys().await?;
    Ok(offered.then(|| hub().accounts().passkey_place(&facts.front_door, &facts.origin)))
}

/// What the browser needs to make one.
#[server(prefix = "/api", endpoint = "passkeys/start", protocol = Posted)]
pub async fn start_passkey(password: String) -> Result<PasskeyOptions, AppError> {
    let viewer = viewer()?;
    if is_plain_form() {
        return Err(hub::Error::invalid(t(
            "A passkey is made by a script of this page. Turn JavaScript on.",
        ))
        .into());
    }
    Ok(hub().for_viewer(&viewer).account().start_passkey(&password, &facts().front_door).await?)
}

/// Keeps what the browser made.
#[server(prefix = "/api", endpoint = "passkeys/add", protocol = Posted)]
pub async fn add_passkey(
    name: String,
    client_data: String,
    attestation: String,
) -> Result<PasskeyView, AppError> {
    let viewer = viewer()?;
    let door = facts().front_door;
    Ok(hub().for_viewer(&viewer).account().add_passkey(&name, &client_data, &attestation, &door).await?)
}

#[server(prefix = "/api", endpoint = "passkeys/remove", protocol = Posted)]
pub async fn remove_passkey(id: PasskeyId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().remove_passkey(&id).await?)
}

/// Something to sign in with.
#[server(name = AskPasskeyChallenge, prefix = "/api", endpoint = "passkeys/challenge", protocol = Posted)]
pub async fn passkey_challenge() -> Result<PasskeyChallenge, AppError> {
    Ok(hub().accounts().passkey_challenge(&facts().front_door)?)
}

#[server(prefix = "/api", endpoint = "passkeys/sign_in", protocol = Posted)]
pub async fn sign_in_with_passkey(
    credential: String,
    client_data: String,
    authenticator_data: String,
    signature: String,
    #[server(default)] person: Option<String>,
) -> Result<(), AppError> {
    let facts = facts();
    let answer = hub::PasskeyAnswer { credential, client_data, authenticator_data, signature, person };
    let session = hub().accounts().sign_in_with_passkey(&answer, &facts.front_door, facts.visitor()).await?;
    enter(&session).await
}
