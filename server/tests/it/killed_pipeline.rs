//! `kill -9` at any moment while a pipeline is at work: it goes on by itself, no task is done twice, what fails is tried
//! again as often as it says, what waits for its person's yes waits on, and what depends on what was not done is left
//! out. `KILLS` says how often, `SEED` where it begins.

use crate::killed_anywhere::{Chance, number};
use crate::live::agent;
use crate::world::{self, Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::time::Duration;

const KILLS: u64 = 6;
/// All that comes before the person takes about as long.
const LONGEST_MS: u64 = 220;

#[tokio::test]
async fn a_pipeline_goes_on_wherever_the_hub_is_killed_on_sqlite() {
    tell(&[]).await;
}

#[tokio::test]
async fn a_pipeline_goes_on_wherever_the_hub_is_killed_on_postgresql() {
    let database = world::database();
    tell(&[("DATABASE_URL", &database)]).await;
}

async fn tell(environment: &[(&str, &str)]) {
    let mut program = Program::start_with(&[&[("VIVARIUM_PERSON_REQUESTS", "0")], environment].concat());
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    agent(&caller, &endpoint).await;
    let draft = draft().to_string();
    let (kills, mut chance) = (number("KILLS", KILLS), Chance::seeded());
    for _ in 0..kills {
        let id = caller.call("/api/pipelines/create", &json!({ "text": draft })).await;
        let id = id.as_str().unwrap().to_owned();
        caller.call("/api/pipelines/start", &json!({ "id": id })).await;
        let before = chance.below(LONGEST_MS);
        kill(&mut program, &mut caller, before).await;
        until(&caller, &id, |view| state_of(view, "good") == "asking").await;
        let yes = json!({ "id": id, "task": "good", "yes": true, "words": "Only shorter." });
        caller.call("/api/pipelines/answer", &yes).await;
        let after = chance.below(LONGEST_MS);
        kill(&mut program, &mut caller, after).await;
        let over = until(&caller, &id, |view| view["card"]["state"] != "running").await;

        let when = format!("after {before} ms and {after} ms");
        assert_eq!(over["card"]["state"], "failed", "{when}: {over}");
        for (task, state, attempts, words) in [
            ("one", "completed", 1, "Say one."),
            ("two", "completed", 1, "Say two."),
            ("three", "completed", 1, "Say three."),
            ("good", "completed", 1, "Only shorter."),
            ("four", "completed", 1, "Say four."),
            ("fails", "failed", 2, ""),
            ("left", "skipped", 0, ""),
        ] {
            let found = of(&over, task);
            assert_eq!(
                (&found["state"], &found["attempts"]),
                (&json!(state), &json!(attempts)),
                "{when}: {found}"
            );
            assert!(found["result"].as_str().unwrap().contains(words), "{when}: {found}");
        }
        let made = caller.get("/api/delegations/list").await.json::<Vec<Value>>().await.unwrap();
        let is_of_this =
            |one: &&Value| over["tasks"].as_array().unwrap().iter().any(|task| task["agent"] == one["agent"]);
        assert_eq!(
            made.iter().filter(is_of_this).count(),
            6,
            "{when}: four tasks were begun once, and one twice"
        );
    }
}

fn draft() -> Value {
    let task = |id: &str, after: &[&str]| json!({ "id": id, "title": id, "instruction": format!("Say {id}."), "depends_on": after });
    let fails = json!([{ "status": 400, "type": "invalid_request_error", "message": "No." }]);
    json!({
        "title": "Moss", "agent": "Ada",
        "tasks": [
            task("one", &[]),
            task("two", &[]),
            task("three", &["one", "two"]),
            { "id": "good", "title": "good", "approval": true, "depends_on": ["three"] },
            task("four", &["good"]),
            { "id": "fails", "title": "fails", "instruction": format!("turns: {fails}"), "retries": 1 },
            task("left", &["fails"]),
        ],
    })
}

async fn kill(program: &mut Program, caller: &mut Caller, after_ms: u64) {
    tokio::time::sleep(Duration::from_millis(after_ms)).await;
    program.restart();
    caller.url.clone_from(&program.url);
}

fn of<'a>(view: &'a Value, task: &str) -> &'a Value {
    view["tasks"].as_array().unwrap().iter().find(|one| one["id"] == task).unwrap()
}

fn state_of<'a>(view: &'a Value, task: &str) -> &'a str {
    of(view, task)["state"].as_str().unwrap()
}

async fn until(caller: &Caller, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let view: Value = caller.get(&format!("/api/pipelines/get?id={id}")).await.json().await.unwrap();
        if is_so(&view) {
            return view;
        }
        a_moment().await;
    }
}
