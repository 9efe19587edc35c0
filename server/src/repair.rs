//! `vivarium doctor --repair`: puts right what can be without a loss, a line each, while no hub runs. The database as it
//! was is kept in a file.

use crate::config::Config;
use crate::startup_error::StartupError;
use crate::{data_folder, open};
use hub::clock::Clock;
use hub::repair::{self, Ailment};
use hub::store::Dialect;
use std::fs;

pub async fn repair(config: &Config) -> Result<(), StartupError> {
    let folder = &config.data_dir;
    data_folder::prepare(folder)?;
    let place = open::place(config)?;
    let _claim = open::alone(&place).await?;
    let unwritable =
        |error| StartupError(format!("The data folder {} cannot be changed: {error}.", folder.display()));
    for path in data_folder::exposed(folder).map_err(unwritable)? {
        data_folder::take_back(&path).map_err(unwritable)?;
        println!("mended permissions: others cannot read {} any more", path.display());
    }
    for path in data_folder::leftovers(folder).map_err(unwritable)? {
        fs::remove_file(&path).map_err(unwritable)?;
        println!("mended leftover file: removed {}", path.display());
    }
    let log = place.log_bytes();
    // As a hub would find it.
    open::store(config).await?.close().await;
    let now = Clock::default().now();
    let found = repair::look(&place, now).await?;
    if !found.is_empty() {
        let end = if place.dialect() == Dialect::Postgres { ".backup" } else { "" };
        let copy = folder.join(format!("vivarium.before-repair-{now}{end}"));
        repair::keep(&place, &copy, now).await?;
        println!("kept   the database as it was: {}", copy.display());
    }
    let ailments: Vec<_> = found.iter().map(|(ailment, _)| *ailment).collect();
    repair::mend(&place, &ailments, now).await?;
    for (ailment, words) in found {
        println!("mended {}: {words}", ailment.name());
    }
    if log > 0 {
        println!("mended write-ahead log: {log} bytes were taken into the database");
    }
    Ok(())
}

/// What there is to repair, for `doctor`: a file that a hub uses is left alone.
pub async fn findings(config: &Config) -> Vec<(&'static str, Result<String, StartupError>)> {
    let mut findings = Vec::new();
    match data_folder::leftovers(&config.data_dir) {
        Ok(left) if left.is_empty() => {}
        Ok(left) => {
            let words = format!("{}, which `vivarium doctor --repair` removes", left.len());
            findings.push(("leftover files", Ok(words)));
        }
        Err(error) => findings.push(("leftover files", Err(StartupError(error.to_string())))),
    }
    let Ok(place) = open::place(config) else { return findings };
    let Ok(_claim) = place.claim() else { return findings };
    match repair::look(&place, Clock::default().now()).await {
        Ok(found) => findings.extend(found.into_iter().map(|(ailment, words)| {
            let finding = match ailment {
                Ailment::Over => Ok(format!("{words}; `vivarium doctor --repair` lets go of them")),
                Ailment::Orphans | Ailment::Search => {
                    Err(StartupError(format!("{words}. Stop the hub and call `vivarium doctor --repair`.")))
                }
            };
            (ailment.name(), finding)
        })),
        Err(error) => findings.push(("database", Err(error.into()))),
    }
    findings
}
