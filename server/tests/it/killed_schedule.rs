//! `kill -9` while a schedule begins: what was taken runs once, whenever the process died.

use crate::live::agent;
use crate::things::{json_of, schedule};
use crate::world::{Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test]
async fn a_time_that_was_taken_runs_once_wherever_the_hub_is_killed() {
    const ROUNDS: usize = 6;
    let mut program = Program::start();
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    let id = caller.call("/api/schedules/create", &json!({ "agent": agent, "draft": schedule() })).await;
    for round in 1..=ROUNDS {
        // Taken when it answers; the run has begun, or is about to, or is over.
        caller.call("/api/schedules/run", &json!({ "id": id })).await;
        program.restart();
        caller.url.clone_from(&program.url);
        loop {
            let told = told(&caller, &agent).await;
            let last = json_of(&caller, &format!("/api/schedules/list?agent={agent}")).await;
            let state = last[0]["last"]["state"]["type"].clone();
            if told.len() == round && state != "running" {
                assert!(state == "done" || state == "failed", "{state}");
                break;
            }
            assert!(told.len() <= round, "{told:?}");
            a_moment().await;
        }
    }
    let told = told(&caller, &agent).await;
    assert_eq!(told.iter().collect::<BTreeSet<_>>().len(), ROUNDS);
}

/// The numbers of the entries in which the schedule spoke.
async fn told(caller: &Caller, agent: &str) -> Vec<u64> {
    let entries = json_of(caller, &format!("/api/agents/entries?agent={agent}&after=0")).await;
    let is_told = |entry: &&Value| entry["body"]["from"]["type"] == "schedule";
    entries.as_array().unwrap().iter().filter(is_told).filter_map(|entry| entry["seq"].as_u64()).collect()
}
