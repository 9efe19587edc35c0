//! The serving process: listen, print where to go, serve until a signal, drain.

mod accept;
mod descriptors;
mod door;
mod handed_on;
mod patience;

use crate::assets::Assets;
use crate::config::{Config, Tls};
use crate::limits::Limits;
use crate::open;
use crate::operating::serve_metrics;
use crate::router::router;
use crate::site::Site;
use crate::startup_error::StartupError;
use crate::state::AppState;
use accept::{Counted, Impatient};
use axum::Router;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use axum_server::{Handle, Server};
use door::{Door, Peer};
use futures_util::FutureExt;
use hub::Hub;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use leptos::config::LeptosOptions;
use std::env;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// What requests and replies under way may take after a signal.
const DRAIN: Duration = Duration::from_secs(8);
/// How long the headers of a request may take, from the end of the one before.
const HEADERS: Duration = Duration::from_secs(15);
/// Largest headers of a request, in bytes.
const HEADER_BYTES: usize = 64 * 1024;
/// How often a connection with several requests at once is asked whether it is still there, and how
/// long it may take to say so.
const ARE_YOU_THERE: Duration = Duration::from_secs(30);
/// Requests at once on one connection.
const CONCURRENT_REQUESTS: u32 = 100;

pub async fn serve(config: Config) -> Result<(), StartupError> {
    let listener = listen(config.addr)?;
    let (hub, claim) = open::open(&config).await?;
    let addr = listener.local_addr().map_err(stopped)?;
    let site = Site::new(&config, addr.port());
    announce(&hub, &site, &config).await?;
    if let Some(plan) = config.backups.clone() {
        hub.keep_backups(plan);
    }
    let limits = Arc::new(Limits::new(&config.allowance, descriptors::raise()));
    let assets = assets()?;
    hub.cluster().announce_build(assets.build()).await?;
    let state = AppState {
        hub: hub.clone(),
        site: Arc::new(site),
        limits: Arc::clone(&limits),
        assets: Arc::new(assets),
        readiness: Arc::default(),
        mcp_calls: Arc::default(),
        options: leptos_options(addr),
    };
    let router: Router = router(state);
    let handed_on = handed_on::serve(&hub, router.clone(), &limits);
    let service = router.into_make_service();
    let handle = Handle::new();
    let draining = drain_when_asked(handle.clone(), &hub);
    let mut server =
        Server::from_listener(Door::new(listener, Arc::clone(&limits)).map_err(stopped)?).handle(handle);
    bound(server.http_builder());
    let counted = Counted(Arc::clone(&limits));
    let certificates = match &config.tls {
        None => None,
        Some(tls) => Some(certificates(tls).await?),
    };
    let serving = async {
        match certificates {
            None => server.acceptor(Impatient(counted)).serve(service).await,
            Some(certificates) => {
                let encrypted = RustlsAcceptor::new(certificates).acceptor(counted);
                server.acceptor(Impatient(encrypted)).serve(service).await
            }
        }
    };
    // Without an error it ends by a signal alone, or when nothing reaches it over NATS.
    let served = async { tokio::try_join!(serving, draining.map(Ok)).map(|_| ()).map_err(stopped) };
    let served = async {
        tokio::select! {
            served = served => served,
            never = handed_on => match never {},
        }
    };
    let served = tokio::select! {
        served = served => served,
        refused = serve_metrics(config.metrics, &hub) => refused,
        () = hub.cluster().lost() => return Err(lost()),
    };
    hub.close().await;
    drop(claim);
    if served.is_ok() && hub.cluster().is_cut_off() { Err(cut_off()) } else { served }
}

/// What a connection may take of the process.
fn bound(http: &mut Builder<TokioExecutor>) {
    http.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(HEADER_BYTES);
    http.http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(ARE_YOU_THERE)
        .keep_alive_timeout(ARE_YOU_THERE)
        .max_concurrent_streams(CONCURRENT_REQUESTS);
}

fn listen(addr: SocketAddr) -> Result<TcpListener, StartupError> {
    let listener = TcpListener::bind(addr).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => StartupError(format!(
            "{addr} is in use. Stop the other program, or set VIVARIUM_ADDR to another address."
        )),
        _ => StartupError(format!(
            "{addr} cannot be listened on: {error}. Set VIVARIUM_ADDR to another address."
        )),
    })?;
    listener.set_nonblocking(true).map_err(stopped)?;
    Ok(listener)
}

async fn certificates(tls: &Tls) -> Result<RustlsConfig, StartupError> {
    RustlsConfig::from_pem_file(&tls.certificate, &tls.key).await.map_err(|error| {
        StartupError(format!(
            "The HTTPS files {} and {} cannot be used: {error}.",
            tls.certificate.display(),
            tls.key.display()
        ))
    })
}

/// Says where to go. While nobody has an account that is the set-up link, also kept in the data
/// folder for those who do not see this output.
async fn announce(hub: &Hub, site: &Site, config: &Config) -> Result<(), StartupError> {
    let door = site.front_door();
    let file = config.data_dir.join("setup-link");
    match hub.accounts().ensure_setup_code().await? {
        Some(code) => {
            let link = format!("{door}/setup/{code}");
            write_private(&file, &format!("{link}\n"))
                .map_err(|error| StartupError(format!("{} cannot be written: {error}.", file.display())))?;
            say(&format!("Vivarium is at {door}\nMake the first account here (works once): {link}\n"));
        }
        None => {
            // There is none after the first start.
            let _ = std::fs::remove_file(&file);
            say(&format!("Vivarium is at {door}\n"));
        }
    }
    Ok(())
}

/// Says it at once, and goes on if nobody listens any more.
fn say(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut file =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// It has no folder of files: `assets` knows them.
fn leptos_options(addr: SocketAddr) -> LeptosOptions {
    LeptosOptions::builder().output_name("vivarium").site_root("").site_pkg_dir("pkg").site_addr(addr).build()
}

/// cargo-leptos says by environment where they are.
fn assets() -> Result<Assets, StartupError> {
    let folder = env::var_os("LEPTOS_SITE_ROOT");
    Assets::find(folder.as_deref().map(Path::new))
        .map_err(|error| StartupError(format!("The files of the pages cannot be read: {error}.")))
}

/// Nobody is let in from then on.
async fn drain_when_asked(handle: Handle<Peer>, hub: &Hub) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        () = hub.cluster().cut_off() => {}
    }
    tracing::info!("stopping: what is under way has {} s", DRAIN.as_secs());
    handle.graceful_shutdown(Some(DRAIN));
    hub.drain(DRAIN).await;
}

/// Nothing that it does counts any more: it says nothing and ends, and whoever keeps it starts it anew.
fn lost() -> StartupError {
    StartupError(
        "This node said nothing for so long that the others took over its people. Start it again.".to_owned(),
    )
}

/// The others have its people by now. Whoever keeps it starts it anew, until it is there again.
fn cut_off() -> StartupError {
    StartupError(
        "This node does not reach NATS while others do, and left its people to them. See to its way to where VIVARIUM_NATS_URL says, and start it again."
            .to_owned(),
    )
}

fn stopped(error: std::io::Error) -> StartupError {
    StartupError(format!("The server stopped: {error}."))
}
