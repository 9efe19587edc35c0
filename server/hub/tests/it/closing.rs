//! What of the hub's work is there after it closed.

use crate::approvals::add_rule;
use crate::programs::{chat, hello, program};
use crate::runs::trace::{until, until_finished};
use crate::runs::{agent_with, open};
use crate::world::{Endpoint, World, each_store};
use futures_util::StreamExt;
use hub::Body;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::view::Status;
use serde_json::json;
use sqlx::Row as _;

const MODEL: &str = "claude-sonnet-4-5";
const GATED: &str = r#"turns: [[{"text":"some words gate b","gate":"gate"}]]"#;

#[tokio::test]
async fn a_hub_that_closed_has_no_task_and_has_written_what_was_under_way() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (url, kind) = (Some(endpoint.url.as_str()), ProviderKind::Anthropic);
        let claude = scoped.providers().save(None, "Claude", kind, url, Some("key-good")).await.unwrap().id;
        let speaking = agent_with(&world, &ada, claude.clone(), MODEL, Home::Hub).await.id;
        let asking = agent_with(&world, &ada, claude, MODEL, Home::Hub).await.id;
        add_rule(&world.hub, &ada, "ask", "state", "").await;
        let mut tab = open(&world, &ada, "asking");
        tab.follow(&asking, 0).await.unwrap();
        let set = r#"turns: [[{"tool":"state","input":{"action":"set","key":"a","value":1}}]]"#;
        scoped.runs().send_message(&asking, set, None, None).await.unwrap();
        until(&mut tab, |body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
        scoped.runs().send_message(&speaking, GATED, None, None).await.unwrap();
        let (caller, _) = program(&world, &ada, None).await;
        let mut body = hello(MODEL, GATED);
        body["stream"] = json!(true);
        let Body::Events(mut events) = chat(&world, &caller, body).await.body else { panic!("a stream") };
        let mut heard = String::new();
        while !heard.contains("words") {
            heard += std::str::from_utf8(&events.next().await.unwrap()).unwrap();
        }
        drop(events);
        assert!(world.hub.tasks_under_way() > 0);

        world.hub.close().await;
        assert_eq!(world.hub.tasks_under_way(), 0);
        let store = world.store().await;
        let holds = sqlx::query("SELECT COUNT(*) FROM holds").fetch_one(store.read()).await.unwrap();
        assert_eq!(holds.get::<i64, _>(0), 0, "money is held for nobody");
        let open = sqlx::query("SELECT agent_id FROM runs WHERE running = 1").fetch_all(store.read()).await;
        let open: Vec<String> = open.unwrap().iter().map(|row| row.get(0)).collect();
        assert_eq!(open.len(), 2, "both go on in the next process");

        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&ada);
        assert_eq!(scoped.ledger().usage().await.unwrap().programs[0].calls, 1, "the call is booked");
        let mut tab = hub.open_tab(ada.clone(), "speaking".into()).unwrap();
        tab.follow(&speaking, 0).await.unwrap();
        let entries = endpoint.with_open_gates(until_finished(&mut tab)).await;
        assert_eq!(entries.last().unwrap().body, EntryBody::finished(Outcome::Completed));
        let begun = |entry: &&Entry| matches!(entry.body, EntryBody::RunStarted { .. });
        assert_eq!(entries.iter().filter(begun).count(), 1, "it is the same run");
        let cards = scoped.agents().list().await.unwrap();
        let card = cards.iter().find(|card| card.id == asking).unwrap();
        assert_eq!(card.status, Status::Waiting);
        let mut tab = hub.open_tab(ada.clone(), "later".into()).unwrap();
        tab.follow(&asking, 0).await.unwrap();
        scoped.runs().stop(&asking).await.unwrap();
        until_finished(&mut tab).await;
    })
    .await;
}
