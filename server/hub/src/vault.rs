//! Secrets at rest: a value is sealed under a key of its own, and that key under the master key. How a secret
//! is used is not known here, but for which server it is: that is sealed in.

mod begin_anew;
mod bind;
mod envelope;
mod examine;
mod in_rows;
mod key_file;
mod keyring;
mod master_key;
mod rotation;
mod sealed_keys;
mod secret;
mod signing;

use crate::Hub;
pub use keyring::{Keyring, KeyringError};
pub use rotation::{Rotation, RotationStep};
pub use sealed_keys::SealedKeys;
pub(crate) use secret::Secret;
pub(crate) use signing::LostRoot;

use crate::error::{Error, Result};
use crate::store::{FromRow, ReadCache, Readers, Row, Store, Transaction, query};
use envelope::{Envelope, Unsealable};
use master_key::MasterKey;
use protocol::AgentId;
use std::sync::{Arc, OnceLock};

/// What is sealed, and the key that seals it.
#[derive(Clone, Copy, Debug)]
pub struct Secrets<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn secrets(&self) -> Secrets<'_> {
        Secrets { hub: self }
    }

    pub(crate) fn vault(&self) -> &Vault {
        &self.0.vault
    }
}

/// For what the passwords of mailboxes are kept that an agent hears from. They go with the agent.
pub(crate) fn mailbox_purpose(agent: &AgentId) -> String {
    format!("mailbox of agent {agent}")
}

/// The setting that names the master key with which secrets are sealed.
pub(crate) const SEALING: &str = "master_key";

/// Whose secret it is and what for. Sealed in with the value, so that a row that was moved to
/// another place, or whose server was changed beside it, cannot be opened there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AssociatedData<'a> {
    pub(crate) user: &'a str,
    pub(crate) provider: &'a str,
    pub(crate) purpose: &'a str,
    /// Scheme, host and port of the server that it is for; empty where it is for none. `None`: it was sealed
    /// before that was sealed in with it.
    pub(crate) server: Option<&'a str>,
}

#[derive(Debug)]
pub(crate) struct Vault {
    keyring: Keyring,
    signing_root: OnceLock<MasterKey>,
    /// As they are kept, by person, provider and purpose.
    rows: ReadCache<[String; 3], Option<SealedRow>>,
}

impl Vault {
    pub(crate) fn new(keyring: Keyring) -> Self {
        Self { keyring, signing_root: OnceLock::new(), rows: ReadCache::default() }
    }

    /// Says in the store which key seals, if nobody has yet (whoever keeps a secret locks that row), and
    /// finds what to sign with.
    pub(crate) async fn adopt_sealing_key(&self, store: &Store, lost: LostRoot) -> Result<()> {
        let mut tx = store.write().await?;
        query(
            "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING",
            (SEALING, self.keyring.newest().id()),
        )
        .execute(&mut *tx)
        .await?;
        let sealing = lock_sealing(&mut tx).await?;
        let is_ours = sealing.is_none_or(|id| self.keyring.find(&id).is_some());
        let root = signing::load_or_make(&mut tx, &self.keyring, is_ours, lost).await?;
        tx.commit().await?;
        self.signing_root.get_or_init(|| root);
        Ok(())
    }

