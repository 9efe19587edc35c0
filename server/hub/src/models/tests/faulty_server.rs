//! A server that answers one request with the bytes of a script, and ends as the script says.

use super::hear;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

pub struct Script {
    pub answer: Vec<u8>,
    pub end: End,
}

pub enum End {
    /// An orderly close.
    Close,
    /// A reset, once the hub has passed something on.
    Reset,
    /// Nothing more, on an open connection.
    Hold,
    /// The same bytes again and again.
    Repeat(Vec<u8>),
}

pub struct FaultyServer {
    pub place: String,
    /// To be told what the hub passes on.
    pub passed_on: Arc<Notify>,
}

impl FaultyServer {
    pub async fn start(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let place = listener.local_addr().expect("its number").to_string();
        let passed_on = Arc::new(Notify::new());
        let told = Arc::clone(&passed_on);
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            hear(&mut stream).await;
            // The hub may have heard enough before the end.
            if stream.write_all(&script.answer).await.is_ok() {
                finish(stream, script.end, &told).await;
            }
        });
        Self { place, passed_on }
    }
}

async fn finish(mut stream: TcpStream, end: End, passed_on: &Notify) {
    match end {
        End::Close => drop(stream.shutdown().await),
        End::Reset => {
            passed_on.notified().await;
            stream.set_zero_linger().expect("a socket that is open");
        }
        End::Hold => drop(stream.read(&mut [0; 64]).await),
        End::Repeat(bytes) => while stream.write_all(&bytes).await.is_ok() {},
    }
}
