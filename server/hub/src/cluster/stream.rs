//! A stream of bytes between two nodes, both ways, over messages of NATS. Each side lets the other one send so much
//! as it has room for, so that who reads slowly slows who writes, and nothing piles up in between.

use super::Node;
use super::envelope::CountedCipher;
use super::frame::Frame;
use super::streams::Inlet;
use crate::error::{Error, Result};
use bytes::Bytes;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf, ReadHalf, WriteHalf,
};
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// What may be on its way in one direction, by cost.
pub(super) const WINDOW: usize = 256 * 1024;
/// What a message costs at least.
const LEAST_COST: usize = 512;
/// Messages that may be on their way in one direction, with those that are no data.
pub(super) const MESSAGES: usize = 2 * WINDOW / LEAST_COST;
/// How long one end waits for the end of the other, once it has said its own.
const FAREWELL: Duration = Duration::from_secs(20);
/// Bytes in one message.
const CHUNK: usize = 32 * 1024;
/// Bytes that wait between the stream and who uses it.
const BUFFER: usize = 32 * 1024;

/// One end. Dropping it ends the stream.
#[derive(Debug)]
pub struct NodeStream {
    bytes: DuplexStream,
    /// Where the request that comes over it is from, as the node says that took it.
    pub client: IpAddr,
}

/// What carries one end over NATS.
pub(super) struct Carrier {
    pub(super) bytes: DuplexStream,
    pub(super) inlet: Inlet,
    pub(super) outlet: Outlet,
}

/// Sends to the other end.
pub(super) struct Outlet {
    pub(super) subject: String,
    pub(super) cipher: Mutex<CountedCipher>,
}

pub(super) fn pair(client: IpAddr) -> (NodeStream, DuplexStream) {
    let (own, carried) = tokio::io::duplex(BUFFER);
    (NodeStream { bytes: own, client }, carried)
}

fn cost(bytes: usize) -> u32 {
    u32::try_from(bytes.max(LEAST_COST)).unwrap_or(u32::MAX)
}

impl Carrier {
    /// Carries until both directions are at their end, or the stream is broken.
    pub(super) async fn carry(self, node: &Node) {
        let Self { bytes, inlet, outlet } = self;
        let (reader, writer) = tokio::io::split(bytes);
        let broken = inlet.broken.clone();
        let room = Semaphore::new(WINDOW);
        let sent = CancellationToken::new();
        let (taken, pieces) = mpsc::unbounded_channel();
        let sending = async {
            send(node, &outlet, &room, reader).await?;
            sent.cancel();
            Ok(())
        };
        let receiving = take(&room, inlet, taken, &sent);
        let all = async { tokio::try_join!(sending, receiving, pass_in(node, &outlet, writer, pieces)) };
        let both = async {
            tokio::select! {
                ended = all => ended.map(|_| ()),
                // Whoever has heard the end ends as well.
                () = async { sent.cancelled().await; sleep(FAREWELL).await } => {
                    Err(Error::internal("the other end of a stream does not end"))
                }
            }
        };
        let ended = tokio::select! {
            ended = both => ended.is_ok(),
            () = broken.cancelled() => false,
        };
        if !ended {
            // It may be gone, which it finds out by itself.
            let _ = outlet.send(node, Frame::Reset).await;
        }
    }
}

/// From who uses this end to the other one.
async fn send(
    node: &Node,
    outlet: &Outlet,
    room: &Semaphore,
    mut reader: ReadHalf<DuplexStream>,
) -> Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = reader.read(&mut chunk).await.map_err(Error::internal)?;
        if read == 0 {
            return outlet.send(node, Frame::End).await;
        }
        room.acquire_many(cost(read)).await.map_err(Error::internal)?.forget();
        outlet.send(node, Frame::Data(Bytes::copy_from_slice(&chunk[..read]))).await?;
    }
}

/// What comes from the other end: credit counts at once, also while who uses this one reads nothing. Ends when nothing
/// more comes, and nothing is sent for which credit could.
async fn take(
    room: &Semaphore,
    mut inlet: Inlet,
    taken: mpsc::UnboundedSender<Bytes>,
    sent: &CancellationToken,
) -> Result<()> {
    let mut taken = Some(taken);
    loop {
        let frame = tokio::select! {
            frame = inlet.next() => frame,
            () = sent.cancelled(), if taken.is_none() => return Ok(()),
        };
        match frame.ok_or_else(|| Error::internal("a message of a stream is missing"))? {
            // No more than was allowed: the other end counts as well, and the inlet has room for no more messages.
            Frame::Data(bytes) => drop(taken.as_ref().map(|taken| taken.send(bytes))),
            Frame::Credit(cost) => {
                let cost = cost as usize;
                if room.available_permits() + cost > WINDOW {
                    return Err(Error::internal("more was taken of a stream than was sent"));
                }
                room.add_permits(cost);
            }
            Frame::End => taken = None,
            Frame::Reset => return Err(Error::internal("the other end broke the stream off")),
        }
    }
}

/// To who uses this end, as fast as they read.
async fn pass_in(
    node: &Node,
    outlet: &Outlet,
    mut writer: WriteHalf<DuplexStream>,
    mut pieces: mpsc::UnboundedReceiver<Bytes>,
) -> Result<()> {
    let mut owed = 0;
    while let Some(bytes) = pieces.recv().await {
        writer.write_all(&bytes).await.map_err(Error::internal)?;
        owed += cost(bytes.len());
        if owed as usize >= WINDOW / 4 {
            outlet.send(node, Frame::Credit(owed)).await?;
            owed = 0;
        }
    }
    writer.shutdown().await.map_err(Error::internal)
}

impl Outlet {
    async fn send(&self, node: &Node, frame: Frame) -> Result<()> {
        if !node.is_linked.load(Ordering::SeqCst) {
            return Err(Error::internal("NATS is away"));
        }
        // Held until it is on its way: they go in the order of their numbers.
        let mut cipher = self.cipher.lock().await;
        let sealed = cipher.seal(&frame.encode());
        node.joined()?.nats.publish(&self.subject, sealed).await
    }
}

impl AsyncRead for NodeStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.bytes).poll_read(cx, buf)
    }
}

impl AsyncWrite for NodeStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.bytes).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.bytes).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.bytes).poll_shutdown(cx)
    }
}