    /// Keeps the secret, in place of the one that was there.
    pub(crate) async fn put(
        &self,
        tx: &mut Transaction,
        place: AssociatedData<'_>,
        secret: &Secret,
        now: i64,
    ) -> Result<()> {
        let master_key = self.sealing_key(tx).await?;
        let Envelope { key, value } = envelope::seal(&master_key, place, secret);
        query(
            "INSERT INTO secrets (id, user_id, provider_id, purpose, key_id, sealed_key, sealed_value,
                                  created_at, server)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (user_id, provider_id, purpose) DO UPDATE
             SET key_id = $5, sealed_key = $6, sealed_value = $7, created_at = $8, server = $9",
            (
                crate::clock::new_id(),
                place.user,
                place.provider,
                place.purpose,
                master_key.id(),
                key,
                value,
                now,
                place.server,
            ),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    pub(crate) async fn read(&self, store: &Store, place: AssociatedData<'_>) -> Result<Option<Secret>> {
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
        self.root().derive("vivarium signing key", purpose)
    }

    fn root(&self) -> &MasterKey {
        self.signing_root.get().expect("a hub settles its vault when it opens")
    }

    /// Forgets everything that is kept for the provider.
    pub(crate) async fn forget(tx: &mut Transaction, user: &str, provider: &str) -> Result<()> {
        query("DELETE FROM secrets WHERE user_id = $1 AND provider_id = $2", (user, provider))
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Forgets what is kept for the provider for this purpose, whichever server it is for.
    pub(crate) async fn forget_one(tx: &mut Transaction, place: AssociatedData<'_>) -> Result<()> {
        query(
            "DELETE FROM secrets WHERE user_id = $1 AND provider_id = $2 AND purpose = $3",
            (place.user, place.provider, place.purpose),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Forgets what is kept for this purpose, for whichever provider.
    pub(crate) async fn forget_purpose(tx: &mut Transaction, user: &str, purpose: &str) -> Result<()> {
        query("DELETE FROM secrets WHERE user_id = $1 AND purpose = $2", (user, purpose))
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
        query(
            "DELETE FROM secrets WHERE user_id = $1 AND provider_id = $2 AND purpose <> $3",
            (user, provider, purpose),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// The key to seal with. Until the transaction ends no rotation can begin to seal with another one.
    async fn sealing_key(&self, tx: &mut Transaction) -> Result<Arc<MasterKey>> {
        let named = lock_sealing(tx).await?;
        named.and_then(|id| self.keyring.find(&id)).ok_or_else(|| {
            Error::Conflict(
                "What the database keeps is sealed with another master key. Put the right one back."
                    .to_owned(),
            )
        })
    }

    /// `None`: it was sealed with another master key, for another place, or it is damaged.
    fn open(&self, place: AssociatedData<'_>, row: &SealedRow) -> Option<Secret> {
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

impl Store {
    /// Whether secrets in it are sealed with a master key already.
    pub async fn is_sealed(&self) -> Result<bool> {
        query("SELECT 1 FROM settings WHERE key = $1", (SEALING,)).exists(self.read()).await
    }
}

#[derive(Clone, Debug)]
struct SealedRow {
    key_id: Option<String>,
    envelope: Envelope,
}

async fn find(pool: &Readers, place: AssociatedData<'_>) -> Result<Option<SealedRow>> {
    query(
        "SELECT key_id, sealed_key, sealed_value FROM secrets
         WHERE user_id = $1 AND provider_id = $2 AND purpose = $3",
        (place.user, place.provider, place.purpose),
    )
    .fetch_optional(pool)
    .await
}

impl FromRow for SealedRow {
    fn from_row(row: &Row) -> Result<Self> {
        let envelope = Envelope { key: row.get("sealed_key")?, value: row.get("sealed_value")? };
        Ok(Self { key_id: row.get("key_id")?, envelope })
    }
}

/// The id of the key that seals. It stays that one until the transaction ends.
async fn lock_sealing(tx: &mut Transaction) -> Result<Option<String>> {
    query("UPDATE settings SET value = value WHERE key = $1 RETURNING value", (SEALING,))
        .fetch_optional(&mut **tx)
        .await
}

/// What is kept from here on is sealed with this key.
async fn seal_with(tx: &mut Transaction, key: &MasterKey) -> Result<()> {
    put_setting(tx, SEALING, &key.id()).await
}

async fn put_setting(tx: &mut Transaction, key: &str, value: &str) -> Result<()> {
    query(
        "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE
         SET value = excluded.value",
        (key, value),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
