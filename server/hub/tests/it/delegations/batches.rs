//! Several sub-agents with one call: each is made once, all are answered together, and who is not made is named.

use super::{all, answer, leader, log, results, says};
use crate::talk::{ada, ask, calls};
use crate::world::{Endpoint, World, each_store};
use protocol::view::DelegationState;
use serde_json::{Value, json};

#[tokio::test]
async fn a_batch_is_made_by_one_call_which_lists_what_came_of_each() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let one = |label: &str| json!({ "label": label, "task": format!("Say {label}.") });
        let mut nobody = one("Ivy");
        nobody["role"] = json!("Nobody");
        let tasks = [one("Moss"), one("Fern"), nobody, one("Moss"), one("Lichen")];
        let batch = json!({ "tool": "agent_spawn", "input": { "tasks": tasks, "wait_seconds": 60 } });
        let text = says(json!([[batch], answer()]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        let (is_error, told) = results(&log(&scoped, &leader.id).await).pop().unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        assert!(!is_error && told["not_done"].is_null(), "{told}");
        let made = all(&scoped).await;
        assert_eq!(made.len(), 3, "the same twice is one");
        for (at, label) in ["Moss", "Fern", "Lichen"].into_iter().enumerate() {
            let result = &told["results"][at];
            assert_eq!(made[at].state, DelegationState::Completed);
            assert_eq!(result["id"], json!(made[at].id));
            assert_eq!(result["text"], json!(format!("You said: Say {label}.")));
            let address = format!("/agents/{}/conversations/{}", made[at].agent, made[at].conversation);
            assert_eq!(result["address"], json!(address));
        }
        assert_eq!(told["not_made"][0]["label"], "Ivy");
        assert!(told["not_made"][0]["why"].as_str().unwrap().contains("There is no role Nobody"), "{told}");

        // Each is listed and got like any other.
        let got = [("agent_list", json!({})), ("agent_result", json!({ "id": made[1].id }))];
        let came = calls(&scoped, &leader.id, &leader.conversation, &got).await;
        let listed: Value = serde_json::from_str(&came[0].1).unwrap();
        assert_eq!(listed["asked"].as_array().unwrap().len(), 3);
        assert!(came[1].1.contains("You said: Say Fern."), "{came:?}");
        for input in [
            json!({}),
            json!({ "task": "Say moss." }),
            json!({ "task": "Say moss.", "label": "Moss", "tasks": [one("Fern")] }),
        ] {
            let came = calls(&scoped, &leader.id, &leader.conversation, &[("agent_spawn", input)]).await;
            assert!(came[0].0 && came[0].1.contains("Say what is to be done"), "{came:?}");
        }
    })
    .await;
}
