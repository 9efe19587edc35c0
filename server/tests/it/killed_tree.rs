//! `kill -9` while a tree of forty sub-agents works for one agent, with money for half of them: nothing is spent past the
//! limit, the ledger is what the logs say, whoever was not paid says why, and with more money each sub-agent that was
//! begun is done, was asked once, and holds nothing. `KILLS` says how often, `SEED` where it begins.

use crate::killed_anywhere::{Chance, number};
use crate::world::{self, Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Those that the agent makes, and those that each of them makes.
const MAKERS: usize = 4;
const OF_A_MAKER: usize = 9;
const CHILDREN: usize = MAKERS + MAKERS * OF_A_MAKER;
/// Calls of one reply.
const OF_A_REPLY: usize = 5;
const KILLS: u64 = 2;
/// With money for half of them all is at rest after about as long.
const LONGEST_MS: u64 = 1_200;

#[tokio::test]
async fn a_tree_of_sub_agents_goes_on_wherever_the_hub_is_killed_on_sqlite() {
    tell(&[]).await;
}

#[tokio::test]
async fn a_tree_of_sub_agents_goes_on_wherever_the_hub_is_killed_on_postgresql() {
    let database = world::database();
    tell(&[("DATABASE_URL", &database)]).await;
}

async fn tell(environment: &[(&str, &str)]) {
    let mut program = Program::start_with(&[&[("VIVARIUM_PERSON_REQUESTS", "0")], environment].concat());
    let endpoint = Endpoint::start();
    let mut ada = program.caller("ada");
    let provider =
        json!({ "name": "Test", "kind": "anthropic", "base_url": endpoint.url, "key": "key-good" });
    let provider = ada.call("/api/providers/save", &provider).await["id"].clone();

    let whole = leader(&ada, &provider).await;
    ask(&ada, &whole).await;
    at_rest(&ada, &whole, &mut Vec::new()).await;
    assert_eq!(of_agent(&ada, &whole).await.len(), CHILDREN);
    let half = spent(&ada, &whole).await / 2;
    let mut stopped = 0;
    let (kills, mut chance) = (number("KILLS", KILLS), Chance::seeded());
    for _ in 0..kills {
        let wait = chance.below(LONGEST_MS);
        let leader = leader(&ada, &provider).await;
        let mut log = Vec::new();
        limit(&ada, &leader, Some(half)).await;
        ask(&ada, &leader).await;
        tokio::time::sleep(Duration::from_millis(wait)).await;
        program.restart();
        ada.url.clone_from(&program.url);
        at_rest(&ada, &leader, &mut log).await;
        let is_out_of_money = |child: &&Value| child["state"] == "over_budget";
        stopped += log.iter().filter(|entry| is_stopped(entry)).count();
        stopped += of_agent(&ada, &leader).await.iter().filter(is_out_of_money).count();
        let spent = balance(&ada, &leader, wait).await;
        assert!(spent <= half, "after {wait} ms: {spent} of {half}");
        for child in of_agent(&ada, &leader).await {
            let is_told_why = child["why"].as_str().is_some_and(|why| why.contains("may spend"));
            assert!(child["state"] != "over_budget" || is_told_why, "after {wait} ms: {child}");
        }

        limit(&ada, &leader, None).await;
        until_done(&ada, &leader, &mut log).await;
        for maker in of_agent(&ada, &leader).await.iter().filter(|one| one["asker"] == leader.as_str()) {
            until_done(&ada, maker["agent"].as_str().unwrap(), &mut Vec::new()).await;
        }
        let children = of_agent(&ada, &leader).await;
        let mut spawned = spawned(&log);
        let mut tasks = BTreeSet::new();
        for child in &children {
            let agent = child["agent"].as_str().unwrap();
            let mut log = Vec::new();
            until_done(&ada, agent, &mut log).await;
            let made = self::spawned(&log);
            spawned = spawned.start() + made.start()..=spawned.end() + made.end();
            let asked: Vec<&Value> =
                log.iter().filter(|entry| entry["body"]["from"]["type"] == "agent").collect();
            // Who makes others may hear of one whose making broke off.
            let is_asked_once = asked.len() == 1 || !asked.is_empty() && child["asker"] == leader.as_str();
            assert!(is_asked_once, "after {wait} ms: {log:?}");
            tasks.insert(asked[0]["body"]["text"].as_str().unwrap().to_owned());
        }
        assert!(spawned.contains(&children.len()), "after {wait} ms: {} of {spawned:?}", children.len());
        assert_eq!(tasks.len(), children.len(), "after {wait} ms: {tasks:?}");
        let spent = balance(&ada, &leader, wait).await;
        assert_eq!(held(&ada, &leader, spent, &mut log).await, None, "after {wait} ms");
    }
    assert!(stopped > 0, "the limit stopped some");
}

async fn leader(ada: &Caller, provider: &Value) -> String {
    let draft = json!({
        "name": "Ada", "colour": "#3a7d44", "provider": provider, "model": "claude-sonnet-4-5", "home": "hub",
        "max_output_tokens": 200, "tools": ["agent_spawn", "agent_wait"],
    });
    ada.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned()
}

async fn ask(ada: &Caller, leader: &str) {
    let says =
        |maker: usize| makes((0..OF_A_MAKER).map(|number| format!("Say {}.", maker * OF_A_MAKER + number)));
    let text = makes((0..MAKERS).map(says));
    ada.call("/api/agents/send", &json!({ "agent": leader, "text": text })).await;
}

/// What has a sub-agent made for each of these tasks, and waits for all.
fn makes(tasks: impl Iterator<Item = String>) -> String {
    let spawn = |task: String| json!({ "tool": "agent_spawn", "input": { "label": "Moss", "task": task } });
    let spawns: Vec<Value> = tasks.map(spawn).collect();
    let mut turns: Vec<Value> = spawns.chunks(OF_A_REPLY).map(|calls| Value::from(calls.to_vec())).collect();
    turns.push(json!([{ "tool": "agent_wait", "input": { "ids": "{ids}" } }]));
    turns.push(json!([{ "text": "Done." }]));
    format!("turns: {}", Value::from(turns))
}

fn is_stopped(entry: &Value) -> bool {
    entry["body"]["outcome"]["failure"]["kind"] == "over_budget"
}

/// What the agent is told of money that is held, when it may spend no more than it has.
async fn held(ada: &Caller, leader: &str, spent: i64, log: &mut Vec<Value>) -> Option<String> {
    limit(ada, leader, Some(spent)).await;
    ada.call("/api/agents/send", &json!({ "agent": leader, "text": "Hello" })).await;
    at_rest(ada, leader, log).await;
    let end = log.last().unwrap();
    assert!(is_stopped(end), "{end}");
    let why = end["body"]["outcome"]["failure"]["message"].as_str().unwrap();
    why.contains("is held").then(|| why.to_owned())
}

/// How many there must be by what the agent was told of its calls: of one that the hub was killed in nobody knows.
fn spawned(log: &[Value]) -> RangeInclusive<usize> {
    let results = || log.iter().filter(|entry| entry["body"]["result"]["name"] == "agent_spawn");
    let unknown = results().filter(|entry| entry["body"]["result"]["is_error"] == true).count();
    let told = results().count() - unknown;
    told..=told + unknown
}

async fn limit(ada: &Caller, leader: &str, micros: Option<i64>) {
    let mut limits = json!({ "agent": leader });
    if let Some(micros) = micros {
        limits["ever"] = json!(format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000));
    }
    ada.call("/api/money/limit_agent", &limits).await;
}

