//! Asking others by the names and with the arguments that other products have for it.

use super::leader;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::view::AgentDraft;
use serde_json::json;

#[tokio::test]
async fn a_call_of_others_by_habit_reaches_whom_it_means() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let broadcast = || ("broadcast_to_agents", json!({ "message": "Say moss." }));
        let alone = calls(&scoped, &leader.id, &leader.conversation, &[broadcast()]).await;
        assert!(alone[0].0 && alone[0].1.contains("There is no other agent"), "{alone:?}");
        for name in ["Bo", "Cy", "Di"] {
            let draft = AgentDraft { name: name.to_owned(), ..Definition::like(&view).draft() };
            let made = scoped.agents().create(draft).await.unwrap();
            if name == "Di" {
                scoped.runs().pause(&made.id, true).await.unwrap();
            }
        }
        let told = calls(
            &scoped,
            &leader.id,
            &leader.conversation,
            &[
                broadcast(),
                ("invoke_agent", json!({ "agent": "Bo", "message": "Say fern." })),
                ("use_agent", json!({ "provider": "any", "prompt": "Say lichen." })),
                ("subagent", json!({ "prompt": "Say peat." })),
                ("invoke_remote_agent", json!({ "instance": "garden", "agent": "Bo", "message": "Hello." })),
                ("list_agents", json!({})),
            ],
        )
        .await;
        for ((is_error, said), (fails, parts)) in told.iter().zip([
            (false, vec!["Bo", "Cy", "You said: Say moss."]),
            (false, vec!["You said: Say fern."]),
            (false, vec!["You said: Say lichen."]),
            (false, vec!["Ada › Say peat."]),
            (true, vec!["garden"]),
            (false, vec!["Bo", "Cy", "Di"]),
        ]) {
            assert!(*is_error == fails && parts.iter().all(|part| said.contains(part)), "{parts:?}: {said}");
        }
        assert!(!told[0].1.contains("Di"), "who is paused is not asked: {}", told[0].1);
    })
    .await;
}
