//! A program whose id is the address of a document about it (OAuth Client ID Metadata Document). The address comes from
//! strangers: it is read through the door for what agents reach, which leads to nothing near, and once.

use super::client::{Client, redirects, shown_name};
use super::failure::OAuthFailure;
use super::request::address_of;
use crate::Hub;
use crate::outbound::{Answer, OutboundError, Target};
use reqwest::Method;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue};
use serde::Deserialize;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes of such a document.
const LARGEST: usize = 64 * 1024;
const LIMIT: Duration = Duration::from_secs(10);

#[derive(Deserialize)]
struct Document {
    client_id: String,
    #[serde(default)]
    client_name: String,
    redirect_uris: Vec<String>,
}

pub(super) async fn read(hub: &Hub, id: &str) -> Result<Client, OAuthFailure> {
    let Some(url) = address_of(id) else {
        return Err(OAuthFailure::Client(
            "This hub does not know the program. Let it register itself here, or bring an id that is an address.",
        ));
    };
    let unread = || OAuthFailure::Client("What describes the program could not be read at its address.");
    let target = Target::parse(id).map_err(|_| unread())?;
    let bytes = timeout(LIMIT, whole(hub, &target)).await.map_err(|_| unread())?.map_err(|_| unread())?;
    let Some(Document { client_id, client_name, redirect_uris }) =
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok())
    else {
        return Err(unread());
    };
    if client_id != id {
        return Err(OAuthFailure::Client("What stands at the program's address describes another one."));
    }
    let host = url.host_str().map(str::to_owned);
    Ok(Client {
        id: client_id,
        name: shown_name(&client_name),
        host,
        redirect_uris: redirects(redirect_uris)?,
    })
}

/// `None`: there is none, or it is too large.
async fn whole(hub: &Hub, target: &Target) -> Result<Option<Vec<u8>>, OutboundError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let mut answer: Answer = hub.web().send(Method::GET, target, headers, Vec::new()).await?;
    if answer.status() != 200 {
        return Ok(None);
    }
    let mut body = Vec::new();
    while let Some(bytes) = answer.next().await? {
        if body.len() + bytes.len() > LARGEST {
            return Ok(None);
        }
        body.extend_from_slice(&bytes);
    }
    Ok(Some(body))
}
