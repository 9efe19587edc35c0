//! What a hub says to who runs it: whether it is ready, and figures that hold nothing of people.

use crate::live::agent;
use crate::parked::finished;
use crate::world::{Caller, Endpoint, Program};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::time::Duration;
use tempfile::TempDir;

/// The value of a metric, by its name and labels.
fn value(page: &str, metric: &str) -> u64 {
    let line = page.lines().find(|line| line.rsplit_once(' ').is_some_and(|(name, _)| name == metric));
    let (_, value) = line.unwrap_or_else(|| panic!("{metric} is missing:\n{page}")).rsplit_once(' ').unwrap();
    value.parse().unwrap()
}

async fn page(caller: &Caller, address: &str) -> String {
    let answer = caller.client.get(format!("http://{address}/metrics")).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    answer.text().await.unwrap()
}

#[tokio::test]
async fn figures_count_what_happened_and_name_nobody() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let program = Program::start_with(&[("VIVARIUM_METRICS_ADDR", &address)]);
    let endpoint = Endpoint::start();
    let caller = program.caller("ada-of-the-moss");
    let agent = agent(&caller, &endpoint).await;
    let before = page(&caller, &address).await;
    assert_eq!(value(&before, "vivarium_runs_started_total"), 0);
    let sent = json!({ "agent": agent, "text": "script: tools" });
    caller.call("/api/agents/send", &sent).await;
    let after = loop {
        let page = page(&caller, &address).await;
        if value(&page, "vivarium_runs_ended_total{outcome=\"completed\"}") == 1 {
            break page;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    for (metric, expected) in [
        ("vivarium_runs_started_total", 1),
        ("vivarium_messages_total", 0),
        ("vivarium_model_calls_total", 3),
        ("vivarium_tool_calls_total{outcome=\"done\"}", 2),
        ("vivarium_tool_call_seconds_count", 6),
        ("vivarium_tool_call_seconds_bucket{le=\"+Inf\"}", 6),
    ] {
        assert_eq!(value(&after, metric), expected, "{metric}\n{after}");
    }
    assert!(value(&after, "vivarium_tokens_total{kind=\"input\"}") > 0);
    for name in ["moss", agent.as_str(), "season"] {
        assert!(!after.contains(name), "{name}: {after}");
    }
    // Not beside the pages of people.
    assert_eq!(caller.get("/metrics").await.status(), 404);
}

#[tokio::test]
async fn a_hub_is_ready_while_its_folder_and_its_master_key_are_there() {
    let program = Program::start();
    let stranger = program.stranger();
    let ready = async || {
        let answer = stranger.get("/readyz").await;
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    assert_eq!(ready().await, (200, "ready\n".to_owned()));
    let (folder, elsewhere) =
        (program.folder.path().to_owned(), program.folder.path().with_extension("away"));
    std::fs::rename(&folder, &elsewhere).unwrap();
    let becomes = async |status: u16| loop {
        let (found, text) = ready().await;
        if found == status {
            return text;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let why = becomes(503).await;
    assert!(["not ready: database\n", "not ready: disk\n"].contains(&why.as_str()), "{why}");
    std::fs::rename(&elsewhere, &folder).unwrap();
    becomes(200).await;
    let (key, away) = (folder.join("master.key"), folder.join("master.key.away"));
    std::fs::rename(&key, &away).unwrap();
    assert_eq!(becomes(503).await, "not ready: master key\n");
    std::fs::rename(&away, &key).unwrap();
    becomes(200).await;
}

#[tokio::test]
async fn what_is_logged_is_chosen_while_it_runs_and_of_others_nothing_that_could_be_a_key() {
    const A_CALL: &str = "a model is called";
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let program = Program::start_logged(&[("VIVARIUM_LOG_FORMAT", "json")], log.clone());
    let endpoint = Endpoint::start();
    let (caller, text) = (program.caller("ada"), || std::fs::read_to_string(&log).unwrap());
    let agent = agent(&caller, &endpoint).await;
    let says = async |words: &str, runs: usize| {
        caller.call("/api/agents/send", &json!({ "agent": agent, "text": words })).await;
        finished(&caller, &agent, runs).await;
        text().matches(A_CALL).count()
    };
    let choose = async |filter: &str, minutes: u32| {
        let body = json!({ "filter": filter, "minutes": minutes });
        let answer = caller.post("/api/hub/choose_log_levels", &body).await;
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    assert_eq!(says("Hello", 1).await, 0);
    assert_eq!(choose("hub::models=debug,warn", 15).await.0, 200);
    assert_eq!(says("Hello again", 2).await, 1);
    let status: Value = caller.get("/api/hub/status").await.json().await.unwrap();
    assert_eq!(status["log"]["filter"], "hub::models=debug,warn");
    assert_eq!(status["log"]["usual"], "warn,vivarium=info,hub=info");

    for (filter, minutes, why) in [
        ("hyper=trace", 15, "hyper can be logged with info at most"),
        ("debug", 15, "everything can be logged with info at most"),
        ("hub=loud", 15, "That is nothing to log"),
        ("hub=debug", 0, "Choose 1 to 1440 minutes."),
    ] {
        let (code, said) = choose(filter, minutes).await;
        assert!(code == 422 && said.contains(why), "{filter}: {code} {said}");
    }
    assert_eq!(says("And again", 3).await, 2, "what was refused changed nothing");
    assert_eq!(choose("", 1).await.0, 200);
    assert_eq!(says("For the last time", 4).await, 2);
}
