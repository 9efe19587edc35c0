//! `vivarium backup`, `restore` and `move`.

use crate::config::{self, Config};
use crate::startup_error::StartupError;
use crate::{data_folder, open, owner};
use hub::Keyring;
use hub::backups::{self, Backup, BackupPlace, Bucket, Contents};
use hub::clock::Clock;
use hub::store::DatabaseUrl;
use std::fs;
use std::path::{Path, PathBuf};

/// Characters of the shortest passphrase: whoever has the file may try as often as they like.
const SHORTEST: usize = 12;

pub async fn take(config: &Config, to: &Path, passphrase_file: Option<&Path>) -> Result<(), StartupError> {
    if to.exists() {
        let there =
            format!("There is a file {} already. Name a new one: a backup replaces none.", to.display());
        return Err(StartupError(there));
    }
    let keys = match passphrase_file {
        Some(file) => Some(open::keyring(config, true)?.sealed_with(&passphrase(file)?)),
        None => None,
    };
    let has_keys = keys.is_some();
    let now = Clock::default().now();
    let contents = match in_a_bucket(to) {
        None => {
            let contents = backups::take(&open::place(config)?, keys, now, to).await?;
            println!("Wrote {}: {}.", to.display(), in_words(&contents));
            contents
        }
        Some(address) => {
            let bucket = config::bucket(address, config.buckets.as_ref())?;
            data_folder::prepare(&config.data_dir)?;
            let draft = Draft::new(config, "backup");
            let contents = backups::take(&open::place(config)?, keys, now, &draft.0).await?;
            let name = backups::backup_name(now);
            bucket.put(&name, &draft.0).await?;
            println!("Wrote {bucket}/{name}: {}.", in_words(&contents));
            contents
        }
    };
    println!("Digest {}", contents.digest);
    if !has_keys {
        println!("The master key is not in it. Keep a copy elsewhere: without it no stored key opens.");
    }
    Ok(())
}

pub async fn check(config: &Config, file: &Path) -> Result<(), StartupError> {
    let fetched = fetched(config, file).await?;
    let backup = backups::check(fetched.path())?;
    println!(
        "{} is whole: {}, made by Vivarium {}.",
        file.display(),
        in_words(&backup.contents),
        backup.program
    );
    println!("Digest {}", backup.contents.digest);
    Ok(())
}

pub async fn restore(
    config: &Config,
    file: &Path,
    passphrase_file: Option<&Path>,
) -> Result<(), StartupError> {
    data_folder::prepare(&config.data_dir)?;
    let fetched = fetched(config, file).await?;
    let (named, file) = (file, fetched.path());
    let place = open::place(config)?;
    let _claim = place.claim()?;
    let passphrase = passphrase_file.map(passphrase).transpose()?;
    let key_file = config.data_dir.join("master.key");
    // Before anything is written.
    let keyring = match &passphrase {
        Some(passphrase) => backups::open_keys(&backups::check(file)?, passphrase)?,
        None => None,
    };
    if keyring.is_some() && key_file.exists() {
        return Err(StartupError(format!(
            "There is a master key at {} already. Move it away, or restore without --passphrase-file.",
            key_file.display()
        )));
    }
    if let Some(here) = key_that_is_here(config, &key_file)?
        && let Some(id) = backups::sealed_by(file)?
        && !here.opens_what_is_sealed_by(&id)
    {
        return Err(StartupError(format!(
            "The master key that is here does not open what the backup holds: it is of another hub, or of another time. Put that hub's key at {} or in VIVARIUM_MASTER_KEY, or move this one away and restore with --passphrase-file, if the key is in the backup. Nothing was changed.",
            key_file.display()
        )));
    }
    let backup = backups::restore(file, &place).await?;
    if let Some(keyring) = &keyring {
        keyring.write_new(&key_file).map_err(|error| StartupError(error.to_string()))?;
    }
    println!("Restored {}: {}.", named.display(), in_words(&backup.contents));
    if let Some(missing) = missing_key(config, &backup, keyring.is_some()) {
        println!("{missing}");
    }
    Ok(())
}

fn key_that_is_here(config: &Config, file: &Path) -> Result<Option<Keyring>, StartupError> {
    let is_here = config.master_key.is_some() || file.exists();
    is_here.then(|| open::keyring(config, true)).transpose()
}

