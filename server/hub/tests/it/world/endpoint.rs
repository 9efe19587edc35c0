//! The scripted servers of the end-to-end tests, of models and of speech, each as a process of its own: real wires over
//! HTTP.

use crate::talk::a_moment;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct Endpoint {
    process: Child,
    client: reqwest::Client,
    pub url: String,
}

impl Endpoint {
    pub fn start() -> Self {
        Self::run(concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/model.mjs"))
    }

    /// One that hears and speaks.
    pub fn speech() -> Self {
        Self::run(concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/speech.mjs"))
    }

    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    fn run(script: &str) -> Self {
        let mut process = Command::new("node")
            .args([script, "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs the server");
        let stdout = process.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("listening ").expect("its first line is the address").to_owned();
        // Whoever was first has chosen the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // It closes what is idle for a while, which may be just when something is sent.
        let client =
            reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("a client");
        Self { process, client, url }
    }

    /// What it was asked, oldest first.
    pub async fn requests(&self) -> Vec<Value> {
        let answer = self.client.get(format!("{}/requests", self.url)).send().await.expect("it answers");
        answer.json().await.expect("a list")
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
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
