//! Several hubs on one database: who is placed where, and streams between them.

use crate::approvals::add_rule;
use crate::talk::{self, ask};
use crate::world::{Definition, Endpoint, Nats, PASSWORD, World, each_store, on_postgres};
use futures_util::future::join_all;
use hub::{Hub, Placement, Requester, SharedWith, Viewer};
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::view::{AgentView, DelegationState, Role, Share, Status};
use protocol::{Caps, Micros, TabId};
use serde_json::{Value, json};
use sqlx::Row;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));
/// A test that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(60);

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
async fn what_a_limit_stopped_goes_on_though_the_word_of_another_node_was_lost() {
    on_postgres(async |world: World| {
        let (nats, endpoint) = (Nats::start(), Endpoint::start());
        let ada = world.person("ada").await;
        world.hub.close().await;
        let here = world.node(&nats).await.unwrap();
        assert_eq!(here.place(&ada.me.id).await.unwrap(), Placement::Here);
        let there = world.node(&nats).await.unwrap();
        let scoped = here.for_viewer(&ada);
        let url = Some(endpoint.url.as_str());
        let kind = ProviderKind::Anthropic;
        let claude = scoped.providers().save(None, "Claude", kind, url, Some("key-good")).await.unwrap().id;
        let agent = Definition::on(&claude, "claude-sonnet-4-5").create(&scoped).await.id;
        let tight = Caps { per_day: Some(Micros(100)), ..Caps::default() };
        scoped.ledger().limit_own(&tight).await.unwrap();
        scoped.runs().send_message(&agent, "script: hello", None, None).await.unwrap();
        let ends = async |hub: &Hub, count: usize| {
            let ended = async {
                loop {
                    let entries = hub.for_viewer(&ada).conversations().entries(&agent, 0).await.unwrap();
                    let ends = entries.into_iter().filter_map(|entry| match entry.body {
                        EntryBody::RunFinished { outcome, .. } => Some(outcome),
                        _ => None,
                    });
                    let ends: Vec<Outcome> = ends.collect();
                    if ends.len() >= count {
                        return ends;
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(PATIENCE, ended).await.expect("it ends")
        };
        assert!(matches!(ends(&here, 1).await[..], [Outcome::Failed { .. }]));
        // What is said between nodes from here on is heard by nobody.
        drop(nats);
        there.for_viewer(&ada).ledger().limit_own(&Caps::default()).await.unwrap();
        here.close().await;
        there.cluster().look_again(&ada.me.id);
        assert_eq!(there.place(&ada.me.id).await.unwrap(), Placement::Here);
        assert_eq!(ends(&there, 2).await[1], Outcome::Completed);
        there.close().await;
    })
    .await;
}

/// Somebody new whom this node has.
async fn somebody_on(node: &Hub) -> Viewer {
    // Another node may take one on as they come.
    for name in ["eve", "eva", "evi"] {
        node.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
        let session = node.accounts().sign_in(name, PASSWORD, "test").await.unwrap().done().unwrap();
        if node.place(&session.viewer.me.id).await.unwrap() == Placement::Here {
            return session.viewer;
        }
    }
    panic!("others have them all");
}

async fn agent_of(node: &Hub, viewer: &Viewer, endpoint: &Endpoint, name: &str) -> AgentView {
    let scoped = node.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
    Definition::named(name).model(&provider, "claude-sonnet-4-5").tools(["agent_ask"]).create(&scoped).await
}

#[tokio::test]
async fn an_agent_of_somebody_on_another_node_works_there_and_is_heard_and_stopped_from_here() {
    on_postgres(async |world: World| {
        let (nats, endpoint) = (Nats::start(), Endpoint::start());
        let ada = world.person("ada").await;
        world.hub.close().await;
        let there = world.node(&nats).await.unwrap();
        assert_eq!(there.place(&ada.me.id).await.unwrap(), Placement::Here);
        let here = world.node(&nats).await.unwrap();
        let eve = somebody_on(&here).await;
        let fern = agent_of(&there, &ada, &endpoint, "Fern").await;
        let moss = agent_of(&here, &eve, &endpoint, "Moss").await;
        let (adas, eves) = (there.for_viewer(&ada), here.for_viewer(&eve));
        let with = SharedWith::Person(&eve.me.name);
        adas.agent_shares().give(&fern.id, with, Some(Micros(5_000_000))).await.unwrap();
        add_rule(&here, &eve, "allow", "agent_ask", "person:ada").await;
        let asks = |text: &str, then: &str| {
            let input = json!({ "person": "ada", "agents": ["Fern"], "text": text, "wait_seconds": 60 });
            let turns: Value = json!([[{ "tool": "agent_ask", "input": input }], [{ "text": then }]]);
            format!("turns: {turns}")
        };
        let said = ask(&eves, &moss.id, &moss.conversation, &asks("What is green?", "{results}")).await;
        assert!(said.contains("You said: What is green?"), "{said}");
        let hangs = format!("turns: {}", json!([[{ "text": "some words" }, "hang"]]));
        eves.runs().send_message(&moss.id, &asks(&hangs, "Done."), None, None).await.unwrap();
        let is = async |state| eves.delegations().list(None).await.unwrap()[0].state == state;
        talk::until(async || is(DelegationState::Running).await).await;
        eves.runs().stop(&moss.id).await.unwrap();
        talk::until(async || is(DelegationState::Stopped).await).await;
        let is_free =
            async || adas.agents().list().await.unwrap().iter().all(|card| card.status != Status::Running);
        talk::until(is_free).await;
        here.close().await;
        there.close().await;
    })
    .await;
}

#[tokio::test]
async fn of_calls_on_two_nodes_that_race_for_the_last_money_of_the_hub_as_many_are_made_as_it_pays_for() {
    /// Tokens of a reply at most: with the prompt a call costs at most 15 to 16 cents.
    const OUTPUT: u32 = 10_000;
    const FOUR_CALLS: Micros = Micros(648_000);
    const OF_EACH: usize = 6;
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let root = world.admin("root").await;
        let people = [world.person("ada").await, world.person("bob").await];
        let admin = world.hub.as_admin(&root).unwrap();
        let provider = endpoint.provider(&world.hub.for_viewer(&root), ProviderKind::Anthropic).await;
        admin.providers().put(&provider, &Share { everyone: true, ..Share::default() }).await.unwrap();
        let limit = Caps { per_day: Some(FOUR_CALLS), ..Caps::default() };
        admin.ledger().limit(None, &limit).await.unwrap();
        let mut agents = Vec::new();
        for person in &people {
            for number in 0..OF_EACH {
                let agent = Definition::named(&format!("Ada {number}")).model(&provider, "claude-sonnet-4-5");
                agents.push((person, agent.output(OUTPUT).create(&world.hub.for_viewer(person)).await.id));
            }
        }
        world.hub.close().await;
        // The first one takes on everybody.
        let first = world.node(&nats).await.unwrap();
        for person in &people {
            assert_eq!(first.place(&person.me.id).await.unwrap(), Placement::Here);
        }
        let nodes = [first, world.node(&nats).await.unwrap()];
        world
            .execute(
                "UPDATE placements SET taken_on = 0,
                     node_id = (SELECT id FROM nodes ORDER BY began_at DESC, id DESC LIMIT 1)
                 WHERE user_id = (SELECT id FROM users WHERE login = 'bob')",
            )
            .await;
        for (node, person) in nodes.iter().zip(&people) {
            assert_eq!(node.place(&person.me.id).await.unwrap(), Placement::Here);
        }
        let on = |person: &Viewer| &nodes[usize::from(person.me.id == people[1].me.id)];
        join_all(agents.iter().map(async |(person, agent)| {
            let runs = on(person).for_viewer(person).runs();
            runs.send_message(agent, "script: halves", None, None).await.unwrap()
        }))
        .await;
        let logged = async || {
            let mut all = Vec::new();
            for (person, agent) in &agents {
                let entries = on(person).for_viewer(person).conversations().entries(agent, 0).await.unwrap();
                all.extend(entries.into_iter().map(|entry| entry.body));
            }
            all
        };
        let until_ended = async |count: usize| {
            loop {
                let outcomes: Vec<Outcome> = logged()
                    .await
                    .into_iter()
                    .filter_map(|body| match body {
                        EntryBody::RunFinished { outcome, .. } => Some(outcome),
                        _ => None,
                    })
                    .collect();
                if outcomes.len() >= count {
                    return outcomes;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let refused = tokio::time::timeout(PATIENCE, until_ended(2 * OF_EACH - 4)).await.expect("they end");
        for outcome in refused {
            let Outcome::Failed { failure } = outcome else {
                panic!("none is through its gate: {outcome:?}")
            };
            assert_eq!(failure.kind, ModelFailureKind::OverBudget, "{failure:?}");
        }
        let gates = async {
            loop {
                endpoint.open_gate().await;
            }
        };
        let outcomes = tokio::select! {
            ended = tokio::time::timeout(PATIENCE, until_ended(2 * OF_EACH)) => ended.expect("they end"),
            () = gates => unreachable!("it goes on for ever"),
        };
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Completed).count(), 4);
        assert_eq!(endpoint.requests().await.len(), 4, "no other call was made");
        let costs = logged().await.into_iter().filter_map(|body| match body {
            EntryBody::Used { cost, .. } => cost,
            _ => None,
        });
        let booked = nodes[0].as_admin(&root).unwrap().ledger().budget(None).await.unwrap().spent.day;
        assert_eq!(booked.0, costs.map(|cost| cost.0).sum::<i64>(), "to the unit");
        assert!(booked <= FOUR_CALLS, "{booked:?}");
        for node in &nodes {
            node.close().await;
        }
    })
    .await;
}

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
async fn a_stream_between_nodes_carries_all_both_ways_and_waits_for_who_reads_slowly() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let viewer = world.person("ada").await;
        world.hub.close().await;
        let (here, there) = (world.node(&nats).await.unwrap(), world.node(&nats).await.unwrap());
        let (node, from, to) = match (here.place(&viewer.me.id).await, there.place(&viewer.me.id).await) {
            (Ok(Placement::At(node)), _) => (node, &here, &there),
            (_, Ok(Placement::At(node))) => (node, &there, &here),
            both => panic!("one of them has her: {both:?}"),
        };
        let mut begun = to.cluster().begun_streams().unwrap();
        let sent: Vec<u8> =
            (0..3_000_000_u32).map(|number| number.to_le_bytes()[number as usize % 3]).collect();
        let requester = &Requester::Person(viewer.me.id.clone());
        let (opened, taken) =
            tokio::join!(from.cluster().open_stream(&node, requester, CLIENT), begun.recv());
        let (opened, mut taken) = (opened.unwrap(), taken.unwrap());
        assert_eq!(taken.client, CLIENT);
        let (mut reader, mut writer) = tokio::io::split(opened);
        let write = async {
            writer.write_all(&sent).await.unwrap();
            writer.shutdown().await.unwrap();
        };
        let read = async {
            let mut back = Vec::new();
            reader.read_to_end(&mut back).await.unwrap();
            back
        };
        let echo = async {
            let mut chunk = vec![0; 50_000];
            loop {
                let read = taken.read(&mut chunk).await.unwrap();
                if read == 0 {
                    break;
                }
                // Small pieces, as of a socket.
                for piece in chunk[..read].chunks(1_000) {
                    taken.write_all(piece).await.unwrap();
                }
            }
            taken.shutdown().await.unwrap();
        };
        let all = async { tokio::join!(write, read, echo) };
        let (_, back, _) = tokio::time::timeout(PATIENCE, all).await.expect("all of it comes");
        assert!(back == sent, "{} of {} bytes", back.len(), sent.len());
        // One that is let go of ends at the other end as well.
        let (opened, taken) =
            tokio::join!(from.cluster().open_stream(&node, requester, CLIENT), begun.recv());
        let mut taken = taken.unwrap();
        drop(opened.unwrap());
        assert_eq!(taken.read(&mut [0; 8]).await.unwrap(), 0);
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
