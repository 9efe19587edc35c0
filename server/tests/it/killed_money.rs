//! `kill -9` while thirty runs race for the money of ten, at each step of a call: nothing stays held, the
//! meter says to the unit what the model server told, what was under way goes on, and what a limit had stopped
//! goes on when another device raises it.

use crate::live::{Socket, connect, hear, say};
use crate::world::{self, Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tempfile::TempDir;

const RUNS: usize = 30;
/// With these many tokens of a reply at most, a call may cost 15 to 16 cents.
const OUTPUT: u32 = 10_000;
const TEN_CALLS: i64 = 1_620_000;
/// What the model costs for a token, in micro-dollars.
const INPUT_PRICE: i64 = 3;
const OUTPUT_PRICE: i64 = 15;

/// When the process is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// So many runs have started, and money is being held for them.
    Holding(usize),
    /// So many were refused.
    Refused(usize),
    /// All ten calls have brought their first words.
    Calling,
    /// So many of the ten are on the meter, and the others wait.
    Settled(usize),
}

const POINTS: [Point; 8] = [
    Point::Holding(1),
    Point::Holding(15),
    Point::Refused(1),
    Point::Refused(20),
    Point::Calling,
    Point::Settled(1),
    Point::Settled(6),
    Point::Settled(10),
];

impl Point {
    async fn reach(self, heard: &mut Heard, tab: &mut Socket, endpoint: &Endpoint) {
        match self {
            Self::Holding(runs) => heard.until(tab, |heard| heard.started >= runs).await,
            Self::Refused(runs) => heard.until(tab, |heard| heard.refused.len() >= runs).await,
            Self::Calling => heard.until(tab, Heard::all_are_calling).await,
            Self::Settled(calls) => {
                heard.until(tab, Heard::all_are_calling).await;
                for settled in 1..=calls {
                    endpoint.open_gate_once().await;
                    heard.until(tab, |heard| heard.used >= settled).await;
                }
            }
        }
    }

