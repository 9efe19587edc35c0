//! Agents that would ask each other for ever come to an end, each by the bound that it meets first.

use super::{all, answer, asks, beside, leader, log, results, says, spawn, states, tab_of, until, wait};
use crate::runs::trace::until_finished;
use crate::talk::{ada, ask};
use crate::world::{Endpoint, World, each_store};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::view::DelegationState;
use serde_json::json;

fn is_told(entry: &Entry) -> bool {
    matches!(entry.body, EntryBody::Message { from: Sender::Agent { .. }, .. })
}

#[tokio::test]
async fn two_agents_that_thank_each_other_without_waiting_are_woken_eight_times_and_then_rest() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        beside(&scoped, &leader, "Bo").await;
        // Ada thanks Bo; Bo thanks Ada, who is refused to it, and says what has Ada thank Bo again.
        scoped.runs().send_message(&leader.id, "script: thank-bo", None, None).await.unwrap();
        until(&scoped, |all| all.len() == 9 && all.iter().all(|one| one.state.is_over())).await;
        // Were it not over, this would be answered behind what goes on.
        ask(&scoped, &leader.id, &leader.conversation, "Hello.").await;
        assert_eq!(states(&all(&scoped).await), [DelegationState::Completed; 9]);
        let told = log(&scoped, &leader.id).await.iter().filter(|entry| is_told(entry)).count();
        assert_eq!(told, 8);
    })
    .await;
}

#[tokio::test]
async fn for_one_word_of_a_person_s_agents_are_asked_fifty_times_and_no_more() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        beside(&scoped, &leader, "Bo").await;
        let gated = says(json!([[{ "text": "some words gate b", "gate": "gate" }]]));
        let text = says(json!([
            [spawn("Moss", &gated)],
            [wait()],
            [spawn("Fern", "Say fern.")],
            [asks(&["Bo"], "Hello.")],
            answer(),
        ]));
        let mut tab = tab_of(&world.hub, &viewer);
        tab.follow(&leader.id, 0).await.unwrap();
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        until(&scoped, |all| states(all) == [DelegationState::Running]).await;
        // As many more as make fifty.
        world
            .execute(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49)
                 INSERT INTO delegations (id, user_id, kind, asker_id, asker_run, asker_conversation, agent_id,
                     conversation_id, chain, depth, task, untrusted, private, state, delivered, created_at, until)
                 SELECT 'one-' || CAST(n.i AS TEXT), d.user_id, d.kind, d.asker_id, d.asker_run,
                     d.asker_conversation, d.agent_id, d.conversation_id, d.chain, d.depth, 'Say so.', 0, 0,
                     'completed', 1, d.created_at, d.until
                 FROM n CROSS JOIN delegations d",
            )
            .await;
        let entries = endpoint.with_open_gates(until_finished(&mut tab)).await;
        let refused = results(&entries)
            .into_iter()
            .filter(|(is_error, told)| *is_error && told.contains("50 times agents were asked for this one request"));
        assert_eq!(refused.count(), 2, "neither a sub-agent nor another one");
        assert_eq!(all(&scoped).await.len(), 50);
    })
    .await;
}
