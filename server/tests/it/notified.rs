//! A question that is answered from where a notification is shown, with no page open: as a browser's worker does
//! it, over HTTP.

use crate::world::{Caller, Endpoint, Program, a_moment};
use reqwest::Method;
use reqwest::header::ORIGIN;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const SET: &str =
    r#"turns: [[{"tool":"state","input":{"action":"set","key":"a","value":1}}],[{"text":"Done."}]]"#;

#[tokio::test]
async fn a_press_on_a_notification_lets_the_run_go_on_and_a_second_one_changes_nothing() {
    let mut program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let (endpoint, service) = (Endpoint::start(), PushService::start());
    program.add_user("ada");
    let mut phone = program.browser("ada", "phone").await;
    let mut laptop = program.browser("ada", "laptop").await;
    let agent = crate::live::agent(&phone, &endpoint).await;
    phone.call("/api/policy/add", &json!({ "tool": "state", "verdict": "ask" })).await;
    let mut made = service.get(&phone, "/subscribe").await;
    made["buttons"] = json!(true);
    phone.call("/api/notifications/push_on", &made).await;
    phone.call("/api/agents/send", &json!({ "agent": agent, "text": SET })).await;
    let push = service.first(&phone).await;
    let secret = push["message"]["notification"]["data"]["answer"].as_str().unwrap().to_owned();
    assert_eq!(push["message"]["web_push"], 8030);
    let database = std::fs::read(program.folder.path().join("vivarium.db")).unwrap();
    assert!(!database.windows(secret.len()).any(|window| window == secret.as_bytes()));

    // The question outlives the process, and so does what answers it.
    program.restart();
    phone.url.clone_from(&program.url);
    laptop.url.clone_from(&program.url);
    let answer = json!({ "secret": secret, "decision": "once" });
    let path = "/api/approvals/answer_notified";
    for (caller, status) in [(&program.stranger(), 401), (&laptop, 409)] {
        assert_eq!(caller.post(path, &answer).await.status(), status);
    }
    let foreign = phone.request(Method::POST, path).header(ORIGIN, "https://evil.example").json(&answer);
    assert_eq!(foreign.send().await.unwrap().status(), 403);
    phone.call(path, &answer).await;
    loop {
        let state: Value =
            phone.get(&format!("/api/agents/entries?agent={agent}&after=0")).await.json().await.unwrap();
        let kinds: Vec<&str> =
            state.as_array().unwrap().iter().filter_map(|entry| entry["body"]["type"].as_str()).collect();
        if kinds.contains(&"run_finished") {
            assert_eq!(kinds.iter().filter(|kind| **kind == "state").count(), 1);
            break;
        }
        a_moment().await;
    }
    let again = phone.post(path, &answer).await;
    assert_eq!(again.status(), 409);
    assert!(again.text().await.unwrap().contains("answered already"));
}

#[tokio::test]
async fn a_hub_for_others_sends_nothing_to_addresses_near_by_and_its_worker_calls_nobody_else() {
    let program = Program::start_with(&[("VIVARIUM_PRIVATE_ADDRESSES", "off")]);
    program.add_user("ada");
    let phone = program.browser("ada", "phone").await;
    for endpoint in ["http://127.0.0.1:9/push", "https://10.0.0.1/push", "https://localhost/push"] {
        let made = json!({ "endpoint": endpoint, "p256dh": "A".repeat(87), "auth": "A".repeat(22) });
        assert_eq!(phone.post("/api/notifications/push_on", &made).await.status(), 422, "{endpoint}");
        let channel = json!({ "kind": "webhook", "address": endpoint });
        assert_eq!(phone.post("/api/notifications/add_channel", &channel).await.status(), 422, "{endpoint}");
    }
    let worker = program.stranger().get("/service-worker.js").await;
    let policy = worker.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; connect-src 'self';"), "{policy}");
    assert_eq!(worker.headers()["content-type"], "text/javascript; charset=utf-8");
    let script = worker.text().await.unwrap();
    assert!(script.contains(r#""Allow once":"Einmal erlauben""#), "it speaks the languages of its pages");
}

/// A push service with the browsers behind it.
struct PushService {
    process: Child,
    url: String,
}

impl PushService {
    fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../end2end/endpoints/push.mjs");
        let mut process = Command::new("node").args([script, "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("listening ").expect("it says where it listens").to_owned();
        Self { process, url }
    }

    async fn get(&self, caller: &Caller, path: &str) -> Value {
        caller.client.get(format!("{}{path}", self.url)).send().await.unwrap().json().await.unwrap()
    }

    /// What came first, once something has.
    async fn first(&self, caller: &Caller) -> Value {
        loop {
            let received = self.get(caller, "/received").await;
            if let Some(first) = received.get(0) {
                return first.clone();
            }
            a_moment().await;
        }
    }
}

impl Drop for PushService {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
