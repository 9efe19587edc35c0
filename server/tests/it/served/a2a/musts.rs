//! What A2A 1.0 says that an agent must do, one line for each. The official kit is on no registry, and is not here.

use super::{WORDS, answer, artifact, ids, posted, saying};
use crate::live::agent;
use crate::served::{patient, scoped};
use crate::world::{Endpoint, Program};
use reqwest::Method;
use serde_json::{Value, json};

const GATED: &str = r#"turns: [[{"text":"some words and more","gate":"and"}]]"#;

/// By which reason a program tells each error of the protocol from others.
const REASONS: [(i64, &str); 5] = [
    (-32001, "TASK_NOT_FOUND"),
    (-32002, "TASK_NOT_CANCELABLE"),
    (-32004, "UNSUPPORTED_OPERATION"),
    (-32005, "CONTENT_TYPE_NOT_SUPPORTED"),
    (-32009, "VERSION_NOT_SUPPORTED"),
];

fn with(mut params: Value, pointer: &str, value: Value) -> Value {
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    params.pointer_mut(parent).unwrap()[field] = value;
    params
}

#[tokio::test]
async fn a_card_has_what_every_card_must_have() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let card: Value =
        script.get(&format!("/a2a/{fern}/.well-known/agent-card.json")).await.json().await.unwrap();
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let is_list = |value: &Value| value.as_array().is_some_and(|all| !all.is_empty());
    for text in
        ["/name", "/description", "/version", "/skills/0/id", "/skills/0/name", "/skills/0/description"]
    {
        assert!(card.pointer(text).is_some_and(is_text), "{text}: {card}");
    }
    for list in
        ["/supportedInterfaces", "/defaultInputModes", "/defaultOutputModes", "/skills", "/skills/0/tags"]
    {
        assert!(card.pointer(list).is_some_and(is_list), "{list}: {card}");
    }
    let interface = &card["supportedInterfaces"][0];
    assert_eq!(
        (&interface["protocolBinding"], &interface["protocolVersion"]),
        (&json!("JSONRPC"), &json!("1.0"))
    );
    assert!(interface["url"].as_str().unwrap().starts_with(&program.url), "{card}");
    for required in card["securityRequirements"].as_array().unwrap() {
        for scheme in required["schemes"].as_object().unwrap().keys() {
            assert!(card["securitySchemes"].get(scheme).is_some(), "{scheme} is declared: {card}");
        }
    }
}

#[tokio::test]
async fn what_must_be_refused_is_refused_with_its_code_and_reason() {
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let told = answer(posted(&script, &fern, "SendMessage", &saying("Hi"))).await;
    let over = told["result"]["task"].clone();
    assert_eq!(over["status"]["state"], "TASK_STATE_COMPLETED", "it waits for the end: {told}");
    let (named, unknown) = (json!({ "id": over["id"] }), json!({ "id": "nowhere" }));
    let to_it = with(saying("Hi"), "/message/taskId", over["id"].clone());
    let part = |part: Value| with(saying("Hi"), "/message/parts", json!([part]));
    let push = |task: &Value| json!({ "taskId": task, "url": "https://a.example/" });
    let wants = json!({ "acceptedOutputModes": ["image/png"] });
    for (must, method, params, code) in [
        ("a task that is over takes no message", "SendMessage", to_it.clone(), -32004),
        ("nor by a stream", "SendStreamingMessage", to_it.clone(), -32004),
        ("and has nothing to follow", "SubscribeToTask", named.clone(), -32004),
        ("and is not cancelled", "CancelTask", named.clone(), -32002),
        ("and is told of to nobody else", "CreateTaskPushNotificationConfig", push(&over["id"]), -32004),
        ("a task that is not there is not found", "GetTask", unknown.clone(), -32001),
        ("nor cancelled", "CancelTask", unknown.clone(), -32001),
        ("nor followed", "SubscribeToTask", unknown.clone(), -32001),
        (
            "nor said anything to",
            "SendMessage",
            with(saying("Hi"), "/message/taskId", json!("nowhere")),
            -32001,
        ),
        ("nor told of", "CreateTaskPushNotificationConfig", push(&json!("nowhere")), -32001),
        (
            "a task is of its own context",
            "SendMessage",
            with(to_it.clone(), "/message/contextId", json!("another")),
            -32602,
        ),
        ("content that is not taken is named so", "SendMessage", part(json!({ "data": {} })), -32005),
        ("by its address too", "SendMessage", part(json!({ "url": "https://a.example/b.png" })), -32005),
        ("and what cannot be given", "SendMessage", with(saying("Hi"), "/configuration", wants), -32005),
        ("what is not declared is not supported", "GetExtendedAgentCard", json!({}), -32004),
        ("a message has an id", "SendMessage", with(saying("Hi"), "/message/messageId", json!("")), -32602),
        ("and a role", "SendMessage", with(saying("Hi"), "/message/role", json!("ROLE_AGENT")), -32602),
        ("and parts", "SendMessage", with(saying("Hi"), "/message/parts", json!([])), -32602),
        ("a method that is not there is not found", "DanceTask", json!({}), -32601),
    ] {
        let refused = answer(posted(&script, &fern, method, &params)).await;
        let error = &refused["error"];
        assert_eq!((&error["code"], &refused["id"]), (&json!(code), &json!(1)), "{must}: {refused}");
        let reason = REASONS.iter().find(|(of, _)| *of == code).map(|(_, reason)| *reason);
        let info = &error["data"][0];
        assert_eq!(info["reason"].as_str(), reason, "{must}: {refused}");
        if reason.is_some() {
            assert_eq!(
                (&info["@type"], &info["domain"]),
                (&json!("type.googleapis.com/google.rpc.ErrorInfo"), &json!("a2a-protocol.org")),
                "{must}: {refused}"
            );
        }
    }
    for (must, version, body, code) in [
        (
            "no version is 0.3",
            "",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "GetTask" }).to_string(),
            -32009,
        ),
        ("what is no JSON is not parsed", "1.0", "{".to_owned(), -32700),
        ("what is no message is no request", "1.0", "[]".to_owned(), -32600),
    ] {
        let sent = script
            .request(Method::POST, &format!("/a2a/{fern}"))
            .header("A2A-Version", version)
            .header("Content-Type", "application/json")
            .body(body);
        assert_eq!(answer(sent).await["error"]["code"], code, "{must}");
    }
}

