//! The two tokens of a grant. Both are made of its id and of how often they were made, with the hub's key: so a program
//! that renews them twice at once, or lost the answer, is given the same ones again, and one that brings older ones is
//! known for whose they were.

use crate::Hub;
use crate::accounts::granted_token;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What every token starts with that renews another one.
const PREFIX: &str = "vivr_";
const PURPOSE: &str = "tokens of programs";

pub(super) struct Pair {
    pub(super) access: String,
    pub(super) refresh: String,
}

/// What a token says of itself that is the hub's.
pub(super) struct Renewing {
    pub(super) grant: String,
    pub(super) rotation: i64,
}

pub(super) fn pair(hub: &Hub, grant: &str, rotation: i64) -> Pair {
    let sign = |of: &str| URL_SAFE_NO_PAD.encode(mac(hub, of, grant, rotation).finalize().into_bytes());
    Pair {
        access: granted_token(&sign("access")),
        refresh: format!("{PREFIX}{grant}.{rotation}.{}", sign("refresh")),
    }
}

/// `None`: the hub did not make it.
pub(super) fn renewing(hub: &Hub, token: &str) -> Option<Renewing> {
    let mut parts = token.strip_prefix(PREFIX)?.splitn(3, '.');
    let (grant, rotation, seal) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    let seal = URL_SAFE_NO_PAD.decode(seal).ok()?;
    mac(hub, "refresh", grant, rotation).verify_slice(&seal).ok()?;
    Some(Renewing { grant: grant.to_owned(), rotation })
}

/// Every part has its length in front, so that no two of them look the same.
fn mac(hub: &Hub, of: &str, grant: &str, rotation: i64) -> Hmac<Sha256> {
    let key = hub.vault().signing_key(PURPOSE);
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length will do");
    for part in [of, grant] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac.update(&rotation.to_be_bytes());
    mac
}
