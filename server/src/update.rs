//! `vivarium update`: another program in the place of this one, and everything as it was if that does not
//! become ready.

use crate::config::Config;
use crate::open;
use crate::owner;
use crate::startup_error::StartupError;
use clap::Args;
use hub::backups;
use hub::clock::Clock;
use hub::store::{AtRest, DatabaseUrl};
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, process::Stdio};
use tokio::process::Command;
use tokio::time::{Instant, sleep, timeout};

/// How long a program may take to say its version.
const SAYING: Duration = Duration::from_secs(10);
/// How long a hub that was told to stop may take to let go of its database: it drains for eight seconds.
const STOPPING: Duration = Duration::from_secs(30);
/// How long the old program may take until it is ready again.
const COMING_BACK: Duration = Duration::from_secs(120);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);
/// Looks in a row at which a hub has to be ready: one that ends at once is ready once, perhaps.
const LOOKS: u32 = 4;

#[derive(Debug, Args)]
pub struct Update {
    /// The new program.
    new: PathBuf,
    /// What stops the hub.
    #[arg(long, value_name = "COMMAND", default_value = "systemctl stop vivarium")]
    stop: String,
    /// What starts it.
    #[arg(long, value_name = "COMMAND", default_value = "systemctl start vivarium")]
    start: String,
    /// Seconds within which it has to be ready.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    within: u64,
}

pub async fn update(config: &Config, update: &Update) -> Result<(), StartupError> {
    let program =
        env::current_exe().and_then(fs::canonicalize).map_err(|error| wrong("This program", error))?;
    let version = version(&update.new).await?;
    let place = open::place(config)?;
    let backup = backup(config, &place).await?;
    println!("Stopping the hub for {version}.");
    perform(&update.stop).await?;
    let hub = Stopped { config, update, place, program };
    let kept = match hub.change().await {
        Ok(kept) => kept,
        Err(problem) => {
            perform(&update.start).await?;
            return Err(StartupError(format!(
                "{problem} Nothing was changed, and the hub is started again."
            )));
        }
    };
    match hub.start(Duration::from_secs(update.within)).await {
        Ok(()) => {
            println!("{version} is ready.");
            println!("The old program is kept as {}.", beside(&hub.program, ".before").display());
            for kept in kept.iter().map(AtRest::path).chain(backup) {
                println!("What the hub kept until then is in {}.", kept.display());
            }
            Ok(())
        }
        Err(problem) => {
            println!("{problem} Going back.");
            let why = hub.go_back(kept.as_ref(), backup.as_deref()).await?;
            Err(StartupError(format!("{version} was not kept: {problem} {why}")))
        }
    }
}

/// A hub that does not run, and what is to be done with it.
struct Stopped<'a> {
    config: &'a Config,
    update: &'a Update,
    place: DatabaseUrl,
    program: PathBuf,
}

