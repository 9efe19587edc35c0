//! Servers that answer badly.

use super::asked_back::brought;
use super::{called, given, say, water};
use crate::approvals::add_rule;
use crate::runs::trace::until_finished;
use crate::runs::{agent, open};
use crate::talk::{a_moment, ada};
use crate::world::{Endpoint, FakeMcp, Mood, World, each_store};
use protocol::agent::{Home, ProviderKind};
use protocol::view::Status;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_server_that_answers_badly_is_told_in_words() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for (number, (mood, expected)) in [
            (
                Mood::Status("401 Unauthorized", "www-authenticate: Bearer\r\n"),
                "It wants to know who asks (status 401).",
            ),
            (Mood::Status("403 Forbidden", ""), "It refuses what was sent along (status 403)."),
            (
                Mood::Status("302 Found", "location: https://elsewhere.example/\r\n"),
                "It leads elsewhere (status 302).",
            ),
            (
                Mood::Status("307 Temporary Redirect", "location: http://169.254.169.254/\r\n"),
                "It leads elsewhere (status 307).",
            ),
            (Mood::Status("404 Not Found", ""), "Something answers, but not as an MCP server does."),
            (Mood::Status("429 Too Many Requests", ""), "It was asked too often."),
            (Mood::Status("500 Oh", ""), "It answered with an error of its own (status 500)."),
            (
                Mood::Text("text/html", "<h1>Welcome</h1>"),
                "Something answers, but not as an MCP server does.",
            ),
            (Mood::Text("application/json", "[1,"), "Something answers, but not as an MCP server does."),
            (Mood::Text("application/json", "{}"), "Something answers, but not as an MCP server does."),
            (
                Mood::Text("text/event-stream", "data: x\n\n"),
                "Something answers, but not as an MCP server does.",
            ),
            (
                Mood::Text("text/event-stream", ": nothing\n\n"),
                "It closed the connection before it had answered.",
            ),
            (
                Mood::Text(
                    "application/json",
                    "{\"id\":null,\"error\":{\"code\":-1,\"message\":\"Go\u{202e} away.\"}}",
                ),
                "It says: Go away.",
            ),
            (Mood::Endless, "It sent more than 4 MB and was given up."),
        ]
        .into_iter()
        .enumerate()
        {
            let fake = FakeMcp::start(&[water()]);
            fake.mood(mood);
            let added = scoped.mcp_servers().add(&format!("s{number}"), &fake.url(), "", "").await.unwrap();
            let why = added.failure.clone().unwrap();
            assert!(why.starts_with(expected), "{why}");
            let looked = scoped.mcp_servers().look(&added.id).await.unwrap();
            assert!(!looked.ok && looked.message.contains(expected), "{looked:?}");
            // What was wrong is over, and nothing has to be entered again.
            fake.mood(Mood::Well);
            let looked = scoped.mcp_servers().look(&added.id).await.unwrap();
            assert_eq!((looked.ok, looked.message.as_str()), (true, "It answers, with 1 tool."));
            scoped.mcp_servers().remove(&added.id).await.unwrap();
        }
        let gone = scoped.mcp_servers().add("gone", "http://127.0.0.1:9/mcp", "", "").await.unwrap();
        assert!(gone.failure.unwrap().starts_with("Nothing answers at http://127.0.0.1:9."));
    })
    .await;
}

#[expect(clippy::disallowed_methods, reason = "this is a test, whose clock may be moved")]
#[tokio::test]
async fn a_server_that_is_silent_or_never_comes_to_an_end_meets_its_limit_and_holds_up_nobody_else() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, hers) = ada(&world, &endpoint).await;
        let other = world.person("bo").await;
        let his = agent(&world, &other, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let (scoped, others) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&other));
        let (bad, good) = (FakeMcp::start(&[water()]), FakeMcp::start(&[water()]));
        given(&scoped, &hers.id, "bad", &bad).await;
        given(&others, &his.id, "good", &good).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &bad.host()).await;
        add_rule(&world.hub, &other, "allow", "mcp_*", &good.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&hers.id, 0).await.unwrap();
        bad.say_before(&[
            json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": "On." } }),
        ]);
        for mood in [Mood::Silent, Mood::Slow] {
            bad.mood(mood.clone());
            let asked = bad.methods().len();
            say(&scoped, &hers.id, "mcp_bad_water").await;
            while bad.methods().len() == asked {
                a_moment().await;
            }
            // Hers is open all the while.
            let told = called(&others, &his.id, "mcp_good_water", json!({})).await.unwrap();
            assert!(told.contains("Watered."), "{told}");
            assert!(scoped.agents().list().await.unwrap()[0].status != Status::Idle, "{mood:?}");
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(121)).await;
            tokio::time::resume();
            let told = brought(&until_finished(&mut tab).await);
            assert_eq!(told, "It did not answer within 120 seconds and was given up.", "{mood:?}");
            bad.mood(Mood::Well);
        }
        bad.mood(Mood::Endless);
        say(&scoped, &hers.id, "mcp_bad_water").await;
        called(&others, &his.id, "mcp_good_water", json!({})).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        assert_eq!(told, "It sent more than 4 MB and was given up.");
    })
    .await;
}
