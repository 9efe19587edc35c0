//! A feed elsewhere, which changes while a test looks on.

use super::http_request::read_request;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub struct FeedServer {
    address: SocketAddr,
    given: Arc<Mutex<Given>>,
}

#[derive(Default)]
struct Given {
    answer: Answer,
    /// The status of each answer, the oldest first.
    statuses: Vec<u16>,
}

#[derive(Clone, Default)]
enum Answer {
    #[default]
    Nothing,
    /// With an `ETag` of its own, and the status 304 for who knows that already.
    Body(String),
    Status(u16),
    LeadsTo(String),
    /// More than anybody reads.
    Endless,
}

impl FeedServer {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let given = Arc::new(Mutex::new(Given::default()));
        let server = Self { address, given: Arc::clone(&given) };
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
                let Some((head, _)) = read_request(&mut reader) else { continue };
                let answer = given.lock().unwrap().answer.clone();
                let status = answer.status(&head);
                given.lock().unwrap().statuses.push(status);
                answer.send(status, &mut stream);
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("http://{}/feed.xml", self.address)
    }

    /// As an agent's list names it.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// Has these entries as RSS, the newest first.
    pub fn put(&self, entries: &[&str]) {
        let item = |entry: &&str| {
            format!(
                "<item><guid>{entry}</guid><title>On {entry}</title><link>https://example.org/{entry}</link>\
                 <pubDate>Thu, 26 Nov 2026 10:00:00 +0000</pubDate>\
                 <description>&lt;p&gt;All about {entry}.&lt;/p&gt;</description></item>"
            )
        };
        let items: String = entries.iter().map(item).collect();
        self.put_body(&format!(
            "<rss version='2.0'><channel><title>Moss news</title>{items}</channel></rss>"
        ));
    }

    pub fn put_body(&self, body: &str) {
        self.set(Answer::Body(body.to_owned()));
    }

    pub fn fail(&self, status: u16) {
        self.set(Answer::Status(status));
    }

    pub fn lead_to(&self, url: &str) {
        self.set(Answer::LeadsTo(url.to_owned()));
    }

    pub fn be_endless(&self) {
        self.set(Answer::Endless);
    }

    fn set(&self, answer: Answer) {
        self.given.lock().unwrap().answer = answer;
    }

    /// The status of each answer, the oldest first.
    pub fn statuses(&self) -> Vec<u16> {
        self.given.lock().unwrap().statuses.clone()
    }
}

impl Answer {
    fn status(&self, head: &str) -> u16 {
        match self {
            Self::Nothing => 404,
            Self::Body(body) => {
                let known = head.to_ascii_lowercase().contains(&format!("if-none-match: {}", tag(body)));
                if known { 304 } else { 200 }
            }
            Self::Status(status) => *status,
            Self::LeadsTo(_) => 302,
            Self::Endless => 200,
        }
    }

    fn send(&self, status: u16, stream: &mut TcpStream) {
        let (more, body) = match self {
            Self::Body(body) if status == 200 => (format!("etag: {}\r\n", tag(body)), body.as_str()),
            Self::LeadsTo(url) => (format!("location: {url}\r\n"), ""),
            Self::Endless => {
                let head = "HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\nconnection: close\r\n\r\n";
                let part = [b' '; 64 * 1024];
                let mut sent = stream.write_all(head.as_bytes());
                // Whoever asked may have enough.
                for _ in 0..1600 {
                    sent = sent.and_then(|()| stream.write_all(&part));
                }
                return;
            }
            Self::Nothing | Self::Body(_) | Self::Status(_) => (String::new(), ""),
        };
        let head = format!(
            "HTTP/1.1 {status} Ok\r\n{more}content-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        // Whoever asked may be gone.
        let _ = stream.write_all(&[head.as_bytes(), body.as_bytes()].concat());
    }
}

fn tag(body: &str) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("\"{:x}\"", hasher.finish())
}