/// What to do about the master key, if something is.
fn missing_key(config: &Config, backup: &Backup, was_written: bool) -> Option<String> {
    let file = config.data_dir.join("master.key");
    if was_written || config.master_key.is_some() || file.exists() {
        return None;
    }
    Some(match backup.keys {
        Some(_) => "The master key is in the backup, sealed: it was not taken out. Put your copy of it in place, or begin anew with --passphrase-file.".to_owned(),
        None => format!("Put the master key of that hub at {} before you start.", file.display()),
    })
}

pub async fn move_to(config: &Config, to: &str) -> Result<(), StartupError> {
    data_folder::prepare(&config.data_dir)?;
    let (from, to) = (open::place(config)?, DatabaseUrl::named(to)?);
    // What a hub writes meanwhile would be at one end alone.
    let _claims = (open::alone(&from).await?, open::alone(&to).await?);
    let between = config.data_dir.join(format!("vivarium.move-{}", std::process::id()));
    let moved = async {
        let taken = backups::take(&from, None, Clock::default().now(), &between).await?;
        backups::restore(&between, &to).await?;
        Ok::<Contents, StartupError>(taken)
    };
    let moved = moved.await;
    // It holds what the database does.
    let removed = fs::remove_file(&between);
    let contents = moved?;
    removed.map_err(|error| StartupError(format!("{} cannot be removed: {error}.", between.display())))?;
    owner::hand_over_database(&to)?;
    println!("Moved {}, the same at both ends.", in_words(&contents));
    println!("Digest {}", contents.digest);
    println!("Name the new place in DATABASE_URL and start the hub. The old database is as it was.");
    Ok(())
}

/// The address, if it is one of a bucket.
fn in_a_bucket(path: &Path) -> Option<&str> {
    path.to_str().filter(|path| path.starts_with("s3://"))
}

/// A file in the data folder that goes with this.
struct Draft(PathBuf);

impl Draft {
    fn new(config: &Config, what: &str) -> Self {
        // What is half of it replaces the ending.
        Self(config.data_dir.join(format!("vivarium.{what}-{}.part", std::process::id())))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // There may be none.
        let _ = fs::remove_file(&self.0);
    }
}

/// A backup as a file.
enum Fetched<'a> {
    There(&'a Path),
    Copy(Draft),
}

impl Fetched<'_> {
    fn path(&self) -> &Path {
        match self {
            Self::There(path) => path,
            Self::Copy(draft) => &draft.0,
        }
    }
}

/// Of a bucket's backup a copy, of the newest there if the address names none.
async fn fetched<'a>(config: &Config, file: &'a Path) -> Result<Fetched<'a>, StartupError> {
    let Some(address) = in_a_bucket(file) else { return Ok(Fetched::There(file)) };
    data_folder::prepare(&config.data_dir)?;
    let (place, name) = match address.rsplit_once('/').filter(|(_, name)| name.ends_with(".backup")) {
        Some((place, name)) => (place, Some(name.to_owned())),
        None => (address, None),
    };
    let bucket: Bucket = config::bucket(place, config.buckets.as_ref())?;
    let name = match name {
        Some(name) => name,
        None => {
            let found = BackupPlace::Bucket(Box::new(bucket.clone())).found().await?;
            let newest = found.into_iter().next();
            newest.ok_or_else(|| StartupError(format!("There is no backup in {bucket}.")))?.name
        }
    };
    let copy = Draft::new(config, "download");
    bucket.get(&name, &copy.0).await?;
    Ok(Fetched::Copy(copy))
}

fn in_words(contents: &Contents) -> String {
    format!("{} rows of {} tables", contents.rows, contents.tables)
}

fn passphrase(file: &Path) -> Result<String, StartupError> {
    let text = fs::read_to_string(file)
        .map_err(|error| StartupError(format!("The file {} cannot be read: {error}.", file.display())))?;
    let passphrase = text.trim_end_matches(['\r', '\n']).to_owned();
    if passphrase.chars().count() < SHORTEST {
        return Err(StartupError(format!("A passphrase has at least {SHORTEST} characters.")));
    }
    Ok(passphrase)
}
