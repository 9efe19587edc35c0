//! Something happens to the nodes at any moment while agents of three people work on them: each message that was
//! acknowledged is read by one run, which ends by itself, and no call that changes something is made twice. `ROUNDS`
//! says how often, `SEED` where it begins.

use super::PATIENCE;
use super::kit::{Nodes, PEOPLE};
use crate::killed_anywhere::{Chance, hold, number};
use crate::world::{Caller, Endpoint, a_moment};
use reqwest::header::ORIGIN;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{sleep, timeout};

const MISHAPS: [Mishap; 6] = [
    Mishap::Killed,
    Mishap::Frozen,
    Mishap::TwoKilled,
    Mishap::WithoutNats,
    Mishap::Asked,
    Mishap::WithoutDatabase,
];
/// The run of one message takes about as long.
const LONGEST_MS: u64 = 250;
/// Longer than a node may be silent before it is replaced.
const SILENCE: Duration = Duration::from_secs(8);
/// As long as somebody waits before they ask another node.
const NO_ANSWER: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug)]
enum Mishap {
    Killed,
    TwoKilled,
    /// For longer than its people stay its own.
    Frozen,
    Asked,
    WithoutNats,
    WithoutDatabase,
}

#[tokio::test]
async fn every_run_ends_by_itself_whatever_happens_to_its_node() {
    let mut nodes = Nodes::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let people = nodes.peopled(&endpoint).await;
    let (rounds, mut chance) = (number("ROUNDS", MISHAPS.len() as u64), Chance::seeded());
    for (round, mishap) in (0..rounds).zip(MISHAPS.into_iter().cycle()) {
        let mut sent = Vec::new();
        for (agent, caller) in &people {
            let message =
                json!({ "agent": agent, "text": "script: tools", "key": format!("{round} {agent}") });
            let send = |caller: &Caller| {
                caller.request(Method::POST, "/api/agents/send").header(ORIGIN, &caller.url).json(&message)
            };
            sent.push(insist(&nodes, caller, send).await["seq"].as_u64().unwrap());
        }
        let (node, wait) = (chance.below(3) as usize, chance.below(LONGEST_MS));
        sleep(Duration::from_millis(wait)).await;
        befall(&mut nodes, mishap, node).await;
        for ((agent, caller), seq) in people.iter().zip(sent) {
            let log = at_rest(&nodes, caller, agent, seq).await;
            hold(&log, seq, &format!("round {round}, node {node} {mishap:?} after {wait} ms"));
        }
        for node in 0..PEOPLE.len() {
            if !nodes.node(node).is_running() {
                nodes.renew(node);
            }
        }
    }
}

async fn befall(nodes: &mut Nodes, mishap: Mishap, node: usize) {
    match mishap {
        Mishap::Killed => nodes.node(node).kill(),
        Mishap::TwoKilled => {
            nodes.node(node).kill();
            nodes.node((node + 1) % PEOPLE.len()).kill();
        }
        Mishap::Frozen => {
            nodes.signal(node, "STOP");
            sleep(SILENCE).await;
            nodes.signal(node, "CONT");
            assert!(!nodes.node(node).ends_well(), "it has lost its people and says so");
        }
        Mishap::Asked => {
            nodes.node(node).ask_to_stop();
            assert!(nodes.node(node).ends_well());
        }
        Mishap::WithoutNats => {
            nodes.signal_nats("STOP");
            sleep(SILENCE).await;
            nodes.signal_nats("CONT");
        }
        Mishap::WithoutDatabase => {
            nodes.let_connect(false);
            sleep(SILENCE).await;
            nodes.let_connect(true);
        }
    }
}

/// The log since this entry, once a run has ended and nothing goes on.
async fn at_rest(nodes: &Nodes, caller: &Caller, agent: &str, since: u64) -> Vec<Value> {
    let path = format!("/api/agents/entries?agent={agent}&after={}", since - 1);
    let look = async {
        loop {
            let log = insist(nodes, caller, |caller| caller.request(Method::GET, &path)).await;
            let Value::Array(log) = log else { panic!("no list: {log}") };
            if log.last().is_some_and(|entry| entry["body"]["type"] == "run_finished") {
                return log;
            }
            a_moment().await;
        }
    };
    timeout(PATIENCE, look).await.expect("the run ends")
}

/// Asks one node after the other, until one of them has an answer.
async fn insist(nodes: &Nodes, caller: &Caller, ask: impl Fn(&Caller) -> RequestBuilder) -> Value {
    let asking = async {
        for node in (0..PEOPLE.len()).cycle() {
            nodes.reach(node);
            if let Ok(answer) = ask(&caller.anew()).timeout(NO_ANSWER).send().await {
                let status = answer.status();
                assert!(!status.is_client_error(), "{status}: {:?}", answer.text().await);
                if let (true, Ok(said)) = (status.is_success(), answer.json().await) {
                    return said;
                }
            }
            a_moment().await;
        }
        unreachable!("the nodes come in turn for ever")
    };
    timeout(PATIENCE, asking).await.expect("some node answers")
}
