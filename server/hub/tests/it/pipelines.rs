//! Pipelines: tasks that begin when those before them are done, what comes of one that is not, a person's yes and no,
//! and that a restart leaves nothing out and does nothing twice.

mod answers;
mod budget;
mod later;

use crate::runs::{open, trace};
use crate::talk::{PATIENCE, a_moment, ada, ask, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::hub::Noun;
use protocol::log::{EntryBody, Sender};
use protocol::view::{
    AgentView, DelegationState, NotificationKind, PipelineState, PipelineView, Status, TaskState, TaskView,
};
use protocol::{Caps, FailureKind, Micros, PipelineId};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;

fn task(id: &str, instruction: &str, after: &[&str]) -> Value {
    json!({ "id": id, "title": id, "instruction": instruction, "depends_on": after })
}

fn approval(id: &str, after: &[&str]) -> Value {
    json!({ "id": id, "title": id, "approval": true, "depends_on": after })
}

fn gated(word: &str) -> String {
    format!("turns: {}", json!([[{ "text": format!("{word} gate b"), "gate": "gate" }]]))
}

fn fails() -> String {
    format!("turns: {}", json!([{ "status": 400, "type": "invalid_request_error", "message": "No." }]))
}

async fn made(scoped: &Scoped<'_>, lead: &str, tasks: Vec<Value>) -> PipelineId {
    let draft = json!({ "title": "Moss", "agent": lead, "tasks": tasks });
    let id = scoped.pipelines().create(&draft.to_string()).await.unwrap();
    assert_eq!(scoped.pipelines().get(&id).await.unwrap().card.state, PipelineState::Ready);
    scoped.pipelines().start(&id).await.unwrap();
    id
}

fn states(view: &PipelineView) -> Vec<TaskState> {
    view.tasks.iter().map(|task| task.state).collect()
}

fn of<'a>(view: &'a PipelineView, id: &str) -> &'a TaskView {
    view.tasks.iter().find(|task| task.id == id).unwrap()
}

/// Looks until it is so.
async fn until(scoped: &Scoped<'_>, id: &PipelineId, is_so: impl Fn(&PipelineView) -> bool) -> PipelineView {
    let last = RefCell::new(Vec::new());
    let look = async {
        loop {
            let found = scoped.pipelines().get(id).await.unwrap();
            if is_so(&found) {
                return found;
            }
            last.replace(states(&found));
            a_moment().await;
        }
    };
    let found = tokio::time::timeout(PATIENCE, look).await;
    found.unwrap_or_else(|_| panic!("it does not come to be so: {:?}", last.borrow()))
}

/// Gives the agent the tools for pipelines.
async fn may_make(scoped: &Scoped<'_>, agent: &AgentView) {
    let tools = ["pipeline_create", "pipeline_status", "pipeline_cancel", "read"];
    scoped.agents().edit(&agent.id, Definition::like(agent).tools(tools).draft()).await.unwrap();
}

fn is_over(view: &PipelineView) -> bool {
    view.card.state != PipelineState::Running
}

#[tokio::test]
async fn each_task_begins_after_those_before_it_and_is_told_what_came_of_them() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let bo = Definition::like(&view).draft();
        let bo = protocol::view::AgentDraft { name: "Bo".to_owned(), ..bo };
        let bo = scoped.agents().create(bo).await.unwrap();
        let mut by_bo = task("write", "Write it.", &["moss", "fern"]);
        by_bo["agent"] = json!("bo");
        let tasks = vec![
            task("moss", &gated("Moss"), &[]),
            task("fern", "Say fern.", &[]),
            by_bo,
            approval("good", &["write"]),
            task("send", "Send it.", &["good"]),
        ];
        let mut page = open(&world, &viewer, "page");
        let id = made(&scoped, "Ada", tasks).await;
        let both = until(&scoped, &id, |view| of(view, "fern").state == TaskState::Completed).await;
        assert_eq!(of(&both, "moss").state, TaskState::Running);
        assert_eq!(of(&both, "write").state, TaskState::Waiting);
        until(&scoped, &id, |view| of(view, "moss").activity == "Moss").await;
        endpoint
            .with_open_gates(until(&scoped, &id, |view| of(view, "good").state == TaskState::Asking))
            .await;
        let told = scoped.notifications().list(None).await.unwrap();
        let asks = told.list.iter().find(|told| told.kind == NotificationKind::Question).unwrap();
        assert_eq!((asks.title.as_str(), asks.body.as_str()), ("Moss waits for your yes", "good"));
        assert_eq!((&asks.link, asks.read), (&format!("/pipelines/{id}"), false));
        scoped.pipelines().answer(&id, "good", true, "Only shorter.").await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        let told = scoped.notifications().list(None).await.unwrap();
        assert!(told.list.iter().find(|told| told.id == asks.id).unwrap().read, "it is answered");
        let done = told.list.iter().find(|told| told.link == asks.link).unwrap();
        assert_eq!((done.title.as_str(), done.body.as_str()), ("Moss is done", "5 of 5 tasks are done."));
        assert_eq!((over.card.state, over.card.done), (PipelineState::Completed, 5));
        let written = &of(&over, "write").result;
        assert!(written.contains("Moss gate b") && written.contains("Say fern."), "{written}");
        assert_eq!(of(&over, "write").agent.as_ref(), Some(&bo.id));
        assert!(of(&over, "send").result.contains("Only shorter."), "{over:?}");
        assert!(over.tasks.iter().all(|task| task.activity.chars().count() <= 100));
        assert!(over.card.cost > Micros(0));
        assert_eq!(of(&over, "fern").agent_name, "Ada › fern");
        let again = scoped.pipelines().answer(&id, "good", false, "").await.unwrap_err().into_failure();
        assert_eq!(again.kind, FailureKind::Conflict);
        scoped.topics().subscribe(&bo.id, "moss", "").await.unwrap();
        let told = trace::nouns_until(&mut page, Noun::Topics).await;
        assert_eq!(told, BTreeSet::from([Noun::Agents, Noun::Delegations, Noun::Pipelines, Noun::Topics]));
    })
    .await;
}

