//! All that one word led to: what it began with, and its end as a whole.

use super::{asks, beside, leader, log, says, spawn, until};
use crate::talk::{self, ada};
use crate::world::{Endpoint, World, each_store};
use protocol::FailureKind;
use protocol::log::{EntryBody, Sender};
use protocol::view::{ChainBeginning, DelegationState, DelegationView, PipelineState};
use serde_json::{Value, json};

fn gated() -> String {
    says(json!([[{ "text": "some words gate b", "gate": "gate" }]]))
}

/// Asks without waiting for the answer.
fn tells(agent: &str, text: &str) -> Value {
    let mut call = asks(&[agent], text);
    call["input"].as_object_mut().unwrap().remove("wait_seconds");
    call
}

#[tokio::test]
async fn a_chain_knows_what_it_began_with_and_ends_as_a_whole_and_no_other_with_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let bo = beside(&scoped, &leader, "Bo").await;
        beside(&scoped, &leader, "Cy").await;
        let other = beside(&scoped, &leader, "Di").await;
        let by_bo = says(json!([[tells("Cy", &gated())], [{ "text": "some words gate b", "gate": "gate" }]]));
        let text = says(json!([[spawn("Moss", &gated()), tells("Bo", &by_bo)], [{ "text": "They work." }]]));
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        let beside_it = says(json!([[spawn("Fern", &gated())], [{ "text": "It works." }]]));
        scoped.runs().send_message(&other.id, &beside_it, None, None).await.unwrap();
        let all_work = |all: &[DelegationView]| {
            all.len() == 4 && all.iter().all(|one| one.state == DelegationState::Running)
        };
        let all = until(&scoped, all_work).await;
        let (of_other, chain): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.asker == other.id);
        let mut depths: Vec<(&str, i64)> = chain.iter().map(|one| (one.name.as_str(), one.depth)).collect();
        depths.sort_unstable();
        assert_eq!(depths, [("Ada › Moss", 1), ("Bo", 1), ("Cy", 2)]);
        for one in &chain {
            assert_eq!((&one.chain, one.begun_by), (&chain[0].chain, ChainBeginning::Conversation));
            assert_eq!(one.begun_with, "Ada");
        }
        assert_ne!(of_other[0].chain, chain[0].chain);

        let eve = world.person("eve").await;
        let refused = world.hub.for_viewer(&eve).delegations().stop_chain(&chain[0].id).await.unwrap_err();
        assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        scoped.delegations().stop_chain(&chain[0].id).await.unwrap();
        let over = until(&scoped, |all| {
            all.iter().filter(|one| one.chain == chain[0].chain).all(|one| one.state.is_over())
        })
        .await;
        for one in over {
            let expected = match one.chain == chain[0].chain {
                true => DelegationState::Stopped,
                false => DelegationState::Running,
            };
            assert_eq!(one.state, expected, "{one:?}");
        }
        for (agent, heard) in [(&leader.id, 0), (&bo.id, 1)] {
            let told = log(&scoped, agent).await;
            let is_told =
                |body: &EntryBody| matches!(body, EntryBody::Message { from: Sender::Agent { .. }, .. });
            assert_eq!(told.iter().filter(|entry| is_told(&entry.body)).count(), heard, "nobody is woken");
        }
        scoped.runs().stop(&of_other[0].agent).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_pipeline_ends_with_its_chain() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        leader(&scoped, &view).await;
        let tasks = json!([
            { "id": "first", "title": "First", "instruction": gated() },
            { "id": "then", "title": "Then", "instruction": "Say so.", "depends_on": ["first"] },
            { "id": "yours", "title": "Yours", "approval": true },
        ]);
        let draft = json!({ "title": "Moss", "agent": "Ada", "tasks": tasks });
        let id = scoped.pipelines().create(&draft.to_string()).await.unwrap();
        scoped.pipelines().start(&id).await.unwrap();
        let works = |all: &[DelegationView]| all.iter().any(|one| one.state == DelegationState::Running);
        let first = until(&scoped, works).await.remove(0);
        assert_eq!((first.begun_by, first.begun_with.as_str()), (ChainBeginning::Pipeline, ""));
        scoped.delegations().stop_chain(&first.id).await.unwrap();
        assert_eq!(scoped.pipelines().get(&id).await.unwrap().card.state, PipelineState::Stopped);
        talk::until(async || {
            let all = scoped.delegations().list(None).await.unwrap();
            all.len() == 1 && all[0].state == DelegationState::Stopped
        })
        .await;
    })
    .await;
}
