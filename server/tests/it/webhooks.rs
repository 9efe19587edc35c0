//! What is delivered to a schedule over HTTP: by whom, once, and how much of it.

use crate::live::agent;
use crate::things::json_of;
use crate::world::{Caller, Endpoint, Program, a_moment};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sha2::Sha256;

#[derive(Clone)]
struct Hook {
    path: String,
    schedule: String,
    agent: String,
    secret: String,
}

impl Hook {
    async fn make(caller: &Caller, endpoint: &Endpoint) -> Self {
        let agent = agent(caller, endpoint).await;
        let draft = json!({
            "name": "Orders", "message": "An order came.", "kind": "webhook", "overlap": "each",
        });
        let made = caller.call("/api/schedules/create", &json!({ "agent": agent, "draft": draft })).await;
        let schedule = text(&made);
        let secret = text(&caller.call("/api/schedules/new_secret", &json!({ "id": schedule })).await);
        Self { path: format!("/hooks/{schedule}"), schedule, agent, secret }
    }

    fn request(&self, from: &Caller) -> RequestBuilder {
        from.request(Method::POST, &self.path)
    }

    /// With the secret in a header.
    async fn deliver(&self, from: &Caller, id: &str, body: &str) -> u16 {
        let request = self.request(from).header("x-webhook-secret", &self.secret).header("webhook-id", id);
        status(request.body(body.to_owned())).await
    }

    fn signed(&self, from: &Caller, id: &str, seconds: i64, body: &str) -> RequestBuilder {
        let key = STANDARD.decode(self.secret.strip_prefix("whsec_").unwrap()).unwrap();
        let signature = STANDARD.encode(mac(&key, &format!("{id}.{seconds}.{body}")));
        self.request(from)
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", format!("v1,{signature}"))
            .body(body.to_owned())
    }

    fn as_github(&self, from: &Caller, id: &str, body: &str) -> RequestBuilder {
        let digest: String =
            mac(self.secret.as_bytes(), body).iter().map(|byte| format!("{byte:02x}")).collect();
        self.request(from)
            .header("x-github-delivery", id)
            .header("x-hub-signature-256", format!("sha256={digest}"))
            .body(body.to_owned())
    }

    /// What the agent was told of deliveries, once nothing waits any more.
    async fn told(&self, caller: &Caller) -> Vec<String> {
        loop {
            let history = json_of(caller, &format!("/api/schedules/history?id={}", self.schedule)).await;
            let waits =
                |firing: &Value| ["queued", "running"].contains(&text(&firing["state"]["type"]).as_str());
            if !history.as_array().unwrap().iter().any(waits) {
                break;
            }
            a_moment().await;
        }
        let entries = json_of(caller, &format!("/api/agents/entries?agent={}&after=0", self.agent)).await;
        let is_told = |entry: &&Value| entry["body"]["from"]["type"] == "trigger";
        entries.as_array().unwrap().iter().filter(is_told).map(|entry| text(&entry["body"]["text"])).collect()
    }
}

fn mac(key: &[u8], message: &str) -> Vec<u8> {
    Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(message).finalize().into_bytes().to_vec()
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}

fn seconds() -> i64 {
    hub::clock::Clock::default().now() / 1000
}

