//! A model server in a few lines: every request gets the bytes that the test chose for its path.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone)]
pub struct Server {
    pub url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `answer` makes the whole answer out of a request's head.
    pub async fn start(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (Arc::new(answer), Arc::clone(&heard));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&log)));
            }
        });
        Self { url, heard }
    }

    /// A server that lists these models to whoever brings the key.
    pub async fn with_models(key: &'static str, models: &'static [&'static str]) -> Self {
        let list: Vec<_> = models.iter().map(|id| serde_json::json!({ "id": id })).collect();
        let list = serde_json::json!({ "object": "list", "data": list }).to_string();
        Self::start(move |head| match head.contains(key) {
            true => json(200, &list),
            false => json(401, r#"{"error":{"message":"wrong key"}}"#),
        })
        .await
    }

    /// The heads of the requests so far.
    pub fn heads(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

pub fn json(status: u16, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} Status\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

async fn serve(mut stream: TcpStream, answer: Arc<impl Fn(&str) -> String>, log: Arc<Mutex<Vec<String>>>) {
    let mut bytes = Vec::new();
    let end = loop {
        let mut more = [0; 4096];
        match stream.read(&mut more).await {
            Ok(0) | Err(_) => return,
            Ok(count) => bytes.extend_from_slice(&more[..count]),
        }
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let answer = answer(&head);
    log.lock().unwrap().push(head);
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}
