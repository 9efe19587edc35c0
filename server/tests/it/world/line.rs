//! The way to a server, which can be cut.

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use url::Url;

pub struct Line {
    /// Of the server, by this way.
    pub url: String,
    target: String,
    address: SocketAddr,
    ways: Arc<Mutex<Ways>>,
    /// Lets through whoever comes. Absent: it is cut.
    taking: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Ways {
    is_cut: bool,
    /// Both ends of what goes over it.
    open: Vec<TcpStream>,
}

impl Line {
    /// To the server of this address: PostgreSQL where it names no port.
    pub fn to(url: &str) -> Self {
        let mut url = Url::parse(url).unwrap();
        let target = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(address.port())).unwrap();
        let line =
            Self { url: url.to_string(), target, address, ways: Arc::default(), taking: Mutex::default() };
        line.take(listener);
        line
    }

    fn take(&self, listener: TcpListener) {
        let (ways, target) = (Arc::clone(&self.ways), self.target.clone());
        let taking = thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if !carry(&ways, client, &target) {
                    return;
                }
            }
        });
        *self.taking.lock().unwrap() = Some(taking);
    }

    /// Ends what goes over it, and refuses whoever comes.
    pub fn cut(&self) {
        let mut ways = lock(&self.ways);
        ways.is_cut = true;
        for end in ways.open.drain(..) {
            // It may have ended by itself.
            let _ = end.shutdown(Shutdown::Both);
        }
        drop(ways);
        // It looks when somebody comes.
        let _ = TcpStream::connect(self.address);
        if let Some(taking) = self.taking.lock().unwrap().take() {
            taking.join().unwrap();
        }
    }

    pub fn mend(&self) {
        lock(&self.ways).is_cut = false;
        let listener = loop {
            match TcpListener::bind(self.address) {
                Ok(listener) => break listener,
                Err(_) => thread::yield_now(),
            }
        };
        self.take(listener);
    }
}

fn lock(ways: &Mutex<Ways>) -> MutexGuard<'_, Ways> {
    ways.lock().unwrap()
}

/// `false`: it is cut.
fn carry(ways: &Mutex<Ways>, client: TcpStream, target: &str) -> bool {
    let mut ways = lock(ways);
    if ways.is_cut {
        return false;
    }
    // A server that is gone takes nobody.
    let Ok(server) = TcpStream::connect(target) else { return true };
    ways.open.extend([client.try_clone().unwrap(), server.try_clone().unwrap()]);
    let (client_too, server_too) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    thread::spawn(move || pass(client, server));
    thread::spawn(move || pass(server_too, client_too));
    true
}

/// Carries from one end to the other, until either is gone.
pub fn pass(mut from: TcpStream, mut to: TcpStream) {
    // Either end may be gone.
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
