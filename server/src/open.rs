//! Opening the hub from its configuration: data folder, master key, database.

use crate::config::Config;
use hub::clock::Clock;
use hub::store::Store;
use hub::{Hub, Keyring, Reach, Setup};
use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Why the program cannot go on: one line that says what to do.
#[derive(Debug)]
pub struct Problem(pub String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<hub::Error> for Problem {
    fn from(error: hub::Error) -> Self {
        Self(error.into_failure().to_string())
    }
}

/// Opens the hub that serves.
pub async fn open(config: &Config) -> Result<Hub, Problem> {
    Ok(Hub::open(setup(config).await?).await?)
}

/// Opens the store beside a hub that may be running.
pub async fn open_beside(config: &Config) -> Result<Hub, Problem> {
    Ok(Hub::open_beside(setup(config).await?).await?)
}

async fn setup(config: &Config) -> Result<Setup, Problem> {
    prepare_folder(&config.data_dir)?;
    let store = match &config.database_url {
        Some(url) => Store::open_url(url).await,
        None => Store::open_folder(&config.data_dir).await,
    };
    let store = store.map_err(|error| Problem(error.to_string()))?;
    let (keyring, reach, clock) = (keyring(config)?, config.reach, Clock::default());
    let web = Reach::default();
    Ok(Setup { store, keyring, reach, web, clock, engine: own_program()? })
}

/// This program, to be started again. Where Linux keeps it even an upgrade under way does not change it.
fn own_program() -> Result<PathBuf, Problem> {
    if cfg!(target_os = "linux") {
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    env::current_exe().map_err(|error| Problem(format!("The program does not find itself: {error}.")))
}

pub fn keyring(config: &Config) -> Result<Keyring, Problem> {
    let key = match &config.master_key {
        Some(text) => Keyring::from_text(text),
        None => Keyring::open_or_create(&config.data_dir.join("master.key")),
    };
    key.map_err(|error| Problem(error.to_string()))
}

/// Makes the data folder and makes sure that it can be written.
pub fn prepare_folder(folder: &Path) -> Result<(), Problem> {
    let unwritable = |error: std::io::Error| {
        Problem(format!(
            "The data folder {} cannot be written: {error}. Set VIVARIUM_DATA_DIR to one that can.",
            folder.display()
        ))
    };
    fs::create_dir_all(folder).map_err(unwritable)?;
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    fs::write(&probe, b"").map_err(unwritable)?;
    fs::remove_file(&probe).map_err(unwritable)
}
