//! The hub with a person who has a limit, a priced model and a token for models; and a program that asks
//! for streamed completions at an address, the hub's or another's.

use super::upstream::Upstream;
use crate::caller::Caller;
use crate::process::Process;
use crate::program::{command, token};
use reqwest::Client;
use serde_json::{Value, json};
use std::time::Instant;
use tempfile::TempDir;

pub struct World {
    process: Process,
    pub door: Door,
    _folder: TempDir,
}

impl World {
    pub async fn start(upstream: &Upstream) -> Self {
        let folder = TempDir::new().unwrap();
        let mut program = command(folder.path());
        program.env("VIVARIUM_PERSON_REQUESTS", "0").env("VIVARIUM_ADDRESS_CONNECTIONS", "0");
        let process = Process::greeted(&mut program);
        let url = process.greeting.strip_prefix("Vivarium is at ").expect("it says where it is");
        let url = url.replace("localhost", "127.0.0.1");
        let caller = Caller::new(&url, &token(folder.path(), "ada"));
        let provider = json!({ "name": "Mine", "kind": "open_ai", "base_url": upstream.url, "key": "key-good-and-long" });
        caller.call("/api/providers/save", &provider).await;
        caller.call("/api/money/limit_own", &json!({ "per_month": "100000" })).await;
        let made =
            caller.call("/api/account/create_token", &json!({ "name": "bench", "scope": "models" })).await;
        let door = Door::new(&url, made["token"].as_str().unwrap(), "Mine/gpt-5-mini");
        Self { process, door, _folder: folder }
    }

    pub fn process(&self) -> &Process {
        &self.process
    }
}

/// Where completions are asked for.
pub struct Door {
    client: Client,
    url: String,
    token: String,
    body: Value,
}

/// How an answer came.
pub struct Heard {
    pub first: Instant,
    pub frames: u64,
    pub in_order: bool,
}

impl Door {
    #[expect(clippy::disallowed_methods, reason = "it speaks to the programs that it started")]
    pub fn new(url: &str, token: &str, model: &str) -> Self {
        let client = Client::builder().no_proxy().tcp_nodelay(true).build().unwrap();
        let messages = json!([{ "role": "user", "content": "Say a few words." }]);
        let body = json!({ "model": model, "messages": messages, "stream": true, "max_tokens": 100 });
        Self { client, url: format!("{url}/v1/chat/completions"), token: token.to_owned(), body }
    }

    /// Asks and reads to the end.
    pub async fn ask(&self) -> Heard {
        let request = self.client.post(&self.url).bearer_auth(&self.token).json(&self.body);
        let mut response = request.send().await.unwrap();
        assert!(response.status().is_success(), "{}: {}", self.url, response.status());
        let (mut first, mut text) = (None, String::new());
        while let Some(chunk) = response.chunk().await.unwrap() {
            text.push_str(std::str::from_utf8(&chunk).unwrap());
            if first.is_none() && text.contains("w0 ") {
                first = Some(Instant::now());
            }
        }
        let said = text.split("\"content\":\"w").skip(1);
        let numbers: Vec<u64> = said.map(|rest| rest.split(' ').next().unwrap().parse().unwrap()).collect();
        let frames = numbers.len() as u64;
        Heard { first: first.expect("a first token"), frames, in_order: numbers.into_iter().eq(0..frames) }
    }
}
