//! Rotation of the master key, beside a hub that goes on working: a new key takes over, every data key
//! is wrapped anew with it, and then the former keys go. It can be cut off anywhere: as long as
//! anything needs a former key, that key is kept, and the next rotation goes on where this one was.

use super::key_file;
use super::keyring::Keyring;
use super::master_key::MasterKey;
use super::{AssociatedData, Vault, envelope, lock_sealing, seal_with, signing};
use crate::Hub;
use crate::audit::{Actor, AuditEvent};
use crate::error::{Error, Result};
use crate::store::{Row, Store, Transaction, query};
use crate::vault::Secrets;
use protocol::view::AuditAction;
use std::fmt;
use std::fs::File;
use std::sync::Arc;

/// Secrets that are wrapped anew in one transaction.
const BATCH: usize = 25;

/// A rotation under way. Each [`Rotation::step`] leaves everything in a state to go on from.
pub struct Rotation {
    store: Store,
    hub: Hub,
    key: Arc<MasterKey>,
    /// Nobody else rotates meanwhile.
    _alone: Option<File>,
    next: Next,
    total: u64,
    wrapped: u64,
    lost: u64,
}

/// What the next step does.
enum Next {
    Announce,
    TakeOver,
    /// Wraps the secrets whose id comes after this one.
    Wrap(String),
    Drop,
    Nothing,
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RotationStep {
    /// The new key is kept beside the former ones.
    Kept,
    /// Whatever is sealed from here on is sealed with the new key.
    TookOver,
    Wrapped {
        done: u64,
        of: u64,
    },
    /// Nothing needs the former keys any more. `lost` secrets were sealed with a key that is not here.
    Over {
        lost: u64,
        former: Former,
    },
}

/// What became of the former keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Former {
    Gone,
    /// The program cannot change where its keys come from.
    LeftToThePerson,
}

impl Secrets<'_> {
    /// Begins a rotation, or goes on with one that was cut off.
    pub async fn rotate_master_key(self) -> Result<Rotation> {
        let keyring = &self.hub.vault().keyring;
        let alone = alone(keyring)?;
        keyring.look_again();
        if !keyring.is_rotating() {
            add_key(keyring)?;
        }
        let total =
            query("SELECT COUNT(*) FROM secrets", ()).fetch_one::<Row>(self.hub.store().read()).await?;
        Ok(Rotation {
            store: self.hub.store().clone(),
            hub: self.hub.clone(),
            key: keyring.newest(),
            _alone: alone,
            next: Next::Announce,
            total: u64::try_from(total.get::<i64>(0)?).unwrap_or_default(),
            wrapped: 0,
            lost: 0,
        })
    }

    /// Goes on with a rotation that was cut off, beside everything else.
    pub(crate) fn resume_rotation(self) {
        if !self.hub.vault().keyring.is_rotating() {
            return;
        }
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            let done = async {
                let mut rotation = hub.secrets().rotate_master_key().await?;
                while !hub.tasks().is_closing()
                    && let Some(step) = rotation.step().await?
                {
                    tracing::info!("rotation of the master key: {step}");
                }
                Ok::<_, Error>(())
            };
            if let Err(error) = done.await {
                tracing::warn!("the rotation of the master key did not go on: {error}");
            }
        });
    }
}

