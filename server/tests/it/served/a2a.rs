//! Agents as those of A2A.

use super::{entries, patient, scoped, seen, until};
use crate::live::agent;
use crate::world::{Caller, Endpoint, Program};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const WORDS: &str = r#"turns: [[{"text":"I write it down."},{"tool":"state","input":{"action":"set","key":"a","value":1}}],[{"text":"Done."}]]"#;

fn posted(caller: &Caller, agent: &str, method: &str, params: &Value) -> RequestBuilder {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    caller.request(Method::POST, &format!("/a2a/{agent}")).header("A2A-Version", "1.0").json(&body)
}

async fn answer(request: RequestBuilder) -> Value {
    request.send().await.unwrap().json().await.unwrap()
}

fn saying(text: &str) -> Value {
    json!({ "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": text }] } })
}

fn artifact(task: &Value) -> &Value {
    &task["artifacts"][0]["parts"][0]["text"]
}

#[tokio::test]
async fn the_official_client_streams_waits_looks_again_lists_and_cancels() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let seen = seen("a2a_client.py", &script, &[&fern, WORDS]).await;
    let streamed = seen["streamed"].as_array().unwrap();
    assert_eq!(streamed[0]["task"]["status"]["state"], "TASK_STATE_WORKING", "{seen}");
    let pieces = streamed
        .iter()
        .filter_map(|update| update.pointer("/artifactUpdate/artifact/parts/0/text").and_then(Value::as_str));
    assert_eq!(pieces.collect::<String>(), "I write it down.\n\nDone.");
    assert_eq!(streamed.last().unwrap()["statusUpdate"]["status"]["state"], "TASK_STATE_COMPLETED");
    let whole = &seen["whole"][0]["task"];
    assert_eq!(artifact(whole), "You said: And then?");
    assert_eq!(whole["contextId"], streamed[0]["task"]["contextId"], "it is the same conversation");
    assert_eq!(artifact(&seen["got"]), "I write it down.\n\nDone.");
    assert_eq!(seen["listed"]["tasks"][0]["id"], whole["id"], "the newest is the first");
    assert_eq!(
        (&seen["listed"]["totalSize"], seen["listed"]["tasks"][0].get("artifacts")),
        (&json!(2), None)
    );
    assert_ne!(seen["listed"]["nextPageToken"], "");
    assert_eq!(seen["begun"]["status"]["state"], "TASK_STATE_WORKING");
    assert_eq!(seen["cancelled"]["status"]["state"], "TASK_STATE_CANCELED", "{seen}");
    assert_eq!(seen["refusals"], json!({ "unknown": "TaskNotFoundError", "over": "TaskNotCancelableError" }));
    let said = entries(&ada, &fern).await;
    let from_program = |entry: &&Value| entry["body"]["from"]["type"] == "program";
    assert_eq!(said.iter().filter(from_program).count(), 3);
}

