//! The serving process: listen, print where to go, serve until a signal, drain.

mod accept;

pub use accept::Connection;

use crate::config::{Config, Tls};
use crate::limits::Limits;
use crate::open::{self, Problem};
use crate::router::{AppState, router};
use crate::site::Site;
use accept::{Counted, Impatient};
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use leptos::config::LeptosOptions;
use std::env;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// What requests under way may take after a signal.
const DRAIN: Duration = Duration::from_secs(8);
/// How long the headers of a request may take, from the end of the one before.
const HEADERS: Duration = Duration::from_secs(15);
/// Largest headers of a request, in bytes.
const HEADER_BYTES: usize = 64 * 1024;
/// How often a connection with several requests at once is asked whether it is still there, and how
/// long it may take to say so.
const ARE_YOU_THERE: Duration = Duration::from_secs(30);
/// Requests at once on one connection.
const AT_ONCE: u32 = 100;

pub async fn serve(config: Config) -> Result<(), Problem> {
    let listener = listen(config.addr)?;
    let hub = open::open(&config).await?;
    let addr = listener.local_addr().map_err(stopped)?;
    let site = Site::new(&config, addr.port());
    announce(&hub, &site, &config).await?;
    let limits = Arc::new(Limits::new(&config.allowance));
    let state = AppState {
        hub: hub.clone(),
        site: Arc::new(site),
        limits: Arc::clone(&limits),
        options: leptos_options(addr),
    };
    let service = router(state).into_make_service();
    let handle = Handle::new();
    tokio::spawn(drain_on_signal(handle.clone()));
    let mut server = axum_server::from_tcp(listener).map_err(stopped)?.handle(handle);
    bound(server.http_builder());
    let counted = Counted(limits);
    let served = match &config.tls {
        None => server.acceptor(Impatient(counted)).serve(service).await,
        Some(tls) => {
            let encrypted = RustlsAcceptor::new(certificates(tls).await?).acceptor(counted);
            server.acceptor(Impatient(encrypted)).serve(service).await
        }
    };
    hub.close().await;
    served.map_err(stopped)
}

/// What a connection may take of the process.
fn bound(http: &mut Builder<TokioExecutor>) {
    http.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(HEADER_BYTES);
    http.http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(ARE_YOU_THERE)
        .keep_alive_timeout(ARE_YOU_THERE)
        .max_concurrent_streams(AT_ONCE);
}

fn listen(addr: SocketAddr) -> Result<TcpListener, Problem> {
    let listener = TcpListener::bind(addr).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => Problem(format!(
            "{addr} is in use. Stop the other program, or set VIVARIUM_ADDR to another address."
        )),
        _ => Problem(format!("{addr} cannot be listened on: {error}. Set VIVARIUM_ADDR to another address.")),
    })?;
    listener.set_nonblocking(true).map_err(stopped)?;
    Ok(listener)
}

async fn certificates(tls: &Tls) -> Result<RustlsConfig, Problem> {
    RustlsConfig::from_pem_file(&tls.certificate, &tls.key).await.map_err(|error| {
        Problem(format!(
            "The HTTPS files {} and {} cannot be used: {error}.",
            tls.certificate.display(),
            tls.key.display()
        ))
    })
}

/// Says where to go. While nobody has an account that is the set-up link, also kept in the data
/// folder for those who do not see this output.
async fn announce(hub: &hub::Hub, site: &Site, config: &Config) -> Result<(), Problem> {
    let door = site.front_door();
    let file = config.data_dir.join("setup-link");
    match hub.ensure_setup_code().await? {
        Some(code) => {
            let link = format!("{door}/setup/{code}");
            write_private(&file, &format!("{link}\n"))
                .map_err(|error| Problem(format!("{} cannot be written: {error}.", file.display())))?;
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

/// cargo-leptos says these by environment; a binary that is started by hand finds its own.
fn leptos_options(addr: SocketAddr) -> LeptosOptions {
    let or = |name: &str, otherwise: &str| env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    LeptosOptions::builder()
        .output_name("vivarium")
        .site_root(or("LEPTOS_SITE_ROOT", "target/site"))
        .site_pkg_dir("pkg")
        .site_addr(addr)
        .build()
}

async fn drain_on_signal(handle: Handle<SocketAddr>) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    handle.graceful_shutdown(Some(DRAIN));
}

fn stopped(error: std::io::Error) -> Problem {
    Problem(format!("The server stopped: {error}."))
}
