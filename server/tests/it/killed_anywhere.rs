//! `kill -9` at any moment while three agents work: every run comes to its end by itself, no call that changes
//! something is made twice, and what one of them has noted elsewhere is noted once, or its person is asked.
//! `KILLS` says how often, `SEED` where it begins.

use crate::killed::patient_with;
use crate::killed_call::{Ledger, another_noter, noting, say, until};
use crate::live::agent;
use crate::world::{self, Caller, Endpoint, a_moment};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::env;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

const KILLS: u64 = 30;
/// The run of one message takes about as long.
const LONGEST_MS: u64 = 250;
/// From when the hub listens again until each run has ended or asks. Five seconds are promised, and a machine that does
/// much else at once is given more.
const PATIENCE: Duration = Duration::from_secs(180);

#[tokio::test]
async fn every_run_ends_by_itself_wherever_the_hub_is_killed_on_sqlite() {
    tell("SQLite", &[]).await;
}

#[tokio::test]
async fn every_run_ends_by_itself_wherever_the_hub_is_killed_on_postgresql() {
    let database = world::database();
    tell("PostgreSQL", &[("DATABASE_URL", &database)]).await;
}

async fn tell(name: &str, environment: &[(&str, &str)]) {
    let mut program = patient_with(environment);
    let (endpoint, ledger) = (Endpoint::start(), Ledger::start());
    ledger.answer(true);
    let mut caller = program.caller("ada");
    ledger.add_to(&caller).await;
    let mut agents = Vec::new();
    for _ in 0..2 {
        agents.push((agent(&caller, &endpoint).await, "script: tools".to_owned()));
    }
    let (kills, mut chance) = (number("KILLS", KILLS), Chance::seeded());
    let (mut asked, mut rests) = (0, Vec::new());
    for round in 0..kills {
        // One that has read what the ledger answered asks before it sends anything there again.
        agents.push((another_noter(&caller, &ledger).await, noting()));
        let (noted, mut sent) = (ledger.count(), Vec::new());
        for (agent, text) in &agents {
            let message = json!({ "agent": agent, "text": text, "key": format!("{round} {agent}") });
            sent.push(caller.call("/api/agents/send", &message).await["seq"].as_u64().unwrap());
        }
        // Now and then its call is sure to be under way when the hub is killed.
        let is_held = round % 4 == 3;
        ledger.answer(!is_held);
        if is_held {
            timeout(PATIENCE, until(|| ledger.count() > noted)).await.expect("the ledger is asked");
        }
        let wait = chance.below(LONGEST_MS);
        sleep(Duration::from_millis(wait)).await;
        ledger.answer(true);
        program.restart();
        caller.url.clone_from(&program.url);
        let (since, when) = (Instant::now(), format!("round {round}, {wait} ms"));
        let (mut has_asked, mut told) = (false, Vec::new());
        for ((agent, _), seq) in agents.iter().zip(sent) {
            let rest = timeout(PATIENCE, at_rest(&caller, agent, seq)).await;
            let rest = rest.unwrap_or_else(|_| panic!("{when}: the run of {agent} neither ends nor asks"));
            rests.push(since.elapsed());
            let log = match rest {
                Rest::Ended(log) => log,
                Rest::Asks(question) => {
                    has_asked = true;
                    let done = if ledger.count() > noted { "It was done" } else { "It was not done" };
                    say(&caller, &question, json!({ "chosen": [done] })).await;
                    timeout(PATIENCE, ended(&caller, agent, seq)).await.expect("an answer lets the run go on")
                }
            };
            hold(&log, seq, &when);
            told = log;
        }
        let effects = ledger.count() - noted;
        assert!(effects == 1 || (has_asked && effects == 0), "{when}: noted {effects} times: {told:?}");
        asked += u64::from(has_asked);
        let (noter, _) = agents.pop().expect("the last one notes");
        caller.call("/api/agents/delete", &json!({ "id": noter })).await;
    }
    rests.sort();
    let part = |hundredths: usize| rests[(rests.len() - 1) * hundredths / 100].as_millis();
    println!("| {name} | {kills} | {asked} | {} | {} | {} |", part(50), part(99), part(100));
}

/// What the log shows since this message.
pub fn hold(log: &[Value], said: u64, when: &str) {
    let end = hold_once(log, said, when);
    assert_eq!(end["outcome"]["type"], "completed", "{when}: {end}");
}

/// The same, however the run ended. Gives its end.
pub fn hold_once<'a>(log: &'a [Value], said: u64, when: &str) -> &'a Value {
    assert_eq!(log[0]["seq"], json!(said), "{when}: it was acknowledged");
    let of = |kind: &str| -> Vec<&'a Value> {
        log.iter().map(|entry| &entry["body"]).filter(|body| body["type"] == kind).collect()
    };
    assert_eq!(of("run_started").len(), 1, "{when}: one run reads it");
    let ends = of("run_finished");
    assert_eq!(ends.len(), 1, "{when}");
    let started = of("tool_started").into_iter().map(|body| &body["call"]);
    let writing: Vec<String> =
        started.filter(|call| call["input"]["action"] == "set").map(|call| call["id"].to_string()).collect();
    let finished: Vec<String> =
        of("tool_finished").into_iter().map(|body| body["result"]["call"].to_string()).collect();
    for calls in [&writing, &finished] {
        assert_eq!(calls.iter().collect::<BTreeSet<_>>().len(), calls.len(), "{when}: {calls:?}");
    }
    assert!(writing.iter().all(|call| finished.contains(call)), "{when}: {writing:?} {finished:?}");
    ends[0]
}

/// How a run stands once nothing goes on.
enum Rest {
    Ended(Vec<Value>),
    /// Nobody knows what came of its call.
    Asks(Value),
}

async fn at_rest(caller: &Caller, agent: &str, said: u64) -> Rest {
    loop {
        let log = since(caller, agent, said).await;
        if is_over(&log) {
            return Rest::Ended(log);
        }
        let list: Value = caller.get("/api/approvals/list").await.json().await.unwrap();
        let asks = |view: &&Value| view["agent"] == agent && view["approval"]["why"] == "unknown";
        if let Some(view) = list.as_array().unwrap().iter().find(asks) {
            return Rest::Asks(view["approval"].clone());
        }
        a_moment().await;
    }
}

async fn ended(caller: &Caller, agent: &str, said: u64) -> Vec<Value> {
    loop {
        let log = since(caller, agent, said).await;
        if is_over(&log) {
            return log;
        }
        a_moment().await;
    }
}

async fn since(caller: &Caller, agent: &str, said: u64) -> Vec<Value> {
    let path = format!("/api/agents/entries?agent={agent}&after={}", said - 1);
    caller.get(&path).await.json().await.unwrap()
}

fn is_over(log: &[Value]) -> bool {
    log.last().is_some_and(|entry| entry["body"]["type"] == "run_finished")
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
