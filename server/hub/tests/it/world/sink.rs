//! A server elsewhere: it counts what reaches it, from outside of the hub.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub struct Sink {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<Heard>>>,
}

struct Heard {
    head: String,
    body: String,
}

impl Sink {
    /// Answers every request with this text.
    pub fn start(text: &'static str) -> Self {
        Self::answering("200 OK", &format!("content-length: {}\r\n\r\n{text}", text.len()))
    }

    /// Answers every request with this page.
    pub fn page(html: &str) -> Self {
        let rest = format!("content-length: {}\r\n\r\n{html}", html.len());
        Self::answering_as("text/html", "200 OK", &rest)
    }

    /// Sends every request on to this address.
    pub fn leading(to: &str) -> Self {
        Self::answering("302 Found", &format!("location: {to}\r\ncontent-length: 0\r\n\r\n"))
    }

    /// Answers every request with this status, these further lines of the head, and this body.
    pub fn saying(status: &str, head: &str, body: &[u8]) -> Self {
        let start =
            format!("HTTP/1.1 {status}\r\nconnection: close\r\n{head}content-length: {}\r\n\r\n", body.len());
        Self::sending(&[start.as_bytes(), body].concat(), &[])
    }

    /// Answers every request with a body that does not end.
    pub fn endless() -> Self {
        Self::sending(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[", &[b' '; 64 * 1024])
    }

    fn answering(status: &str, rest: &str) -> Self {
        Self::answering_as("text/plain", status, rest)
    }

    fn answering_as(kind: &str, status: &str, rest: &str) -> Self {
        let text = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n{rest}");
        Self::sending(text.as_bytes(), &[])
    }

    /// Sends these bytes, and then the others again and again until nobody takes them; none are sent once.
    fn sending(bytes: &[u8], again: &[u8]) -> Self {
        let (bytes, again) = (bytes.to_vec(), again.to_vec());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&heard);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                // A connection that breaks off has brought nothing. What was heard is noted before the answer,
                // so that whoever has the answer finds it.
                if let Some(request) = request(&stream) {
                    log.lock().unwrap().push(request);
                    answer(&mut stream, &bytes, &again);
                }
            }
        });
        Self { address, heard }
    }

    /// The host as a rule names it.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// First line and body of each request, oldest first.
    pub fn heard(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard
            .iter()
            .map(|Heard { head, body }| format!("{} {body}", head.lines().next().unwrap_or_default()))
            .collect()
    }

    /// The whole head of each request, in small letters.
    pub fn heads(&self) -> Vec<String> {
        self.heard.lock().unwrap().iter().map(|heard| heard.head.to_ascii_lowercase()).collect()
    }
}

fn request(stream: &TcpStream) -> Option<Heard> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Some(Heard { head, body })
}

/// Whoever reads may go away before the end of it.
fn answer(stream: &mut TcpStream, bytes: &[u8], again: &[u8]) {
    let mut sent = stream.write_all(bytes);
    while !again.is_empty() && sent.is_ok() {
        sent = stream.write_all(again);
    }
}
