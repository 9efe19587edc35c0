//! What signatures are made with. Every signing key comes out of one random root, which is kept under
//! the master key like a secret: so a rotation voids no signature.

use super::keyring::Keyring;
use super::master_key::MasterKey;
use super::{Unsealable, envelope};
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The setting that holds the root: the id of the master key, and the root sealed with it.
const ROOT: &str = "signing_root";

/// What becomes of a root that no key opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostRoot {
    /// A new one takes its place.
    Replaced,
    /// It stays: a command beside the hub may only have been given another key.
    Left,
}

/// The root that is there, or a new one.
pub(super) async fn load_or_make(
    tx: &mut Transaction,
    keyring: &Keyring,
    lost: LostRoot,
) -> Result<MasterKey> {
    let stored = stored(tx).await?;
    if let Some(Ok(root)) = stored.as_ref().map(|stored| open(stored, keyring)) {
        return Ok(root);
    }
    let root = MasterKey::new();
    if stored.is_none() || lost == LostRoot::Replaced {
        store(tx, &keyring.newest(), &root).await?;
    }
    if stored.is_some() {
        tracing::warn!("no master key opens what signatures are made with: those made so far do not hold");
    }
    Ok(root)
}

/// Seals the root with another master key.
pub(super) async fn wrap_anew(tx: &mut Transaction, keyring: &Keyring, new: &MasterKey) -> Result<()> {
    let Some(stored) = stored(tx).await? else { return Ok(()) };
    let root = open(&stored, keyring).map_err(|Unsealable| {
        Error::Conflict(
            "No master key that is here opens what this hub signs with. Put the right one back, and rotate it then."
                .to_owned(),
        )
    })?;
    store(tx, new, &root).await
}

async fn stored(tx: &mut Transaction) -> Result<Option<String>> {
    query("SELECT value FROM settings WHERE key = $1", (ROOT,)).fetch_optional(&mut **tx).await
}

fn open(stored: &str, keyring: &Keyring) -> std::result::Result<MasterKey, Unsealable> {
    let (id, sealed) = stored.split_once(' ').ok_or(Unsealable)?;
    let key = keyring.find(id).ok_or(Unsealable)?;
    let sealed = STANDARD.decode(sealed).map_err(|_| Unsealable)?;
    envelope::open_root(&key, &sealed)
}

async fn store(tx: &mut Transaction, key: &MasterKey, root: &MasterKey) -> Result<()> {
    let value = format!("{} {}", key.id(), STANDARD.encode(envelope::seal_root(key, root)));
    super::put_setting(tx, ROOT, &value).await
}