impl Rotation {
    /// Does the next thing and says what it was; `None` when all is done.
    pub async fn step(&mut self) -> Result<Option<RotationStep>> {
        let step = match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Announce => {
                self.next = Next::TakeOver;
                RotationStep::Kept
            }
            Next::TakeOver => {
                self.take_over().await?;
                self.next = Next::Wrap(String::new());
                RotationStep::TookOver
            }
            Next::Wrap(after) => {
                self.next = match self.wrap_batch(&after).await? {
                    Some(last) => Next::Wrap(last),
                    None => Next::Drop,
                };
                RotationStep::Wrapped { done: self.wrapped, of: self.total }
            }
            Next::Drop => {
                let keyring = &self.vault().keyring;
                let former = if keyring.file().is_some() {
                    keyring.replace(vec![Arc::clone(&self.key)]).map_err(Error::internal)?;
                    Former::Gone
                } else {
                    Former::LeftToThePerson
                };
                RotationStep::Over { lost: self.lost, former }
            }
            Next::Nothing => return Ok(None),
        };
        Ok(Some(step))
    }

    fn vault(&self) -> &Vault {
        self.hub.vault()
    }

    /// In one transaction the new key becomes the one to seal with, and what signatures are made with is
    /// sealed with it. No signature is made anew, so one that did not hold does not hold now either.
    async fn take_over(&self) -> Result<()> {
        let mut tx = self.store.write().await?;
        let former = lock_sealing(&mut tx).await?;
        seal_with(&mut tx, &self.key).await?;
        signing::wrap_anew(&mut tx, &self.vault().keyring, &self.key).await?;
        if former.is_none_or(|former| former != self.key.id()) {
            let line = AuditEvent::done(AuditAction::MasterKeyRotated, Actor::terminal());
            self.hub.audit().note(&mut tx, line).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Wraps some secrets anew. Gives the id of the last one, or `None` when there are no more.
    async fn wrap_batch(&mut self, after: &str) -> Result<Option<String>> {
        let mut tx = self.store.write().await?;
        let rows = query(
            "SELECT id, user_id, provider_id, purpose, key_id, sealed_key FROM secrets
             WHERE id > $1 ORDER BY id LIMIT $2",
            (after, i64::try_from(BATCH).expect("it is a small number")),
        )
        .fetch_all::<Row>(&mut *tx)
        .await?;
        let (mut wrapped, mut lost) = (0, 0);
        for row in &rows {
            match self.wrap(&mut tx, row).await? {
                true => wrapped += 1,
                false => lost += 1,
            }
        }
        tx.commit().await?;
        self.wrapped += wrapped;
        self.lost += lost;
        if rows.len() < BATCH {
            return Ok(None);
        }
        rows.last().map(|row| row.get("id")).transpose()
    }

    /// `false`: no key that is here opens it.
    async fn wrap(&self, tx: &mut Transaction, row: &Row) -> Result<bool> {
        let key_id: Option<String> = row.get("key_id")?;
        if key_id.as_deref() == Some(&self.key.id()) {
            return Ok(true);
        }
        let (user, provider, purpose): (String, String, String) =
            (row.get("user_id")?, row.get("provider_id")?, row.get("purpose")?);
        let place = AssociatedData { user: &user, provider: &provider, purpose: &purpose, server: None };
        let sealed: Vec<u8> = row.get("sealed_key")?;
        let keys = self.vault().keys_for(key_id.as_deref());
        let mut tried = keys.iter().map(|old| envelope::wrap_anew(old, &self.key, place, &sealed));
        let Some(anew) = tried.find_map(|anew| anew.ok()) else { return Ok(false) };
        // A secret that was kept anew since it was read is sealed with the new key already.
        query(
            "UPDATE secrets SET key_id = $2, sealed_key = $3 WHERE id = $1 AND sealed_key = $4",
            (row.get::<String>("id")?, self.key.id(), anew, sealed),
        )
        .execute(&mut **tx)
        .await?;
        Ok(true)
    }
}

/// Keys that the program was given are nobody's to change, so there is nothing to lock.
fn alone(keyring: &Keyring) -> Result<Option<File>> {
    let Some(path) = keyring.file() else { return Ok(None) };
    let lock = key_file::lock(path).map_err(Error::internal)?;
    let busy = || Error::Conflict("The master key is being rotated already.".to_owned());
    lock.ok_or_else(busy).map(Some)
}

fn add_key(keyring: &Keyring) -> Result<()> {
    if keyring.file().is_none() {
        return Err(Error::Conflict(
            "The master key is given to the program, which cannot change it there. Put a new key before it, with a space between (`openssl rand -base64 32` makes one), start the hub again, and take the former key away when this command says so.".to_owned(),
        ));
    }
    let mut keys = keyring.all();
    keys.insert(0, Arc::new(MasterKey::new()));
    keyring.replace(keys).map_err(Error::internal)
}

impl fmt::Display for RotationStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept => f.write_str("The new key is kept beside the former one."),
            Self::TookOver => f.write_str("What is kept from now on is sealed with the new key."),
            Self::Wrapped { done, of } => write!(f, "{done} of {of} secrets are sealed with it."),
            Self::Over { lost, former } => {
                match former {
                    Former::Gone => f.write_str("Done: the former key is gone. Back up the new one.")?,
                    Former::LeftToThePerson => {
                        f.write_str("Done: nothing needs the former keys any more. Take them away.")?;
                    }
                }
                match lost {
                    0 => Ok(()),
                    lost => write!(
                        f,
                        " {lost} secrets were sealed with a key that is not here: they have to be entered again."
                    ),
                }
            }
        }
    }
}

impl fmt::Debug for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rotation").finish_non_exhaustive()
    }
}
