//! P21: how much later than its time a schedule begins its run, alone and where two hundred are due in one second.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::model::{Model, Speech};
use crate::process::Process;
use crate::program::{self, token};
use hub::clock::Clock;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::sleep;

const MANY: usize = 200;
const MINUTE_MS: i64 = 60_000;
/// What those that are due may take in all.
const SETTLING: Duration = Duration::from_secs(20);

pub async fn measure() {
    let folder = TempDir::new().unwrap();
    let token = token(folder.path(), "ada");
    let hub = Process::greeted(program::command(folder.path()).env("VIVARIUM_PERSON_REQUESTS", "0"));
    let url = hub.greeting.strip_prefix("Vivarium is at ").expect("it says where it is");
    let caller = Caller::new(&url.replace("localhost", "127.0.0.1"), &token);
    let model = Model::start().await;
    model.speak(Speech::Short(1));
    title("P21 from the time of a schedule to its run, SQLite");
    let mut agents = Vec::new();
    for (count, minutes) in [(1, 2), (MANY, 1)] {
        while agents.len() < count {
            agents.push(scheduled(&caller, &model.url, agents.len()).await);
        }
        let mut late = Figure::new(format!("{count} due at once"), "ms");
        for _ in 0..minutes {
            let due = until_the_next_minute().await;
            sleep(SETTLING).await;
            for agent in &agents {
                late.raw.push(lateness(&caller, agent, due).await);
            }
        }
        println!(
            "| {} | {:.0} ms | 99 of 100 within {:.0} ms, {} of {} |",
            late.name,
            late.median(),
            late.at(99),
            late.raw.len(),
            count * minutes
        );
    }
}

/// An agent that is told something every minute.
async fn scheduled(caller: &Caller, model_url: &str, number: usize) -> String {
    let agent = caller.agent(&format!("Agent {number}"), model_url).await;
    let draft = json!({ "name": "Each minute", "message": "Speak.", "kind": "cron", "cron": "* * * * *" });
    caller.call("/api/schedules/create", &json!({ "agent": agent, "draft": draft })).await;
    agent
}

/// When it began, in Unix milliseconds.
async fn until_the_next_minute() -> i64 {
    let clock = Clock::default();
    let due = (clock.now() / MINUTE_MS + 1) * MINUTE_MS;
    let left = u64::try_from(due - clock.now()).expect("it is yet to come");
    sleep(Duration::from_millis(left)).await;
    due
}

/// Of the one run that began for what was due then.
async fn lateness(caller: &Caller, agent: &str, due: i64) -> f64 {
    let answer = caller.get(&format!("/api/agents/entries?agent={agent}&after=0"), "identity").await;
    let entries: Vec<Value> = answer.json().await.unwrap();
    let began = entries.iter().filter(|entry| entry["body"]["type"] == "run_started");
    let began: Vec<i64> = began
        .filter_map(|entry| entry["at"].as_i64())
        .filter(|at| (due..due + MINUTE_MS).contains(at))
        .collect();
    assert_eq!(began.len(), 1, "none is missed, and none comes twice");
    f64::from(i32::try_from(began[0] - due).expect("it is within a minute"))
}
