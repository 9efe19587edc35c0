//! Many WebSockets that count the frames they are sent and look into none, so that reading costs the
//! measured server as little of the machine as possible.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::sleep;

/// Nothing comes for so long: all is there.
const QUIET: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(60);

/// The reading ends of sockets.
pub struct Crowd {
    size: u64,
    heard: Arc<AtomicU64>,
}

/// The writing end of a socket.
pub struct Speaker(OwnedWriteHalf);

/// Opens sockets; `headers` are lines of the upgrade request, each with its end.
pub async fn gather(address: &str, headers: &str, size: u64) -> (Vec<Speaker>, Crowd) {
    let heard = Arc::new(AtomicU64::new(0));
    let mut speakers = Vec::new();
    for _ in 0..size {
        let headers = format!("Origin: http://{address}\r\n{headers}");
        let (reader, writer) = upgrade(address, &headers).await;
        tokio::spawn(listen(reader, Arc::clone(&heard)));
        speakers.push(Speaker::new(writer));
    }
    (speakers, Crowd { size, heard })
}

impl Speaker {
    pub fn new(writer: OwnedWriteHalf) -> Self {
        Self(writer)
    }

    /// Sends a masked text frame, whose mask is zero.
    pub async fn say(&mut self, text: &str) {
        let length = u16::try_from(text.len()).expect("a short text");
        let mut frame = vec![0x81];
        match u8::try_from(length) {
            Ok(length) if length < 126 => frame.push(0x80 | length),
            _ => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.write_all(&frame).await.unwrap();
    }
}

impl Crowd {
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Frames that all of them were sent so far.
    pub fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }

    /// Waits until each socket has heard so many more frames than at `start`.
    pub async fn each_heard(&self, start: u64, frames: u64) {
        let began = Instant::now();
        while self.heard() < start + frames * self.size {
            assert!(began.elapsed() < PATIENCE, "{} of {frames} × {}", self.heard() - start, self.size);
            sleep(Duration::from_millis(1)).await;
        }
    }

    /// Waits until nothing more comes and tells when the last frame came.
    pub async fn settle(&self) -> Instant {
        let (mut heard, mut last) = (self.heard(), Instant::now());
        while last.elapsed() < QUIET {
            sleep(Duration::from_millis(1)).await;
            if self.heard() != heard {
                (heard, last) = (self.heard(), Instant::now());
            }
        }
        last
    }

    /// Holds back whoever sends to all of these sockets: so many messages may be under way.
    pub fn pace(&self, window: u64) -> Pace {
        Pace { start: self.heard(), window, sockets: self.size, heard: Arc::clone(&self.heard) }
    }
}

/// Keeps a sender at most a window ahead of the sockets.
#[derive(Clone)]
pub struct Pace {
    start: u64,
    window: u64,
    sockets: u64,
    heard: Arc<AtomicU64>,
}

impl Pace {
    /// Waits until message number `sent` may go.
    pub async fn wait(&self, sent: u64) {
        while self.heard.load(Ordering::Relaxed) + self.window * self.sockets
            < self.start + sent * self.sockets
        {
            sleep(Duration::from_millis(1)).await;
        }
    }
}

/// Opens one socket, which nobody reads yet; `headers` as above.
pub async fn upgrade(address: &str, headers: &str) -> (OwnedReadHalf, OwnedWriteHalf) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let request = format!(
        "GET /live HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
         {headers}\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.unwrap());
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
    stream.into_split()
}

async fn listen(mut reader: OwnedReadHalf, heard: Arc<AtomicU64>) {
    let mut buffer = vec![0; 16 * 1024];
    let mut count = Count::default();
    while let Ok(length @ 1..) = reader.read(&mut buffer).await {
        heard.fetch_add(count.take(&buffer[..length]), Ordering::Relaxed);
    }
}

/// Counts frames in a stream of bytes.
#[derive(Default)]
struct Count {
    header: Vec<u8>,
    /// Bytes of the payload still to come.
    payload: usize,
}

impl Count {
    /// How many frames end in these bytes.
    fn take(&mut self, mut bytes: &[u8]) -> u64 {
        let mut frames = 0;
        while let Some((&first, rest)) = bytes.split_first() {
            if self.payload > 0 {
                let taken = self.payload.min(bytes.len());
                self.payload -= taken;
                bytes = &bytes[taken..];
                frames += u64::from(self.payload == 0);
                continue;
            }
            self.header.push(first);
            bytes = rest;
            if let Some(length) = payload_length(&self.header) {
                self.payload = length;
                self.header.clear();
                frames += u64::from(length == 0);
            }
        }
        frames
    }
}

/// `None` while the header is not whole.
fn payload_length(header: &[u8]) -> Option<usize> {
    match (header.get(1)? & 0x7f, header) {
        (126, [_, _, a, b]) => Some(usize::from(u16::from_be_bytes([*a, *b]))),
        (126 | 127, _) => {
            assert!(header.len() < 10, "no frame here is longer than 64 KB");
            None
        }
        (length, _) => Some(usize::from(length)),
    }
}
