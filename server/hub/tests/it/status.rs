//! What an administrator sees of the hub: what it measures, on both databases, and nobody's words.

use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::{GATED, ada, ask};
use crate::world::{Endpoint, World, each_store};
use protocol::agent::ProviderKind;
use protocol::schedule::{ScheduleDraft, TimingKind};
use protocol::view::{HubStatus, ScheduleStatus};
use serde_json::json;
use std::time::Duration;

async fn read(world: &World) -> HubStatus {
    let root = world.hub.accounts().viewer_named("root").await.unwrap().unwrap();
    world.hub.as_admin(&root).unwrap().hub_status().read().await.unwrap()
}

#[tokio::test]
async fn the_status_is_what_was_measured_and_names_nobody() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        world.admin("root").await;
        let (viewer, agent) = ada(&world, &endpoint).await;
        assert!(world.hub.as_admin(&viewer).is_none());
        let before = read(&world).await;
        assert!(["SQLite", "PostgreSQL"].contains(&&*before.database.kind), "{before:?}");
        assert!(before.database.bytes > 100_000 && before.database.migration >= 130, "{before:?}");
        assert!(before.disk.unwrap().free > 0 && before.providers.is_empty() && before.backups.is_none());
        assert_eq!((before.tools.ended, before.work.questions, before.work.runs), (0, 0, 0));

        let scoped = world.hub.for_viewer(&viewer);
        let conversation = scoped.conversations().create(&agent.id).await.unwrap().id;
        let said = format!(
            "turns: {}",
            json!([[{ "tool": "state", "input": { "action": "get", "key": "moss" } }], [{ "text": "Moss." }]])
        );
        ask(&scoped, &agent.id, &conversation, &said).await;
        let draft = ScheduleDraft {
            name: "Water the moss".to_owned(),
            message: "Water it.".to_owned(),
            kind: TimingKind::Every,
            minutes: "30".to_owned(),
            ..ScheduleDraft::default()
        };
        scoped.schedules().create(&agent.id, &draft).await.unwrap();
        let after = read(&world).await;
        let health = &after.providers[0];
        assert_eq!((health.kind, health.answered, health.failed), (ProviderKind::Anthropic, 2, 0));
        assert!(health.last_answer_at.is_some());
        assert_eq!((after.tools.ended, after.tools.slow), (1, 0));
        let ScheduleStatus { active, overdue, next_at } = after.schedules;
        assert!((active, overdue) == (1, 0) && next_at.is_some(), "{:?}", after.schedules);
        assert!(after.keys.secrets > 0 && !after.keys.in_file && !after.keys.rotating);
        world.clock.advance(Duration::from_secs(1));
        let text = serde_json::to_string(&after).unwrap().to_lowercase();
        for word in ["moss", "ada", "root", agent.id.0.as_str()] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_model_call_of_more_than_a_minute_is_slow_for_an_hour() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        world.admin("root").await;
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, GATED, None, None).await.unwrap();
        while !String::from_utf8_lossy(&tab.next().await.unwrap().text).contains("\"type\":\"delta\"") {}
        world.clock.advance(Duration::from_secs(90));
        endpoint.with_open_gates(until_finished(&mut tab)).await;
        let health = read(&world).await.providers.remove(0);
        assert_eq!(health.slow, 1);
        assert!(health.slowest_ms.is_some_and(|ms| ms >= 90_000), "{health:?}");
        world.clock.advance(Duration::from_secs(60 * 60));
        let health = read(&world).await.providers.remove(0);
        assert_eq!((health.slow, health.slowest_ms), (0, None));
    })
    .await;
}
