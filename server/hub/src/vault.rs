//! Secrets at rest: a value is sealed under a key of its own, and that key under the master key.
//! Where a secret is sent to is not known here.

mod envelope;
mod examine;
mod key_file;
mod keyring;
mod master_key;
mod rotation;
mod secret;
mod signing;

pub use keyring::{Keyring, KeyringError};
pub use rotation::{Rotation, Step};
pub(crate) use secret::Secret;
pub(crate) use signing::LostRoot;

use crate::error::{Error, Result};
use crate::store::{Remembered, Row, Store, Transaction};
use envelope::{Envelope, Unsealable};
use master_key::MasterKey;
use sqlx::{AnyPool, Row as _};
use std::sync::{Arc, OnceLock};

/// The setting that names the master key with which secrets are sealed.
const SEALING: &str = "master_key";

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
    keyring: Keyring,
    signing_root: OnceLock<MasterKey>,
    /// As they are kept, by person, provider and purpose.
    rows: Remembered<[String; 3], Option<SealedRow>>,
}

impl Vault {
    pub(crate) fn new(keyring: Keyring) -> Self {
        Self { keyring, signing_root: OnceLock::new(), rows: Remembered::default() }
    }

    /// Says in the store which key seals, if nobody has yet (whoever keeps a secret locks that row), and
    /// finds what to sign with.
    pub(crate) async fn settle(&self, store: &Store, lost: LostRoot) -> Result<()> {
        let mut tx = store.write().await?;
        sqlx::query("INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING")
            .bind(SEALING)
            .bind(self.keyring.newest().id())
            .execute(&mut *tx)
            .await?;
        lock_sealing(&mut tx).await?;
        let root = signing::load_or_make(&mut tx, &self.keyring, lost).await?;
        tx.commit().await?;
        self.signing_root.get_or_init(|| root);
        Ok(())
    }

    /// Keeps the secret, in place of the one that was there.
    pub(crate) async fn put(
        &self,
        tx: &mut Transaction,
        place: Place<'_>,
        secret: &Secret,
        now: i64,
    ) -> Result<()> {
        let master_key = self.sealing_key(tx).await?;
        let Envelope { key, value } = envelope::seal(&master_key, place, secret);
        sqlx::query(
            "INSERT INTO secrets (id, user_id, provider_id, purpose, key_id, sealed_key, sealed_value, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (user_id, provider_id, purpose) DO UPDATE
             SET key_id = $5, sealed_key = $6, sealed_value = $7, created_at = $8",
        )
        .bind(crate::clock::new_id())
        .bind(place.user)
        .bind(place.provider)
        .bind(place.purpose)
        .bind(master_key.id())
        .bind(key)
        .bind(value)
        .bind(now)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    pub(crate) async fn read(&self, store: &Store, place: Place<'_>) -> Result<Option<Secret>> {
        let key = [place.user, place.provider, place.purpose].map(str::to_owned);
        let row = self.rows.get(store, key, find(store.read(), place)).await?;
        let Some(row) = row else { return Ok(None) };
        if let Some(secret) = self.open(place, &row) {
            return Ok(Some(secret));
        }
        // A rotation may have wrapped it anew, and done away with the old key, since the row was read.
        let Some(row) = find(store.read(), place).await? else { return Ok(None) };
        let secret = self.open(place, &row).ok_or_else(|| {
            Error::Conflict(
                "The stored key cannot be opened with this hub's master key. Enter the key again.".to_owned(),
            )
        })?;
        Ok(Some(secret))
    }

    /// A key to sign with, one for each purpose. It says nothing about the master key or the other ones.
    pub(crate) fn signing_key(&self, purpose: &str) -> [u8; 32] {
        let root = self.signing_root.get().expect("a hub settles its vault when it opens");
        root.derive("vivarium signing key", purpose)
    }

    /// Forgets everything that is kept for the provider.
    pub(crate) async fn forget(tx: &mut Transaction, user: &str, provider: &str) -> Result<()> {
        sqlx::query("DELETE FROM secrets WHERE user_id = $1 AND provider_id = $2")
            .bind(user)
            .bind(provider)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Forgets what is kept for this purpose, for whichever provider.
    pub(crate) async fn forget_purpose(tx: &mut Transaction, user: &str, purpose: &str) -> Result<()> {
        sqlx::query("DELETE FROM secrets WHERE user_id = $1 AND purpose = $2")
            .bind(user)
            .bind(purpose)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Forgets what is kept for the provider, but for this purpose.
    pub(crate) async fn forget_others(
        tx: &mut Transaction,
        user: &str,
        provider: &str,
        purpose: &str,
    ) -> Result<()> {
        sqlx::query("DELETE FROM secrets WHERE user_id = $1 AND provider_id = $2 AND purpose <> $3")
            .bind(user)
            .bind(provider)
            .bind(purpose)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// The key to seal with. Until the transaction ends no rotation can begin to seal with another one.
    async fn sealing_key(&self, tx: &mut Transaction) -> Result<Arc<MasterKey>> {
        let named = lock_sealing(tx).await?;
        if let Some(key) = named.and_then(|id| self.keyring.find(&id)) {
            return Ok(key);
        }
        let key = self.keyring.newest();
        seal_with(tx, &key).await?;
        Ok(key)
    }

    /// `None`: it was sealed with another master key, for another place, or it is damaged.
    fn open(&self, place: Place<'_>, row: &SealedRow) -> Option<Secret> {
        let keys = self.keys_for(row.key_id.as_deref());
        keys.iter().find_map(|key| envelope::open(key, place, &row.envelope).ok())
    }

    /// Where a row does not name its key, any could be it.
    fn keys_for(&self, key_id: Option<&str>) -> Vec<Arc<MasterKey>> {
        match key_id {
            Some(id) => self.keyring.find(id).into_iter().collect(),
            None => self.keyring.all(),
        }
    }
}

#[derive(Clone, Debug)]
struct SealedRow {
    key_id: Option<String>,
    envelope: Envelope,
}

async fn find(pool: &AnyPool, place: Place<'_>) -> Result<Option<SealedRow>> {
    let row = sqlx::query(
        "SELECT key_id, sealed_key, sealed_value FROM secrets
         WHERE user_id = $1 AND provider_id = $2 AND purpose = $3",
    )
    .bind(place.user)
    .bind(place.provider)
    .bind(place.purpose)
    .fetch_optional(pool)
    .await?;
    row.as_ref().map(sealed_row).transpose()
}

fn sealed_row(row: &Row) -> Result<SealedRow> {
    let envelope = Envelope { key: row.try_get("sealed_key")?, value: row.try_get("sealed_value")? };
    Ok(SealedRow { key_id: row.try_get("key_id")?, envelope })
}

/// The id of the key that seals. It stays that one until the transaction ends.
async fn lock_sealing(tx: &mut Transaction) -> Result<Option<String>> {
    let row = sqlx::query("UPDATE settings SET value = value WHERE key = $1 RETURNING value")
        .bind(SEALING)
        .fetch_optional(&mut **tx)
        .await?;
    row.map(|row| Ok(row.try_get(0)?)).transpose()
}

/// What is kept from here on is sealed with this key.
async fn seal_with(tx: &mut Transaction, key: &MasterKey) -> Result<()> {
    put_setting(tx, SEALING, &key.id()).await
}

async fn put_setting(tx: &mut Transaction, key: &str, value: &str) -> Result<()> {
    sqlx::query(
        "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    .bind(key)
    .bind(value)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
