//! Where connections come in. When no file descriptor is left they are turned away at once, where the
//! system would let them wait without a word; unless somebody is on the way out to make room.

use crate::limits::Limits;
use axum_server::{AddrListener, Address};
use std::fs::File;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::yield_now;
use tokio::time::timeout;

/// How long whoever makes room may take to go; a machine with much else to do takes its time. Nobody could be let in
/// meanwhile.
const WAY_OUT: Duration = Duration::from_secs(2);

/// Whom a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(SocketAddr);

pub(super) struct Door {
    listener: TcpListener,
    limits: Option<Arc<Limits>>,
    /// Given up for the moment in which somebody is turned away.
    spare: Mutex<Option<File>>,
}

impl Door {
    pub(super) fn new(listener: std::net::TcpListener, limits: Arc<Limits>) -> io::Result<Self> {
        Self::of(TcpListener::from_std(listener)?, Some(limits))
    }

    fn of(listener: TcpListener, limits: Option<Arc<Limits>>) -> io::Result<Self> {
        Ok(Self { listener, limits, spare: Mutex::new(Some(spare()?)) })
    }

    /// Waits for somebody who makes room to be gone; whether one is.
    async fn let_out(&self) -> bool {
        match self.limits.as_ref().and_then(|limits| limits.connection_gone()) {
            Some(gone) => timeout(WAY_OUT, gone).await.is_ok(),
            None => false,
        }
    }

    /// Takes whoever is first in the line and hangs up.
    async fn turn_away(&self) -> io::Result<()> {
        let freed = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(freed);
        let turned_away = self.listener.accept().await;
        drop(turned_away?);
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(spare()?);
        Ok(())
    }
}

impl Address for Peer {
    type Stream = TcpStream;
    type Listener = Door;
}

impl AddrListener<TcpStream, Peer> for Door {
    async fn bind_to(Peer(address): Peer) -> io::Result<Self> {
        Self::of(TcpListener::bind(address).await?, None)
    }

    async fn accept_stream(&self) -> io::Result<(TcpStream, Peer)> {
        let mut turned_away = 0_u64;
        loop {
            // So that whoever came before is counted.
            yield_now().await;
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    if turned_away > 0 {
                        tracing::warn!(
                            "{turned_away} connections were turned away: no file descriptor was left"
                        );
                    }
                    return Ok((stream, Peer(from)));
                }
                Err(error) if is_exhausted(&error) => {
                    if self.let_out().await {
                        continue;
                    }
                    if turned_away == 0 {
                        tracing::error!("no file descriptor is left: connections are turned away");
                    }
                    turned_away += 1;
                    self.turn_away().await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn get_local_addr(&self) -> io::Result<Peer> {
        self.listener.local_addr().map(Peer)
    }
}

fn spare() -> io::Result<File> {
    File::open("/dev/null")
}

/// `EMFILE` of this process, `ENFILE` of the whole machine.
fn is_exhausted(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let code = error.raw_os_error();
    code == Some(Errno::MFILE.raw_os_error()) || code == Some(Errno::NFILE.raw_os_error())
}
