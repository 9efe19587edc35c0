//! For how long a question waits: past its process, until its time is up or its run is stopped.

use super::{Scene, answer, results, set, turns, until_asked};
use crate::runs::trace::{self, until_finished};
use crate::world::{World, each_store};
use protocol::FailureKind;
use protocol::approval::{ApprovalOutcome, Decision};
use protocol::log::{Entry, EntryBody};
use protocol::view::Status;
use serde_json::json;
use sqlx::Row as _;
use std::time::Duration;

#[tokio::test]
async fn a_question_that_was_settled_long_ago_is_let_go_of_and_the_log_keeps_it() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        for round in 0..3 {
            scene.says(&world, &[set("a", round)]).await;
            let approval = scene.until_asked().await;
            let scoped = world.hub.for_viewer(&scene.viewer);
            scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
            until_finished(&mut scene.tab).await;
            let store = world.store().await;
            let kept = sqlx::query("SELECT COUNT(*) FROM approvals").fetch_one(store.read()).await.unwrap();
            assert_eq!(kept.get::<i64, _>(0), if round == 1 { 2 } else { 1 }, "round {round}");
            if round == 1 {
                world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
                // Their session is over by then.
                scene.come_back(&world).await;
            }
        }
        let entries =
            world.hub.for_viewer(&scene.viewer).conversations().entries(&scene.agent, 0).await.unwrap();
        let settled = |entry: &&Entry| matches!(entry.body, EntryBody::ApprovalSettled { .. });
        assert_eq!(entries.iter().filter(settled).count(), 3);
        let store = world.store().await;
        let calls =
            "SELECT COUNT(*) FROM tool_calls WHERE approval_id IS NOT NULL AND answered_by IS NOT NULL";
        let calls = sqlx::query(calls).fetch_one(store.read()).await.unwrap();
        assert_eq!(calls.get::<i64, _>(0), 3, "who said yes to which call");
    })
    .await;
}

#[tokio::test]
async fn when_time_is_up_the_answer_is_no() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        scene.says(&world, &[set("a", 1)]).await;
        let approval = scene.until_asked().await;
        world.clock.advance(Duration::from_secs(10 * 60 + 1));
        let late = answer(&world.hub, &scene.viewer, &approval, Decision::Once).await.unwrap_err();
        assert_eq!(
            late,
            (FailureKind::Conflict, "The time to answer is up. The call was not made.".to_owned())
        );
        let entries = until_finished(&mut scene.tab).await;
        assert_eq!(results(&entries), [("Nobody said yes in time.".to_owned(), true)]);
        let is_expired = |entry: &Entry| {
            matches!(entry.body, EntryBody::ApprovalSettled { settled: ApprovalOutcome::Expired, .. })
        };
        assert!(entries.iter().any(is_expired));
        assert_eq!(scene.state(&world.hub).await, json!({}));
    })
    .await;
}

#[tokio::test]
async fn stop_takes_the_question_back() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        scene.says(&world, &[set("a", 1)]).await;
        let approval = scene.until_asked().await;
        world.hub.for_viewer(&scene.viewer).runs().stop(&scene.agent).await.unwrap();
        let entries = until_finished(&mut scene.tab).await;
        let is_withdrawn = |entry: &Entry| {
            matches!(entry.body, EntryBody::ApprovalSettled { settled: ApprovalOutcome::Withdrawn, .. })
        };
        assert_eq!(entries.iter().filter(|entry| is_withdrawn(entry)).count(), 1);
        let late = answer(&world.hub, &scene.viewer, &approval, Decision::Once).await.unwrap_err();
        assert_eq!(late, (FailureKind::Conflict, "Nobody waits for this answer any more.".to_owned()));
        assert_eq!((scene.status(&world).await, scene.state(&world.hub).await), (Status::Idle, json!({})));
    })
    .await;
}

#[tokio::test]
async fn a_question_outlives_the_process_that_asked() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        scene.says(&world, &[set("a", 1)]).await;
        let approval = scene.until_asked().await;
        // The old hub is still there, as one that hangs is, and must not act on the answer as well.
        let reopened = world.reopened().await;
        let viewer = &scene.viewer;
        let mut tab = reopened.open_tab(viewer.clone(), "phone".into()).unwrap();
        tab.follow(&scene.agent, 0).await.unwrap();
        assert_eq!(until_asked(&mut tab).await, approval);
        let more = turns(&[set("b", 2)]);
        let steered =
            reopened.for_viewer(viewer).runs().send_message(&scene.agent, &more, None, None).await.unwrap();
        answer(&reopened, viewer, &approval, Decision::Once).await.unwrap();
        let next = until_asked(&mut tab).await;
        assert_eq!(next.call.input["key"], "b");
        answer(&reopened, viewer, &next, Decision::Once).await.unwrap();
        until_finished(&mut tab).await;
        let entries = reopened.for_viewer(viewer).conversations().entries(&scene.agent, 0).await.unwrap();
        let starts = |entry: &&Entry| matches!(entry.body, EntryBody::RunStarted { .. });
        let reads =
            |entry: &&Entry| matches!(entry.body, EntryBody::Steered { seq, .. } if seq == steered.seq);
        let writes = |entry: &&Entry| matches!(entry.body, EntryBody::State { .. });
        assert_eq!(entries.iter().filter(starts).count(), 1, "{}", trace::trace(&entries));
        assert_eq!(entries.iter().filter(reads).count(), 1);
        assert_eq!(entries.iter().filter(writes).count(), 2);
        assert_eq!(scene.state(&reopened).await, json!({ "a": 1, "b": 2 }));
    })
    .await;
}
