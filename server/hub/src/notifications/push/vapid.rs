//! By what push services know the hub (RFC 8292): one key pair, made once and kept sealed.

use crate::Hub;
use crate::clock::random;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

/// The setting that holds it.
const SETTING: &str = "push_key";
/// How long a token is good for. A day is the most that services take.
const GOOD_SECONDS: i64 = 12 * 60 * 60;

pub(in crate::notifications) struct VapidKey(EcdsaKeyPair);

impl VapidKey {
    /// The key of this hub. One that cannot be opened any more gives way to a new one, with the devices that
    /// know the old one.
    pub(in crate::notifications) async fn load(hub: &Hub) -> Result<Self> {
        let sealing = hub.vault().signing_key("web push");
        let stored: Option<String> = query("SELECT value FROM settings WHERE key = $1", (SETTING,))
            .fetch_optional(hub.store().read())
            .await?;
        if let Some(key) = stored.and_then(|stored| open(&sealing, &stored)) {
            return Ok(key);
        }
        let mut tx = hub.store().write().await?;
        let key = Self::renew(&mut tx, &sealing).await?;
        tx.commit().await?;
        Ok(key)
    }

    async fn renew(tx: &mut Transaction, sealing: &[u8; 32]) -> Result<Self> {
        query(
            "INSERT INTO settings (key, value) VALUES ($1, '') ON CONFLICT (key) DO UPDATE
             SET value = settings.value",
            (SETTING,),
        )
        .execute(&mut **tx)
        .await?;
        let stored: String =
            query("SELECT value FROM settings WHERE key = $1", (SETTING,)).fetch_one(&mut **tx).await?;
        // Somebody else was first.
        if let Some(key) = open(sealing, &stored) {
            return Ok(key);
        }
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(|_| Error::internal("no key can be made"))?;
        let value = seal(sealing, made.as_ref())?;
        query("UPDATE settings SET value = $2 WHERE key = $1", (SETTING, &value)).execute(&mut **tx).await?;
        if !stored.is_empty() {
            query("DELETE FROM push_devices", ()).execute(&mut **tx).await?;
        }
        open(sealing, &value).ok_or_else(|| Error::internal("the key that was just made does not open"))
    }

    /// As browsers take it.
    pub(in crate::notifications) fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.public_key())
    }

    /// The header by which the service at this origin knows who sends. `contact` is where the hub is.
    pub(super) fn authorization(&self, service: &str, contact: &str, now: i64) -> Result<String> {
        let contact = match contact.starts_with("https://") {
            true => contact.to_owned(),
            // What is not reached over https is on this machine or beside it.
            false => "mailto:vivarium@localhost".to_owned(),
        };
        let claims = json!({ "aud": service, "exp": now / 1000 + GOOD_SECONDS, "sub": contact });
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(json!({ "typ": "JWT", "alg": "ES256" })), part(claims));
        let signature = self.0.sign(&SystemRandom::new(), text.as_bytes());
        let signature = signature.map_err(|_| Error::internal("nothing can be signed"))?;
        Ok(format!("vapid t={text}.{}, k={}", URL_SAFE_NO_PAD.encode(signature), self.public()))
    }
}

fn sealing_key(sealing: &[u8; 32]) -> Option<LessSafeKey> {
    UnboundKey::new(&AES_256_GCM, sealing).ok().map(LessSafeKey::new)
}

fn seal(sealing: &[u8; 32], key: &[u8]) -> Result<String> {
    let nonce: [u8; NONCE_LEN] = random();
    let mut sealed = key.to_vec();
    sealing_key(sealing)
        .and_then(|key| {
            let nonce = Nonce::assume_unique_for_key(nonce);
            key.seal_in_place_append_tag(nonce, Aad::from(SETTING), &mut sealed).ok()
        })
        .ok_or_else(|| Error::internal("a key cannot be sealed"))?;
    Ok(URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
}

fn open(sealing: &[u8; 32], stored: &str) -> Option<VapidKey> {
    let stored = URL_SAFE_NO_PAD.decode(stored).ok()?;
    let (nonce, sealed) = stored.split_first_chunk::<NONCE_LEN>()?;
    let mut sealed = sealed.to_vec();
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let opened = sealing_key(sealing)?.open_in_place(nonce, Aad::from(SETTING), &mut sealed).ok()?;
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, opened, &SystemRandom::new())
        .ok()
        .map(VapidKey)
}
