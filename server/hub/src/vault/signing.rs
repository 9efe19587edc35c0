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

/// What is done where no key opens the root. It stays in either case: its key may come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostRoot {
    /// The hub does not start.
    Refused,
    /// A command beside the hub goes on, with signatures that hold nowhere.
    Left,
}

/// The root that is there, or a new one where there is none. `is_ours`: a key that is here seals what is kept.
pub(super) async fn load_or_make(
    tx: &mut Transaction,
    keyring: &Keyring,
    is_ours: bool,
    lost: LostRoot,
) -> Result<MasterKey> {
    match stored(tx).await?.map(|stored| open(&stored, keyring)) {
        Some(Ok(root)) => return Ok(root),
        None if is_ours => {
            let root = MasterKey::new();
            store(tx, &keyring.newest(), &root).await?;
            return Ok(root);
        }
        Some(Err(Unsealable)) | None => {}
    }
    if lost == LostRoot::Refused {
        return Err(Error::Conflict(
            "The master key that is here does not open what the database keeps: it is another hub's, or of another time. Put the right one in its place (master.key in the data folder, or VIVARIUM_MASTER_KEY) and start again: everything is there then. If it is lost for good, `vivarium key begin-anew` goes on with this one: keys of providers, secrets of webhooks and second factors have to be entered anew then."
                .to_owned(),
        ));
    }
    tracing::warn!(
        "no master key that is here opens what signatures are made with: those made now hold nowhere"
    );
    Ok(MasterKey::new())
}

/// Puts this root in the place of one that no key opens.
pub(super) async fn replace_lost(tx: &mut Transaction, keyring: &Keyring, root: &MasterKey) -> Result<()> {
    if let Some(stored) = stored(tx).await?
        && open(&stored, keyring).is_ok()
    {
        return Err(Error::Conflict(
            "The master key that is here opens what the database keeps: nothing has to begin anew."
                .to_owned(),
        ));
    }
    store(tx, &keyring.newest(), root).await
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