/// What came by events: the states that were told, and the text.
fn followed(events: &str) -> (Vec<String>, String) {
    let (mut states, mut text) = (Vec::new(), String::new());
    for data in events.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let told = &serde_json::from_str::<Value>(data).unwrap()["result"];
        for state in ["/task/status/state", "/statusUpdate/status/state"] {
            states.extend(told.pointer(state).and_then(Value::as_str).map(str::to_owned));
        }
        let piece = told.pointer("/artifactUpdate/artifact/parts/0/text").and_then(Value::as_str);
        text.push_str(piece.unwrap_or_default());
    }
    (states, text)
}

#[tokio::test]
async fn a_stream_begins_with_the_task_is_the_same_for_all_and_goes_on_when_one_is_closed() {
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let begun = with(saying(GATED), "/configuration", json!({ "returnImmediately": true }));
    let begun = answer(posted(&script, &fern, "SendMessage", &begun)).await["result"]["task"].clone();
    assert_eq!(begun["status"]["state"], "TASK_STATE_WORKING", "it is told at once");
    let mut streams = Vec::new();
    for _ in 0..3 {
        let named = json!({ "id": begun["id"] });
        streams.push(posted(&script, &fern, "SubscribeToTask", &named).send().await.unwrap());
    }
    drop(streams.remove(0));
    let expected = vec!["TASK_STATE_WORKING".to_owned(), "TASK_STATE_COMPLETED".to_owned()];
    for stream in streams {
        let events = endpoint.with_open_gates(stream.text()).await.unwrap();
        let first = events.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        assert!(first.contains("\"task\""), "{first}");
        assert_eq!(followed(&events), (expected.clone(), "some words and more".to_owned()), "{events}");
    }
}

#[tokio::test]
async fn tasks_are_listed_newest_first_without_artifacts_and_to_their_end_and_a_context_is_kept() {
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let first = answer(posted(&script, &fern, "SendMessage", &saying(WORDS))).await["result"]["task"].clone();
    let context = first["contextId"].clone();
    assert!(context.as_str().is_some_and(|context| !context.is_empty()), "one is made: {first}");
    let within = with(saying("Hi"), "/message/contextId", context.clone());
    let second = answer(posted(&script, &fern, "SendMessage", &within)).await["result"]["task"].clone();
    assert_eq!(second["contextId"], context, "and given back");
    let list =
        async |params: Value| answer(posted(&script, &fern, "ListTasks", &params)).await["result"].clone();
    let all = list(json!({})).await;
    let newest_first = [&second, &first].map(|task| task["id"].as_str().unwrap());
    assert_eq!((ids(&all), &all["nextPageToken"]), (newest_first.to_vec(), &json!("")));
    assert!(all["tasks"][0].get("artifacts").is_none(), "none unless they are asked for");
    let whole = list(json!({ "includeArtifacts": true, "historyLength": 1 })).await;
    assert_eq!(artifact(&whole["tasks"][0]), "You said: Hi");
    let history = whole["tasks"][0]["history"].as_array().map_or(0, Vec::len);
    assert!(history <= 1, "at most as much as was asked for: {whole}");
}
