//! What a person is asked by a task, and how long it waits for them.

use super::{approval, is_over, made, of, task, until};
use crate::talk::{self, a_moment, ada};
use crate::world::{Definition, Endpoint, PushService, World, each_store};
use protocol::FailureKind;
use protocol::approval::Decision;
use protocol::question::AnswerDraft;
use protocol::view::{AgentDraft, PipelineState, PipelineView, TaskState};
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

#[tokio::test]
async fn a_task_of_the_person_is_denied_where_a_notification_shows_it_as_long_as_it_is_what_asks() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        service.notify(&scoped, "201", true).await;
        let id = made(&scoped, "Ada", vec![approval("yours", &[])]).await;
        let asks = |view: &PipelineView| of(view, "yours").state == TaskState::Asking;
        until(&scoped, &id, asks).await;
        let first = denials(&service, 1).await.remove(0);
        let answered = async |secret: &str, decision: Decision| {
            scoped
                .approvals()
                .answer_notified(secret, decision)
                .await
                .map_err(|error| error.into_failure().kind)
        };
        assert_eq!(answered(&first, Decision::Once).await, Err(FailureKind::Invalid));
        scoped.pipelines().answer(&id, "yours", false, "").await.unwrap();
        until(&scoped, &id, is_over).await;

        // It asks again, and what was shown first is about before.
        scoped.pipelines().retry(&id, "yours").await.unwrap();
        until(&scoped, &id, asks).await;
        let second = denials(&service, 2).await.remove(1);
        assert_eq!(answered(&first, Decision::Deny).await, Err(FailureKind::Conflict));
        answered(&second, Decision::Deny).await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        let yours = of(&over, "yours");
        assert_eq!((yours.state, yours.activity.as_str()), (TaskState::Failed, "You said no."));
        assert_eq!(answered(&second, Decision::Deny).await, Err(FailureKind::Conflict));
    })
    .await;
}

/// The secrets that came with which something is denied, as soon as there are so many.
async fn denials(service: &PushService, count: usize) -> Vec<String> {
    loop {
        let received = service.received().await;
        let secrets = received
            .iter()
            .filter_map(|push| push["message"]["notification"]["data"]["deny"].as_str().map(str::to_owned));
        let secrets: Vec<_> = secrets.collect();
        if secrets.len() >= count {
            return secrets;
        }
        a_moment().await;
    }
}

#[tokio::test]
async fn the_time_of_a_task_stands_still_while_its_agent_waits_for_an_answer() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let bo = Definition::like(&view).tools(["ask_user"]).draft();
        scoped.agents().create(AgentDraft { name: "Bo".to_owned(), ..bo }).await.unwrap();
        world.clock.stand_still();
        let question = json!({ "question": "Which one?", "kind": "choice", "options": [
            { "label": "Moss" }, { "label": "Fern" },
        ] });
        let asks = json!({ "tool": "ask_user", "input": question });
        let turns = json!([[asks], [{ "text": "Moss gate b", "gate": "gate" }]]);
        let mut by_bo = task("bo", &format!("turns: {turns}"), &[]);
        (by_bo["agent"], by_bo["minutes"]) = (json!("Bo"), json!(5));
        let id = made(&scoped, "Ada", vec![by_bo]).await;
        // What is left of its time when it is answered is enough in one case, and is not in the other.
        for (asked, minutes) in [(1, 4), (3, 6)] {
            let waiting = async || scoped.approvals().list().await.unwrap().pop();
            talk::until(async || waiting().await.is_some()).await;
            let question = waiting().await.unwrap().approval;
            world.clock.advance(Duration::from_secs(30 * 60));
            let said = AnswerDraft { chosen: vec!["Moss".to_owned()], ..AnswerDraft::default() };
            scoped.approvals().reply(&question.id, &question.hash, said).await.unwrap();
            talk::until(async || endpoint.requests().await.len() > asked).await;
            world.clock.advance(Duration::from_secs(minutes * 60));
            if minutes > 5 {
                break;
            }
            let over = endpoint.with_open_gates(until(&scoped, &id, is_over)).await;
            assert_eq!(over.card.state, PipelineState::Completed, "{over:?}");
            scoped.pipelines().start(&id).await.unwrap();
        }
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(of(&over, "bo").activity, "It took longer than it may.");
    })
    .await;
}
