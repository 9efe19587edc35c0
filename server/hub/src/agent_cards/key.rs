//! By what others know that a card is of this hub: one key pair, made once and kept sealed.

use super::canonical::canonical;
use crate::Hub;
use crate::error::{Error, Result};
use crate::store::query;
use crate::vault::{Secret, Vault};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The setting that holds it.
const SETTING: &str = "card_key";
const PURPOSE: &str = "agent cards";
/// Bytes of one coordinate.
const COORDINATE: usize = 32;

pub(super) struct HubKey(EcdsaKeyPair);

impl HubKey {
    /// The key of this hub. One that cannot be opened any more gives way to a new one.
    pub(super) async fn load(hub: &Hub) -> Result<Self> {
        let stored: Option<String> = query("SELECT value FROM settings WHERE key = $1", (SETTING,))
            .fetch_optional(hub.store().read())
            .await?;
        if let Some(key) = stored.and_then(|stored| open(hub.vault(), &stored)) {
            return Ok(key);
        }
        let mut tx = hub.store().write().await?;
        query(
            "INSERT INTO settings (key, value) VALUES ($1, '') ON CONFLICT (key) DO UPDATE
             SET value = settings.value",
            (SETTING,),
        )
        .execute(&mut *tx)
        .await?;
        let stored: String =
            query("SELECT value FROM settings WHERE key = $1", (SETTING,)).fetch_one(&mut *tx).await?;
        // Somebody else was first.
        if let Some(key) = open(hub.vault(), &stored) {
            tx.commit().await?;
            return Ok(key);
        }
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(|_| Error::internal("no key can be made"))?;
        let sealed = hub.vault().seal_in_row(PURPOSE, SETTING, &Secret::new(URL_SAFE_NO_PAD.encode(made)));
        query("UPDATE settings SET value = $2 WHERE key = $1", (SETTING, &sealed)).execute(&mut *tx).await?;
        tx.commit().await?;
        open(hub.vault(), &sealed).ok_or_else(|| Error::internal("the key that was just made does not open"))
    }

    /// As it stands in a set of keys.
    pub(super) fn public(&self) -> Value {
        let (x, y) = self.coordinates();
        json!({
            "kty": "EC", "crv": "P-256", "x": x, "y": y, "use": "sig", "alg": "ES256", "kid": self.id(),
        })
    }

    /// What stands under the card (RFC 7515, without the card itself).
    pub(super) fn sign(&self, card: &Value, keys_at: &str) -> Result<Value> {
        let header = json!({ "alg": "ES256", "typ": "JOSE", "kid": self.id(), "jku": keys_at });
        let protected = URL_SAFE_NO_PAD.encode(header.to_string());
        let card = canonical(card).ok_or_else(|| Error::internal("a card has no form to sign"))?;
        let text = format!("{protected}.{}", URL_SAFE_NO_PAD.encode(card));
        let signature = self.0.sign(&SystemRandom::new(), text.as_bytes());
        let signature = signature.map_err(|_| Error::internal("nothing can be signed"))?;
        Ok(json!({ "protected": protected, "signature": URL_SAFE_NO_PAD.encode(signature) }))
    }

    /// Of the key itself (RFC 7638).
    fn id(&self) -> String {
        let (x, y) = self.coordinates();
        let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        URL_SAFE_NO_PAD.encode(Sha256::digest(members))
    }

    /// Behind the one byte that says that both follow.
    fn coordinates(&self) -> (String, String) {
        let point: &[u8] = self.0.public_key().as_ref();
        let (x, y) = point[1..].split_at(COORDINATE);
        (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y))
    }
}

fn open(vault: &Vault, sealed: &str) -> Option<HubKey> {
    let key = vault.open_in_row(PURPOSE, SETTING, sealed)?;
    let key = URL_SAFE_NO_PAD.decode(key.expose()).ok()?;
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &key, &SystemRandom::new()).ok().map(HubKey)
}
