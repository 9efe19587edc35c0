//! Something happens to the nodes at any moment while agents of three people work on them: each message that was
//! acknowledged is read by one run, which ends by itself, no call that changes something is made twice, what a server
//! elsewhere was asked to do it did once or a person is asked about it, everybody who follows sees the same in the same
//! order, and the ledger has what the logs have. `MINUTES` says for how long,
//! `SEED` where chance begins.

use super::PATIENCE;
use super::feed::Feed;
use super::kit::{Nodes, PEOPLE};
use crate::killed_anywhere::{Chance, hold, number};
use crate::killed_call::{Ledger, noting};
use crate::things::json_of;
use crate::world::{Caller, Endpoint, a_moment};
use reqwest::header::ORIGIN;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// Without `MINUTES`: so often something happens.
const USUAL_ROUNDS: u64 = 6;
/// The run of one message takes about as long.
const LONGEST_MS: u64 = 250;
/// Longer than a node may be silent before it is replaced, also by one that came a moment before.
const SILENCE: Duration = Duration::from_secs(10);
/// How long the database is away, where there is time.
const LONG_OUTAGE: Duration = Duration::from_secs(60);
/// As long as somebody waits before they ask another node.
const NO_ANSWER: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mishap {
    /// One of them, or two at once: the nodes by their numbers.
    OfNodes([Option<(usize, Fate)>; 2]),
    WithoutNats,
    WithoutDatabase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Killed,
    /// For longer than its people stay its own.
    Frozen,
    Asked,
    CutFromNats,
    /// For longer than its people stay its own.
    CutFromDatabase,
}

const FATES: [Fate; 5] = [Fate::Killed, Fate::Frozen, Fate::Asked, Fate::CutFromNats, Fate::CutFromDatabase];

impl Mishap {
    fn drawn(chance: &mut Chance) -> Self {
        let fate = |chance: &mut Chance| FATES[chance.below(FATES.len() as u64) as usize];
        let node = chance.below(PEOPLE.len() as u64) as usize;
        let another = (node + 1 + chance.below(PEOPLE.len() as u64 - 1) as usize) % PEOPLE.len();
        match chance.below(8) {
            0 => Self::WithoutNats,
            1 => Self::WithoutDatabase,
            2..=4 => Self::OfNodes([Some((node, fate(chance))), None]),
            _ => Self::OfNodes([Some((node, fate(chance))), Some((another, fate(chance)))]),
        }
    }
}

