//! Agents that are paused, and what of conversations was read.

use crate::schedules::hourly;
use crate::talk::{ada, ask, until};
use crate::world::{Endpoint, World, each_store};
use hub::{Error, Scoped};
use protocol::log::{EntryBody, Outcome};
use protocol::model::Block;
use protocol::schedule::FiringState;
use protocol::view::{AgentCard, Status};
use protocol::{AgentId, ConversationId};
use serde_json::json;

/// A round that waits at a gate and then calls a tool, and one after it.
fn two_rounds() -> String {
    let turns = json!([
        [{ "text": "one gate two", "gate": "gate" }, { "tool": "datetime", "input": {} }],
        [{ "text": "The second round." }],
    ]);
    format!("turns: {turns}")
}

async fn card(scoped: &Scoped<'_>, agent: &AgentId) -> AgentCard {
    scoped.agents().list().await.unwrap().into_iter().find(|card| card.id == *agent).unwrap()
}

/// What the agent has said, in order.
async fn answers(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    let entries = scoped.conversations().entries(agent, 0).await.unwrap();
    let said = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Block { block: Block::Text { text }, .. } => Some(text),
        _ => None,
    });
    said.collect()
}

async fn ends(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<Outcome> {
    let entries = scoped.conversations().entries(agent, 0).await.unwrap();
    let ends = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::RunFinished { outcome, .. } => Some(outcome),
        _ => None,
    });
    ends.collect()
}

async fn begun(scoped: &Scoped<'_>, agent: &AgentId) -> ConversationId {
    scoped.conversations().create(agent).await.unwrap().id
}

#[tokio::test]
async fn a_run_ends_before_its_next_call_and_goes_on_when_its_agent_does() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, &two_rounds(), None, None).await.unwrap();
        until(async || endpoint.requests().await.len() == 1).await;
        scoped.runs().pause(&agent.id, true).await.unwrap();
        assert_eq!(card(&scoped, &agent.id).await.status, Status::Running, "what is under way is finished");
        endpoint.with_open_gates(until(async || !ends(&scoped, &agent.id).await.is_empty())).await;
        assert_eq!(ends(&scoped, &agent.id).await, [Outcome::Stopped]);
        let seen = card(&scoped, &agent.id).await;
        assert_eq!((seen.paused, seen.status), (true, Status::Idle));
        assert!(scoped.agents().get(&agent.id).await.unwrap().paused);
        assert_eq!(endpoint.requests().await.len(), 1);

        scoped.runs().pause(&agent.id, false).await.unwrap();
        until(async || ends(&scoped, &agent.id).await.len() == 2).await;
        assert_eq!(ends(&scoped, &agent.id).await[1], Outcome::Completed);
        assert_eq!(answers(&scoped, &agent.id).await.last().unwrap(), "The second round.");
        assert!(!card(&scoped, &agent.id).await.paused);
    })
    .await;
}

#[tokio::test]
async fn what_is_said_and_due_waits_for_an_agent_that_is_paused_and_who_wants_an_answer_is_told() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let (eve, scoped) = (world.person("eve").await, world.hub.for_viewer(&viewer));
        let talk = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &talk, "Hello").await;
        let regenerated = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let run = regenerated.into_iter().find_map(|entry| entry.run).unwrap();
        let others = world.hub.for_viewer(&eve).runs().pause(&agent.id, true).await;
        assert!(matches!(others, Err(Error::NotFound(_))), "{others:?}");

        let schedule = scoped.schedules().create(&agent.id, &hourly("Look around")).await.unwrap();
        scoped.runs().pause_all(true).await.unwrap();
        scoped.runs().pause(&agent.id, true).await.unwrap();
        scoped.runs().send_message(&agent.id, "Are you there?", None, None).await.unwrap();
        scoped.schedules().run_now(&schedule).await.unwrap();
        let last = scoped.schedules().of_agent(&agent.id).await.unwrap().remove(0).last.unwrap();
        assert_eq!(last.state, FiringState::Paused);
        for refused in [
            scoped.runs().retry(&agent.id, None).await.err(),
            scoped.runs().regenerate(&talk, &run, "", None).await.err(),
        ] {
            assert!(matches!(&refused, Some(Error::Conflict(why)) if why.contains("paused")), "{refused:?}");
        }
        // Another hub on the same store lets it wait too.
        let next = world.reopened().await;
        assert!(next.for_viewer(&viewer).agents().get(&agent.id).await.unwrap().paused);
        next.close().await;
        assert_eq!(ends(&scoped, &agent.id).await.len(), 1);
        assert_eq!(endpoint.requests().await.len(), 1);

        scoped.runs().pause_all(false).await.unwrap();
        until(async || ends(&scoped, &agent.id).await.len() == 3).await;
        let said = answers(&scoped, &agent.id).await;
        assert!(said[1].contains("Are you there?") && said[2].contains("Look around"), "{said:?}");
    })
    .await;
}

#[tokio::test]
async fn what_one_device_has_read_no_other_shows_as_new() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let (eve, scoped) = (world.person("eve").await, world.hub.for_viewer(&viewer));
        let first = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &first, "Hello").await;
        let second = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &second, "Hello again").await;
        let unread = async |id| scoped.conversations().get(id).await.unwrap().unread;
        assert!(unread(&first).await && unread(&second).await && card(&scoped, &agent.id).await.unread);
        let others = world.hub.for_viewer(&eve).conversations().read(&first).await;
        assert!(matches!(others, Err(Error::NotFound(_))), "{others:?}");

        scoped.conversations().read(&first).await.unwrap();
        scoped.conversations().read(&first).await.unwrap();
        assert!(!unread(&first).await && unread(&second).await && card(&scoped, &agent.id).await.unread);
        let recent = scoped.conversations().recent().await.unwrap();
        assert_eq!(recent.iter().filter(|one| one.unread).count(), 1);
        scoped.conversations().archive(&second, true).await.unwrap();
        assert!(!card(&scoped, &agent.id).await.unread, "what is put away is not waited for");
    })
    .await;
}