#[tokio::test]
async fn what_is_delivered_with_the_secret_is_told_once_and_nothing_else_is() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let (caller, stranger) = (program.caller("ada"), program.stranger());
    let hook = Hook::make(&caller, &endpoint).await;
    assert_eq!(hook.deliver(&stranger, "one", "script: hello").await, 202);
    assert_eq!(hook.deliver(&stranger, "one", "script: hello").await, 200, "the same again");
    let now = seconds();
    assert_eq!(status(hook.signed(&stranger, "two", now, "signed")).await, 202);
    assert_eq!(status(hook.signed(&stranger, "two", now, "signed")).await, 200, "replayed");
    assert_eq!(status(hook.as_github(&stranger, "a", "{\"zen\":1}")).await, 202);
    assert_eq!(status(hook.as_github(&stranger, "b", "{\"zen\":1}")).await, 200, "under another name");
    assert_eq!(hook.told(&caller).await, ["script: hello", "signed", "{\"zen\":1}"]);

    let wrong = Hook { secret: "whsec_bW9zcw==".to_owned(), ..hook.clone() };
    let none = Hook { path: "/hooks/none".to_owned(), ..hook.clone() };
    assert_eq!(status(hook.signed(&stranger, "old", now - 3600, "stale")).await, 422);
    assert_eq!(wrong.deliver(&stranger, "three", "x").await, 401);
    assert_eq!(status(wrong.signed(&stranger, "four", now, "x")).await, 401);
    assert_eq!(status(wrong.as_github(&stranger, "five", "x")).await, 401);
    assert_eq!(status(hook.request(&caller).body("x")).await, 401, "a token of its person is no secret");
    assert_eq!(none.deliver(&stranger, "six", "x").await, 404);
    let bytes = hook.request(&stranger).header("x-webhook-secret", &hook.secret).body(vec![0xff, 0xfe]);
    assert_eq!(status(bytes).await, 422);
    caller.call("/api/schedules/pause", &json!({ "id": hook.schedule })).await;
    assert_eq!(hook.deliver(&stranger, "seven", "x").await, 409);
    caller.call("/api/schedules/resume", &json!({ "id": hook.schedule })).await;
    caller.call("/api/schedules/new_secret", &json!({ "id": hook.schedule })).await;
    assert_eq!(hook.deliver(&stranger, "eight", "x").await, 401, "the former secret");
    assert_eq!(hook.told(&caller).await.len(), 3);
}

#[tokio::test]
async fn what_is_too_much_is_turned_away_and_the_hub_goes_on() {
    let program =
        Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0"), ("VIVARIUM_ADDRESS_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let (caller, stranger) = (program.caller("ada"), program.stranger());
    let hook = Hook::make(&caller, &endpoint).await;
    // Who still sends may see the connection end before the answer.
    let huge = hook.request(&stranger).header("x-webhook-secret", &hook.secret).body(vec![b'x'; 100 << 20]);
    if let Ok(response) = huge.send().await {
        assert_eq!(response.status(), 413);
    }
    assert_eq!(hook.deliver(&stranger, "too large", &"x".repeat(256 * 1024 + 1)).await, 413);
    assert_eq!(hook.deliver(&stranger, "largest", &"x".repeat(256 * 1024)).await, 202);
    let mut answers = Vec::new();
    for number in 0..60 {
        answers.push(hook.deliver(&stranger, &format!("flood {number}"), "x").await);
    }
    assert!(answers.contains(&202) && answers.contains(&429), "{answers:?}");
    assert!(answers.iter().all(|status| [202, 429].contains(status)), "{answers:?}");
    let taken = 1 + answers.iter().filter(|status| **status == 202).count();
    assert_eq!(hook.told(&caller).await.len(), taken, "what was taken is told");
}

#[tokio::test]
async fn what_was_taken_is_told_once_wherever_the_hub_is_killed() {
    const ROUNDS: usize = 4;
    let mut program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let (mut caller, mut stranger) = (program.caller("ada"), program.stranger());
    let hook = Hook::make(&caller, &endpoint).await;
    for round in 1..=ROUNDS {
        let body = format!("order {round}");
        assert_eq!(hook.deliver(&stranger, &body, &body).await, 202);
        program.restart();
        caller.url.clone_from(&program.url);
        stranger.url.clone_from(&program.url);
        assert_eq!(hook.deliver(&stranger, &body, &body).await, 200, "it is remembered");
    }
    let expected: Vec<String> = (1..=ROUNDS).map(|round| format!("order {round}")).collect();
    assert_eq!(hook.told(&caller).await, expected);
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
