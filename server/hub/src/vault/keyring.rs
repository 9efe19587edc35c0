//! The master keys that this process knows. There is one, and while a rotation is under way the former
//! ones too, for what was sealed before and was not wrapped anew yet.

use super::key_file;
use super::master_key::MasterKey;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use thiserror::Error;

pub struct Keyring {
    file: Option<PathBuf>,
    keys: RwLock<Keys>,
}

/// At least one, the newest first.
type Keys = Vec<Arc<MasterKey>>;

#[derive(Debug, Error)]
pub enum KeyringError {
    #[error(
        "A master key is 32 bytes, written as 64 hexadecimal digits or in base64. Several are set apart by spaces, the newest first."
    )]
    Text,
    #[error(
        "The file {0} does not hold a master key. Put the right one back: without it the stored keys cannot be read."
    )]
    Content(PathBuf),
    #[error(
        "The master key {0} is missing, and what the database keeps is sealed with it. Put it back from your backup, or name it in VIVARIUM_MASTER_KEY. If it is lost for good, put a new one there (openssl rand -base64 32, for you alone to read) and call `vivarium key begin-anew`: keys of providers, secrets of webhooks and second factors have to be entered anew then."
    )]
    Missing(PathBuf),
    #[error("Others can read the master key in {0}. Take that away (chmod 600) and start again.")]
    Exposed(PathBuf),
    #[error("The master key in {0} cannot be read or written: {1}")]
    File(PathBuf, #[source] io::Error),
}

impl Keyring {
    /// Keys that were given to the program, the newest first. It cannot change them.
    pub fn from_text(text: &str) -> Result<Self, KeyringError> {
        let keys = key_file::parse(text).ok_or(KeyringError::Text)?;
        Ok(Self { file: None, keys: RwLock::new(shared(keys)) })
    }

    /// Keys in a file of the program's own.
    pub fn open(path: &Path) -> Result<Self, KeyringError> {
        key_file::read(path).map(|keys| Self::in_file(path, keys)).map_err(|error| match error {
            KeyringError::File(_, error) if error.kind() == io::ErrorKind::NotFound => {
                KeyringError::Missing(path.to_owned())
            }
            error => error,
        })
    }

    /// The same, where a key is made if there is none: for a database in which nothing is sealed yet.
    pub fn open_or_create(path: &Path) -> Result<Self, KeyringError> {
        key_file::open_or_create(path).map(|keys| Self::in_file(path, keys))
    }

    fn in_file(path: &Path, keys: Vec<MasterKey>) -> Self {
        Self { file: Some(path.to_owned()), keys: RwLock::new(shared(keys)) }
    }

    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Fails if the keys are in a file that cannot be read any more, or holds others.
    pub(super) fn try_file(&self) -> Result<(), KeyringError> {
        let Some(path) = &self.file else { return Ok(()) };
        let Self { keys, .. } = Self::open(path)?;
        let in_file = keys.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_known = |key: &Arc<MasterKey>| self.find(&key.id()).is_some();
        if in_file.iter().any(is_known) { Ok(()) } else { Err(KeyringError::Content(path.clone())) }
    }

    /// The newest key.
    pub(super) fn newest(&self) -> Arc<MasterKey> {
        self.all().swap_remove(0)
    }

    pub(super) fn all(&self) -> Vec<Arc<MasterKey>> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether there are former keys besides the newest.
    pub(super) fn is_rotating(&self) -> bool {
        self.all().len() > 1
    }

    /// The key of this id. Another process may have added one, or be done with the former ones.
    pub(super) fn find(&self, id: &str) -> Option<Arc<MasterKey>> {
        let known = |keys: Keys| keys.into_iter().find(|key| key.id() == id);
        let found = known(self.all());
        if found.is_some() && !self.is_rotating() {
            return found;
        }
        self.look_again();
        known(self.all())
    }

    /// Takes in what is in the file now. If that cannot be read, what is known stays.
    pub(super) fn look_again(&self) {
        let Some(path) = &self.file else { return };
        match key_file::read(path) {
            Ok(keys) => *self.keys.write().unwrap_or_else(PoisonError::into_inner) = shared(keys),
            Err(error) => tracing::warn!("{error}"),
        }
    }

    /// Whether it opens what is sealed with the key of this name.
    pub fn opens_what_is_sealed_by(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    /// Puts these keys into the file, if they are in one.
    pub(super) fn replace(&self, keys: Keys) -> Result<(), KeyringError> {
        if let Some(path) = &self.file {
            let keys: Vec<&MasterKey> = keys.iter().map(AsRef::as_ref).collect();
            key_file::replace(path, &keys)?;
        }
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(())
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[keyring]")
    }
}

fn shared(keys: Vec<MasterKey>) -> Keys {
    keys.into_iter().map(Arc::new).collect()
}