#[tokio::test]
async fn what_comes_after_a_task_that_is_not_done_is_not_begun_and_says_why() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut twice = task("fails", &fails(), &[]);
        twice["retries"] = json!(1);
        let tasks = vec![
            twice,
            task("after", "Say so.", &["fails"]),
            task("later", "Say so.", &["after"]),
            approval("yours", &[]),
            task("beside", "Say so.", &["yours"]),
        ];
        let id = made(&scoped, "Ada", tasks).await;
        until(&scoped, &id, |view| of(view, "later").state == TaskState::Skipped).await;
        scoped.pipelines().answer(&id, "yours", false, "Not now.").await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(over.card.state, PipelineState::Failed);
        use TaskState::{Failed, Skipped};
        assert_eq!(states(&over), [Failed, Skipped, Skipped, Failed, Skipped]);
        assert_eq!(of(&over, "fails").attempts, 2);
        assert_eq!(of(&over, "after").activity, "\"fails\" was not done.");
        assert_eq!(of(&over, "yours").activity, "You said no. Not now.");

        // What is tried again goes on from there; what failed for another reason stays.
        scoped.pipelines().retry(&id, "yours").await.unwrap();
        until(&scoped, &id, |view| of(view, "yours").state == TaskState::Asking).await;
        scoped.pipelines().answer(&id, "yours", true, "").await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(of(&over, "beside").state, TaskState::Completed);
        assert_eq!((of(&over, "fails").state, of(&over, "after").state), (Failed, Skipped));
        let done = scoped.pipelines().retry(&id, "beside").await.unwrap_err().into_failure();
        assert_eq!(done.kind, FailureKind::Conflict);
    })
    .await;
}

#[tokio::test]
async fn no_more_are_at_work_than_it_says_and_stop_stops_them_all() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tasks: Vec<Value> =
            (0..5).map(|number| task(&format!("t{number}"), &gated("Moss"), &[])).collect();
        let draft = json!({ "title": "Moss", "agent": "Ada", "at_once": 2, "tasks": tasks });
        let id = scoped.pipelines().create(&draft.to_string()).await.unwrap();
        scoped.pipelines().start(&id).await.unwrap();
        let count = |view: &PipelineView, state| states(view).iter().filter(|one| **one == state).count();
        until(&scoped, &id, |view| count(view, TaskState::Running) == 2).await;
        endpoint.open_one_gate().await;
        until(&scoped, &id, |view| {
            assert!(count(view, TaskState::Running) <= 2);
            count(view, TaskState::Completed) == 1 && count(view, TaskState::Running) == 2
        })
        .await;
        let busy = scoped.pipelines().start(&id).await.unwrap_err().into_failure();
        assert_eq!(busy.kind, FailureKind::Conflict);
        assert!(scoped.pipelines().delete(&id).await.is_err());
        scoped.pipelines().stop(&id).await.unwrap();
        let over = scoped.pipelines().get(&id).await.unwrap();
        assert_eq!((over.card.state, count(&over, TaskState::Stopped)), (PipelineState::Stopped, 4));
        let look = async {
            loop {
                let all = scoped.delegations().list(None).await.unwrap();
                if all.iter().all(|one| one.state.is_over()) {
                    return all;
                }
                a_moment().await;
            }
        };
        let all = tokio::time::timeout(PATIENCE, look).await.expect("they stop");
        assert_eq!(all.iter().filter(|one| one.state == DelegationState::Stopped).count(), 2);
        // All over again, and then gone for good.
        scoped.pipelines().start(&id).await.unwrap();
        let over = endpoint.with_open_gates(until(&scoped, &id, is_over)).await;
        assert_eq!((over.card.state, over.card.done), (PipelineState::Completed, 5));
        scoped.pipelines().delete(&id).await.unwrap();
        assert!(scoped.pipelines().list().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_limit_of_its_agent_for_a_run_is_one_for_the_whole() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let caps = Caps { per_run: Some(Micros(1)), ..Caps::default() };
        scoped.ledger().limit_agent(&view.id, &caps).await.unwrap();
        let id =
            made(&scoped, "Ada", vec![task("moss", "Say moss.", &[]), task("fern", "Say fern.", &[])]).await;
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(states(&over), [TaskState::Failed; 2]);
        assert!(of(&over, "moss").activity.contains("limit"), "{over:?}");
    })
    .await;
}