#[tokio::test]
async fn a_task_is_its_own_programs_and_goes_on_when_nobody_listens() {
    let (program, endpoint) = (patient(), Endpoint::start());
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let fern = agent(&ada, &endpoint).await;
    let (script, other) = (scoped(&ada, "agents").await, scoped(&ada, "agents").await);
    let gated = r#"turns: [[{"text":"some words and more","gate":"and"}]]"#;
    let stream = posted(&script, &fern, "SendStreamingMessage", &saying(gated)).send().await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    until(&ada, &fern, |entry| entry["body"]["type"] == "run_started").await;
    drop(stream);
    let listed = answer(posted(&script, &fern, "ListTasks", &json!({}))).await;
    let task = &listed["result"]["tasks"][0];
    let named = json!({ "id": task["id"] });
    let busy = answer(posted(&script, &fern, "SendMessage", &saying("Hi"))).await;
    assert_eq!(busy["error"]["code"], -32004, "{busy}");

    for method in ["GetTask", "CancelTask", "SubscribeToTask"] {
        let refused = answer(posted(&other, &fern, method, &named)).await;
        assert_eq!(refused["error"]["code"], -32001, "{method}: {refused}");
        assert_eq!(refused["error"]["data"][0]["reason"], "TASK_NOT_FOUND");
    }
    let none = answer(posted(&other, &fern, "ListTasks", &json!({}))).await;
    assert_eq!(none["result"]["tasks"], json!([]));
    let mut elsewhere = saying("Hi");
    elsewhere["message"]["contextId"] = task["contextId"].clone();
    assert_eq!(answer(posted(&other, &fern, "SendMessage", &elsewhere)).await["error"]["code"], -32602);
    for agent in [fern.as_str(), "nobody"] {
        let status = posted(&eve, agent, "ListTasks", &json!({})).send().await.unwrap().status();
        assert_eq!(status, 404, "{agent}");
        let card = eve.get(&format!("/a2a/{agent}/.well-known/agent-card.json")).await;
        assert_eq!(card.status(), 404);
    }

    let follows = posted(&script, &fern, "SubscribeToTask", &named).send().await.unwrap();
    endpoint.open_gate().await;
    let told = follows.text().await.unwrap();
    assert!(told.contains("some "), "from the beginning: {told}");
    assert!(told.contains("TASK_STATE_COMPLETED"), "{told}");
    let over = answer(posted(&script, &fern, "GetTask", &named)).await;
    assert_eq!(artifact(&over["result"]), "some words and more");
    for (method, params, code) in [
        ("SubscribeToTask", named.clone(), -32004),
        ("CancelTask", named.clone(), -32002),
        (
            "SendMessage",
            json!({ "message": {
            "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "Hi" }], "taskId": task["id"],
        } }),
            -32004,
        ),
    ] {
        let refused = answer(posted(&script, &fern, method, &params)).await;
        assert_eq!(refused["error"]["code"], code, "{method}: {refused}");
    }
}

#[tokio::test]
async fn a_card_says_what_there_is_and_what_is_not_there_is_refused_in_its_words() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let (script, models) = (scoped(&ada, "agents").await, scoped(&ada, "models").await);
    let path = format!("/a2a/{fern}/.well-known/agent-card.json");
    let card: Value = script.get(&path).await.json().await.unwrap();
    assert_eq!(
        card["capabilities"],
        json!({
            "streaming": true, "pushNotifications": false, "extendedAgentCard": false,
            "extensions": card["capabilities"]["extensions"],
        })
    );
    assert_eq!(card["supportedInterfaces"][0]["url"], format!("{}/a2a/{fern}", program.url));
    for (caller, status) in
        [(program.stranger(), 401), (models, 403), (program.browser("ada", "test").await, 401)]
    {
        assert_eq!(caller.get(&path).await.status(), status);
        let sent = posted(&caller, &fern, "SendMessage", &saying("Hi")).send().await.unwrap();
        assert_eq!(sent.status(), status);
    }
    let mut pushed = saying("Hi");
    pushed["configuration"] = json!({ "taskPushNotificationConfig": { "url": "https://a.example" } });
    let mut empty = saying(" ");
    empty["configuration"] = json!({ "returnImmediately": true });
    for (method, params, code) in [
        ("SendMessage", pushed, -32003),
        ("SendMessage", empty, -32602),
        ("SendMessage", json!({}), -32602),
        ("CreateTaskPushNotificationConfig", json!({}), -32003),
        ("GetExtendedAgentCard", json!({}), -32004),
        ("ListTasks", json!({ "pageToken": "x" }), -32602),
        ("message/send", saying("Hi"), -32601),
    ] {
        let refused = answer(posted(&script, &fern, method, &params)).await;
        assert_eq!(refused["error"]["code"], code, "{method}: {refused}");
    }
    for version in [None, Some(""), Some("0.3"), Some("2.0")] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {} });
        let mut request = script.request(Method::POST, &format!("/a2a/{fern}")).json(&body);
        if let Some(version) = version {
            request = request.header("A2A-Version", version);
        }
        assert_eq!(answer(request).await["error"]["code"], -32009);
    }
    let same: Value = script.get(&format!("/a2a/{fern}")).await.json().await.unwrap();
    assert_eq!(same, card);
}
