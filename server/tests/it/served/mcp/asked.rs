//! What an agent asks in the middle of a call: its client's person answers there, or here.

use super::{asked, first_tool, is_stopped, today};
use crate::live::agent_with;
use crate::served::{entries, patient, scoped};
use crate::world::{Caller, Endpoint, Program};
use serde_json::{Value, json};

const ASKS: &str = r#"turns: [[{"text":"Let me ask."},{"tool":"ask_user","input":{"question":"How many?","kind":"number"}}],[{"text":"Done."}]]"#;

struct Scene {
    _program: Program,
    _endpoint: Endpoint,
    ada: Caller,
    fern: String,
    script: Caller,
    tool: Value,
}

async fn scene() -> Scene {
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent_with(&ada, &endpoint, &["ask_user"]).await;
    let script = scoped(&ada, "agents").await;
    let tool = first_tool(&script).await;
    Scene { _program: program, _endpoint: endpoint, ada, fern, script, tool }
}

impl Scene {
    /// The call by a client that puts questions to its person; with `more`, once more.
    async fn call(&self, caller: &Caller, more: &Value) -> Result<Value, (u16, i64, String)> {
        let mut params = json!({ "name": self.tool, "arguments": { "message": ASKS } });
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        asked(today(caller, &json!({ "elicitation": { "form": {} } }), "tools/call", params)).await
    }

    async fn asks(&self) -> Value {
        let asks = self.call(&self.script, &json!({})).await.unwrap();
        assert_eq!(asks["resultType"], "input_required", "{asks}");
        asks
    }
}

fn reply(asks: &Value, reply: &Value) -> Value {
    json!({ "requestState": asks["requestState"], "inputResponses": { "answer": reply } })
}

fn accepts(answer: &str) -> Value {
    json!({ "action": "accept", "content": { "answer": answer } })
}

#[tokio::test]
async fn a_call_that_asks_goes_on_with_what_its_client_says() {
    let scene = scene().await;
    let asks = scene.asks().await;
    let request = &asks["inputRequests"]["answer"];
    assert_eq!(request["method"], "elicitation/create");
    assert!(request["params"]["message"].as_str().unwrap().starts_with("How many?"), "{asks}");
    assert_eq!(request["params"]["requestedSchema"]["required"], json!(["answer"]));

    let again = scene.call(&scene.script, &reply(&asks, &accepts("some"))).await.unwrap();
    assert_eq!(again["resultType"], "input_required", "it is no number: {again}");
    assert!(again["inputRequests"]["answer"]["params"]["message"].as_str().unwrap().contains("How many?"));
    let other = scoped(&scene.ada, "agents").await;
    let foreign = scene.call(&other, &reply(&asks, &accepts("3"))).await.unwrap_err();
    assert_eq!(foreign.1, -32602, "another token asked nothing: {foreign:?}");

    let answer = scene.call(&scene.script, &reply(&again, &accepts("3"))).await.unwrap();
    assert_eq!(answer["resultType"], "complete", "{answer}");
    assert_eq!(answer["structuredContent"]["answer"], "Let me ask.\n\nDone.");
    let said = entries(&scene.ada, &scene.fern).await;
    let got = said.iter().find(|entry| entry["body"]["type"] == "tool_finished").unwrap();
    assert!(got["body"]["result"]["content"].as_str().unwrap().contains('3'), "{got}");
    assert_eq!(said.iter().filter(|entry| entry["body"]["type"] == "message").count(), 1);
}

#[tokio::test]
async fn a_call_that_asks_is_answered_by_its_person_here_too() {
    let scene = scene().await;
    let asks = scene.asks().await;
    let said = entries(&scene.ada, &scene.fern).await;
    let approval = &said.iter().find(|entry| entry["body"]["type"] == "approval_asked").unwrap()["body"];
    let approval = &approval["approval"];
    let here = json!({ "id": approval["id"], "hash": approval["hash"], "text": "7" });
    scene.ada.call("/api/approvals/reply", &here).await;
    let answer = scene.call(&scene.script, &reply(&asks, &accepts("3"))).await.unwrap();
    assert_eq!(answer["structuredContent"]["answer"], "Let me ask.\n\nDone.", "the first answer counts");
    let said = entries(&scene.ada, &scene.fern).await;
    let got = said.iter().find(|entry| entry["body"]["type"] == "tool_finished").unwrap();
    assert!(got["body"]["result"]["content"].as_str().unwrap().contains('7'), "{got}");
}

#[tokio::test]
async fn a_call_whose_question_nobody_wants_to_answer_ends_its_run() {
    let scene = scene().await;
    for (count, action) in ["decline", "cancel"].into_iter().enumerate() {
        let asks = scene.asks().await;
        let over = scene.call(&scene.script, &reply(&asks, &json!({ "action": action }))).await.unwrap();
        assert_eq!(over["isError"], true, "{over}");
        let stopped = async || {
            let entries = entries(&scene.ada, &scene.fern).await;
            entries.iter().filter(|entry| is_stopped(entry)).count()
        };
        while stopped().await <= count {
            tokio::task::yield_now().await;
        }
    }
}
