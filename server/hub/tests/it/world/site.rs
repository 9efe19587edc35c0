//! A site elsewhere with several addresses, which change while a test looks on.

use super::http_request::read_request;
use std::collections::HashMap;
use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;

/// The rest of the head, and the body, by path.
type Pages = Arc<Mutex<HashMap<String, (String, Vec<u8>)>>>;

pub struct Site {
    address: SocketAddr,
    pages: Pages,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// It has nothing at first.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let site = Self { address, pages: Pages::default(), asked: Arc::default() };
        let (pages, asked) = (Arc::clone(&site.pages), Arc::clone(&site.asked));
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
                let Some((head, _)) = read_request(&mut reader) else { continue };
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                let page = pages.lock().unwrap().get(&path).cloned();
                asked.lock().unwrap().push(path);
                let answer = match page {
                    Some((more, body)) => {
                        let head =
                            format!("{more}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
                        [head.as_bytes(), &body].concat()
                    }
                    None => {
                        b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec()
                    }
                };
                // Whoever asked may have enough.
                let _ = stream.write_all(&answer);
            }
        });
        site
    }

    /// Has these bytes there, as this kind.
    pub fn put(&self, path: &str, kind: &str, body: &[u8]) {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n");
        self.pages.lock().unwrap().insert(path.to_owned(), (head, body.to_vec()));
    }

    pub fn remove(&self, path: &str) {
        self.pages.lock().unwrap().remove(path);
    }

    /// Sends who asks there on.
    pub fn lead(&self, path: &str, to: &str) {
        let head = format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\n");
        self.pages.lock().unwrap().insert(path.to_owned(), (head, Vec::new()));
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Every path that was asked for, the oldest first.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}
