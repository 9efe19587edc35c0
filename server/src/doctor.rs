//! `vivarium doctor`: looks at what the hub needs, one line each.

use crate::config::Config;
use crate::open::{Problem, keyring, open_beside, prepare_folder};
use hub::Hub;
use protocol::view::AuditState;
use std::net::TcpListener;

pub async fn examine(config: &Config) -> Result<(), Problem> {
    let mut sick = 0;
    let mut tell = |what: &str, finding: Result<String, Problem>| match finding {
        Ok(fine) => println!("ok    {what}: {fine}"),
        Err(problem) => {
            sick += 1;
            println!("wrong {what}: {problem}");
        }
    };
    tell("data folder", prepare_folder(&config.data_dir).map(|()| config.data_dir.display().to_string()));
    tell("master key", keyring(config).map(|_| "found, and only you can read it".to_owned()));
    let opened = open_beside(config).await;
    tell(
        "database",
        match &opened {
            Ok(hub) => hub.examine_store().await.map_err(Problem::from),
            Err(problem) => Err(Problem(problem.0.clone())),
        },
    );
    if let Ok(hub) = &opened {
        tell("audit", audit(hub).await);
        tell("stored keys", hub.examine_secrets().await.map_err(Problem::from));
    }
    tell("address", address(config));
    if let Some(tls) = &config.tls {
        for file in [&tls.certificate, &tls.key] {
            let read = std::fs::read(file).map(|_| file.display().to_string());
            tell("HTTPS file", read.map_err(|error| Problem(format!("{}: {error}", file.display()))));
        }
    }
    if sick == 0 { Ok(()) } else { Err(Problem(format!("{sick} of these need you."))) }
}

async fn audit(hub: &Hub) -> Result<String, Problem> {
    let AuditState { lines, since: _, broken } = hub.audit_state().await?;
    match broken {
        None => Ok(format!("{lines} lines, whole")),
        Some(how) => Err(Problem(how)),
    }
}

fn address(config: &Config) -> Result<String, Problem> {
    match TcpListener::bind(config.addr) {
        Ok(_) => Ok(format!("{} is free", config.addr)),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            Ok(format!("{} is in use: a hub is running, or another program", config.addr))
        }
        Err(error) => Err(Problem(format!("{} cannot be used: {error}", config.addr))),
    }
}
