//! Services with open data, as a process of their own.

use hub::OpenDataAddresses;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use url::Url;

pub struct OpenDataServer {
    process: Child,
    client: reqwest::Client,
    pub url: String,
}

impl OpenDataServer {
    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/open-data.mjs");
        let mut process = Command::new("node")
            .args([script, "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs the services");
        let stdout = process.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("listening ").expect("its first line is the address").to_owned();
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        Self { process, client, url }
    }

    /// Its host and port, as a list of hosts names them.
    pub fn host(&self) -> String {
        self.url.trim_start_matches("http://").to_owned()
    }

    /// What it was asked, the oldest first.
    pub async fn asked(&self) -> Vec<String> {
        let answer = self.client.get(format!("{}/asked", self.url)).send().await.expect("it answers");
        answer.json().await.expect("a list")
    }

    /// Lets this path fail, and no other one.
    pub async fn fail(&self, path: &str, status: u16, headers: Value) {
        let mood = json!({ "path": path, "status": status, "headers": headers }).to_string();
        let sent = self.client.post(format!("{}/mood", self.url)).body(mood).send();
        sent.await.expect("it answers");
    }

    pub fn addresses(&self) -> OpenDataAddresses {
        at(&self.url)
    }
}

/// All of it at this address.
pub fn at(url: &str) -> OpenDataAddresses {
    let url = Url::parse(url).expect("an address");
    OpenDataAddresses { places: url.clone(), weather: url.clone(), rates: url }
}

impl Drop for OpenDataServer {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
