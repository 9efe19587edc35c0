//! GitHub Actions and a server of plain jobs, as a process of their own.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct JobServer {
    process: Child,
    client: reqwest::Client,
    pub url: String,
    /// Where logs lie.
    pub logs: String,
}

impl JobServer {
    pub const TOKEN: &'static str = "job-token-canary";

    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/jobs.mjs");
        let mut process = Command::new("node")
            .args([script, "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs the services");
        let mut stdout = BufReader::new(process.stdout.take().expect("its output is piped"));
        let mut told = |what: &str| {
            let mut line = String::new();
            stdout.read_line(&mut line).expect("it says where it listens");
            line.trim().strip_prefix(what).expect("the address follows").to_owned()
        };
        let (url, logs) = (told("listening "), told("logs "));
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client =
            reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("a client");
        Self { process, client, url, logs }
    }

    /// Its host and port, as rules and lists of hosts name them.
    pub fn host(&self) -> String {
        self.url.trim_start_matches("http://").to_owned()
    }

    /// Has the job say this.
    pub async fn say(&self, id: &str, text: &str) {
        self.control("say", json!({ "id": id, "text": text })).await;
    }

    pub async fn end(&self, id: &str, how: Value) {
        let mut ended = json!({ "id": id });
        ended.as_object_mut().expect("an object").extend(how.as_object().expect("an object").clone());
        self.control("end", ended).await;
    }

    /// Has it behave so until the next one.
    pub async fn be(&self, mood: Value) {
        self.control("mood", mood).await;
    }

    /// The jobs that it knows, the oldest first.
    pub async fn jobs(&self) -> Vec<Value> {
        let answer = self.client.get(format!("{}/control/jobs", self.url)).send().await.expect("it answers");
        answer.json().await.expect("a list")
    }

    /// What it was asked, the oldest first, and how often a log was asked for with the token.
    pub async fn asked(&self) -> (Vec<String>, u64) {
        let answer = self.client.get(format!("{}/control/asked", self.url)).send().await.expect("it answers");
        let told: Value = answer.json().await.expect("an object");
        let asked = serde_json::from_value(told["asked"].clone()).expect("a list");
        (asked, told["leaked"].as_u64().expect("a number"))
    }

    async fn control(&self, what: &str, body: Value) {
        let sent = self.client.post(format!("{}/control/{what}", self.url)).body(body.to_string()).send();
        let answer = sent.await.expect("it answers");
        assert!(answer.status().is_success(), "{what} {body}");
    }
}

impl Drop for JobServer {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
