//! Sub-agents are their maker's, and programs are told of none.

use super::{all, answer, leader, says, spawn, wait};
use crate::programs::program;
use crate::talk::{ada, ask};
use crate::world::{Endpoint, World, each_store};
use hub::{Error, Place, WhenGone};
use protocol::AgentId;
use serde_json::json;

#[tokio::test]
async fn a_sub_agent_is_none_of_those_that_a_program_is_offered() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let text = says(json!([[spawn("Moss", "Say moss.")], [wait()], answer()]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        let moss = all(&scoped).await.remove(0).agent;
        let (program, _) = program(&world, &viewer, None).await;
        let runs = world.hub.program_runs(&program);
        let offered: Vec<AgentId> = runs.agents().await.unwrap().into_iter().map(|agent| agent.id).collect();
        assert_eq!(offered, [leader.id]);
        assert!(matches!(runs.agent(&moss).await, Err(Error::NotFound("agent"))));
        for place in [Place::New, Place::Current] {
            let refused = runs.ask(&moss, place, "Hello", None, WhenGone::GoOn).await;
            assert!(matches!(refused, Err(Error::NotFound("agent"))));
        }
    })
    .await;
}
