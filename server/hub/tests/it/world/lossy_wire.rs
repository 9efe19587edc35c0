//! A wire between a hub and PostgreSQL that loses commits: on their way, or their answers when they are done.

use hub::store::DatabaseUrl;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use url::Url;

/// As SQLx sends it.
const COMMIT: &[u8] = b"Q\0\0\0\x0bCOMMIT\0";

/// What gets lost, with the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Commit,
    Answer,
}

pub struct LossyWire {
    pub url: String,
    losses: Arc<Mutex<Losses>>,
}

struct Losses {
    next: Loss,
    left: usize,
    made: usize,
}

impl Losses {
    fn take(&mut self) -> Option<Loss> {
        self.left = self.left.checked_sub(1)?;
        self.made += 1;
        Some(self.next)
    }
}

impl LossyWire {
    /// Loses nothing at first.
    pub fn to(place: &DatabaseUrl) -> Self {
        let DatabaseUrl::Postgres { url, .. } = place else { panic!("there is no wire to SQLite") };
        let mut url = Url::parse(url).expect("a URL");
        let server = format!("{}:{}", url.host_str().expect("a host"), url.port().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        url.set_host(Some("127.0.0.1")).expect("a host");
        url.set_port(Some(port)).expect("a port");
        url.set_query(Some("connection_limit=4&sslmode=disable"));
        let losses = Arc::new(Mutex::new(Losses { next: Loss::Answer, left: 0, made: 0 }));
        let wire = Self { url: url.to_string(), losses: Arc::clone(&losses) };
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(&server) else { continue };
                carry(near, far, Arc::clone(&losses));
            }
        });
        wire
    }

    /// From now on it loses so many.
    pub fn lose(&self, loss: Loss, count: usize) {
        let mut losses = self.losses.lock().unwrap();
        (losses.next, losses.left) = (loss, count);
    }

    /// How many it has lost.
    pub fn lost(&self) -> usize {
        self.losses.lock().unwrap().made
    }
}

/// Both ways, until one end hangs up or something is lost.
fn carry(near: TcpStream, far: TcpStream, losses: Arc<Mutex<Losses>>) {
    let is_lost = Arc::new(AtomicBool::new(false));
    let both = || (near.try_clone().expect("a second handle"), far.try_clone().expect("a second handle"));
    let ((near_up, far_up), (near_down, far_down)) = (both(), both());
    let is_lost_up = Arc::clone(&is_lost);
    thread::spawn(move || up(near_up, far_up, &is_lost_up, &losses));
    thread::spawn(move || down(near_down, far_down, &is_lost));
}

fn up(mut near: TcpStream, mut far: TcpStream, is_lost: &AtomicBool, losses: &Mutex<Losses>) {
    let mut chunk = [0; 16 * 1024];
    let mut seen = Vec::new();
    while let Ok(count @ 1..) = near.read(&mut chunk) {
        seen.extend_from_slice(&chunk[..count]);
        let commits = seen.windows(COMMIT.len()).any(|part| part == COMMIT);
        seen.drain(..seen.len().saturating_sub(COMMIT.len() - 1));
        match commits.then(|| losses.lock().unwrap().take()).flatten() {
            Some(Loss::Commit) => break,
            Some(Loss::Answer) => is_lost.store(true, Ordering::SeqCst),
            None => {}
        }
        if far.write_all(&chunk[..count]).is_err() {
            break;
        }
    }
    hang_up(&near, &far);
}

fn down(mut near: TcpStream, mut far: TcpStream, is_lost: &AtomicBool) {
    let mut chunk = [0; 16 * 1024];
    while let Ok(count @ 1..) = far.read(&mut chunk) {
        // PostgreSQL answers one thing after another: what comes after a commit says that it is done.
        if is_lost.load(Ordering::SeqCst) || near.write_all(&chunk[..count]).is_err() {
            break;
        }
    }
    hang_up(&near, &far);
}

fn hang_up(near: &TcpStream, far: &TcpStream) {
    for end in [near, far] {
        // It may be gone already.
        let _ = end.shutdown(Shutdown::Both);
    }
}
