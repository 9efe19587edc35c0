//! Servers that say how far a call is: whoever follows the agent sees it, until the call is over.

use super::{TOKEN, given, say, water};
use crate::approvals::add_rule;
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::{a_moment, ada};
use crate::world::{Endpoint, FakeMcp, Mood, RealMcp, World, each_store};
use hub::Tab;
use protocol::hub::{CallProgress, HubFrame};
use protocol::log::EntryBody;
use protocol::view::McpLogKind;
use serde_json::{Value, json};

fn progress(done: u32, words: &str) -> Value {
    let params = json!({ "progressToken": "this", "progress": done, "total": 3, "message": words });
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
}

async fn next(tab: &mut Tab) -> HubFrame {
    serde_json::from_slice(&tab.next().await.unwrap().text).unwrap()
}

/// What is told of calls before one of them ends.
async fn told(tab: &mut Tab) -> Vec<CallProgress> {
    let mut told = Vec::new();
    loop {
        match next(tab).await {
            HubFrame::Progress { progress, .. } => told.push(progress),
            HubFrame::Entry { entry } if matches!(entry.body, EntryBody::ToolFinished { .. }) => return told,
            _ => {}
        }
    }
}

async fn until_told(tab: &mut Tab) -> CallProgress {
    loop {
        if let HubFrame::Progress { progress, .. } = next(tab).await {
            return progress;
        }
    }
}

#[tokio::test]
async fn how_far_a_call_is_stands_on_every_device_until_it_is_over() {
    let endpoint = Endpoint::start();
    let garden = RealMcp::modern();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let real = scoped.mcp_servers().add("real", &garden.url, "", "").await.unwrap();
        scoped.mcp_servers().choose(&agent.id, std::slice::from_ref(&real.id)).await.unwrap();
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &garden.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let turns = json!([[{ "tool": "mcp_real_dig", "input": { "rows": 3 } }], [{ "text": "Done." }]]);
        scoped.runs().send_message(&agent.id, &format!("turns: {turns}"), None, None).await.unwrap();
        let told = told(&mut tab).await;
        let last = CallProgress { done: 3.0, total: Some(3.0), words: "Row 3".to_owned(), asked: Vec::new() };
        assert_eq!(told.last(), Some(&last));

        // What is no progress, is of another call, or goes back is not told; a hundred at once are one.
        let fake = FakeMcp::start(&[water()]);
        given(&scoped, &agent.id, "fake", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_fake_*", &fake.host()).await;
        let mut of_another = progress(3, "of another");
        of_another["params"]["progressToken"] = json!("that");
        let flood = (0..100).map(|_| progress(2, "<b>Two</b>\u{202e}"));
        fake.say_before(
            &[vec![of_another, progress(0, "first")], flood.collect(), vec![progress(1, "back")]].concat(),
        );
        fake.mood(Mood::Slow);
        say(&scoped, &agent.id, "mcp_fake_water").await;
        let mut seen = until_told(&mut tab).await;
        while seen.done < 2.0 {
            seen = until_told(&mut tab).await;
        }
        assert_eq!(seen.words, "<b>Two</b>");
        // Whoever comes late is told at once, and nothing once the call is over.
        let mut late = open(&world, &viewer, "phone");
        late.follow(&agent.id, 0).await.unwrap();
        assert_eq!(until_told(&mut late).await, seen);
        fake.mood(Mood::Well);
        assert_eq!(self::told(&mut tab).await, []);
        assert_eq!(self::told(&mut late).await, []);
        let mut later = open(&world, &viewer, "tablet");
        later.follow(&agent.id, 0).await.unwrap();
        loop {
            match next(&mut later).await {
                HubFrame::CaughtUp { .. } => break,
                HubFrame::Progress { progress, .. } => panic!("{progress:?}"),
                _ => {}
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_servers_say_of_their_work_is_kept_for_their_person_wherever_they_say_it() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let says = |level: &str, words: &str| {
            let params = json!({ "level": level, "logger": "beds", "data": words });
            json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": params })
        };
        for (name, version) in [("modern", None), ("legacy", Some("2025-11-25"))] {
            let fake = FakeMcp::start(&[water()]);
            let fake = version.map_or(fake.clone(), |version| fake.speaking(version));
            let server = scoped.mcp_servers().add(name, &fake.url(), TOKEN, "").await.unwrap();
            let read = async || scoped.mcp_servers().read(&server.id).await.unwrap().log;
            assert_eq!(read().await, []);
            scoped.mcp_servers().choose(&agent.id, std::slice::from_ref(&server.id)).await.unwrap();
            add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
            fake.say_before(&[says("info", "Digging."), says("error", &format!("No {TOKEN}."))]);
            // One of before says the rest by itself, where no answer is.
            if version.is_some() {
                fake.say_itself(&[says("warning", "Dry.")]);
                fake.mood(Mood::Slow);
            }
            let mut tab = open(&world, &viewer, name);
            tab.follow(&agent.id, 0).await.unwrap();
            say(&scoped, &agent.id, &format!("mcp_{name}_water")).await;
            if version.is_some() {
                while read().await.len() < 3 {
                    a_moment().await;
                }
                fake.mood(Mood::Well);
            }
            until_finished(&mut tab).await;
            let kept = read().await;
            let has = |kind: McpLogKind, words: &str| {
                kept.iter().any(|line| line.kind == kind && line.words == words)
            };
            assert!(
                has(McpLogKind::Info, "beds: Digging.") && has(McpLogKind::Error, "beds: No [key]."),
                "{kept:?}"
            );
            assert_eq!(has(McpLogKind::Warning, "beds: Dry."), version.is_some(), "{kept:?}");
            let call = fake.messages().into_iter().find(|message| message["method"] == "tools/call").unwrap();
            let asked = &call["params"]["_meta"]["io.modelcontextprotocol/logLevel"];
            assert_eq!(asked, &version.map_or(json!("info"), |_| Value::Null));
        }
    })
    .await;
}
