//! Several hubs on one database: who is placed where.

mod agents_of_others;
mod handing_over;
mod limits;
mod streams;

use crate::talk;
use crate::world::{Definition, Endpoint, Nats, PASSWORD, World, each_store, on_postgres};
use futures_util::future::join_all;
use hub::{Placement, Viewer};
use protocol::TabId;
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody};
use protocol::view::Role;
use sqlx::Row;
use std::time::Duration;

/// A test that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(180);

#[tokio::test]
async fn of_several_nodes_one_has_each_person_however_many_ask() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let people = join_all((0..12).map(async |number| world.person(&format!("p{number}")).await)).await;
        world.hub.close().await;
        let nodes = join_all((0..3).map(async |_| world.node(&nats).await.unwrap())).await;
        for viewer in &people {
            let person = &viewer.me.id;
            // Each is asked several times at once.
            let asked = nodes.iter().cycle().take(9).map(async |node| node.place(person).await.unwrap());
            let here = join_all(asked).await.iter().filter(|place| **place == Placement::Here).count();
            assert_eq!(here, 3, "one of the nodes says so, each of the three times");
        }
        for node in &nodes {
            node.close().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_run_begins_only_where_its_person_is() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        world.hub.close().await;
        let here = world.node(&nats).await.unwrap();
        assert_eq!(here.place(&ada.me.id).await.unwrap(), Placement::Here);
        let elsewhere = world.node(&nats).await.unwrap();
        assert!(matches!(elsewhere.place(&ada.me.id).await.unwrap(), Placement::At(_)));
        let scoped = here.for_viewer(&ada);
        let url = Some(endpoint.url.as_str());
        let kind = ProviderKind::Anthropic;
        let claude = scoped.providers().save(None, "Claude", kind, url, Some("key-good")).await.unwrap().id;
        let agent = Definition::on(&claude, "claude-sonnet-4-5").create(&scoped).await.id;
        elsewhere.for_viewer(&ada).runs().send_message(&agent, "script: hello", None, None).await.unwrap();
        let entries = async || scoped.conversations().entries(&agent, 0).await.unwrap();
        let count =
            |all: &[Entry], is: fn(&EntryBody) -> bool| all.iter().filter(|one| is(&one.body)).count();
        let starts: fn(&EntryBody) -> bool = |body| matches!(body, EntryBody::RunStarted { .. });
        assert_eq!(count(&entries().await, starts), 0, "it is said, and nobody answers it there");
        scoped.runs().send_message(&agent, "script: hello", None, None).await.unwrap();
        let ended = async {
            while count(&entries().await, |body| matches!(body, EntryBody::RunFinished { .. })) == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, ended).await.expect("it begins where she is");
        assert_eq!(count(&entries().await, starts), 1);
        // Where one goes in order the other has them at once.
        here.close().await;
        elsewhere.cluster().look_again(&ada.me.id);
        assert_eq!(elsewhere.place(&ada.me.id).await.unwrap(), Placement::Here);
        elsewhere.close().await;
    })
    .await;
}

#[tokio::test]
async fn who_could_not_be_taken_on_is_taken_on_later_without_asking() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        world.hub.close().await;
        let node = world.node(&nats).await.unwrap();
        // What was left of their pipelines is looked at after they count as taken on.
        world.execute("ALTER TABLE pipelines RENAME TO pipelines_away").await;
        node.accounts().add_user("ada", PASSWORD, Role::Member).await.unwrap();
        let ada = node.accounts().sign_in("ada", PASSWORD, "test").await.unwrap().done().unwrap().viewer;
        // Whoever is with none is looked for once a minute.
        world.clock.advance(Duration::from_secs(61));
        let store = world.store().await;
        talk::until(async || {
            let counts = sqlx::query("SELECT COUNT(*) FROM placements WHERE taken_on = 1");
            counts.fetch_one(store.read()).await.unwrap().get::<i64, _>(0) == 1
        })
        .await;
        store.close().await;
        world.execute("ALTER TABLE pipelines_away RENAME TO pipelines").await;
        talk::until(async || node.cluster().visit(&ada.me.id).is_some()).await;
        node.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_node_that_comes_later_gets_its_share_of_the_people() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let mut people = join_all((0..4).map(async |number| world.person(&format!("p{number}")).await)).await;
        people.sort_by_key(|viewer| viewer.me.id.clone());
        world.hub.close().await;
        let here = world.node(&nats).await.unwrap();
        for viewer in &people {
            assert_eq!(here.place(&viewer.me.id).await.unwrap(), Placement::Here);
        }
        let there = world.node(&nats).await.unwrap();
        // Those stay whose page is open, whoever is looked at first.
        let (stay, _) = people.split_at(2);
        let open = |viewer: &Viewer| here.open_tab(viewer.clone(), TabId::from("page")).unwrap();
        let tabs: Vec<_> = stay.iter().map(open).collect();
        // Whoever has come is looked for once a minute.
        world.clock.advance(Duration::from_secs(61));
        let even = async {
            loop {
                let mut at = [0, 0];
                for viewer in &people {
                    for (node, count) in [&here, &there].into_iter().zip(&mut at) {
                        node.cluster().look_again(&viewer.me.id);
                        let place = node.place(&viewer.me.id).await;
                        *count += usize::from(place.is_ok_and(|place| place == Placement::Here));
                    }
                }
                if at == [2, 2] {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, even).await.expect("each has two of them");
        for viewer in stay {
            assert_eq!(here.place(&viewer.me.id).await.unwrap(), Placement::Here);
        }
        drop(tabs);
        for node in [&here, &there] {
            node.close().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_hub_that_would_have_the_database_to_itself_leaves_it_to_the_nodes_that_share_it() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        world.hub.close().await;
        let node = world.node(&nats).await.unwrap();
        let refused = world.try_reopened().await.unwrap_err().to_string();
        assert!(refused.contains("VIVARIUM_NATS_URL"), "{refused}");
        node.close().await;
        world.reopened().await.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_node_on_sqlite_is_refused_with_what_to_do() {
    let nats = Nats::start();
    each_store(async |world: World| {
        let opened = world.node(&nats).await;
        match (opened, world.place().dialect()) {
            (Ok(node), hub::store::Dialect::Postgres) => node.close().await,
            (Err(error), hub::store::Dialect::Sqlite) => {
                let why = error.to_string();
                assert!(why.contains("PostgreSQL") && why.contains("DATABASE_URL"), "{why}");
            }
            (opened, dialect) => panic!("{dialect:?}: {:?}", opened.err()),
        }
    })
    .await;
}
