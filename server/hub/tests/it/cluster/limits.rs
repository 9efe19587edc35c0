//! Limits that hold on all nodes together.

use super::PATIENCE;
use crate::world::{Definition, Endpoint, Nats, World, on_postgres};
use futures_util::future::join_all;
use hub::{Hub, Placement, Viewer};
use protocol::agent::ProviderKind;
use protocol::log::{EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::view::Share;
use protocol::{Caps, Micros};
use std::time::Duration;

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
