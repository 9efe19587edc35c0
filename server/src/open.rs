//! Opening the hub from its configuration: data folder, master key, database.

use crate::config::{Config, own_program};
use crate::data_folder;
use crate::startup_error::StartupError;
use crate::telemetry;
use hub::clock::Clock;
use hub::repair;
use hub::store::{Claim, DatabaseUrl, Store};
use hub::{HashCost, Hub, Keyring, Reach, Setup};
use std::time::Duration;
use tokio::time::sleep;

/// A program that has just ended is seen on the server for a moment more.
const LOOKS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

/// Opens the hub that serves. No other one can on the same file, as long as the claim is held.
pub async fn open(config: &Config) -> Result<(Hub, Option<Claim>), StartupError> {
    data_folder::prepare(&config.data_dir)?;
    let claim = place(config)?.claim()?;
    let setup = setup(config, store(config).await?).await?;
    let hub = Hub::open(setup).await?;
    data_folder::close(&config.data_dir);
    Ok((hub, claim))
}

/// Opens the store beside a hub that may be running.
pub async fn open_beside(config: &Config) -> Result<Hub, StartupError> {
    data_folder::prepare(&config.data_dir)?;
    open_on(config, store(config).await?).await
}

/// The same on a store that is open.
pub async fn open_on(config: &Config, store: Store) -> Result<Hub, StartupError> {
    Ok(Hub::open_beside(setup(config, store).await?).await?)
}

/// Makes sure that no hub has the database, and keeps others off a file as long as the claim is held.
pub async fn alone(place: &DatabaseUrl) -> Result<Option<Claim>, StartupError> {
    let claim = place.claim()?;
    let mut others = repair::others(place).await?;
    for _ in 0..LOOKS {
        if others == 0 {
            break;
        }
        sleep(PAUSE).await;
        others = repair::others(place).await?;
    }
    if others > 0 {
        return Err(StartupError(format!(
            "{others} connections to the database are open: a hub is running, or another program. Stop them first."
        )));
    }
    Ok(claim)
}

pub async fn store(config: &Config) -> Result<Store, StartupError> {
    Ok(Store::open(&place(config)?).await?)
}

pub fn place(config: &Config) -> Result<DatabaseUrl, StartupError> {
    Ok(match &config.database_url {
        Some(url) => DatabaseUrl::named(url)?,
        None => DatabaseUrl::folder(&config.data_dir),
    })
}

async fn setup(config: &Config, store: Store) -> Result<Setup, StartupError> {
    let keyring = keyring(config, store.is_sealed().await?)?;
    let (reach, web, clock) = (config.reach, Reach::default(), Clock::default());
    Ok(Setup {
        store,
        keyring,
        reach,
        web,
        listed: config.listed,
        clock,
        person_bytes: config.person_bytes,
        folder: config.data_dir.clone(),
        engine: own_program()?,
        terminal: config.terminal,
        programs: config.programs.clone(),
        side_calls: config.side_calls,
        passwords: HashCost::default(),
        open_data: config.open_data.clone(),
        searxng: config.searxng.clone(),
        web_contact: config.web_contact.clone(),
        mail: config.mail.clone(),
        sentence_in: app::sentence_in,
        log: telemetry::writer(),
        traces: config.traces.clone(),
        nats: config.nats.clone(),
    })
}

/// A key is made only where nothing is sealed yet: another one would open none of it.
pub fn keyring(config: &Config, is_sealed: bool) -> Result<Keyring, StartupError> {
    let file = config.data_dir.join("master.key");
    let key = match &config.master_key {
        Some(text) => Keyring::from_text(text),
        None if is_sealed => Keyring::open(&file),
        None => Keyring::open_or_create(&file),
    };
    key.map_err(|error| StartupError(error.to_string()))
}
