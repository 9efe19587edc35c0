//! `kill -9` while a call waits for a person: the question is there again, and its answer lets the call
//! happen once.

use crate::live::agent;
use crate::world::{Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};

#[tokio::test]
async fn a_question_survives_the_process_and_its_call_happens_once() {
    let mut program = Program::start();
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    caller.call("/api/policy/add", &json!({ "tool": "state", "verdict": "ask" })).await;
    for round in 0..3 {
        let call = json!({ "tool": "state", "input": { "action": "set", "key": "a", "value": round } });
        let text = format!("turns: {}", json!([[call], [{ "text": "Done." }]]));
        caller.call("/api/agents/send", &json!({ "agent": agent, "text": text })).await;
        let asked = waiting(&caller).await;
        program.restart();
        caller.url.clone_from(&program.url);
        assert_eq!(waiting(&caller).await, asked);
        let answer = json!({ "id": asked["id"], "hash": asked["hash"], "decision": "once" });
        caller.call("/api/approvals/answer", &answer).await;
        let log = finished(&caller, &agent, round + 1).await;
        let written = |body: &&Value| body["type"] == "state" && body["value"] == json!(round);
        assert_eq!(log.iter().filter(written).count(), 1);
        let interrupted = |body: &Value| body["outcome"]["type"] == "interrupted";
        assert!(!log.iter().any(interrupted), "{log:?}");
    }
}

/// The question that waits, once one does.
pub async fn waiting(caller: &Caller) -> Value {
    loop {
        let list: Value = caller.get("/api/approvals/list").await.json().await.unwrap();
        if let Some(first) = list.get(0) {
            return first["approval"].clone();
        }
        a_moment().await;
    }
}

/// What the log holds when so many runs are over.
pub async fn finished(caller: &Caller, agent: &str, runs: usize) -> Vec<Value> {
    loop {
        let path = format!("/api/agents/entries?agent={agent}&after=0");
        let entries: Vec<Value> = caller.get(&path).await.json().await.unwrap();
        let log: Vec<Value> = entries.into_iter().map(|mut entry| entry["body"].take()).collect();
        if log.iter().filter(|body| body["type"] == "run_finished").count() == runs {
            return log;
        }
        a_moment().await;
    }
}
