//! What was asked for in a conversation that is deleted: it ends, nobody is asked for it any more, and nothing begins there.

use super::{all, answer, leader, log, says, spawn, states, wait};
use crate::approvals::add_rule;
use crate::talk::{self, ada, ask};
use crate::world::{Endpoint, World, each_store};
use protocol::AgentId;
use protocol::log::EntryBody;
use protocol::view::DelegationState::{Completed, Stopped};
use serde_json::json;
use sqlx::Row as _;

async fn runs_of(scoped: &hub::Scoped<'_>, agent: &AgentId) -> usize {
    let entries = log(scoped, agent).await;
    entries.iter().filter(|entry| matches!(entry.body, EntryBody::RunStarted { .. })).count()
}

#[tokio::test]
async fn what_was_left_at_work_in_a_deleted_conversation_ends_and_asks_nobody_any_more() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let conversations = scoped.conversations();
        add_rule(&world.hub, &viewer, "ask", "write", "").await;
        let write = json!({ "tool": "write", "input": { "path": "/agent/moss.md", "content": "Moss" } });
        let fern = spawn("Fern", &says(json!([[write], [{ "text": "Fern has written it." }]])));
        let leaves = says(json!([[fern], [{ "text": "Fern is at work." }]]));
        let through_another = says(json!([[spawn("Moss", &leaves)], [wait()], answer()]));
        for (runs, text, expected) in
            [(1, &leaves, vec![Stopped]), (2, &through_another, vec![Stopped, Completed, Stopped])]
        {
            let conversation = conversations.create(&leader.id).await.unwrap().id;
            ask(&scoped, &leader.id, &conversation, text).await;
            talk::until(async || !scoped.approvals().list().await.unwrap().is_empty()).await;
            conversations.delete(&conversation).await.unwrap();
            assert_eq!(scoped.approvals().list().await.unwrap(), [], "{text}");
            assert_eq!(states(&all(&scoped).await), expected, "{text}");
            assert_eq!(runs_of(&scoped, &leader.id).await, runs, "{text}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_comes_of_a_task_begins_nothing_in_a_conversation_that_was_deleted_meanwhile() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let gated = says(json!([[{ "text": "some words gate b", "gate": "gate" }]]));
        let text = says(json!([[spawn("Fern", &gated)], [{ "text": "Fern is at work." }]]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        // As when nobody has used it for long.
        let deleted = format!(
            "UPDATE conversations SET deleted_at = {} WHERE id = '{}'",
            world.clock.now(),
            leader.conversation.0
        );
        world.execute(&deleted).await;
        endpoint.open_gate().await;
        let store = world.store().await;
        let told = async |how: i64| {
            let told = sqlx::query("SELECT COUNT(*) FROM delegations WHERE delivered = $1").bind(how);
            told.fetch_one(store.read()).await.unwrap().get::<i64, _>(0)
        };
        talk::until(async || told(0).await == 0).await;
        assert_eq!((told(1).await, told(2).await), (1, 0), "nobody was woken with it");
        assert_eq!(runs_of(&scoped, &leader.id).await, 1);
        store.close().await;
    })
    .await;
}
