//! `kill -9` at any moment while three agents work: every run comes to its end by itself, and no call that
//! changes something is made twice. `KILLS` says how often, `SEED` where it begins.

use crate::live::agent;
use crate::world::{self, Caller, Endpoint, Program};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::env;
use std::time::Duration;

const KILLS: u64 = 30;
/// The run of one message takes about as long.
const LONGEST_MS: u64 = 250;

#[tokio::test]
async fn every_run_ends_by_itself_wherever_the_hub_is_killed_on_sqlite() {
    tell(&[]).await;
}

#[tokio::test]
async fn every_run_ends_by_itself_wherever_the_hub_is_killed_on_postgresql() {
    let database = world::database();
    tell(&[("DATABASE_URL", &database)]).await;
}

async fn tell(environment: &[(&str, &str)]) {
    let mut program = Program::start_with(&[&[("VIVARIUM_PERSON_REQUESTS", "0")], environment].concat());
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let mut agents = Vec::new();
    for _ in 0..3 {
        agents.push(agent(&caller, &endpoint).await);
    }
    let (kills, mut chance) = (number("KILLS", KILLS), Chance::seeded());
    for round in 0..kills {
        let mut sent = Vec::new();
        for agent in &agents {
            let message =
                json!({ "agent": agent, "text": "script: tools", "key": format!("{round} {agent}") });
            sent.push(caller.call("/api/agents/send", &message).await["seq"].as_u64().unwrap());
        }
        let wait = chance.below(LONGEST_MS);
        tokio::time::sleep(Duration::from_millis(wait)).await;
        program.restart();
        caller.url.clone_from(&program.url);
        for (agent, seq) in agents.iter().zip(sent) {
            let log = at_rest(&caller, agent, seq).await;
            hold(&log, seq, &format!("round {round}, {wait} ms"));
        }
    }
}

/// What the log shows since this message.
pub fn hold(log: &[Value], said: u64, when: &str) {
    assert_eq!(log[0]["seq"], json!(said), "{when}: it was acknowledged");
    let of = |kind: &str| -> Vec<&Value> {
        log.iter().map(|entry| &entry["body"]).filter(|body| body["type"] == kind).collect()
    };
    assert_eq!(of("run_started").len(), 1, "{when}: one run reads it");
    let ends = of("run_finished");
    assert_eq!(ends.len(), 1, "{when}");
    assert_eq!(ends[0]["outcome"]["type"], "completed", "{when}: {}", ends[0]);
    let started = of("tool_started").into_iter().map(|body| &body["call"]);
    let writing: Vec<String> =
        started.filter(|call| call["input"]["action"] == "set").map(|call| call["id"].to_string()).collect();
    let finished: Vec<String> =
        of("tool_finished").into_iter().map(|body| body["result"]["call"].to_string()).collect();
    for calls in [&writing, &finished] {
        assert_eq!(calls.iter().collect::<BTreeSet<_>>().len(), calls.len(), "{when}: {calls:?}");
    }
    assert!(writing.iter().all(|call| finished.contains(call)), "{when}: {writing:?} {finished:?}");
}

/// The log since this entry, once a run has ended and nothing goes on.
async fn at_rest(caller: &Caller, agent: &str, since: u64) -> Vec<Value> {
    loop {
        let path = format!("/api/agents/entries?agent={agent}&after={}", since - 1);
        let log: Vec<Value> = caller.get(&path).await.json().await.unwrap();
        if log.last().is_some_and(|entry| entry["body"]["type"] == "run_finished") {
            return log;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The same numbers each time, but for another `SEED`.
pub struct Chance(u64);

impl Chance {
    pub fn seeded() -> Self {
        Self(number("SEED", 1))
    }

    /// Others each time, but for the same `SEED`, which is told.
    pub fn drawn() -> Self {
        let seed = number("SEED", u64::from(u32::from_le_bytes(hub::clock::random())));
        println!("SEED={seed}");
        Self(seed)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What this variable says.
pub fn number(name: &str, usual: u64) -> u64 {
    env::var(name).ok().map_or(usual, |text| text.parse().expect("a number"))
}