#[tokio::test]
async fn every_run_ends_by_itself_whatever_happens_to_its_node() {
    let mut nodes = Nodes::start_on_lines(&[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let people = nodes.peopled(&endpoint).await;
    let mut feeds: Vec<[Feed; 2]> = people
        .iter()
        .map(|(agent, caller)| ["laptop", "phone"].map(|tab| Feed::new(agent.clone(), caller.clone(), tab)))
        .collect();
    // One of them has agents besides that have something done elsewhere, each of them once.
    let (elsewhere, caller) = (Ledger::start(), &people[0].1);
    elsewhere.answer(true);
    nodes.reach(0);
    elsewhere.add_to(caller).await;
    let server = elsewhere.id(caller).await;
    let providers = json_of(caller, "/api/providers/list").await;
    let draft = json!({
        "name": "Noter", "colour": "#3a7d44", "provider": providers[0]["id"], "model": "gpt-5-mini", "home": "hub",
    });
    let mut noter_cost = 0;
    let (begun, minutes) = (Instant::now(), number("MINUTES", 0));
    let mut chance = Chance::drawn();
    for round in 0.. {
        let is_over = match minutes {
            0 => round >= USUAL_ROUNDS,
            minutes => begun.elapsed() >= Duration::from_secs(60 * minutes),
        };
        if is_over {
            break;
        }
        // Each is followed over two nodes.
        for node in [0, 1] {
            nodes.reach(node);
            for feeds in &mut feeds {
                feeds[node].connect().await;
            }
        }
        let mut sent = Vec::new();
        for (agent, caller) in &people {
            let message =
                json!({ "agent": agent, "text": "script: tools", "key": format!("{round} {agent}") });
            sent.push(insist_on(&nodes, caller, "/api/agents/send", &message).await["seq"].as_u64().unwrap());
        }
        let done = elsewhere.count();
        let made = insist_on(&nodes, caller, "/api/agents/create", &draft).await;
        let noter = made["id"].as_str().unwrap().to_owned();
        let choice = json!({ "agent": noter, "servers": [server] });
        insist_on(&nodes, caller, "/api/mcp_servers/choose", &choice).await;
        let message = json!({ "agent": noter, "text": noting(), "key": format!("{round}") });
        let noted = insist_on(&nodes, caller, "/api/agents/send", &message).await["seq"].as_u64().unwrap();
        let (mishap, wait) = (Mishap::drawn(&mut chance), chance.below(LONGEST_MS));
        sleep(Duration::from_millis(wait)).await;
        befall(&mut nodes, mishap, if minutes == 0 { SILENCE } else { LONG_OUTAGE }).await;
        for (((agent, caller), feeds), seq) in people.iter().zip(&mut feeds).zip(sent) {
            let when = format!("round {round}, {mishap:?} after {wait} ms");
            let log = at_rest(&nodes, caller, agent, seq).await;
            hold(&log, seq, &when);
            let last = log[log.len() - 1]["seq"].as_u64().unwrap() as usize;
            for feed in feeds {
                let heard = async {
                    while feed.log.len() < last {
                        feed.hear().await;
                    }
                };
                timeout(PATIENCE, heard).await.expect("it is heard");
                assert_eq!(feed.log[seq as usize - 1..last], log, "{when}: in one order for everybody");
            }
        }
        let (log, was_asked) = answered(&nodes, &people[0].1, &noter, noted).await;
        let (when, done) = (format!("round {round}, {mishap:?} after {wait} ms"), elsewhere.count() - done);
        hold(&log, noted, &when);
        assert!(done == 1 || was_asked && done == 0, "{when}: it was done {done} times");
        noter_cost += cost_of(&log);
        for node in 0..PEOPLE.len() {
            if !nodes.node(node).is_running() {
                nodes.renew(node);
            }
        }
    }
    for (((_, caller), [feed, _]), besides) in people.iter().zip(&feeds).zip([noter_cost, 0, 0]) {
        let budget =
            insist(&nodes, caller, |caller| caller.request(Method::GET, "/api/money/own_budget")).await;
        let booked = cost_of(&feed.log) + besides;
        assert!(booked > 0, "the model has a price");
        assert_eq!(budget["spent"]["ever"], json!(booked), "the ledger has what the log has");
    }
}

pub(super) fn cost_of(log: &[Value]) -> i64 {
    log.iter().filter_map(|entry| entry["body"]["cost"].as_i64()).sum()
}

/// The log since this entry, once a run has ended: whoever is asked what came of a call says nothing of it. And whether
/// somebody was asked.
async fn answered(nodes: &Nodes, caller: &Caller, agent: &str, since: u64) -> (Vec<Value>, bool) {
    let path = format!("/api/agents/entries?agent={agent}&after={}", since - 1);
    let mut was_asked = false;
    let look = async {
        loop {
            let log = insist(nodes, caller, |caller| caller.request(Method::GET, &path)).await;
            let log = log.as_array().expect("a list");
            if log.last().is_some_and(|entry| entry["body"]["type"] == "run_finished") {
                return log.clone();
            }
            let questions =
                insist(nodes, caller, |caller| caller.request(Method::GET, "/api/approvals/list")).await;
            if let Some(asked) = questions.get(0).map(|first| &first["approval"]) {
                assert_eq!(asked["why"], "unknown", "{asked}");
                was_asked = true;
                let reply = json!({ "id": asked["id"], "hash": asked["hash"], "skip": true });
                let caller = caller.anew();
                let request =
                    caller.request(Method::POST, "/api/approvals/reply").header(ORIGIN, &caller.url);
                // It may be answered already, or its node be gone: then it is looked at again.
                let _ = request.json(&reply).timeout(NO_ANSWER).send().await;
            }
            a_moment().await;
        }
    };
    let log = timeout(PATIENCE, look).await.expect("the run ends");
    (log, was_asked)
}

async fn befall(nodes: &mut Nodes, mishap: Mishap, outage: Duration) {
    match mishap {
        Mishap::OfNodes(fates) => {
            let fates = fates.into_iter().flatten();
            for (node, fate) in fates.clone() {
                match fate {
                    Fate::Killed => nodes.node(node).kill(),
                    Fate::Frozen => nodes.signal(node, "STOP"),
                    Fate::Asked => nodes.node(node).ask_to_stop(),
                    Fate::CutFromNats => nodes.lines(node).nats.cut(),
                    Fate::CutFromDatabase => nodes.lines(node).database.cut(),
                }
            }
            if fates.clone().any(|(_, fate)| fate != Fate::Killed && fate != Fate::Asked) {
                sleep(SILENCE).await;
            }
            for (node, fate) in fates {
                match fate {
                    Fate::Killed => {}
                    Fate::Frozen => nodes.signal(node, "CONT"),
                    Fate::Asked => assert!(nodes.node(node).ends_well()),
                    Fate::CutFromNats => nodes.lines(node).nats.mend(),
                    Fate::CutFromDatabase => nodes.lines(node).database.mend(),
                }
                match fate {
                    Fate::Killed | Fate::Asked => {}
                    Fate::CutFromNats => ready(nodes, node).await,
                    Fate::Frozen | Fate::CutFromDatabase => {
                        assert!(!nodes.node(node).ends_well(), "it has lost its people and says so");
                    }
                }
            }
        }
        Mishap::WithoutNats => {
            nodes.signal_nats("STOP");
            sleep(SILENCE).await;
            nodes.signal_nats("CONT");
            for node in 0..PEOPLE.len() {
                ready(nodes, node).await;
            }
        }
        Mishap::WithoutDatabase => {
            nodes.let_connect(false);
            sleep(outage).await;
            nodes.let_connect(true);
        }
    }
}

/// Waits until this node hears itself again over NATS, if others do.
async fn ready(nodes: &mut Nodes, node: usize) {
    let stranger = nodes.node(node).stranger();
    nodes.reach(node);
    let is_ready = async {
        while !stranger.anew().get("/readyz").await.status().is_success() {
            a_moment().await;
        }
    };
    timeout(PATIENCE, is_ready).await.expect("it is ready again");
}

/// The log since this entry, once a run has ended and nothing goes on.
pub(super) async fn at_rest(nodes: &Nodes, caller: &Caller, agent: &str, since: u64) -> Vec<Value> {
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

/// Has something done by one node or the other; where an answer is lost it may be done twice.
pub(super) async fn insist_on(nodes: &Nodes, caller: &Caller, path: &str, body: &Value) -> Value {
    let ask = |caller: &Caller| caller.request(Method::POST, path).header(ORIGIN, &caller.url).json(body);
    insist(nodes, caller, ask).await
}

/// Asks one node after the other, until one of them has an answer.
pub(super) async fn insist(nodes: &Nodes, caller: &Caller, ask: impl Fn(&Caller) -> RequestBuilder) -> Value {
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
