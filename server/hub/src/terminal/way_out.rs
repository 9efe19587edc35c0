//! The one way out of a room: a proxy for HTTP that listens within, and is served by the hub. A command reaches with it
//! what its [`Gate`] opens, and nothing besides; names are looked up outside.

mod handover;
mod hello;
mod request;
mod traffic;
mod tunnel;

pub(super) use handover::{listen_within, received};
pub(crate) use traffic::{Reached, Traffic};

use crate::outbound::Target;
use crate::tasks::Tasks;
use futures_util::future::BoxFuture;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Where it listens within a room.
pub(super) const HOST: Ipv4Addr = Ipv4Addr::LOCALHOST;
pub(super) const PORT: u16 = 3128;
/// What programs look at for a proxy, each in the spelling that some of them know.
pub(super) const VARIABLES: [(&str, &str); 7] = [
    ("http_proxy", "http://127.0.0.1:3128"),
    ("https_proxy", "http://127.0.0.1:3128"),
    ("HTTP_PROXY", "http://127.0.0.1:3128"),
    ("HTTPS_PROXY", "http://127.0.0.1:3128"),
    ("no_proxy", "localhost,127.0.0.1,::1"),
    ("NO_PROXY", "localhost,127.0.0.1,::1"),
    // Node asks for it.
    ("NODE_USE_ENV_PROXY", "1"),
];
/// Connections of one room at once. Others wait.
const CONNECTIONS: usize = 32;
/// Requests of one room that are looked at and connected at once, and how long each counts at least: so that no loop of
/// a command keeps the hub busy with looking up names.
const CONNECTING: usize = 8;
const EACH: Duration = Duration::from_millis(200);
/// For the head of a request, and for the first words in a tunnel.
const TO_SPEAK: Duration = Duration::from_secs(10);

/// Who says what a command may reach, and connects it.
pub(crate) trait Gate: Send + Sync {
    /// A connection to where the address is, in its turn. The error says why there is none, for the model.
    fn open(&self, target: Target, pace: Pace) -> BoxFuture<'_, Result<TcpStream, String>>;
    /// The same for one of which everything but host and port is sealed.
    fn open_sealed(&self, target: Target, pace: Pace) -> BoxFuture<'_, Result<TcpStream, String>>;
}

/// What a room has that may reach something.
#[derive(Clone)]
pub(crate) struct WayOut {
    gate: Arc<dyn Gate>,
    pace: Pace,
    pub(crate) traffic: Arc<Traffic>,
}

/// Turns of a room to connect.
#[derive(Clone)]
pub(crate) struct Pace(Arc<Semaphore>);

impl Pace {
    /// Does it when there is a turn. Whoever gives up waiting gets no other turn the sooner.
    pub(crate) async fn take<T: Send + 'static>(
        self,
        tasks: &Tasks,
        connecting: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let turn = self.0.acquire_owned().await.ok()?;
        let (tell, told) = oneshot::channel();
        tasks.spawn(async move {
            let each = sleep(EACH);
            // Nobody may wait for it any more.
            let _ = tell.send(connecting.await);
            each.await;
            drop(turn);
        });
        told.await.ok()
    }
}

impl WayOut {
    pub(crate) fn through(gate: Arc<dyn Gate>) -> Self {
        Self { gate, pace: Pace(Arc::new(Semaphore::new(CONNECTING))), traffic: Arc::default() }
    }

    /// For as long as it is waited for. What is under way then ends.
    pub(super) async fn serve(&self, listener: TcpListener) -> Infallible {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = listener.accept(), if connections.len() < CONNECTIONS => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(self.clone().attend(stream));
                    }
                    // The room has as many descriptors open as may be, for a moment.
                    Err(_) => sleep(Duration::from_millis(50)).await,
                },
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
            }
        }
    }

    /// One connection of a program in the room: requests, the last of which may open a tunnel.
    async fn attend(self, stream: TcpStream) {
        let opened = Mutex::new(None);
        let service = service_fn(|asked| request::answer(&self, asked, &opened));
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(TO_SPEAK)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades()
            .await;
        let opened = opened.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Ok(()), Some(tunnel)) = (served, opened) {
            tunnel::carry(tunnel, &self.traffic).await;
        }
    }
}
