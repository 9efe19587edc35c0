//! The one key that everything else is sealed with: from the environment, or from a file beside
//! the data.

use crate::clock::{new_id, random};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const LENGTH: usize = 32;

pub struct MasterKey([u8; LENGTH]);

#[derive(Debug, Error)]
pub enum MasterKeyError {
    #[error("A master key is 32 bytes, written as 64 hexadecimal digits or in base64.")]
    Text,
    #[error(
        "The file {0} does not hold a master key. Put the right one back: without it the stored keys cannot be read."
    )]
    Content(PathBuf),
    #[error("Others can read the master key in {0}. Take that away (chmod 600) and start again.")]
    Exposed(PathBuf),
    #[error("The master key in {0} cannot be read or written: {1}")]
    File(PathBuf, #[source] io::Error),
}

impl MasterKey {
    /// Reads 32 bytes in base64 (either alphabet) or hex.
    pub fn from_text(text: &str) -> Result<Self, MasterKeyError> {
        let text = text.trim();
        let bytes = match text.len() {
            64 => from_hex(text),
            _ => [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD]
                .iter()
                .find_map(|alphabet| alphabet.decode(text).ok()),
        };
        let bytes = bytes.and_then(|bytes| <[u8; LENGTH]>::try_from(bytes).ok());
        bytes.map(Self).ok_or(MasterKeyError::Text)
    }

    /// Reads the key from the file, which only its owner may be able to read. Where there is no
    /// file, a new key is made and written.
    pub fn open_or_create(path: &Path) -> Result<Self, MasterKeyError> {
        let failed = |error| MasterKeyError::File(path.to_owned(), error);
        match File::open(path) {
            Ok(file) => Self::read(path, file),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                write_new(path, &STANDARD.encode(random::<LENGTH>())).map_err(failed)?;
                Self::read(path, File::open(path).map_err(failed)?)
            }
            Err(error) => Err(failed(error)),
        }
    }

    pub(super) fn bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }

    fn read(path: &Path, file: File) -> Result<Self, MasterKeyError> {
        let failed = |error| MasterKeyError::File(path.to_owned(), error);
        if is_exposed(&file.metadata().map_err(failed)?) {
            return Err(MasterKeyError::Exposed(path.to_owned()));
        }
        match io::read_to_string(file) {
            Ok(text) => Self::from_text(&text).map_err(|_| MasterKeyError::Content(path.to_owned())),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(MasterKeyError::Content(path.to_owned()))
            }
            Err(error) => Err(failed(error)),
        }
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[master key]")
    }
}

impl Drop for MasterKey {
    fn drop(&mut self) {
        self.0.fill(0);
        std::hint::black_box(&self.0);
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    digits?.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}

/// Writes the whole file or nothing. If another process was quicker, its file stays.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.tmp", new_id()));
    let result = write_draft(&draft, text).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    });
    let removed = fs::remove_file(&draft);
    result?;
    removed?;
    sync_folder(path)
}

fn write_draft(draft: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(draft)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// A new name in a folder is only durable once the folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(unix)]
fn is_exposed(file: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0
}

#[cfg(not(unix))]
fn is_exposed(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests;
