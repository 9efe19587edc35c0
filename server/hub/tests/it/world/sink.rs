//! A server elsewhere: it counts what reaches it, from outside of the hub.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub struct Sink {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
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

    fn answering(status: &str, rest: &str) -> Self {
        Self::answering_as("text/plain", status, rest)
    }

    fn answering_as(kind: &str, status: &str, rest: &str) -> Self {
        let text = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n{rest}");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&heard);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A connection that breaks off has brought nothing.
                if let Some(request) = answer(stream, &text) {
                    log.lock().unwrap().push(request);
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
        self.heard.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, text: &str) -> Option<String> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    stream.write_all(text.as_bytes()).ok()?;
    Some(format!("{} {}", first.trim(), String::from_utf8_lossy(&body)))
}
