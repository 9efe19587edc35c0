//! A token that opens chosen agents, at every door at which a program reaches one.

use super::scoped;
use crate::live::agent;
use crate::world::{Caller, Endpoint, Program, Who};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// What an agent is called by MCP.
fn tool(name: &str, agent: &str) -> String {
    let letters: Vec<char> = agent.chars().filter(char::is_ascii_alphanumeric).collect();
    let end: String = letters[letters.len() - 8..].iter().collect();
    format!("{}_{end}", name.to_lowercase())
}

/// Status and body, without what tells one agent from another.
async fn seen(request: RequestBuilder, agent: &str, tool: &str) -> (u16, String) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap().replace(tool, "IT").replace(agent, "IT");
    let before_its_number = text.split("\"request_id\"").next().unwrap_or_default();
    (status, before_its_number.to_owned())
}

fn rpc(caller: &Caller, path: &str, method: &str, params: &Value) -> RequestBuilder {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    caller.request(Method::POST, path).header("A2A-Version", "1.0").json(&body)
}

fn doors(caller: &Caller, agent: &str, tool: &str) -> Vec<(&'static str, RequestBuilder)> {
    let words = json!([{ "role": "user", "content": "Hello" }]);
    let model = json!({ "model": format!("agent/{agent}"), "messages": words, "max_tokens": 100 });
    let response = json!({ "model": format!("agent/{agent}"), "input": words });
    let message =
        json!({ "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "Hello" }] } });
    let call = json!({ "name": tool, "arguments": { "message": "Hello" } });
    let a2a = format!("/a2a/{agent}");
    vec![
        ("chat", caller.request(Method::POST, "/v1/chat/completions").json(&model)),
        ("messages", caller.request(Method::POST, "/v1/messages").json(&model)),
        ("responses", caller.request(Method::POST, "/v1/responses").json(&response)),
        ("call", rpc(caller, "/mcp", "tools/call", &call)),
        ("card", caller.request(Method::GET, &a2a)),
        ("well-known card", caller.request(Method::GET, &format!("{a2a}/.well-known/agent-card.json"))),
        ("send", rpc(caller, &a2a, "SendMessage", &message)),
        ("stream", rpc(caller, &a2a, "SendStreamingMessage", &message)),
        ("list", rpc(caller, &a2a, "ListTasks", &json!({}))),
        ("get", rpc(caller, &a2a, "GetTask", &json!({ "id": "none" }))),
        ("cancel", rpc(caller, &a2a, "CancelTask", &json!({ "id": "none" }))),
    ]
}

#[tokio::test]
async fn at_no_door_is_there_an_agent_that_the_token_does_not_open() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let open = agent(&ada, &endpoint).await;
    let hidden = json!({ "id": "notes", "name": "Hidden", "colour": "#c57b2c" });
    let made = async |caller: &Caller| {
        caller.call("/api/archives/create", &hidden).await["id"].as_str().unwrap().to_owned()
    };
    let (closed, foreign) = (made(&ada).await, made(&eve).await);
    let choice = json!({ "name": "friend", "scope": "agents", "chosen": true, "agents": [open] });
    let choice = ada.call("/api/account/create_token", &choice).await;
    assert_eq!(choice["view"]["agents"], json!([{ "id": open, "name": "Ada" }]));
    let friend = ada.with(Who::Token(choice["token"].as_str().unwrap().to_owned()));
    let whole = scoped(&ada, "agents").await;

    let named = |agent: &str| tool("Hidden", agent);
    for (theirs, others) in
        doors(&friend, &closed, &named(&closed)).into_iter().zip(doors(&friend, &foreign, &named(&foreign)))
    {
        let (door, theirs) = (theirs.0, seen(theirs.1, &closed, &named(&closed)).await);
        assert_eq!(theirs, seen(others.1, &foreign, &named(&foreign)).await, "{door}");
        assert!(theirs.0 >= 400 || theirs.1.contains("error"), "{door}: {theirs:?}");
    }
    for ((door, request), (_, closed_too)) in
        doors(&friend, &open, &tool("Ada", &open)).into_iter().zip(doors(&friend, &closed, &named(&closed)))
    {
        let opened = seen(request, &open, &tool("Ada", &open)).await;
        assert_ne!(opened, seen(closed_too, &closed, &named(&closed)).await, "{door}");
    }
    for (caller, sees) in [(&friend, false), (&whole, true)] {
        for request in [
            caller.request(Method::GET, "/v1/models"),
            caller.request(Method::GET, "/a2a"),
            rpc(caller, "/mcp", "tools/list", &json!({})),
        ] {
            let listed = request.send().await.unwrap().text().await.unwrap();
            assert!(listed.contains("Ada") || listed.contains("ada_"), "{listed}");
            assert_eq!(listed.contains("Hidden") || listed.contains("hidden_"), sees, "{listed}");
        }
    }
}
