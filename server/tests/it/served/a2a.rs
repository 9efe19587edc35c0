//! Agents as those of A2A.

mod musts;

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
    let (program, endpoint) = (patient(), Endpoint::start());
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
    assert_eq!(seen["signature"], json!(["holds", "does not hold"]));
    let named = json!({ "id": "told", "taskId": seen["begun"]["id"], "url": seen["pushes"]["url"] });
    assert_eq!(seen["pushes"]["created"], named, "what the program proves itself by is not shown: {seen}");
    assert_eq!((&seen["pushes"]["got"], &seen["pushes"]["listed"]), (&named, &json!(["told"])));
    assert_eq!(
        (&seen["pushes"]["left"], &seen["pushes"]["missing"]),
        (&json!([]), &json!("TaskNotFoundError"))
    );
    let pushed = &seen["pushes"]["pushed"];
    assert_eq!(
        (&pushed["word"], &pushed["told"]["task"]["status"]["state"]),
        (&json!("push-word"), &json!("TASK_STATE_CANCELED"))
    );
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
    let mut card: Value = script.get(&path).await.json().await.unwrap();
    assert_eq!(
        card["capabilities"],
        json!({
            "streaming": true, "pushNotifications": true, "extendedAgentCard": false,
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
    pushed["configuration"] = json!({ "taskPushNotificationConfig": { "url": "http://169.254.169.254/" } });
    let mut empty = saying(" ");
    empty["configuration"] = json!({ "returnImmediately": true });
    let in_chain = |chain: Value| {
        let mut said = saying("Hi");
        said["message"]["metadata"] = json!({ "urn:vivarium:a2a:chain": chain });
        said
    };
    for (method, params, code) in [
        ("SendMessage", in_chain(json!({ "cause": "c", "depth": 5 })), -32602),
        ("SendMessage", in_chain(json!({ "cause": "c", "depth": 1.5 })), -32602),
        ("SendMessage", in_chain(json!("c")), -32602),
        ("SendMessage", pushed, -32602),
        ("SendMessage", empty, -32602),
        ("SendMessage", json!({}), -32602),
        ("CreateTaskPushNotificationConfig", json!({}), -32602),
        ("CreateTaskPushNotificationConfig", json!({ "taskId": "x", "url": "https://a.example/" }), -32001),
        ("ListTaskPushNotificationConfigs", json!({ "taskId": "x" }), -32001),
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
    let mut same: Value = script.get(&format!("/a2a/{fern}")).await.json().await.unwrap();
    // No two signatures are alike, though both hold.
    for card in [&mut same, &mut card] {
        assert_eq!(card["signatures"].take().as_array().map(Vec::len), Some(1));
    }
    assert_eq!(same, card);
    let keys: Value = program.stranger().get("/.well-known/jwks.json").await.json().await.unwrap();
    assert_eq!((keys["keys"].as_array().map(Vec::len), keys["keys"][0].get("d")), (Some(1), None));
}

fn ids(listed: &Value) -> Vec<&str> {
    listed["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn tasks_are_chosen_by_state_and_time_before_they_are_counted_and_paged() {
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let mut done = Vec::new();
    for text in ["One", "Two"] {
        let told = answer(posted(&script, &fern, "SendMessage", &saying(text))).await;
        done.insert(0, told["result"]["task"]["id"].as_str().unwrap().to_owned());
    }
    let mut hangs = saying(r#"turns: [[{"text":"some words"},"hang"]]"#);
    hangs["configuration"] = json!({ "returnImmediately": true });
    let begun = answer(posted(&script, &fern, "SendMessage", &hangs)).await;
    let stopped = begun["result"]["task"]["id"].clone();
    let list = async |params: Value| {
        let listed = answer(posted(&script, &fern, "ListTasks", &params)).await;
        listed.get("result").cloned().unwrap_or(listed)
    };
    let working = list(json!({ "status": "TASK_STATE_WORKING" })).await;
    assert_eq!((ids(&working), &working["totalSize"]), (vec![stopped.as_str().unwrap()], &json!(1)));
    answer(posted(&script, &fern, "CancelTask", &json!({ "id": stopped }))).await;

    let mut page = json!({ "status": "TASK_STATE_COMPLETED", "pageSize": 1 });
    for id in &done {
        let listed = list(page.clone()).await;
        assert_eq!((ids(&listed), &listed["totalSize"]), (vec![id.as_str()], &json!(2)), "{listed}");
        page["pageToken"] = listed["nextPageToken"].clone();
    }
    assert_eq!(ids(&list(page).await), [""; 0]);
    let cancelled = list(json!({ "status": "TASK_STATE_CANCELED" })).await;
    assert_eq!(ids(&cancelled), [stopped.as_str().unwrap()]);

    let all = list(json!({})).await;
    let times: Vec<&str> = all["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|task| task["status"]["timestamp"].as_str().unwrap())
        .collect();
    let newest = times[0];
    let as_new = times.iter().filter(|time| **time == newest).count();
    let since = list(json!({ "statusTimestampAfter": newest })).await;
    assert_eq!((ids(&since).len(), &since["totalSize"]), (as_new, &json!(as_new)), "{all}");
    for (params, total) in [
        (json!({ "statusTimestampAfter": "2999-01-01T00:00:00Z" }), 0),
        (json!({ "statusTimestampAfter": "2020-01-01T00:00:00Z" }), 3),
        (json!({ "status": "TASK_STATE_REJECTED" }), 0),
        (json!({ "status": "TASK_STATE_UNSPECIFIED" }), 3),
    ] {
        let listed = list(params.clone()).await;
        assert_eq!((ids(&listed).len(), &listed["totalSize"]), (total, &json!(total)), "{params}");
    }
    for params in [json!({ "status": "done" }), json!({ "statusTimestampAfter": "yesterday" })] {
        assert_eq!(list(params).await["error"]["code"], -32602);
    }
}

/// Gives the agent a tool to ask with.
async fn let_ask(ada: &Caller, agent: &str) {
    let known: Value = ada.get(&format!("/api/agents/get?id={agent}")).await.json().await.unwrap();
    let draft = json!({
        "id": agent, "name": known["name"], "colour": known["colour"], "provider": known["provider"],
        "model": known["model"], "tools": ["ask_user", "state"], "home": "hub",
    });
    ada.call("/api/agents/edit", &draft).await;
}

#[tokio::test]
async fn a_task_that_asks_takes_an_answer_and_one_that_waits_for_a_leave_takes_none() {
    const ASKS: &str =
        r#"turns: [[{"tool":"ask_user","input":{"question":"Which?","kind":"text"}}],[{"text":"Done."}]]"#;
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let_ask(&ada, &fern).await;
    let script = scoped(&ada, "agents").await;
    let asks = answer(posted(&script, &fern, "SendMessage", &saying(ASKS))).await;
    let task = &asks["result"]["task"];
    assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED", "{asks}");
    assert_eq!(task["status"]["message"]["parts"][0]["text"], "Which?");
    let listed =
        answer(posted(&script, &fern, "ListTasks", &json!({ "status": "TASK_STATE_INPUT_REQUIRED" }))).await;
    assert_eq!(ids(&listed["result"]), [task["id"].as_str().unwrap()]);
    let answers = |task: &Value, id: &str| {
        let mut said = saying("Green");
        said["message"]["messageId"] = json!(id);
        said["message"]["taskId"] = task["id"].clone();
        said
    };
    let mut elsewhere = answers(task, "a-0");
    elsewhere["message"]["contextId"] = json!("nowhere");
    assert_eq!(answer(posted(&script, &fern, "SendMessage", &elsewhere)).await["error"]["code"], -32602);
    // The second time it comes it is the one that came before.
    for _ in 0..2 {
        let sent = posted(&script, &fern, "SendMessage", &answers(task, "a-1"));
        let told = answer(sent.header("A2A-Extensions", "urn:vivarium:a2a:messages-once")).await;
        let told = &told["result"]["task"];
        assert_eq!(
            (&told["id"], &told["status"]["state"], artifact(told)),
            (&task["id"], &json!("TASK_STATE_COMPLETED"), &json!("Done."))
        );
    }
    let said = entries(&ada, &fern).await;
    let got = said.iter().find(|entry| entry["body"]["type"] == "tool_finished").unwrap();
    assert!(got["body"]["result"]["content"].as_str().unwrap().contains("Green"), "{got}");

    ada.call("/api/policy/add", &json!({ "tool": "state", "verdict": "ask", "about": "" })).await;
    let mut writes = saying(WORDS);
    writes["configuration"] = json!({ "returnImmediately": true });
    let begun = answer(posted(&script, &fern, "SendMessage", &writes)).await;
    let task = &begun["result"]["task"];
    let waits = |entry: &Value| entry["body"]["type"] == "approval_asked" && entry["run"] == task["id"];
    until(&ada, &fern, waits).await;
    let named = json!({ "id": task["id"] });
    let status = answer(posted(&script, &fern, "GetTask", &named)).await["result"]["status"].clone();
    assert_eq!(status["state"], "TASK_STATE_WORKING", "no program lets it go on");
    let words = "It waits for its person, who answers on a page of the hub.";
    assert_eq!(status["message"]["parts"][0]["text"], words);
    let refused = answer(posted(&script, &fern, "SendMessage", &answers(task, "a-2"))).await;
    assert_eq!(refused["error"]["code"], -32004, "{refused}");
    let settled = |entry: &Value| entry["body"]["type"] == "approval_settled" && entry["run"] == task["id"];
    assert!(!entries(&ada, &fern).await.iter().any(settled));
    let cancelled = answer(posted(&script, &fern, "CancelTask", &named)).await;
    assert_eq!(cancelled["result"]["status"]["state"], "TASK_STATE_CANCELED");
}
