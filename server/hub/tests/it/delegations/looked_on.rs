//! Who looks at a conversation while a call of it waits for others.

use super::{all, answer, leader, says, spawn, wait};
use crate::runs::open;
use crate::runs::trace::{self, until_finished};
use crate::talk::{GATED, ada};
use crate::world::{Endpoint, World, each_store};
use hub::Tab;
use protocol::hub::{CallProgress, HubFrame};
use protocol::view::DelegationState;
use serde_json::json;

async fn until_said(tab: &mut Tab) -> CallProgress {
    loop {
        if let HubFrame::Progress { progress, .. } = trace::next(tab).await
            && progress.asked.iter().any(|one| one.latest == "some words")
        {
            return progress;
        }
    }
}

#[tokio::test]
async fn who_looks_on_sees_whom_a_call_waits_for_how_they_stand_and_what_they_say_until_it_is_over() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let mut waits_itself = spawn("Fern", GATED);
        waits_itself["input"]["wait_seconds"] = json!(600);
        for (name, text) in [
            ("Ada › Moss", says(json!([[spawn("Moss", GATED)], [wait()], answer()]))),
            ("Ada › Fern", says(json!([[waits_itself], answer()]))),
        ] {
            let mut tab = open(&world, &viewer, "laptop");
            let seen = scoped.agents().list().await.unwrap()[0].seq;
            tab.follow(&leader.id, seen).await.unwrap();
            scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
            let told = until_said(&mut tab).await;
            let found = all(&scoped).await.pop().unwrap();
            assert_eq!((told.done, told.total, told.asked.len()), (0.0, Some(1.0), 1));
            let one = &told.asked[0];
            assert_eq!((one.name.as_str(), one.state), (name, DelegationState::Running));
            assert_eq!(
                (&one.id, &one.agent, &one.conversation),
                (&found.id, &found.agent, &found.conversation)
            );
            assert_eq!(found.latest, "some words", "and so it stands in the list of all");
            // Whoever comes late is told at once.
            let mut late = open(&world, &viewer, "phone");
            late.follow(&leader.id, 0).await.unwrap();
            assert_eq!(until_said(&mut late).await, told);
            endpoint.open_gate().await;
            until_finished(&mut tab).await;
            assert_eq!(all(&scoped).await.pop().unwrap().latest, "", "it is over");
        }
    })
    .await;
}
