//! Programs that register themselves (RFC 7591). Nothing is kept of them: what one says is its id, with a signature of
//! the hub, so nobody can fill anything by registering.

use super::OAuthServer;
use super::client::{Client, redirects, shown_name};
use super::failure::OAuthFailure;
use crate::Hub;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Bytes of what a program says of itself.
pub const LARGEST_REGISTRATION: usize = 16 * 1024;
/// What every such id starts with.
const PREFIX: &str = "registered.";
/// Bytes of an id, which stands in addresses.
const LONGEST_ID: usize = 3000;
const PURPOSE: &str = "programs that registered themselves";

/// What the hub takes of it: it sends no secret, whatever it asked for.
#[derive(Debug, Serialize)]
pub struct Registered {
    pub client_id: String,
    pub client_name: String,
    pub redirect_uris: Vec<String>,
    pub grant_types: [&'static str; 2],
    pub response_types: [&'static str; 1],
    pub token_endpoint_auth_method: &'static str,
}

#[derive(Serialize, Deserialize)]
struct Said {
    #[serde(default)]
    client_name: String,
    redirect_uris: Vec<String>,
}

impl OAuthServer<'_> {
    /// `said` is JSON.
    pub fn register(self, said: &[u8]) -> Result<Registered, OAuthFailure> {
        let Ok(Said { client_name, redirect_uris }) = serde_json::from_slice(said) else {
            return Err(OAuthFailure::Metadata("Send JSON with redirect_uris and client_name."));
        };
        let said = Said { client_name: shown_name(&client_name), redirect_uris: redirects(redirect_uris)? };
        let text = serde_json::to_vec(&said).expect("texts are JSON");
        let seal = mac(self.hub, &text).finalize().into_bytes();
        let client_id = format!("{PREFIX}{}.{}", URL_SAFE_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(seal));
        if client_id.len() > LONGEST_ID {
            return Err(OAuthFailure::RedirectUri("All addresses for answers together are too long."));
        }
        Ok(Registered {
            client_id,
            client_name: said.client_name,
            redirect_uris: said.redirect_uris,
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
            token_endpoint_auth_method: "none",
        })
    }
}

/// The program with this id, if it was given here.
pub(super) fn registered(hub: &Hub, id: &str) -> Option<Client> {
    let (text, seal) = id.strip_prefix(PREFIX)?.split_once('.')?;
    let text = URL_SAFE_NO_PAD.decode(text).ok()?;
    mac(hub, &text).verify_slice(&URL_SAFE_NO_PAD.decode(seal).ok()?).ok()?;
    let Said { client_name, redirect_uris } = serde_json::from_slice(&text).ok()?;
    Some(Client { id: id.to_owned(), name: client_name, host: None, redirect_uris })
}

fn mac(hub: &Hub, text: &[u8]) -> Hmac<Sha256> {
    let key = hub.vault().signing_key(PURPOSE);
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length will do");
    mac.update(text);
    mac
}