#[tokio::test]
async fn when_the_hub_is_back_it_goes_on_and_nothing_is_done_twice() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tasks = vec![
            task("first", "Say first.", &[]),
            task("second", &gated("Second"), &["first"]),
            task("third", "Say third.", &["second"]),
        ];
        let id = made(&scoped, "Ada", tasks).await;
        until(&scoped, &id, |view| of(view, "second").state == TaskState::Running).await;
        world.hub.close().await;
        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&viewer);
        let over = endpoint.with_open_gates(until(&scoped, &id, is_over)).await;
        assert_eq!((over.card.state, over.card.done), (PipelineState::Completed, 3));
        assert!(over.tasks.iter().all(|task| task.attempts == 1), "{over:?}");
        assert_eq!(scoped.delegations().list(None).await.unwrap().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn what_a_store_that_was_away_left_undone_is_done_when_it_is_back() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let store = world.store().await;
        let write = async |statement: &'static str| {
            let mut tx = store.write().await.unwrap();
            sqlx::query(statement).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        };
        let tasks = vec![task("first", "Say first.", &[]), task("second", "Say second.", &["first"])];
        let id = made(&scoped, "Ada", tasks).await;
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(over.card.state, PipelineState::Completed);
        // The end of the first task was written, and what follows from it was not.
        write(
            "UPDATE pipeline_tasks SET state = CASE task_id WHEN 'first' THEN 'running' ELSE 'waiting' END",
        )
        .await;
        write("UPDATE pipelines SET state = 'running', finished_at = NULL").await;
        let over = until(&scoped, &id, is_over).await;
        assert_eq!((over.card.state, over.card.done), (PipelineState::Completed, 2));
        assert_eq!((of(&over, "first").attempts, of(&over, "second").attempts), (1, 2));
        assert_eq!(scoped.delegations().list(None).await.unwrap().len(), 3);

        // It was stopped, and its run was not.
        let id = made(&scoped, "Ada", vec![task("slow", &gated("Slow"), &[])]).await;
        until(&scoped, &id, |view| of(view, "slow").state == TaskState::Running).await;
        write("UPDATE pipeline_tasks SET state = 'stopped' WHERE task_id = 'slow'").await;
        write("UPDATE pipelines SET state = 'stopped' WHERE state = 'running'").await;
        let look = async {
            while scoped.delegations().list(None).await.unwrap().iter().any(|one| !one.state.is_over()) {
                a_moment().await;
            }
        };
        tokio::time::timeout(PATIENCE, look).await.expect("it stops");
    })
    .await;
}

