//! The scripted model server of the end-to-end tests, as a process of its own: real wires over HTTP.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct Endpoint {
    process: Child,
    pub url: String,
}

impl Endpoint {
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/model.mjs");
        let mut process = Command::new("node")
            .args([script, "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs the model server");
        let stdout = process.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("listening ").expect("its first line is the address").to_owned();
        Self { process, url }
    }

    /// What it was asked, oldest first.
    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    pub async fn requests(&self) -> Vec<Value> {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let answer = client.get(format!("{}/requests", self.url)).send().await.expect("it answers");
        answer.json().await.expect("a list")
    }

    /// Lets the replies go on that wait at their script's gate, as soon as there is one.
    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    pub async fn open_gate(&self) {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        client.post(format!("{}/gate", self.url)).send().await.expect("it answers");
    }

    /// Lets one of them go on.
    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    pub async fn open_one_gate(&self) {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        client.post(format!("{}/gate?count=1", self.url)).send().await.expect("it answers");
    }

    /// Opens every gate until this is done.
    pub async fn with_open_gates<T>(&self, work: impl Future<Output = T>) -> T {
        let open = async {
            loop {
                self.open_gate().await;
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
