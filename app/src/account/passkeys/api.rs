//! The server functions of passkeys.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::PasskeyId;
use protocol::view::{PasskeyChallenge, PasskeyOptions, PasskeyPlace, PasskeyView};

#[cfg(feature = "ssr")]
use super::super::api::enter;
#[cfg(feature = "ssr")]
use crate::context::{facts, hub, is_plain_form, viewer};

#[server(name = GetPasskeys, prefix = "/api", endpoint = "passkeys/list", input = GetUrl)]
pub async fn passkeys() -> Result<Vec<PasskeyView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).passkeys().await?)
}

/// Where passkeys of this hub work.
#[server(name = GetPasskeyPlace, prefix = "/api", endpoint = "passkeys/place", input = GetUrl)]
pub async fn passkey_place() -> Result<PasskeyPlace, AppError> {
    let facts = facts();
    Ok(hub().passkey_place(&facts.front_door, &facts.origin))
}

/// The same for the sign-in page; nothing where nobody has one.
#[server(prefix = "/api", endpoint = "passkeys/offered", input = GetUrl)]
pub async fn passkeys_offered() -> Result<Option<PasskeyPlace>, AppError> {
    let facts = facts();
    let offered = hub().has_passkeys().await?;
    Ok(offered.then(|| hub().passkey_place(&facts.front_door, &facts.origin)))
}

/// What the browser needs to make one.
#[server(prefix = "/api", endpoint = "passkeys/start", input = PostUrl)]
pub async fn start_passkey(password: String) -> Result<PasskeyOptions, AppError> {
    let viewer = viewer()?;
    if is_plain_form() {
        return Err(
            hub::Error::invalid("A passkey is made by a script of this page. Turn JavaScript on.").into()
        );
    }
    Ok(hub().for_viewer(&viewer).start_passkey(&password, &facts().front_door).await?)
}

/// Keeps what the browser made.
#[server(prefix = "/api", endpoint = "passkeys/add", input = PostUrl)]
pub async fn add_passkey(
    name: String,
    client_data: String,
    attestation: String,
) -> Result<PasskeyView, AppError> {
    let viewer = viewer()?;
    let door = facts().front_door;
    Ok(hub().for_viewer(&viewer).add_passkey(&name, &client_data, &attestation, &door).await?)
}

#[server(prefix = "/api", endpoint = "passkeys/remove", input = PostUrl)]
pub async fn remove_passkey(id: PasskeyId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).remove_passkey(&id).await?)
}

/// Something to sign in with.
#[server(name = AskPasskeyChallenge, prefix = "/api", endpoint = "passkeys/challenge", input = PostUrl)]
pub async fn passkey_challenge() -> Result<PasskeyChallenge, AppError> {
    Ok(hub().passkey_challenge(&facts().front_door)?)
}

#[server(prefix = "/api", endpoint = "passkeys/sign_in", input = PostUrl)]
pub async fn sign_in_with_passkey(
    credential: String,
    client_data: String,
    authenticator_data: String,
    signature: String,
    #[server(default)] person: Option<String>,
) -> Result<(), AppError> {
    let facts = facts();
    let answer = hub::PasskeyAnswer { credential, client_data, authenticator_data, signature, person };
    let session = hub().sign_in_with_passkey(&answer, &facts.front_door, facts.visitor()).await?;
    enter(&session).await
}
