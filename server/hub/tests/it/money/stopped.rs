//! What a limit stopped, and the word before it does.

use super::{agents, daily, is_over_budget, spend, until_finished, watch};
use crate::world::{Endpoint, World, each_store};
use hub::{Tab, Viewer};
use protocol::Caps;
use protocol::log::{Entry, EntryBody, NoticeKind};
use protocol::view::{AgentView, Status};
use protocol::{Micros, TabId};
use std::time::Duration;

const ZERO: Micros = Micros(0);

#[tokio::test]
async fn only_what_the_changed_limit_stopped_goes_on() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agents = agents(&world, &viewer, &endpoint, 3).await;
        let mut tab = watch(&world, &viewer, &agents).await;
        scoped.ledger().limit_agent(&agents[0].id, &daily(ZERO)).await.unwrap();
        scoped.ledger().limit_agent(&agents[1].id, &daily(ZERO)).await.unwrap();
        for agent in &agents[..2] {
            scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        }
        assert_eq!(over_budget(&until_finished(&mut tab, 2).await), 2);
        scoped.ledger().limit_own(&daily(ZERO)).await.unwrap();
        scoped.runs().send_message(&agents[2].id, "Hello", None, None).await.unwrap();
        assert_eq!(over_budget(&until_finished(&mut tab, 1).await), 1);

        scoped.ledger().limit_own(&Caps::default()).await.unwrap();
        let went_on = until_finished(&mut tab, 1).await;
        assert!(went_on.iter().all(|entry| entry.agent == agents[2].id), "{went_on:?}");
        scoped.ledger().limit_agent(&agents[1].id, &Caps::default()).await.unwrap();
        let went_on = until_finished(&mut tab, 1).await;
        assert!(went_on.iter().all(|entry| entry.agent == agents[1].id), "{went_on:?}");
        assert_eq!(status(&world, &viewer, &agents[0]).await, Status::Waiting);
        assert_eq!(status(&world, &viewer, &agents[1]).await, Status::Idle);
    })
    .await;
}

#[tokio::test]
async fn most_of_a_limit_is_said_once_in_the_conversation_and_for_as_long_on_the_wall() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agents = agents(&world, &viewer, &endpoint, 1).await;
        let provider = agents[0].provider.clone().unwrap();
        let mut tab = watch(&world, &viewer, &agents).await;
        scoped.ledger().limit_own(&daily(Micros(10_000_000))).await.unwrap();
        for (spent, notices, on_the_wall) in [(7_000_000, 0, 0), (1_500_000, 1, 1), (0, 0, 1)] {
            spend(&world, &viewer, &provider, spent).await;
            assert_eq!(said(&world, &viewer, &mut tab, &agents[0]).await.len(), notices, "{spent}");
            assert_eq!(scoped.ledger().limit_warnings().await.unwrap().len(), on_the_wall, "{spent}");
        }
        let message = &scoped.ledger().limit_warnings().await.unwrap()[0].message;
        assert!(message.starts_with("All your agents together may spend $10.00 a day. $8.5"), "{message}");

        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert!(scoped.ledger().limit_warnings().await.unwrap().is_empty());
        spend(&world, &viewer, &provider, 9_000_000).await;
        let notices = said(&world, &viewer, &mut tab, &agents[0]).await;
        assert_eq!(notices.len(), 1, "another day is another limit");
        assert!(notices[0].starts_with("All your agents together"), "{notices:?}");
    })
    .await;
}

#[tokio::test]
async fn reading_a_budget_waits_for_no_writer() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.ledger().limit_own(&daily(Micros(1))).await.unwrap();
        let store = world.store().await;
        let mut writing = store.write().await.unwrap();
        sqlx::query("UPDATE caps SET per_day = 2").execute(&mut *writing).await.unwrap();
        assert_eq!(scoped.ledger().own_budget().await.unwrap().caps, daily(Micros(1)));
        writing.commit().await.unwrap();
        assert_eq!(scoped.ledger().own_budget().await.unwrap().caps, daily(Micros(2)));
    })
    .await;
}

/// Says something, and gives the notices of limits that came of it.
async fn said(world: &World, viewer: &Viewer, tab: &mut Tab, agent: &AgentView) -> Vec<String> {
    let from = TabId::from("watcher");
    world.hub.for_viewer(viewer).runs().send_message(&agent.id, "Hello", None, Some(&from)).await.unwrap();
    let entries = until_finished(tab, 1).await;
    assert_eq!(over_budget(&entries), 0, "{entries:?}");
    let notice = |entry: &Entry| match &entry.body {
        EntryBody::Notice { kind: NoticeKind::Limit, text, .. } => Some(text.clone()),
        _ => None,
    };
    entries.iter().filter_map(notice).collect()
}

async fn status(world: &World, viewer: &Viewer, agent: &AgentView) -> Status {
    let cards = world.hub.for_viewer(viewer).agents().list().await.unwrap();
    cards.iter().find(|card| card.id == agent.id).unwrap().status
}

fn over_budget(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| is_over_budget(entry)).count()
}
