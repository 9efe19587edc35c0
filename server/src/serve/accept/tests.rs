#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use super::super::door::{Door, Peer};
use super::*;
use crate::limits::Allowance;
use axum::Router;
use axum::routing::get;
use axum_server::{Handle, Server};
use std::net::SocketAddr;
use tokio::io::AsyncWriteExt;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

/// More than the system keeps for a connection.
const LONG: usize = 64 * 1024 * 1024;

fn serve() -> (SocketAddr, Handle<Peer>, JoinHandle<io::Result<()>>) {
    let allowance = Allowance {
        person_requests: 0,
        address_requests: 0,
        person_sockets: 0,
        address_connections: 0,
        trusted_proxies: Vec::new(),
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let handle = Handle::new();
    let limits = Arc::new(Limits::new(&allowance, 1024));
    let server =
        Server::from_listener(Door::new(listener, Arc::clone(&limits)).unwrap()).handle(handle.clone());
    let routes = Router::new().route("/", get(|| async { vec![b'x'; LONG] }));
    let served = server.acceptor(Impatient(Counted(limits))).serve(routes.into_make_service());
    (address, handle, tokio::spawn(served))
}

/// The first frames of a client of HTTP/2 that has all the room there is, and asks for `/`.
fn http2() -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    // SETTINGS: a window of 2^31 - 1 for each stream; WINDOW_UPDATE: the same for the connection.
    bytes.extend([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff]);
    bytes.extend([0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7f, 0xff, 0, 0]);
    // HEADERS that end stream 1: GET, http, /, and :authority "x" as a literal.
    bytes.extend([0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 1, b'x']);
    bytes
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_takes_nothing_of_its_answer_ends() {
    let pipelined = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2);
    for request in [pipelined, http2()] {
        let (address, handle, served) = serve();
        let mut deaf = TcpStream::connect(address).await.unwrap();
        deaf.write_all(&request).await.unwrap();
        // Until the answer is on its way.
        deaf.readable().await.unwrap();
        let started = Instant::now();
        handle.graceful_shutdown(None);
        let ended = timeout(Duration::from_secs(3600), served).await;
        ended.expect("the connection ends by itself").unwrap().unwrap();
        assert!(started.elapsed() >= Duration::from_secs(59), "{:?}", started.elapsed());
    }
}
