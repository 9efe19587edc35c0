//! What servers say by themselves, outside their answers.

use super::{called, given, say, water};
use crate::approvals::{add_rule, until_asked};
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::{a_moment, ada};
use crate::world::{Endpoint, FakeMcp, Mood, World, each_store};
use protocol::question::AnswerDraft;
use serde_json::{Value, json};
use std::time::Duration;

/// After so long without a call nobody listens.
const IDLE: Duration = Duration::from_secs(3 * 60);

fn elicitation(id: &str) -> Value {
    let params = json!({ "message": "Go on?", "requestedSchema": { "type": "object", "properties": {} } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params })
}

fn changed() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" })
}

/// What was said to the question with this id, once something was.
async fn replied(fake: &FakeMcp, id: &str) -> Value {
    loop {
        let messages = fake.messages();
        if let Some(reply) = messages.iter().find(|message| message["id"] == id) {
            return reply.clone();
        }
        a_moment().await;
    }
}

async fn until_listeners(fake: &FakeMcp, wanted: usize) {
    while fake.listeners() != wanted {
        a_moment().await;
    }
}

#[tokio::test]
async fn what_a_server_asks_by_itself_is_a_question_of_the_call_that_is_open_and_without_one_nobody_is_asked()
{
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let fake = FakeMcp::start(&[water()]).speaking("2025-11-25");
        fake.say_itself(&[]);
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        given(&scoped, &agent.id, "garden", &fake).await;
        assert_eq!(fake.listeners(), 0, "nothing is called yet");
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();

        fake.mood(Mood::Slow);
        say(&scoped, &agent.id, "mcp_garden_water").await;
        until_listeners(&fake, 1).await;
        while !fake.methods().iter().any(|method| method == "tools/call") {
            a_moment().await;
        }
        fake.say_itself(&[elicitation("own-1")]);
        let asked = until_asked(&mut tab).await;
        let question = asked.question.clone().unwrap();
        assert_eq!((question.server.as_deref(), &*question.text), (Some("garden"), "Go on?"));
        let replied_to = scoped.approvals().reply(&asked.id, &asked.hash, AnswerDraft::default()).await;
        replied_to.unwrap();
        assert_eq!(replied(&fake, "own-1").await["result"], json!({ "action": "accept", "content": {} }));

        // One that is still open when the call is over is taken back, and its server told.
        fake.say_itself(&[elicitation("own-2"), elicitation("own-3")]);
        until_asked(&mut tab).await;
        fake.mood(Mood::Well);
        until_finished(&mut tab).await;
        for id in ["own-2", "own-3"] {
            assert_eq!(replied(&fake, id).await["result"], json!({ "action": "cancel" }));
        }
        assert_eq!(scoped.approvals().list().await.unwrap(), []);

        let ping = json!({ "jsonrpc": "2.0", "id": "own-4", "method": "ping" });
        let sampling = json!({ "jsonrpc": "2.0", "id": "own-5", "method": "sampling/createMessage" });
        fake.say_itself(&[ping, sampling, elicitation("own-6")]);
        assert_eq!(replied(&fake, "own-4").await["result"], json!({}));
        assert_eq!(replied(&fake, "own-5").await["error"]["code"], -32601);
        let refused = replied(&fake, "own-6").await["error"]["message"].clone();
        assert_eq!(
            refused,
            "No call is open with this server, so nobody is asked. Ask while a call is open."
        );
        assert_eq!(scoped.approvals().list().await.unwrap(), []);

        // It is held for all calls, and not for ever.
        called(&scoped, &agent.id, "mcp_garden_water", json!({})).await.unwrap();
        assert_eq!((fake.listeners(), fake.gets().len()), (1, 1));
        world.clock.advance(IDLE);
        until_listeners(&fake, 0).await;
        called(&scoped, &agent.id, "mcp_garden_water", json!({})).await.unwrap();
        assert_eq!((fake.listeners(), fake.gets().len()), (1, 2));
        scoped.mcp_servers().remove(&scoped.mcp_servers().list().await.unwrap()[0].id).await.unwrap();
        until_listeners(&fake, 0).await;
    })
    .await;
}

#[tokio::test]
async fn who_asks_too_often_by_itself_is_told_so_and_the_call_goes_on() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let fake = FakeMcp::start(&[water()]).speaking("2025-11-25");
        fake.say_itself(&[]);
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        given(&scoped, &agent.id, "garden", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        fake.mood(Mood::Slow);
        say(&scoped, &agent.id, "mcp_garden_water").await;
        until_listeners(&fake, 1).await;
        while !fake.methods().iter().any(|method| method == "tools/call") {
            a_moment().await;
        }
        for nth in 1..=5 {
            fake.say_itself(&[elicitation(&format!("own-{nth}"))]);
            let asked = until_asked(&mut tab).await;
            scoped.approvals().reply(&asked.id, &asked.hash, AnswerDraft::default()).await.unwrap();
            replied(&fake, &format!("own-{nth}")).await;
        }
        fake.say_itself(&[elicitation("own-6")]);
        assert_eq!(replied(&fake, "own-6").await["error"]["code"], -32602);
        fake.mood(Mood::Well);
        until_finished(&mut tab).await;
        let is_cancelled = |method: &String| method == "notifications/cancelled";
        assert!(!fake.methods().iter().any(is_cancelled), "the call came to its end");
    })
    .await;
}

#[tokio::test]
async fn a_list_that_changes_is_heard_from_servers_of_both_eras_and_one_that_says_nothing_is_asked_once() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for (name, fake) in [
            ("before", FakeMcp::start(&[water()]).speaking("2025-06-18")),
            ("today", FakeMcp::start(&[water()])),
        ] {
            fake.say_itself(&[]);
            given(&scoped, &agent.id, name, &fake).await;
            let tool = format!("mcp_{name}_water");
            add_rule(&world.hub, &viewer, "allow", &tool, &fake.host()).await;
            let looks = || fake.methods().iter().filter(|method| *method == "tools/list").count();
            called(&scoped, &agent.id, &tool, json!({})).await.unwrap();
            called(&scoped, &agent.id, &tool, json!({})).await.unwrap();
            assert_eq!((fake.listeners(), looks()), (1, 1), "{name}");
            let ping = json!({ "jsonrpc": "2.0", "id": "heard", "method": "ping" });
            fake.say_itself(&[changed(), ping]);
            replied(&fake, "heard").await;
            called(&scoped, &agent.id, &tool, json!({})).await.unwrap();
            assert_eq!((fake.listeners(), looks()), (1, 2), "{name}");
            if name == "today" {
                let messages = fake.messages();
                let subscribed: Vec<_> =
                    messages.iter().filter(|it| it["method"] == "subscriptions/listen").collect();
                assert_eq!(subscribed.len(), 1);
                assert_eq!(subscribed[0]["params"]["notifications"], json!({ "toolsListChanged": true }));
                assert_eq!(fake.gets(), <[String; 0]>::default());
            }
        }
        let deaf = FakeMcp::start(&[water()]).speaking("2025-11-25");
        given(&scoped, &agent.id, "deaf", &deaf).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_deaf_water", &deaf.host()).await;
        for _ in 0..3 {
            called(&scoped, &agent.id, "mcp_deaf_water", json!({})).await.unwrap();
        }
        assert_eq!(deaf.gets().len(), 1);
    })
    .await;
}
