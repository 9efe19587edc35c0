//! Secrets at rest: a value is sealed under a key of its own, and that key under the master key.
//! Where a secret is sent to is not known here.

mod envelope;
mod master_key;
mod secret;

pub use master_key::{MasterKey, MasterKeyError};
pub(crate) use secret::Secret;

use crate::error::{Error, Result};
use envelope::{Envelope, Unsealable};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sqlx::{Any, AnyPool, Row, Transaction};

/// Whose secret it is and what for. Sealed in with the value, so that a row that was moved to
/// another place cannot be opened there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) user: &'a str,
    pub(crate) provider: &'a str,
    pub(crate) purpose: &'a str,
}

#[derive(Debug)]
pub(crate) struct Vault {
    master_key: MasterKey,
}

impl Vault {
    pub(crate) fn new(master_key: MasterKey) -> Self {
        Self { master_key }
    }

    /// Keeps the secret, in place of the one that was there.
    pub(crate) async fn put(
        &self,
        tx: &mut Transaction<'static, Any>,
        place: Place<'_>,
        secret: &Secret,
        now: i64,
    ) -> Result<()> {
        let Envelope { key, value } = self.seal(place, secret);
        sqlx::query(
            "INSERT INTO secrets (id, user_id, provider_id, purpose, sealed_key, sealed_value, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (user_id, provider_id, purpose) DO UPDATE
             SET sealed_key = $5, sealed_value = $6, created_at = $7",
        )
        .bind(crate::clock::new_id())
        .bind(place.user)
        .bind(place.provider)
        .bind(place.purpose)
        .bind(key)
        .bind(value)
        .bind(now)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    pub(crate) async fn read(&self, pool: &AnyPool, place: Place<'_>) -> Result<Option<Secret>> {
        let row = sqlx::query(
            "SELECT sealed_key, sealed_value FROM secrets
             WHERE user_id = $1 AND provider_id = $2 AND purpose = $3",
        )
        .bind(place.user)
        .bind(place.provider)
        .bind(place.purpose)
        .fetch_optional(pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let envelope = Envelope { key: row.try_get("sealed_key")?, value: row.try_get("sealed_value")? };
        match self.open(place, &envelope) {
            Ok(secret) => Ok(Some(secret)),
            Err(Unsealable) => Err(Error::Conflict(
                "The stored key cannot be opened with this hub's master key. Enter the key again.".to_owned(),
            )),
        }
    }

    /// A key to sign with, one for each purpose. It says nothing about the master key or the other ones.
    pub(crate) fn signing_key(&self, purpose: &str) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.master_key.bytes()).expect("a key of any length will do");
        mac.update(b"vivarium signing key\0");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Forgets everything that is kept for the provider.
    pub(crate) async fn forget(tx: &mut Transaction<'static, Any>, user: &str, provider: &str) -> Result<()> {
        sqlx::query("DELETE FROM secrets WHERE user_id = $1 AND provider_id = $2")
            .bind(user)
            .bind(provider)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }
}
