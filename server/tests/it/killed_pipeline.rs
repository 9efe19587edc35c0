//! `kill -9` at any moment while a pipeline is at work: it goes on by itself, and no task is done twice.

use crate::live::agent;
use crate::world::{self, Caller, Endpoint, Program};
use serde_json::{Value, json};
use std::time::Duration;

/// When it is killed after it was started, milliseconds.
const MOMENTS: [u64; 6] = [0, 15, 40, 80, 130, 200];

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
    let task = |id: &str, after: &[&str]| json!({ "id": id, "title": id, "instruction": format!("Say {id}."), "depends_on": after });
    let draft = json!({
        "title": "Moss", "agent": "Ada",
        "tasks": [task("one", &[]), task("two", &[]), task("three", &["one", "two"]), task("four", &["three"])],
    });
    for wait in MOMENTS {
        let id = caller.call("/api/pipelines/create", &json!({ "text": draft.to_string() })).await;
        caller.call("/api/pipelines/start", &json!({ "id": id })).await;
        tokio::time::sleep(Duration::from_millis(wait)).await;
        program.restart();
        caller.url.clone_from(&program.url);
        let over = over(&caller, id.as_str().unwrap()).await;
        assert_eq!(over["card"]["state"], "completed", "after {wait} ms: {over}");
        for task in over["tasks"].as_array().unwrap() {
            assert_eq!(task["attempts"], 1, "after {wait} ms: {task}");
            let asked = format!("Say {}.", task["id"].as_str().unwrap());
            assert!(task["result"].as_str().unwrap().contains(&asked), "after {wait} ms: {task}");
        }
        let made = caller.get("/api/delegations/list").await.json::<Vec<Value>>().await.unwrap();
        let of_this = made
            .iter()
            .filter(|one| over["tasks"].to_string().contains(one["conversation"].as_str().unwrap()));
        assert_eq!(of_this.count(), 4, "after {wait} ms");
    }
}

async fn over(caller: &Caller, id: &str) -> Value {
    loop {
        let view: Value = caller.get(&format!("/api/pipelines/get?id={id}")).await.json().await.unwrap();
        if view["card"]["state"] != "running" {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
