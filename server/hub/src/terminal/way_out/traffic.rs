//! What went through a room's way out, and how much of it may.

use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes of one room, both ways.
const MOST_BYTES: u64 = 1024 * 1024 * 1024;
/// Places of each kind that are named.
const MOST_NAMED: usize = 20;

#[derive(Default)]
pub(crate) struct Traffic(Mutex<Reached>);

/// What a command reached until now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    /// Bytes both ways, by place.
    pub(crate) places: BTreeMap<String, u64>,
    /// Why it did not get there, by place.
    pub(crate) refused: BTreeMap<String, String>,
    bytes: u64,
}

impl Reached {
    fn note_refused(&mut self, place: &str, why: &str) {
        if self.refused.len() < MOST_NAMED {
            self.refused.insert(place.to_owned(), why.to_owned());
        }
    }
}

impl Traffic {
    pub(crate) fn reached(&self) -> Reached {
        self.lock().clone()
    }

    /// Whether it has been anywhere.
    pub(crate) fn is_any(&self) -> bool {
        !self.lock().places.is_empty()
    }

    pub(super) fn note_refused(&self, place: &str, why: &str) {
        self.lock().note_refused(place, why);
    }

    /// From now on it has been there. The error is that it has had all that it may.
    fn count(&self, place: &str, bytes: usize) -> io::Result<()> {
        let reached = &mut *self.lock();
        if reached.places.len() < MOST_NAMED || reached.places.contains_key(place) {
            *reached.places.entry(place.to_owned()).or_default() += bytes as u64;
        }
        reached.bytes += bytes as u64;
        match reached.bytes <= MOST_BYTES {
            true => Ok(()),
            false => {
                let why = "A command moves one gigabyte at most.";
                reached.note_refused(place, why);
                Err(io::Error::other(why))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Reached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection whose bytes are counted.
pub(super) struct Counted<S> {
    stream: S,
    place: String,
    traffic: Arc<Traffic>,
}

impl<S> Counted<S> {
    pub(super) fn new(stream: S, place: String, traffic: &Arc<Traffic>) -> io::Result<Self> {
        traffic.count(&place, 0)?;
        Ok(Self { stream, place, traffic: Arc::clone(traffic) })
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, into))?;
        Poll::Ready(self.traffic.count(&self.place, into.filled().len() - before))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, bytes))?;
        Poll::Ready(self.traffic.count(&self.place, written).map(|()| written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