    /// Whether the hub had kept by then what every call told it.
    fn is_exact(self) -> bool {
        match self {
            Self::Holding(_) | Self::Refused(_) => false,
            Self::Calling | Self::Settled(_) => true,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_hub_holds_nothing_and_its_ledger_is_exact_on_sqlite() {
    tell(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_hub_holds_nothing_and_its_ledger_is_exact_on_postgresql() {
    tell(Some(world::database())).await;
}

async fn tell(database: Option<String>) {
    let mut environment = vec![("VIVARIUM_PERSON_REQUESTS", "0")];
    environment.extend(database.as_deref().map(|url| ("DATABASE_URL", url)));
    let logs = TempDir::new().unwrap();
    let mut program = Program::start_logged(&environment, logs.path().join("log"));
    let endpoint = Endpoint::start();
    let mut ada = program.caller("ada");
    let mut phone = program.browser("ada", "phone").await;
    let agents = agents(&ada, &endpoint).await;
    let mut unheard = 0;
    for point in POINTS {
        limit(&ada, spent(&ada).await + TEN_CALLS).await;
        let mut tab = follow(&ada, &agents).await;
        for agent in &agents {
            ada.call("/api/agents/send", &json!({ "agent": agent, "text": "script: halves" })).await;
        }
        let mut heard = Heard::default();
        point.reach(&mut heard, &mut tab, &endpoint).await;
        program.restart();
        ada.url.clone_from(&program.url);
        phone.url.clone_from(&program.url);

        assert!(
            heard.refused.is_subset(&with_status(&ada, "waiting").await),
            "{point:?}: what a limit had stopped still waits"
        );
        // The others go on by themselves, as far as the money goes.
        endpoint.with_open_gates(at_rest(&ada)).await;
        let parked = with_status(&ada, "waiting").await;
        let before = unheard;
        unheard = balance(&ada, &endpoint, &agents, point).await;
        assert!(unheard == before || !point.is_exact(), "{point:?}: {unheard} calls are not on the meter");

        // Nothing is held any more: as much money lets ten run again, some that waited among them.
        let mut tab = follow(&ada, &agents).await;
        let mut heard = Heard::default();
        limit(&phone, spent(&ada).await + TEN_CALLS).await;
        for agent in agents.iter().filter(|agent| !parked.contains(*agent)) {
            ada.call("/api/agents/send", &json!({ "agent": agent, "text": "script: halves" })).await;
        }
        heard.until(&mut tab, Heard::all_are_calling).await;
        limit(&phone, spent(&ada).await + 10 * TEN_CALLS).await;
        endpoint.with_open_gates(heard.until(&mut tab, |heard| heard.completed == RUNS)).await;
        assert_eq!(balance(&ada, &endpoint, &agents, point).await, unheard, "{point:?}");
    }
}

/// What was heard of the runs so far.
#[derive(Default)]
struct Heard {
    started: usize,
    refused: BTreeSet<String>,
    calling: BTreeSet<String>,
    used: usize,
    completed: usize,
}

impl Heard {
    async fn until(&mut self, tab: &mut Socket, enough: impl Fn(&Self) -> bool) {
        while !enough(self) {
            self.take(&hear(tab).await);
        }
    }

    fn take(&mut self, frame: &Value) {
        let agent = |frame: &Value| frame["agent"].as_str().unwrap().to_owned();
        let (entry, body) = (&frame["entry"], &frame["entry"]["body"]);
        match (frame["type"].as_str().unwrap_or_default(), body["type"].as_str().unwrap_or_default()) {
            ("delta", _) => drop(self.calling.insert(agent(frame))),
            (_, "run_started") => self.started += 1,
            (_, "used") => self.used += 1,
            (_, "run_finished") if body["outcome"]["failure"]["kind"] == "over_budget" => {
                self.refused.insert(agent(entry));
            }
            (_, "run_finished") if body["outcome"]["type"] == "completed" => self.completed += 1,
            _ => {}
        }
    }

    fn all_are_calling(&self) -> bool {
        (self.calling.len(), self.refused.len()) == (10, RUNS - 10)
    }
}

/// Every call that came to its end is on the meter, once and to the unit; one that was cut is there as far
/// as the model server had told of it, or the process ended before it heard that; and nothing else is. Gives
/// how many it did not hear of.
async fn balance(ada: &Caller, endpoint: &Endpoint, agents: &[String], point: Point) -> usize {
    let mut logged = Vec::new();
    for agent in agents {
        logged.extend(entries(ada, agent).await.iter().filter_map(|entry| entry["body"]["cost"].as_i64()));
    }
    assert_eq!(spent(ada).await, logged.iter().sum::<i64>(), "{point:?}: the log");
    let mut unheard = 0;
    for call in over(endpoint).await {
        let used = |part: &str| call["used"][part].as_i64().unwrap();
        let cost = used("input") * INPUT_PRICE + used("output") * OUTPUT_PRICE;
        match logged.iter().position(|logged| *logged == cost) {
            Some(at) => drop(logged.swap_remove(at)),
            None if cost == 0 => {}
            None if call["ended"] == "aborted" => unheard += 1,
            None => panic!("{point:?}: not on the meter: {call}"),
        }
    }
    assert!(logged.is_empty(), "{point:?}: nobody told of {logged:?}");
    unheard
}

/// What it was asked, once it has seen that whoever was killed is gone.
async fn over(endpoint: &Endpoint) -> Vec<Value> {
    loop {
        let calls = endpoint.requests().await;
        if calls.iter().all(|call| !call["ended"].is_null()) {
            return calls;
        }
    }
}

async fn entries(ada: &Caller, agent: &str) -> Vec<Value> {
    ada.get(&format!("/api/agents/entries?agent={agent}&after=0")).await.json().await.unwrap()
}

async fn spent(ada: &Caller) -> i64 {
    let budget: Value = ada.get("/api/money/own_budget").await.json().await.unwrap();
    budget["spent"]["day"].as_i64().unwrap()
}

async fn limit(caller: &Caller, micros: i64) {
    let dollars = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    caller.call("/api/money/limit_own", &json!({ "per_day": dollars })).await;
}

async fn with_status(ada: &Caller, status: &str) -> BTreeSet<String> {
    let cards: Vec<Value> = ada.get("/api/agents/list").await.json().await.unwrap();
    let with = cards.iter().filter(|card| card["status"] == status);
    with.map(|card| card["id"].as_str().unwrap().to_owned()).collect()
}

async fn at_rest(ada: &Caller) {
    while !with_status(ada, "running").await.is_empty() {
        a_moment().await;
    }
}

async fn follow(ada: &Caller, agents: &[String]) -> Socket {
    let mut tab = connect(ada, "watcher").await;
    for agent in agents {
        let after = entries(ada, agent).await.len();
        say(&mut tab, &json!({ "type": "subscribe", "agent": agent, "after": after })).await;
    }
    tab
}

async fn agents(ada: &Caller, endpoint: &Endpoint) -> Vec<String> {
    let provider =
        json!({ "name": "Test", "kind": "anthropic", "base_url": endpoint.url, "key": "key-good" });
    let provider = ada.call("/api/providers/save", &provider).await;
    let mut agents = Vec::new();
    for number in 0..RUNS {
        let draft = json!({
            "name": format!("Ada {number}"), "colour": "#3a7d44", "provider": provider["id"],
            "model": "claude-sonnet-4-5", "max_output_tokens": OUTPUT, "home": "hub",
        });
        agents.push(ada.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned());
    }
    agents
}
