//! What a new connection has to pass before anything of it is read as HTTP, and what ends it from
//! below whatever HTTP waits for.

use super::patience::Patience;
use crate::limits::{Arriving, Connection, Guest, Limits, QuotaFull};
use axum::Extension;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use std::future::{Future, Ready, ready};
use std::io::{self, ErrorKind};
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

/// Counts connections by address and tells requests which one they came over.
#[derive(Clone)]
pub struct Counted(pub Arc<Limits>);

impl<S> Accept<TcpStream, S> for Counted {
    type Stream = GuardedStream<TcpStream>;
    type Service = AddExtension<S, Connection>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        ready(count(&self.0, &stream).map(|connection| {
            let held = GuardedStream::new(stream, &connection);
            (held, Extension(connection).layer(service))
        }))
    }
}

fn count(limits: &Limits, stream: &TcpStream) -> io::Result<Connection> {
    stream.set_nodelay(true)?;
    Ok(Connection::open(limits, stream.peer_addr()?.ip()))
}

/// A stream that ends when it has to make room, or when the other end does not take what is sent to it:
/// also while HTTP only writes, and reads nothing.
pub struct GuardedStream<I> {
    stream: I,
    given_up: Pin<Box<WaitForCancellationFutureOwned>>,
    patience: Patience,
    arriving: Arc<Arriving>,
    _guest: Arc<Guest>,
}

impl<I> GuardedStream<I> {
    pub fn new(stream: I, connection: &Connection) -> Self {
        let (guest, arriving) = (connection.guest(), Arc::clone(&connection.arriving));
        let given_up = Box::pin(guest.given_up());
        Self { stream, given_up, patience: Patience::new(), arriving, _guest: guest }
    }

    /// What came of an attempt to write; its end, if it is time for that.
    fn held(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if self.given_up.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(ErrorKind::ConnectionAborted.into()));
        }
        match &written {
            Poll::Ready(Ok(bytes)) => self.patience.renew(*bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending if self.patience.poll_spent(cx).is_ready() => {
                return Poll::Ready(Err(ErrorKind::TimedOut.into()));
            }
            Poll::Pending => {}
        }
        written
    }
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

impl<I: AsyncRead + Unpin> AsyncRead for GuardedStream<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.given_up.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(ErrorKind::ConnectionAborted.into()));
        }
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        match self.arriving.grow(buf.filled().len() - before) {
            Ok(()) => read,
            Err(QuotaFull::Own | QuotaFull::All) => Poll::Ready(Err(ErrorKind::OutOfMemory.into())),
        }
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for GuardedStream<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.held(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.held(cx, written)
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

impl<I: AsyncWrite + Unpin> AsyncWrite for Awaited<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
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

#[cfg(test)]
mod tests;
