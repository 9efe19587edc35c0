//! A person who comes back, and a schedule that waits for that.

use super::{all, begin, once, only};
use crate::runs::open;
use crate::world::{Endpoint, World, each_store};
use hub::{Hub, Viewer};
use protocol::AgentId;
use protocol::log::{EntryBody, Sender};
use protocol::schedule::{FiringCause, FiringState, ScheduleDraft, Timing, TimingKind};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

fn back() -> ScheduleDraft {
    ScheduleDraft {
        name: "Welcome".to_owned(),
        message: "Say what happened meanwhile.".to_owned(),
        kind: TimingKind::Device,
        ..ScheduleDraft::default()
    }
}

async fn told_to(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> Vec<String> {
    let told = all(hub, viewer, agent).await.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from: Sender::Trigger { .. }, text, .. } => Some(text),
        _ => None,
    });
    told.collect()
}

/// When the person was seen last.
async fn here_at(world: &World) -> i64 {
    let store = world.store().await;
    let (at,): (i64,) =
        sqlx::query_as("SELECT here_at FROM device_triggers").fetch_one(store.read()).await.unwrap();
    store.close().await;
    at
}

/// Lets so many minutes pass with a page open, less than an hour, after which it is closed.
async fn stays(world: &World, viewer: &Viewer, minutes: u32) {
    let _tab = open(world, viewer, "laptop");
    world.clock.advance(minutes * MINUTE);
    let from = world.clock.now();
    once(async || here_at(world).await >= from).await;
}

#[tokio::test]
async fn who_opens_a_page_after_an_hour_without_one_is_back_and_who_only_looked_away_is_not() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &back()).await.unwrap();
        assert_eq!(only(&world.hub, &viewer, &agent.id).await.timing, Timing::Device);
        drop(tab);
        for _ in 0..3 {
            stays(&world, &viewer, 40).await;
        }
        world.clock.advance(50 * MINUTE);
        stays(&world, &viewer, 5).await;
        assert!(
            scoped.schedules().history(&id).await.unwrap().is_empty(),
            "they were never away for an hour"
        );

        for times in 1..3 {
            world.clock.advance(61 * MINUTE);
            // A look that comes late may have seen the page before these passed.
            stays(&world, &viewer, 5).await;
            once(async || {
                let history = scoped.schedules().history(&id).await.unwrap();
                history.len() == times && history.iter().all(|firing| firing.state == FiringState::Done)
            })
            .await;
            stays(&world, &viewer, 6).await;
        }
        let history = scoped.schedules().history(&id).await.unwrap();
        assert!(history.iter().all(|firing| firing.cause == FiringCause::Device));
        let told = told_to(&world.hub, &viewer, &agent.id).await;
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("Your person opened a page after an hour without one"), "{told:?}");
    })
    .await;
}
