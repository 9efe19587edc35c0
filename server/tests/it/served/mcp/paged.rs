//! The page of an agent that its person uses in another client.

use super::{asked, first_tool, pages, posted, today};
use crate::live::{agent, agent_with};
use crate::served::{entries, scoped, until};
use crate::world::{Caller, Endpoint, Program};
use serde_json::{Value, json};

/// An agent of this person that has drawn a page with a button, and the tool that asks it.
async fn painter(ada: &Caller, endpoint: &Endpoint) -> (String, Value) {
    let moss = agent_with(ada, endpoint, &["dom", "state"]).await;
    ada.call("/api/agents/send", &json!({ "agent": moss, "text": "script: draw" })).await;
    until(ada, &moss, |entry| entry["body"]["type"] == "run_finished").await;
    let tool = first_tool(ada).await;
    (moss, tool)
}

/// A call of a tool that is there for pages alone.
async fn paged(caller: &Caller, name: &str, arguments: Value) -> Result<Value, (u16, i64, String)> {
    asked(today(caller, &pages(), "tools/call", json!({ "name": name, "arguments": arguments }))).await
}

fn words(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn what_a_page_says_elsewhere_reaches_its_agent_and_what_that_draws_comes_back() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    let (moss, tool) = painter(&ada, &endpoint).await;
    let first = paged(&ada, "page", json!({ "agent": tool })).await.unwrap()["structuredContent"].clone();
    let body = |told: &Value| told["page"]["body"].as_str().unwrap_or_default().to_owned();
    assert!(body(&first).contains("A small garden"), "{first}");
    assert_eq!(first["page"]["listeners"][0]["selector"], "#go", "{first}");

    let said = json!([
        { "type": "set_state", "key": "tea", "value": 2 },
        { "type": "notify", "name": "click #go", "data": { "n": 1 } },
    ]);
    let taken = paged(&ada, "page_say", json!({ "agent": tool, "said": said })).await.unwrap();
    assert!(taken["isError"].is_null(), "{taken}");
    let mut seen = first.clone();
    while !body(&seen).contains("Pressed.") {
        let since = json!({ "agent": tool, "after": seen["seq"], "version": seen["version"] });
        let told = paged(&ada, "page", since).await.unwrap()["structuredContent"].clone();
        assert!(told["seq"].as_u64() >= seen["seq"].as_u64(), "{told} after {seen}");
        seen = told;
    }
    assert!(seen["version"].as_u64() > first["version"].as_u64(), "{seen}");
    assert_eq!(seen["state"]["tea"], 2);

    let asks = json!({ "agent": tool, "text": "Which season?" });
    let answer = paged(&ada, "page_ask", asks).await.unwrap();
    assert!(answer["structuredContent"]["answer"].as_str().unwrap().contains("Which season?"), "{answer}");
    let said = entries(&ada, &moss).await;
    for (kind, text) in [("page_notify", "click #go: {\"n\":1}"), ("page_ask", "Which season?")] {
        let is_it = |entry: &Value| entry["body"]["from"]["type"] == kind && entry["body"]["text"] == text;
        assert!(said.iter().any(is_it), "{kind}: {said:?}");
    }
}

#[tokio::test]
async fn a_page_elsewhere_has_the_rights_of_its_clients_token_and_none_besides() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let (moss, tool) = painter(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let messages = async || {
        let entries = entries(&ada, &moss).await;
        entries.iter().filter(|entry| entry["body"]["type"] == "message").count()
    };
    let before = messages().await;
    let notify = json!({ "type": "notify", "name": "pressed", "data": null });
    let calls = [
        ("page", json!({ "agent": tool })),
        ("page_say", json!({ "agent": tool, "said": [notify] })),
        ("page_ask", json!({ "agent": tool, "text": "Which season?" })),
    ];
    for (name, arguments) in &calls {
        for caller in [&script, &eve] {
            assert_eq!(paged(caller, name, arguments.clone()).await.unwrap_err().1, -32602, "{name}");
        }
        let call = json!({ "name": name, "arguments": arguments });
        let shows_none = today(&ada, &json!({}), "tools/call", call.clone());
        assert_eq!(asked(shows_none).await.unwrap_err().1, -32602, "{name}: it shows no pages");
        let greeted_without = posted(&ada, &super::message("tools/call", call));
        assert_eq!(asked(greeted_without).await.unwrap_err().1, -32602, "{name}: nor does this one");
    }
    let call = json!({ "type": "call_tool", "id": 1, "name": "state", "input": { "action": "keys" } });
    let drawn = json!({ "type": "snapshot", "page": { "head": "", "body": "Mine" } });
    for said in [json!("pressed"), json!([call]), json!([drawn]), json!([7]), json!(vec![&notify; 65])] {
        let refused = paged(&ada, "page_say", json!({ "agent": tool, "said": said })).await.unwrap();
        assert_eq!(refused["isError"], true, "{said}");
    }
    assert_eq!(messages().await, before, "nothing of that came to the agent");

    // What is refused holds nothing else back.
    let key = json!({ "type": "set_state", "key": "tea", "value": 2 });
    let both = json!({ "agent": tool, "said": [call, key] });
    assert_eq!(paged(&ada, "page_say", both).await.unwrap()["isError"], true);
    let seen = paged(&ada, "page", json!({ "agent": tool })).await.unwrap();
    assert_eq!(seen["structuredContent"]["state"], json!({ "tea": 2 }));
}

#[tokio::test]
async fn a_page_elsewhere_says_no_more_than_its_person_may() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "1")]);
    let endpoint = Endpoint::start();
    let ada = program.caller("ada");
    agent(&ada, &endpoint).await;
    let tool = first_tool(&ada).await;
    let much = json!({ "agent": tool, "said": vec![json!({ "type": "pong" }); 64] });
    let mut heard = Vec::new();
    for _ in 0..8 {
        let refused = paged(&ada, "page_say", much.clone()).await.unwrap();
        heard.push(words(&refused).to_owned());
    }
    assert!(heard[0].contains("notifies"), "{heard:?}");
    assert!(heard.iter().any(|words| words.contains("too much at once")), "{heard:?}");
}
