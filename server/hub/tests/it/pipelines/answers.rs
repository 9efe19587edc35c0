//! What a person is asked by a task, and how long it waits for them.

use super::{approval, is_over, made, of, task, until};
use crate::talk::ada;
use crate::world::{Endpoint, World, each_store};
use protocol::FailureKind;
use protocol::view::{PipelineState, TaskState};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn no_answer_in_the_time_of_a_task_is_a_no_and_without_one_it_waits_on() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut soon = approval("soon", &[]);
        soon["minutes"] = json!(30);
        let tasks = vec![soon, task("after", "Say so.", &["soon"]), approval("whenever", &[])];
        let id = made(&scoped, "Ada", tasks).await;
        until(&scoped, &id, |view| of(view, "soon").state == TaskState::Asking).await;
        world.clock.advance(Duration::from_secs(30 * 60 + 1));
        let late = scoped.pipelines().answer(&id, "soon", true, "").await.unwrap_err().into_failure();
        assert_eq!(late.kind, FailureKind::Conflict);
        let ended = until(&scoped, &id, |view| of(view, "after").state == TaskState::Skipped).await;
        let soon = of(&ended, "soon");
        assert_eq!((soon.state, soon.activity.as_str()), (TaskState::Failed, "You did not answer in time."));
        assert_eq!(of(&ended, "whenever").state, TaskState::Asking);

        // Tried again it has its time once more.
        scoped.pipelines().retry(&id, "soon").await.unwrap();
        until(&scoped, &id, |view| of(view, "soon").state == TaskState::Asking).await;
        world.clock.advance(Duration::from_secs(29 * 60));
        for task in ["soon", "whenever"] {
            scoped.pipelines().answer(&id, task, true, "").await.unwrap();
        }
        let over = until(&scoped, &id, is_over).await;
        assert_eq!((over.card.state, over.card.done), (PipelineState::Completed, 3));
    })
    .await;
}