async fn spent(ada: &Caller, leader: &str) -> i64 {
    let budget: Value =
        ada.get(&format!("/api/money/agent_budget?agent={leader}")).await.json().await.unwrap();
    budget["spent"]["ever"].as_i64().unwrap()
}

/// What was asked below the agent.
async fn of_agent(ada: &Caller, leader: &str) -> Vec<Value> {
    ada.get(&format!("/api/delegations/of_agent?agent={leader}")).await.json().await.unwrap()
}

/// Reads on where the last look ended.
async fn read_on(ada: &Caller, agent: &str, log: &mut Vec<Value>) {
    loop {
        let path = format!("/api/agents/entries?agent={agent}&after={}", log.len());
        let part: Vec<Value> = ada.get(&path).await.json().await.unwrap();
        if part.is_empty() {
            return;
        }
        log.extend(part);
    }
}

/// Its last run was completed.
async fn until_done(ada: &Caller, agent: &str, log: &mut Vec<Value>) {
    loop {
        read_on(ada, agent, log).await;
        if log.last().is_some_and(|entry| entry["body"]["outcome"]["type"] == "completed") {
            return;
        }
        a_moment().await;
    }
}

/// Nobody works any more: the agent's last run is over, and so is what it asked others.
async fn at_rest(ada: &Caller, leader: &str, log: &mut Vec<Value>) {
    loop {
        read_on(ada, leader, log).await;
        if log.last().is_some_and(|entry| entry["body"]["type"] == "run_finished") {
            let children = of_agent(ada, leader).await;
            if children.iter().all(|one| one["state"] != "queued" && one["state"] != "running") {
                return;
            }
        }
        a_moment().await;
    }
}

/// What the agent spent is what the logs have, its own and those of who works for it: each is looked at once nothing is
/// written between two looks.
async fn balance(ada: &Caller, leader: &str, wait: u64) -> i64 {
    let mut before = logged(ada, leader).await;
    loop {
        let spent = spent(ada, leader).await;
        let after = logged(ada, leader).await;
        if before == after {
            assert_eq!(spent, after.1, "after {wait} ms");
            return spent;
        }
        before = after;
    }
}

/// How many entries the logs have, and what they say that was spent.
async fn logged(ada: &Caller, leader: &str) -> (usize, i64) {
    let mut agents = vec![leader.to_owned()];
    let children = of_agent(ada, leader).await;
    agents.extend(children.iter().map(|one| one["agent"].as_str().unwrap().to_owned()));
    let (mut count, mut spent) = (0, 0);
    for agent in &agents {
        let mut log = Vec::new();
        read_on(ada, agent, &mut log).await;
        count += log.len();
        spent += log.iter().filter_map(|entry| entry["body"]["cost"].as_i64()).sum::<i64>();
    }
    (count, spent)
}
