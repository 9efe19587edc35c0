//! A node that hands its people over, and who takes them on.

use super::PATIENCE;
use crate::talk;
use crate::world::{Definition, Endpoint, Nats, PASSWORD, World, on_postgres};
use hub::{Hub, Placement, Viewer};
use protocol::agent::ProviderKind;
use protocol::log::{EntryBody, Outcome};
use protocol::view::Role;
use sqlx::Row;
use std::time::Duration;

#[tokio::test]
async fn a_node_that_hands_over_gives_its_people_to_others_once_nothing_of_theirs_is_under_way() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let root = world.admin("root").await;
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let provider = endpoint.provider(&world.hub.for_viewer(&ada), ProviderKind::Anthropic).await;
        let agent =
            Definition::on(&provider, "claude-sonnet-4-5").create(&world.hub.for_viewer(&ada)).await.id;
        world.hub.close().await;
        let here = world.node(&nats).await.unwrap();
        for viewer in [&root, &ada, &bob] {
            assert_eq!(here.place(&viewer.me.id).await.unwrap(), Placement::Here);
        }
        let id = async || -> String {
            let nodes = here.as_admin(&root).unwrap().hub_status().read().await.unwrap().nodes;
            nodes[0].id.clone()
        };
        let id = id().await;
        let nodes = || here.as_admin(&root).unwrap().nodes();
        let is_refused = async || {
            let refused = nodes().hand_over(&id, true).await.unwrap_err().into_failure();
            assert!(refused.message.contains("no other node"), "{refused}");
        };
        is_refused().await;
        // One that is there no more and one that hears nothing are none.
        world
            .execute(
                "INSERT INTO nodes (id, version, began_at, alive_until, nats_us)
                 VALUES ('dead', '', 9000000000000000, 0, 300), ('deaf', '', 9000000000000000, 9000000000000000, NULL)",
            )
            .await;
        is_refused().await;
        world.execute("DELETE FROM nodes WHERE id IN ('dead', 'deaf')").await;
        assert!(nodes().hand_over("nobody", true).await.is_err());
        let there = world.node(&nats).await.unwrap();
        here.for_viewer(&ada).runs().send_message(&agent, "script: halves", None, None).await.unwrap();
        while endpoint.requests().await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // Whom it could not hold back it goes on with, and hands over later.
        world.refuse_updates("placements").await;
        nodes().hand_over(&id, true).await.unwrap();
        for viewer in [&root, &bob] {
            talk::until(async || here.cluster().visit(&viewer.me.id).is_none()).await;
        }
        world.take_updates("placements").await;
        let is_there = async |viewer: &Viewer| {
            let moved = async {
                loop {
                    there.cluster().look_again(&viewer.me.id);
                    if there.place(&viewer.me.id).await.is_ok_and(|place| place == Placement::Here) {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(PATIENCE, moved).await.expect("they go there");
        };
        is_there(&bob).await;
        assert!(matches!(here.place(&bob.me.id).await.unwrap(), Placement::At(_)));
        assert_eq!(here.place(&ada.me.id).await.unwrap(), Placement::Here, "her agent is at work");
        let gates = async {
            loop {
                endpoint.open_gate().await;
            }
        };
        tokio::select! {
            () = is_there(&ada) => {}
            () = gates => unreachable!("it goes on for ever"),
        }
        let scoped = there.for_viewer(&ada);
        scoped.runs().send_message(&agent, "script: hello", None, None).await.unwrap();
        let ended = async {
            loop {
                let entries = scoped.conversations().entries(&agent, 0).await.unwrap();
                let outcomes: Vec<Outcome> = entries
                    .into_iter()
                    .filter_map(|entry| match entry.body {
                        EntryBody::RunFinished { outcome, .. } => Some(outcome),
                        _ => None,
                    })
                    .collect();
                if outcomes.len() >= 2 {
                    return outcomes;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let outcomes = tokio::time::timeout(PATIENCE, ended).await.expect("it goes on there");
        assert_eq!(outcomes, [Outcome::Completed, Outcome::Completed], "nothing was broken off");
        // One that goes takes nobody back.
        nodes().hand_over(&id, false).await.unwrap();
        there.drain(PATIENCE).await;
        is_refused().await;
        for node in [&here, &there] {
            node.close().await;
        }
    })
    .await;
}

#[tokio::test]
async fn whose_run_is_about_to_begin_is_not_handed_over() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let root = world.admin("root").await;
        let provider = endpoint.provider(&world.hub.for_viewer(&root), ProviderKind::Anthropic).await;
        let agent =
            Definition::on(&provider, "claude-sonnet-4-5").create(&world.hub.for_viewer(&root)).await.id;
        world.hub.close().await;
        let here = world.node(&nats).await.unwrap();
        assert_eq!(here.place(&root.me.id).await.unwrap(), Placement::Here);
        let admin = here.as_admin(&root).unwrap();
        let id = admin.hub_status().read().await.unwrap().nodes[0].id.clone();
        let there = world.node(&nats).await.unwrap();
        let store = world.store().await;
        let waits = async |statement: &str| {
            let waiting = sqlx::query(
                "SELECT COUNT(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1",
            );
            let count: i64 =
                waiting.bind(format!("{statement}%")).fetch_one(store.read()).await.unwrap().get(0);
            count > 0
        };
        // What begins has seen where its person is, and is not committed.
        let mut lock = store.write().await.unwrap();
        sqlx::query("LOCK TABLE stopped_agents IN EXCLUSIVE MODE").execute(&mut *lock).await.unwrap();
        let scoped = here.for_viewer(&root);
        let runs = scoped.runs();
        let handing_over = async {
            talk::until(async || waits("DELETE FROM stopped_agents").await).await;
            admin.nodes().hand_over(&id, true).await.unwrap();
            talk::until(async || waits("UPDATE placements").await).await;
            lock.commit().await.unwrap();
        };
        let (sent, ()) = tokio::join!(runs.send_message(&agent, "script: halves", None, None), handing_over);
        sent.unwrap();
        assert_eq!(here.place(&root.me.id).await.unwrap(), Placement::Here);
        store.close().await;
        for node in [&here, &there] {
            node.close().await;
        }
    })
    .await;
}

#[tokio::test]
async fn where_all_nodes_hand_over_who_is_with_none_is_taken_on_all_the_same() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        world.hub.close().await;
        let nodes = [world.node(&nats).await.unwrap(), world.node(&nats).await.unwrap()];
        world.execute("UPDATE nodes SET hands_over = 1").await;
        nodes[0].accounts().add_user("ada", PASSWORD, Role::Member).await.unwrap();
        let ada = nodes[0].accounts().sign_in("ada", PASSWORD, "test").await.unwrap().done().unwrap().viewer;
        // Whoever is with none is looked for once a minute.
        world.clock.advance(Duration::from_secs(61));
        let is_on = |node: &Hub| node.cluster().visit(&ada.me.id).is_some();
        talk::until(async || nodes.iter().any(is_on)).await;
        for node in &nodes {
            node.close().await;
        }
    })
    .await;
}
