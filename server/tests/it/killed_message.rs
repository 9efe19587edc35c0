//! `kill -9` while messages are being sent: one that was acknowledged is there, and one that is there is
//! answered, whether its run had begun or not, whoever of two was first.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use crate::live::agent;
use crate::things::json_of;
use crate::world::{self, Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};

/// How long the two senders have, as steps of the test's own.
const STEPS: [usize; 12] = [0, 20, 60, 120, 200, 300, 450, 700, 1_000, 1_500, 2_200, 3_000];

#[tokio::test]
async fn a_message_is_answered_wherever_the_hub_is_killed_on_sqlite() {
    tell(&[]).await;
}

#[tokio::test]
async fn a_message_is_answered_wherever_the_hub_is_killed_on_postgresql() {
    let database = world::database();
    tell(&[("DATABASE_URL", &database)]).await;
}

async fn tell(environment: &[(&str, &str)]) {
    let mut program = Program::start_with(environment);
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    for (round, steps) in STEPS.into_iter().enumerate() {
        let mut senders = Vec::new();
        for name in ["one", "other"] {
            let (caller, agent) = (caller.clone(), agent.clone());
            let body = json!({ "agent": agent, "text": format!("{name} {round}"), "key": format!("{name} {round}") });
            senders.push(tokio::spawn(async move { send(&caller, &body).await }));
        }
        for _ in 0..steps {
            tokio::task::yield_now().await;
        }
        program.kill();
        let mut acknowledged = Vec::new();
        for sender in senders {
            acknowledged.extend(sender.await.unwrap());
        }
        program.restart();
        caller.url.clone_from(&program.url);
        let log = entries(&caller, &agent).await;
        for seq in acknowledged {
            assert!(said(&log).contains(&seq), "{steps}: {seq} was acknowledged");
        }
        while unread(&entries(&caller, &agent).await) || is_at_work(&caller, &agent).await {
            a_moment().await;
        }
    }
}

/// The number of the message, if somebody said that it is there.
async fn send(caller: &Caller, body: &Value) -> Option<u64> {
    let request = caller.request(reqwest::Method::POST, "/api/agents/send").json(body);
    let answer: Value = request.send().await.ok()?.json().await.ok()?;
    answer["seq"].as_u64()
}

/// Whether something was said that no run read.
fn unread(log: &[Value]) -> bool {
    let begun = log.iter().rfind(|entry| entry["body"]["type"] == "run_started");
    let begun = begun.and_then(|entry| entry["seq"].as_u64()).unwrap_or(0);
    let read =
        |seq: u64| log.iter().any(|entry| entry["body"]["type"] == "steered" && entry["body"]["seq"] == seq);
    said(log).into_iter().any(|seq| seq > begun && !read(seq))
}

fn said(log: &[Value]) -> Vec<u64> {
    let is_said = |entry: &&Value| entry["body"]["type"] == "message";
    log.iter().filter(is_said).filter_map(|entry| entry["seq"].as_u64()).collect()
}

async fn is_at_work(caller: &Caller, agent: &str) -> bool {
    let cards = json_of(caller, "/api/agents/list").await;
    let own = cards.as_array().unwrap().iter().find(|card| card["id"] == agent).unwrap();
    own["status"] == "running"
}

async fn entries(caller: &Caller, agent: &str) -> Vec<Value> {
    let mut log: Vec<Value> = Vec::new();
    loop {
        let more = json_of(caller, &format!("/api/agents/entries?agent={agent}&after={}", log.len())).await;
        let more = more.as_array().unwrap();
        if more.is_empty() {
            return log;
        }
        log.extend(more.iter().cloned());
    }
}