#[tokio::test]
async fn an_agent_makes_one_hears_how_it_ends_and_reads_what_came_of_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        may_make(&scoped, &view).await;
        let tasks = vec![task("moss", "Say moss.", &[]), task("fern", &gated("Fern"), &["moss"])];
        let create = ("pipeline_create", json!({ "title": "Green", "tasks": tasks }));
        let made = calls(&scoped, &view.id, &view.conversation, &[create]).await.remove(0);
        assert!(!made.0, "{made:?}");
        let made: Value = serde_json::from_str(&made.1).unwrap();
        let id = PipelineId(made["id"].as_str().unwrap().to_owned());
        assert_eq!((&made["title"], &made["address"]), (&json!("Green"), &json!(format!("/pipelines/{id}"))));
        endpoint.with_open_gates(until(&scoped, &id, is_over)).await;
        let look = async {
            loop {
                let entries = scoped.conversations().entries(&view.id, 0).await.unwrap();
                let told = entries.iter().find_map(|entry| match &entry.body {
                    EntryBody::Message { from: Sender::Agent { .. }, text, .. } => Some(text.clone()),
                    _ => None,
                });
                if let Some(told) = told {
                    return told;
                }
                a_moment().await;
            }
        };
        let told = tokio::time::timeout(PATIENCE, look).await.expect("it is told");
        assert!(told.contains("is over") && told.contains("- moss (moss): You said: moss"), "{told}");
        // The run that answers that ends first.
        while scoped.agents().list().await.unwrap()[0].status != Status::Idle {
            a_moment().await;
        }
        let status = ("pipeline_status", json!({ "id": id, "task": "fern", "wait_seconds": 5 }));
        let none = ("pipeline_status", json!({ "id": "none" }));
        let results = calls(&scoped, &view.id, &view.conversation, &[status, none]).await;
        assert!(!results[0].0 && results[0].1.contains("Fern gate b"), "{results:?}");
        assert!(results[1].0 && results[1].1.contains("You lead no pipeline none"), "{results:?}");
        let wrong = json!({ "title": "Green", "tasks": [task("a", "Do.", &["a"])] });
        let results = calls(&scoped, &view.id, &view.conversation, &[("pipeline_create", wrong)]).await;
        assert!(results[0].0 && results[0].1.contains("wait for each other"), "{results:?}");
    })
    .await;
}

#[tokio::test]
async fn what_a_run_made_stops_with_it_and_an_agent_cancels_its_own() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        may_make(&scoped, &view).await;
        let input = json!({ "title": "Green", "tasks": [task("moss", &gated("Moss"), &[])] });
        let turns = json!([
            [{ "tool": "pipeline_create", "input": input }],
            [{ "text": "It gate goes on.", "gate": "gate" }],
        ]);
        scoped.runs().send_message(&view.id, &format!("turns: {turns}"), None, None).await.unwrap();
        let look = async {
            loop {
                if let Some(card) = scoped.pipelines().list().await.unwrap().pop() {
                    return card.id;
                }
                a_moment().await;
            }
        };
        let id = tokio::time::timeout(PATIENCE, look).await.expect("it is made");
        until(&scoped, &id, |view| of(view, "moss").state == TaskState::Running).await;
        scoped.runs().stop(&view.id).await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(over.card.state, PipelineState::Stopped);
        assert_eq!(of(&over, "moss").activity, "The run that made it was stopped.");

        let create = ("pipeline_create", input);
        let made = calls(&scoped, &view.id, &view.conversation, &[create]).await.remove(0);
        let id =
            PipelineId(serde_json::from_str::<Value>(&made.1).unwrap()["id"].as_str().unwrap().to_owned());
        let cancelled =
            calls(&scoped, &view.id, &view.conversation, &[("pipeline_cancel", json!({ "id": id }))]).await;
        assert!(!cancelled[0].0 && cancelled[0].1.contains("stopped"), "{cancelled:?}");
        let answer = ask(&scoped, &view.id, &view.conversation, "Hello.").await;
        assert_eq!(answer, "You said: Hello.", "nobody is told of what the agent stopped itself");
    })
    .await;
}

#[tokio::test]
async fn what_agents_make_leaves_room_for_their_person_who_hears_of_what_no_agent_can_be_told() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        may_make(&scoped, &view).await;
        let tasks = vec![approval("yours", &[]), task("moss", "Say moss.", &["yours"])];
        let create = ("pipeline_create", json!({ "title": "Green", "tasks": tasks }));
        let green = calls(&scoped, &view.id, &view.conversation, std::slice::from_ref(&create)).await.remove(0);
        let id = PipelineId(serde_json::from_str::<Value>(&green.1).unwrap()["id"].as_str().unwrap().to_owned());
        scoped.pipelines().answer(&id, "yours", false, "").await.unwrap();
        until(&scoped, &id, is_over).await;
        let told = scoped.notifications().list(None).await.unwrap().list;
        let over = told.iter().find(|told| told.title == "Green is over, and not all of it is done");
        assert_eq!(over.map(|told| told.body.as_str()), Some("0 of 2 tasks are done."), "{told:?}");

        let mut tx = world.store().await.write().await.unwrap();
        sqlx::query(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49)
             INSERT INTO pipelines (id, user_id, agent_id, title, at_once, state, chain, created_at, made_by_run)
             SELECT CAST(i AS TEXT), user_id, agent_id, title, at_once, state, chain, created_at, made_by_run
             FROM n CROSS JOIN pipelines",
        )
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        let refused = calls(&scoped, &view.id, &view.conversation, &[create]).await.remove(0);
        assert!(refused.0 && refused.1.contains("Agents have made 50 pipelines"), "{refused:?}");
        made(&scoped, "Ada", vec![task("moss", "Say moss.", &[])]).await;
    })
    .await;
}
