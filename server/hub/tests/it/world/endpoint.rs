//! The scripted servers of the end-to-end tests, of models, of speech and of embeddings, each as a process of its own:
//! real wires over HTTP.

use crate::talk::a_moment;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// Those that no story has at the moment: starting one takes longer than most stories ask of it.
static IDLE: Mutex<Vec<Process>> = Mutex::new(Vec::new());

pub struct Endpoint {
    /// Until it is dropped.
    process: Option<Process>,
    client: reqwest::Client,
    pub url: String,
    can_be_taken_again: bool,
}

struct Process {
    child: Child,
    url: String,
}

impl Endpoint {
    pub fn start() -> Self {
        let idle = IDLE.lock().expect("nobody panics with it").pop();
        let process = idle.filter(Process::forgets).unwrap_or_else(|| {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/model.mjs");
            // Nobody drops those that are idle at the end.
            Process::start(&[script, "0", "--attached"])
        });
        Self::at(process, true)
    }

    /// One that hears and speaks.
    pub fn speech() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/speech.mjs");
        Self::at(Process::start(&[script, "0"]), false)
    }

    /// One that says what texts mean.
    pub fn embeddings() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/embeddings.mjs");
        Self::at(Process::start(&[script, "0"]), false)
    }

    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    fn at(process: Process, can_be_taken_again: bool) -> Self {
        // Whoever was first has chosen the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // It closes what is idle for a while, which may be just when something is sent.
        let client =
            reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("a client");
        let url = process.url.clone();
        Self { process: Some(process), client, url, can_be_taken_again }
    }

    /// What it was asked, oldest first.
    pub async fn requests(&self) -> Vec<Value> {
        let answer = self.client.get(format!("{}/requests", self.url)).send().await.expect("it answers");
        answer.json().await.expect("a list")
    }

    /// Has one of embeddings answer, fail or never answer from now on.
    pub async fn mode(&self, mode: &str) {
        let body = serde_json::json!({ "mode": mode }).to_string();
        self.client.post(format!("{}/mode", self.url)).body(body).send().await.expect("it answers");
    }

    /// Lets the replies go on that wait at their script's gate, as soon as there is one.
    pub async fn open_gate(&self) {
        self.client.post(format!("{}/gate", self.url)).send().await.expect("it answers");
    }

    /// Lets one of them go on.
    pub async fn open_one_gate(&self) {
        self.client.post(format!("{}/gate?count=1", self.url)).send().await.expect("it answers");
    }

    /// Opens every gate until this is done.
    pub async fn with_open_gates<T>(&self, work: impl Future<Output = T>) -> T {
        let open = async {
            loop {
                self.open_gate().await;
                a_moment().await;
            }
        };
        tokio::select! {
            done = work => done,
            () = open => unreachable!("it opens them until the work is done"),
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let process = self.process.take().expect("it is dropped once");
        if self.can_be_taken_again {
            IDLE.lock().expect("nobody panics with it").push(process);
        }
    }
}

impl Process {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new("node")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs the server");
        let stdout = child.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("listening ").expect("its first line is the address").to_owned();
        Self { child, url }
    }

    /// Whether it is there, and knows nothing of the story before.
    fn forgets(&self) -> bool {
        let forget = || -> std::io::Result<String> {
            let host = self.url.trim_start_matches("http://");
            let mut stream = TcpStream::connect(host)?;
            write!(stream, "DELETE /requests HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        forget().is_ok_and(|answer| answer.starts_with("HTTP/1.1 204"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
