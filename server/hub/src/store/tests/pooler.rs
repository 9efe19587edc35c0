//! Connections to PostgreSQL through a pooler that gives each transaction whichever is free.

use super::upgrades::{discard, on_server};
use crate::clock::new_id;
use crate::store::{DatabaseUrl, Store};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use url::Url;

#[tokio::test]
async fn connections_that_are_handed_round_by_transaction_are_told_from_ones_own() {
    let place = on_server(&format!("pooled_{}", new_id()), "").await;
    let pooler = Pooler::to(&place);
    let store = Store::open_url(&pooler.url).await.unwrap();
    assert!(!store.is_behind_pooler().await.unwrap(), "each keeps its own");
    pooler.hands_round.store(true, Ordering::SeqCst);
    assert!(store.is_behind_pooler().await.unwrap());
    store.close().await;
    discard(&place).await;
}

/// A way to PostgreSQL on which each client has a connection of its own, until those that come are handed round.
struct Pooler {
    url: String,
    hands_round: Arc<AtomicBool>,
}

/// Connections that no client has. The one that was given back last is given next.
type Idle = Arc<Mutex<Vec<TcpStream>>>;

impl Pooler {
    fn to(place: &DatabaseUrl) -> Self {
        let DatabaseUrl::Postgres { url, .. } = place else { panic!("there is no way to SQLite") };
        let mut url = Url::parse(url).unwrap();
        let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
        url.set_query(Some("connection_limit=4&sslmode=disable"));
        let (idle, hands_round) = (Idle::default(), Arc::new(AtomicBool::new(false)));
        let pooler = Self { url: url.to_string(), hands_round: Arc::clone(&hands_round) };
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(&server) else { continue };
                let idle = hands_round.load(Ordering::SeqCst).then(|| Arc::clone(&idle));
                thread::spawn(move || serve(near, far, idle));
            }
        });
        pooler
    }
}

/// Until the client hangs up.
fn serve(mut near: TcpStream, mut far: TcpStream, idle: Option<Idle>) -> Option<()> {
    sign_in(&mut near, &mut far)?;
    let Some(idle) = idle else {
        loop {
            let first = message(&mut near)?;
            let end = transaction(&mut near, &mut far, first)?;
            near.write_all(&end).ok()?;
        }
    };
    idle.lock().unwrap().push(far);
    loop {
        let first = message(&mut near)?;
        let mut far = taken(&idle);
        let end = transaction(&mut near, &mut far, first)?;
        // Whoever hears that it is over finds the connection free.
        idle.lock().unwrap().push(far);
        near.write_all(&end).ok()?;
    }
}

/// The client proves to the server who it is, up to where it may ask.
fn sign_in(near: &mut TcpStream, far: &mut TcpStream) -> Option<()> {
    far.write_all(&sized(near, Vec::new())?).ok()?;
    loop {
        let told = message(far)?;
        near.write_all(&told).ok()?;
        match told[0] {
            b'Z' => return Some(()),
            // All but that it is done, and the last word of a proof.
            b'R' if !matches!(told[8], 0 | 12) => far.write_all(&message(near)?).ok()?,
            _ => {}
        }
    }
}

/// What the client asks until nothing is begun any more. Gives what says so, which the client has not heard yet.
fn transaction(near: &mut TcpStream, far: &mut TcpStream, first: Vec<u8>) -> Option<Vec<u8>> {
    let mut asked = first;
    loop {
        far.write_all(&asked).ok()?;
        if matches!(asked[0], b'Q' | b'S') {
            let ready = loop {
                let told = message(far)?;
                if told[0] == b'Z' {
                    break told;
                }
                near.write_all(&told).ok()?;
            };
            if ready[5] == b'I' {
                return Some(ready);
            }
            near.write_all(&ready).ok()?;
        }
        asked = message(near)?;
    }
}

fn taken(idle: &Idle) -> TcpStream {
    loop {
        if let Some(far) = idle.lock().unwrap().pop() {
            return far;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn message(from: &mut TcpStream) -> Option<Vec<u8>> {
    let mut kind = vec![0];
    from.read_exact(&mut kind).ok()?;
    sized(from, kind)
}

/// Behind what was read: how long it is, and so much.
fn sized(from: &mut TcpStream, mut read: Vec<u8>) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length).ok()?;
    read.extend(length);
    let rest = usize::try_from(u32::from_be_bytes(length)).ok()?.checked_sub(length.len())?;
    let begun = read.len();
    read.resize(begun + rest, 0);
    from.read_exact(&mut read[begun..]).ok()?;
    Some(read)
}
