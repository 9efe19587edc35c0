//! `vivarium doctor`: looks at what the hub needs, one line each.

use crate::config::Config;
use crate::data_folder;
use crate::open;
use crate::repair;
use crate::startup_error::StartupError;
use hub::Hub;
use hub::backups::BackupPlan;
use protocol::view::AuditState;
use std::net::TcpListener;

pub async fn examine(config: &Config) -> Result<(), StartupError> {
    let mut sick = 0;
    let mut tell = |what: &str, finding: Result<String, StartupError>| match finding {
        Ok(fine) => println!("ok    {what}: {fine}"),
        Err(problem) => {
            sick += 1;
            println!("wrong {what}: {problem}");
        }
    };
    let folder = &config.data_dir;
    tell("data folder", data_folder::prepare(folder).and_then(|()| data_folder::examine(folder)));
    let store = open::store(config).await;
    // What cannot be read may hold what is sealed.
    let is_sealed = match &store {
        Ok(store) => store.is_sealed().await.unwrap_or(true),
        Err(_) => true,
    };
    let keyring = open::keyring(config, is_sealed);
    tell("master key", keyring.map(|_| "found, and only you can read it".to_owned()));
    let opened = match store {
        Ok(store) => open::open_on(config, store).await,
        Err(problem) => Err(problem),
    };
    tell(
        "database",
        match &opened {
            Ok(hub) => hub.examine_store().await.map_err(StartupError::from),
            Err(problem) => Err(StartupError(problem.0.clone())),
        },
    );
    if opened.is_ok() {
        for (what, finding) in repair::findings(config).await {
            tell(what, finding);
        }
    }
    if let Ok(hub) = &opened {
        tell("audit", audit(hub).await);
        tell("stored keys", stored_keys(hub).await);
        tell("conversations", hub.examine_packed().await.map_err(StartupError::from));
    }
    if let Ok(hub) = &opened {
        // A hub without one lacks nothing else.
        tell(
            "terminal",
            Ok(hub.examine_terminal().await.unwrap_or_else(|why| format!("none, because {why}"))),
        );
    }
    if let Ok(hub) = &opened
        && let Some(mail) = hub.notifications().examine_mail().await
    {
        tell("mail", mail.map_err(StartupError));
    }
    if let Ok(hub) = &opened
        && config.nats.is_some()
    {
        let own = hub.cluster().require_own_connections().await;
        let fine = own.map(|()| "each leads to PostgreSQL, or to a pooler that keeps it".to_owned());
        tell("connections", fine.map_err(StartupError::from));
    }
    if let Ok(hub) = &opened {
        match hub.cluster().examine().await {
            Ok(nodes) => {
                for node in nodes {
                    tell(&format!("node {}", node.id), node.finding.map_err(StartupError));
                }
            }
            Err(error) => tell("nodes", Err(error.into())),
        }
    }
    if let Some(plan) = &config.backups {
        tell("backups", backups(plan).await);
    }
    tell("address", address(config));
    if let Some(tls) = &config.tls {
        for file in [&tls.certificate, &tls.key] {
            let read = std::fs::read(file).map(|_| file.display().to_string());
            tell("HTTPS file", read.map_err(|error| StartupError(format!("{}: {error}", file.display()))));
        }
    }
    if sick == 0 { Ok(()) } else { Err(StartupError(format!("{sick} of these need you."))) }
}

/// Where none is stored yet the key can be another one too: the hub does not start with it.
async fn stored_keys(hub: &Hub) -> Result<String, StartupError> {
    hub.secrets().try_key().await?;
    Ok(hub.secrets().examine().await?)
}

async fn audit(hub: &Hub) -> Result<String, StartupError> {
    let AuditState { lines, since: _, let_go, broken } = hub.audit().state().await?;
    match broken {
        None if let_go == 0 => Ok(format!("{lines} lines, whole")),
        None => Ok(format!("{lines} lines, whole; {let_go} made room")),
        Some(how) => Err(StartupError(how)),
    }
}

async fn backups(plan: &BackupPlan) -> Result<String, StartupError> {
    let found = plan.place.found().await?;
    let Some(newest) = found.first() else {
        return Err(StartupError(format!(
            "There is none in {}: the hub makes one when it runs.",
            plan.place
        )));
    };
    let age = newest.made.elapsed().unwrap_or_default();
    let hours = age.as_secs() / 3600;
    let finding =
        format!("{}/{}, the newest of {}, is {hours} hours old", plan.place, newest.name, found.len());
    if age > 2 * plan.every {
        Err(StartupError(format!("{finding}. Look into the log for why.")))
    } else {
        Ok(finding)
    }
}

fn address(config: &Config) -> Result<String, StartupError> {
    match TcpListener::bind(config.addr) {
        Ok(_) => Ok(format!("{} is free", config.addr)),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            Ok(format!("{} is in use: a hub is running, or another program", config.addr))
        }
        Err(error) => Err(StartupError(format!("{} cannot be used: {error}", config.addr))),
    }
}
