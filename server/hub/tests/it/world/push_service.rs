//! A push service with the browsers behind it, as a process of its own, which also takes webhooks.

use crate::talk::a_moment;
use hub::{Reached, Scoped};
use protocol::Language;
use protocol::view::PushDraft;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct PushService {
    process: Child,
    client: reqwest::Client,
    pub url: String,
}

impl PushService {
    #[expect(clippy::disallowed_methods, reason = "a test speaks to the server it started")]
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/push.mjs");
        let mut process = Command::new("node")
            .args([script, "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs the push service");
        let stdout = process.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("listening ").expect("its first line is the address").to_owned();
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        Self { process, client, url }
    }

    /// Has the device of this viewer notified, whose service gives these answers one after the other.
    pub async fn notify(&self, scoped: &Scoped<'_>, answers: &str, buttons: bool) {
        let draft = PushDraft { buttons, ..self.subscription(answers).await };
        let reached = Reached { origin: "https://hub.example", language: Language::English };
        scoped.notifications().push_on(&draft, reached).await.unwrap();
    }

    /// Another browser here.
    pub async fn subscription(&self, answers: &str) -> PushDraft {
        let made = self.get(&format!("/subscribe?answers={answers}")).await;
        let text = |name: &str| made[name].as_str().expect("a text").to_owned();
        let (endpoint, p256dh, auth) = (text("endpoint"), text("p256dh"), text("auth"));
        PushDraft { endpoint, p256dh, auth, buttons: false }
    }

    /// What came, the oldest first.
    pub async fn received(&self) -> Vec<Value> {
        self.get("/received").await.as_array().expect("a list").clone()
    }

    /// The same, as soon as there are so many.
    pub async fn until_received(&self, count: usize) -> Vec<Value> {
        loop {
            let received = self.received().await;
            if received.len() >= count {
                return received;
            }
            a_moment().await;
        }
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.client.get(format!("{}{path}", self.url)).send().await.expect("it answers");
        answer.json().await.expect("JSON")
    }
}

impl Drop for PushService {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