impl Stopped<'_> {
    /// Keeps what there is, and puts the new program in its place.
    async fn change(&self) -> Result<Option<AtRest>, StartupError> {
        let kept = self.at_rest(|| Ok(self.place.copy_at_rest()?)).await?;
        let next = beside(&self.program, ".next");
        copy_program(&self.update.new, &next).map_err(|error| wrong(&next.display(), error))?;
        let before = beside(&self.program, ".before");
        copy_program(&self.program, &before).map_err(|error| wrong(&before.display(), error))?;
        fs::rename(&next, &self.program).map_err(|error| wrong(&self.program.display(), error))?;
        Ok(kept)
    }

    /// Does it while no hub has the database.
    async fn at_rest<T>(&self, work: impl FnOnce() -> Result<T, StartupError>) -> Result<T, StartupError> {
        let until = Instant::now() + STOPPING;
        let _claim = loop {
            match self.place.claim() {
                Ok(claim) => break claim,
                Err(error) if Instant::now() >= until => return Err(error.into()),
                Err(_) => sleep(PAUSE).await,
            }
        };
        work()
    }

    /// Starts the program that is in place, and waits until it is ready.
    async fn start(&self, within: Duration) -> Result<(), StartupError> {
        // Whoever starts it does not run it as root.
        owner::hand_over(self.config)?;
        perform(&self.update.start).await?;
        let (mut looks, until) = (0, Instant::now() + within);
        while Instant::now() < until {
            looks = if is_ready(self.config).await { looks + 1 } else { 0 };
            if looks == LOOKS {
                return Ok(());
            }
            sleep(PAUSE).await;
        }
        Err(StartupError(format!("It was not ready within {} s.", within.as_secs())))
    }

    /// Says what is so now.
    async fn go_back(&self, kept: Option<&AtRest>, backup: Option<&Path>) -> Result<String, StartupError> {
        // It may have ended by itself.
        if let Err(problem) = perform(&self.update.stop).await {
            println!("{problem}");
        }
        let is_newer = self.place.is_of_newer_program().await?;
        match (is_newer, kept) {
            (true, Some(kept)) => self.at_rest(|| Ok(kept.put_back()?)).await?,
            (true, None) => {
                let backup = backup.map(|backup| backup.display().to_string()).unwrap_or_default();
                return Err(StartupError(format!(
                    "The new program does not become ready, and has changed the database so that the old one \
                     cannot open it. The hub is stopped. Make an empty database, restore {backup} into it, and \
                     put {} back.",
                    beside(&self.program, ".before").display()
                )));
            }
            (false, _) => {}
        }
        let before = beside(&self.program, ".before");
        fs::rename(&before, &self.program).map_err(|error| wrong(&self.program.display(), error))?;
        self.start(COMING_BACK).await?;
        Ok("The old program is in its place again, with all that the hub kept, and is ready.".to_owned())
    }
}

/// What a server keeps the database for is written into a file before: its data cannot be put aside.
async fn backup(config: &Config, place: &DatabaseUrl) -> Result<Option<PathBuf>, StartupError> {
    let DatabaseUrl::Postgres { .. } = place else { return Ok(None) };
    let now = Clock::default().now();
    let to = config.data_dir.join(format!("before-update-{now}.backup"));
    backups::take(place, None, now, &to).await?;
    Ok(Some(to))
}

async fn version(program: &Path) -> Result<String, StartupError> {
    let said = Command::new(program).arg("--version").stdin(Stdio::null()).kill_on_drop(true).output();
    let said = match timeout(SAYING, said).await {
        Ok(said) => said.map_err(|error| wrong(&program.display(), error))?,
        Err(_) => return Err(StartupError(format!("{} does not say its version.", program.display()))),
    };
    let version = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    if !said.status.success() || !version.starts_with("vivarium ") {
        return Err(StartupError(format!("{} is not a Vivarium that runs here.", program.display())));
    }
    Ok(version)
}

async fn perform(command: &str) -> Result<(), StartupError> {
    let done = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).status().await;
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(StartupError(format!("`{command}` failed: {status}."))),
        Err(error) => Err(wrong("sh", error)),
    }
}

async fn is_ready(config: &Config) -> bool {
    let mut addr: SocketAddr = config.addr;
    if addr.ip().is_unspecified() {
        addr.set_ip(if addr.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    #[expect(clippy::disallowed_methods, reason = "it goes to this machine's own hub")]
    let client = reqwest::Client::builder();
    // Its certificate names the hub as people reach it. Nothing secret is sent.
    let client = client.tls_backend_rustls().tls_danger_accept_invalid_certs(true).no_proxy();
    let Ok(client) = client.timeout(SAYING).build() else { return false };
    client.get(format!("{scheme}://{addr}/readyz")).send().await.is_ok_and(|told| told.status().is_success())
}

/// Where nobody runs it yet.
fn copy_program(from: &Path, to: &Path) -> io::Result<()> {
    // A file that runs cannot be written.
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::copy(from, to)?;
    fs::set_permissions(to, Permissions::from_mode(0o755))?;
    File::open(to)?.sync_all()
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(end);
    name.into()
}

fn wrong(what: &(impl std::fmt::Display + ?Sized), error: io::Error) -> StartupError {
    StartupError(format!("{what}: {error}."))
}
