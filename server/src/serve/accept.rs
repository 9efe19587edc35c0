//! What a new connection has to pass before anything of it is read as HTTP.

use crate::limits::{Limits, Stranger};
use axum::Extension;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use std::future::{Future, Ready, ready};
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;
use tower::Layer;

/// How long a connection may take to say its first word.
const FIRST_WORD: Duration = Duration::from_secs(15);

/// The connection that a request came over.
#[derive(Clone, Debug)]
pub struct Connection {
    pub peer: IpAddr,
    /// Counted while nobody has signed in on it.
    stranger: Arc<Stranger>,
}

impl Connection {
    /// Somebody is signed in here: it is no stranger's any more.
    pub fn welcome(&self) {
        self.stranger.welcome();
    }
}

/// Counts connections by address and tells requests which one they came over.
#[derive(Clone)]
pub struct Counted(pub Arc<Limits>);

impl<S> Accept<TcpStream, S> for Counted {
    type Stream = Held<TcpStream>;
    type Service = AddExtension<S, Connection>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        ready(count(&self.0, &stream).map(|connection| {
            let given_up = Box::pin(connection.stranger.given_up());
            let held = Held { stream, given_up, _stranger: Arc::clone(&connection.stranger) };
            (held, Extension(connection).layer(service))
        }))
    }
}

fn count(limits: &Limits, stream: &TcpStream) -> io::Result<Connection> {
    stream.set_nodelay(true)?;
    let peer = stream.peer_addr()?.ip();
    Ok(Connection { peer, stranger: Arc::new(limits.connection(peer)) })
}

/// A stream that ends when it has to make room.
pub struct Held<I> {
    stream: I,
    given_up: Pin<Box<WaitForCancellationFutureOwned>>,
    _stranger: Arc<Stranger>,
}

/// Gives up connections that say nothing. Before the first word the HTTP server has no clock running.
#[derive(Clone, Debug)]
pub struct Impatient<A>(pub A);

impl<A, I, S> Accept<I, S> for Impatient<A>
where
    A: Accept<I, S>,
    A::Future: Send + 'static,
    A::Stream: Send,
    A::Service: Send,
{
    type Stream = Awaited<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, Self::Service)>> + Send>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let accepted = self.0.accept(stream, service);
        Box::pin(async move {
            let (stream, service) = accepted.await?;
            Ok((Awaited { stream, until: Some(Box::pin(sleep(FIRST_WORD))) }, service))
        })
    }
}

/// A stream whose first word has to come in time.
pub struct Awaited<I> {
    stream: I,
    until: Option<Pin<Box<Sleep>>>,
}

impl<I: AsyncRead + Unpin> AsyncRead for Awaited<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if read.is_ready() {
            self.until = None;
        } else if let Some(until) = &mut self.until
            && until.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Err(ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Held<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.given_up.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(ErrorKind::ConnectionAborted.into()));
        }
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

/// Writing is as it was.
macro_rules! write_through {
    ($($stream:ident)*) => {$(
        impl<I: AsyncWrite + Unpin> AsyncWrite for $stream<I> {
            fn poll_write(
                mut self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut self.stream).poll_write(cx, bytes)
            }

            fn poll_write_vectored(
                mut self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bytes: &[io::IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
            }

            fn is_write_vectored(&self) -> bool {
                self.stream.is_write_vectored()
            }

            fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.stream).poll_flush(cx)
            }

            fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.stream).poll_shutdown(cx)
            }
        }
    )*};
}

write_through!(Held Awaited);
