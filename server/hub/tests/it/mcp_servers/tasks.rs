//! Servers that answer a call by a task: it is waited for, says how far it is, asks its person, and is cancelled with
//! the call.

use super::asked_back::{brought, call, entered, reply};
use super::{given, water};
use crate::approvals::{add_rule, until_asked};
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::{a_moment, ada};
use crate::world::{Endpoint, FakeMcp, RealMcp, World, each_store};
use hub::Tab;
use protocol::hub::{CallProgress, HubFrame};
use serde_json::{Value, json};
use std::time::Duration;

fn task(status: &str, more: Value) -> Value {
    let mut task = json!({ "resultType": "task", "taskId": "dig 1", "status": status, "pollIntervalMs": 1 });
    for (name, value) in more.as_object().into_iter().flatten() {
        task[name] = value.clone();
    }
    task
}

fn working() -> Value {
    task("working", json!({ "statusMessage": "Digging\n<b>row</b> 1" }))
}

async fn until_told(tab: &mut Tab) -> CallProgress {
    loop {
        if let HubFrame::Progress { progress, .. } =
            serde_json::from_slice(&tab.next().await.unwrap().text).unwrap()
        {
            return progress;
        }
    }
}

#[tokio::test]
async fn a_call_that_is_answered_by_a_task_is_waited_for_asks_its_person_and_ends_with_the_call() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let fake = FakeMcp::start(&[water()]);
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        given(&scoped, &agent.id, "garden", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();

        fake.bring(working());
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        let told = until_told(&mut tab).await;
        assert_eq!((told.total, &*told.words), (None, "Digging <b>row</b> 1"));
        let form = json!({ "message": "Go on?", "requestedSchema": { "type": "object", "properties": {} } });
        let asks = json!({ "inputRequests": { "go": { "method": "elicitation/create", "params": form } } });
        fake.bring(task("input_required", asks));
        let asked = until_asked(&mut tab).await;
        reply(&world.hub, &viewer, &asked, entered(&[])).await.unwrap();
        // What it asked once it is not asked again for, however often it says so.
        while !fake.methods().contains(&"tasks/update".to_owned()) {
            a_moment().await;
        }
        let result = json!({ "content": [{ "type": "text", "text": "Dug." }] });
        fake.bring(task("completed", json!({ "result": &result })));
        assert_eq!(brought(&until_finished(&mut tab).await), "{\"text\":\"Dug.\"}");
        let messages = fake.messages();
        let of = |method: &str| messages.iter().find(|message| message["method"] == method).unwrap();
        assert_eq!(of("tasks/update")["params"]["taskId"], "dig 1");
        let replied = json!({ "go": { "action": "accept", "content": {} } });
        assert_eq!(of("tasks/update")["params"]["inputResponses"], replied);
        for method in ["tools/call", "tasks/get"] {
            let meta = &of(method)["params"]["_meta"];
            let declared = &meta["io.modelcontextprotocol/clientCapabilities"]["extensions"];
            assert_eq!(declared["io.modelcontextprotocol/tasks"], json!({}), "{method}");
        }
        let is_routed = |head: &String| head.contains("mcp-method: tasks/get") && head.contains("mcp-name: dig 1");
        assert!(fake.heads().iter().any(is_routed));
        assert!(!fake.methods().contains(&"tasks/cancel".to_owned()), "it came to its end");

        // It may be in trouble for a moment, which is no end of what it works on.
        fake.refuse("tasks/get", "429 Too Many Requests", -1);
        fake.bring(working());
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        until_told(&mut tab).await;
        fake.bring(task("completed", json!({ "result": result })));
        assert_eq!(brought(&until_finished(&mut tab).await), "{\"text\":\"Dug.\"}");
        assert!(!fake.methods().contains(&"tasks/cancel".to_owned()));

        for (becomes, expected) in [
            (task("failed", json!({ "error": { "code": -1, "message": "No spade." } })), "{\"error\":\"No spade.\"}"),
            (
                task("cancelled", json!({})),
                "It gave up what it had begun for this call, and does not say what came of it.",
            ),
            (
                task("completed", json!({})),
                "Something answers, but not as an MCP server does. Check the address: many end in /mcp. Servers that \
                 only speak the transport of 2024 are not supported.",
            ),
        ] {
            fake.bring(becomes);
            call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
            assert_eq!(brought(&until_finished(&mut tab).await), expected);
        }

        // Whoever stops the agent cancels the task.
        fake.bring(working());
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        until_told(&mut tab).await;
        scoped.runs().stop(&agent.id).await.unwrap();
        until_finished(&mut tab).await;
        let cancelled = loop {
            match fake.messages().into_iter().find(|message| message["method"] == "tasks/cancel") {
                Some(cancelled) => break cancelled,
                None => a_moment().await,
            }
        };
        assert_eq!(cancelled["params"]["taskId"], "dig 1");
    })
    .await;
}

#[expect(clippy::disallowed_methods, reason = "this is a test, whose clock may be moved")]
#[tokio::test]
async fn a_task_that_never_ends_is_given_up_and_cancelled_when_the_longest_call_would_be() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let fake = FakeMcp::start(&[water()]);
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        given(&scoped, &agent.id, "garden", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        fake.bring(working());
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        let looks = || fake.methods().iter().filter(|method| *method == "tasks/get").count();
        // That it works on is a word that it goes on, each time, but not for ever.
        for _ in 0..6 {
            let before = looks();
            // The one that was under way may be from before.
            while looks() < before + 2 {
                a_moment().await;
            }
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(95)).await;
            tokio::time::resume();
        }
        let before = looks();
        while looks() < before + 2 {
            a_moment().await;
        }
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(31)).await;
        tokio::time::resume();
        let told = brought(&until_finished(&mut tab).await);
        assert_eq!(told, "It did not answer within 600 seconds and was given up.");
        while !fake.methods().contains(&"tasks/cancel".to_owned()) {
            a_moment().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_tool_of_before_that_has_to_be_a_task_is_called_as_one_and_asks_its_person() {
    let endpoint = Endpoint::start();
    let server = RealMcp::legacy();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let every = scoped.mcp_servers().add("every", &server.url, "", "").await.unwrap();
        scoped.mcp_servers().choose(&agent.id, std::slice::from_ref(&every.id)).await.unwrap();
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &server.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let input = json!({ "topic": "moss", "ambiguous": true });
        call(&scoped, &agent.id, "mcp_every_simulate-research-query", input).await;
        assert!(until_told(&mut tab).await.words.ends_with("..."));
        let asked = until_asked(&mut tab).await;
        let said = entered(&[("interpretation", "chosen Historical perspective")]);
        reply(&world.hub, &viewer, &asked, said).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("Research Report: moss (historical)"), "{told}");
    })
    .await;
}
