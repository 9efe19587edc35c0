//! What a pipeline may cost as a whole: what it stops, how that is said, and that nothing gets round it.

use super::{approval, gated, is_over, of, states, task, until};
use crate::talk::{self, ada};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::log::{Entry, EntryBody};
use protocol::view::{AgentDraft, DelegationState, ModelPrice, NotificationKind, PipelineState, TaskState};
use protocol::{Caps, FailureKind, LimitOf, Micros, PipelineId};
use serde_json::{Value, json};
use sqlx::Row;
use std::time::Duration;

const PLENTY: Option<Micros> = Some(Micros(10_000_000));

pub(super) async fn started(scoped: &Scoped<'_>, budget: &str, tasks: Vec<Value>) -> PipelineId {
    let draft = json!({ "title": "Moss", "agent": "Ada", "budget": budget, "tasks": tasks });
    let id = scoped.pipelines().create(&draft.to_string()).await.unwrap();
    scoped.pipelines().start(&id).await.unwrap();
    id
}

async fn is_at_work(scoped: &Scoped<'_>) -> bool {
    let all = scoped.delegations().list(None).await.unwrap();
    all.iter().any(|one| one.state == DelegationState::Running)
}

#[tokio::test]
async fn a_pipeline_over_its_budget_says_so_and_goes_on_when_its_person_raises_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut moss = task("moss", "Say moss.", &[]);
        moss["retries"] = json!(3);
        let id = started(&scoped, "0.000001", vec![moss, task("fern", "Say fern.", &["moss"])]).await;
        let over = until(&scoped, &id, is_over).await;
        assert_eq!((over.card.state, over.card.budget), (PipelineState::OverBudget, Some(Micros(1))));
        assert_eq!(states(&over), [TaskState::Failed, TaskState::Skipped]);
        assert_eq!(of(&over, "moss").attempts, 1, "what is out of money is not tried again by itself");
        let words = "A limit on spending stopped it. The pipeline as a whole may spend $0.000001 in all.";
        assert!(of(&over, "moss").activity.starts_with(words), "{over:?}");
        assert!(endpoint.requests().await.is_empty());
        let told = scoped.notifications().list(None).await.unwrap().list;
        let over = told.iter().find(|told| told.title == "Moss has used up its budget").unwrap();
        assert_eq!((over.kind, &over.link), (NotificationKind::Limit, &format!("/pipelines/{id}")));
        let waiting = "SELECT COUNT(*) FROM agents WHERE status = 'waiting'";
        let waiting = sqlx::query(waiting).fetch_one(world.store().await.read()).await.unwrap();
        let waiting: i64 = waiting.get(0);
        assert_eq!(waiting, 0, "no agent waits for what begins the task anew");

        scoped.pipelines().limit(&id, PLENTY).await.unwrap();
        let done = until(&scoped, &id, is_over).await;
        assert_eq!(
            (done.card.state, done.card.done, done.card.budget),
            (PipelineState::Completed, 2, PLENTY)
        );
        assert!(done.card.cost > Micros(0));
        scoped.pipelines().limit(&id, None).await.unwrap();
        let free = scoped.pipelines().get(&id).await.unwrap();
        assert_eq!((free.card.state, free.card.budget), (PipelineState::Completed, None));
    })
    .await;
}

#[tokio::test]
async fn a_pipeline_whose_model_has_no_price_says_that_and_goes_on_when_it_has_one() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let unknown =
            Definition::like(&view).model(view.provider.as_ref().unwrap(), "model-without-price").draft();
        scoped.agents().edit(&view.id, unknown).await.unwrap();
        let mut moss = task("moss", "Say moss.", &[]);
        moss["retries"] = json!(3);
        let id = started(&scoped, "10", vec![moss]).await;
        let over = until(&scoped, &id, is_over).await;
        assert_eq!((over.card.state, over.card.cost), (PipelineState::Unpriced, Micros(0)));
        assert_eq!(of(&over, "moss").attempts, 1, "it is not tried again by itself");
        let words = "There is a limit on spending, and nobody knows what model-without-price costs.";
        assert!(of(&over, "moss").activity.starts_with(words), "{over:?}");
        assert!(endpoint.requests().await.is_empty());
        let told = scoped.notifications().list(None).await.unwrap().list;
        let title = "Moss does not go on: nobody knows what its model costs";
        assert!(told.iter().any(|told| told.title == title), "{told:?}");

        let price = ModelPrice { input: Micros(1_000_000), output: Micros(2_000_000) };
        scoped.model_facts().set_own_price("model-without-price", price).await.unwrap();
        let done = until(&scoped, &id, is_over).await;
        assert_eq!((done.card.state, done.card.done), (PipelineState::Completed, 1), "{done:?}");
        assert!(done.card.cost > Micros(0));
    })
    .await;
}

#[tokio::test]
async fn no_task_begins_when_nothing_is_left_of_the_budget_until_it_is_raised_or_all_begins_again() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tasks = vec![
            task("moss", "Say moss.", &[]),
            approval("good", &["moss"]),
            task("fern", "Say fern.", &["good"]),
        ];
        let id = started(&scoped, "10", tasks).await;
        let asks = until(&scoped, &id, |view| of(view, "good").state == TaskState::Asking).await;
        let cost = asks.card.cost;
        assert!(cost > Micros(0));
        scoped.pipelines().limit(&id, Some(cost)).await.unwrap();
        scoped.pipelines().answer(&id, "good", true, "").await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        assert_eq!((over.card.state, over.card.cost), (PipelineState::OverBudget, cost));
        let fern = of(&over, "fern");
        assert_eq!((fern.state, fern.attempts), (TaskState::Failed, 0));
        assert_eq!(
            fern.activity,
            format!("The pipeline as a whole may spend {cost} in all. {cost} is spent.")
        );
        assert_eq!(scoped.delegations().list(None).await.unwrap().len(), 1, "nobody was asked");

        // A retry without more money comes to the same.
        scoped.pipelines().retry(&id, "fern").await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(over.card.state, PipelineState::OverBudget);
        scoped.pipelines().limit(&id, PLENTY).await.unwrap();
        let done = until(&scoped, &id, is_over).await;
        assert_eq!((done.card.state, done.card.done), (PipelineState::Completed, 3));
        assert!(done.card.cost > cost);

        // From one start to the next.
        scoped.pipelines().limit(&id, Some(done.card.cost)).await.unwrap();
        scoped.pipelines().start(&id).await.unwrap();
        let begun = scoped.pipelines().get(&id).await.unwrap();
        assert!(begun.card.cost < done.card.cost, "{begun:?}");
        scoped.pipelines().stop(&id).await.unwrap();
        // One that its person stopped does not begin because of money.
        scoped.pipelines().limit(&id, PLENTY).await.unwrap();
        assert_eq!(scoped.pipelines().get(&id).await.unwrap().card.state, PipelineState::Stopped);
    })
    .await;
}

#[tokio::test]
async fn what_a_task_makes_in_turn_spends_under_the_same_budget() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let bo = Definition::like(&view).tools(["pipeline_create"]).draft();
        let bo = protocol::view::AgentDraft { name: "Bo".to_owned(), ..bo };
        scoped.agents().create(bo).await.unwrap();
        let makes = |title: &str, budget: Value| {
            let mut input = json!({ "title": title, "tasks": [task("inner", "Say moss.", &[])] });
            if !budget.is_null() {
                input["budget"] = budget;
            }
            let turns = json!([[{ "tool": "pipeline_create", "input": input }], [{ "text": "Made." }]]);
            let mut made = task("make", &format!("turns: {turns}"), &[]);
            made["agent"] = json!("Bo");
            vec![made]
        };
        let outer = started(&scoped, "10", makes("Own", json!("1"))).await;
        let done = until(&scoped, &outer, is_over).await;
        assert_eq!(done.card.state, PipelineState::Completed);
        let all = scoped.pipelines().list().await.unwrap();
        assert_eq!(all.len(), 1, "one with a budget of its own is not made: {all:?}");

        let outer = started(&scoped, "10", makes("Inner", Value::Null)).await;
        until(&scoped, &outer, is_over).await;
        let all = scoped.pipelines().list().await.unwrap();
        let inner = &all.iter().find(|card| card.title == "Inner").expect("it is made").id;
        let inner = until(&scoped, inner, is_over).await.card;
        assert!(inner.cost > Micros(0), "{inner:?}");
        let outer = scoped.pipelines().get(&outer).await.unwrap();
        let own = of(&outer, "make").cost;
        assert!(
            outer.card.cost.0 >= own.0 + inner.cost.0,
            "{own} and {} are {}",
            inner.cost,
            outer.card.cost
        );
        let refused = scoped.pipelines().limit(&inner.id, PLENTY).await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::Invalid);
    })
    .await;
}

#[tokio::test]
async fn what_goes_on_from_an_earlier_start_spends_under_the_budget_of_the_last_one() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.agents().edit(&view.id, Definition::like(&view).tools(["agent_spawn"]).draft()).await.unwrap();
        let bo = AgentDraft { name: "Bo".to_owned(), ..Definition::like(&view).draft() };
        let bo = scoped.agents().create(bo).await.unwrap();
        let nothing = Caps { ever: Some(Micros(1)), ..Caps::default() };
        scoped.ledger().limit_agent(&bo.id, &nothing).await.unwrap();
        let spawn = json!({ "tool": "agent_spawn", "input": { "label": "Fern", "task": gated("Fern") } });
        let leaves = format!("turns: {}", json!([[spawn], [{ "text": "Fern works." }]]));
        let mut by_bo = task("bo", "Say bo.", &["good"]);
        by_bo["agent"] = json!("Bo");
        let tasks = vec![approval("good", &[]), task("moss", &leaves, &["good"]), by_bo];
        let id = started(&scoped, "10", tasks).await;
        until(&scoped, &id, |view| of(view, "good").state == TaskState::Asking).await;
        scoped.pipelines().answer(&id, "good", true, "").await.unwrap();
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(over.card.state, PipelineState::Failed, "Bo's own limit stopped it: {over:?}");
        talk::until(async || is_at_work(&scoped).await).await;

        world.clock.advance(Duration::from_secs(1));
        scoped.pipelines().start(&id).await.unwrap();
        let anew = until(&scoped, &id, |view| of(view, "good").state == TaskState::Asking).await;
        assert_eq!(anew.card.cost, Micros(0));
        endpoint.with_open_gates(talk::until(async || !is_at_work(&scoped).await)).await;
        // It goes on with what it was asked before.
        scoped.ledger().limit_agent(&bo.id, &Caps::default()).await.unwrap();
        talk::until(async || scoped.ledger().agent_budget(&bo.id).await.unwrap().spent.ever > Micros(0))
            .await;
        let store = world.store().await;
        talk::until(async || {
            let all = "SELECT CAST(SUM(cost) AS BIGINT) FROM runs";
            let all: i64 = sqlx::query(all).fetch_one(store.read()).await.unwrap().get(0);
            scoped.pipelines().get(&id).await.unwrap().card.cost == Micros(all - over.card.cost.0)
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn what_a_task_made_goes_on_as_well_when_the_budget_of_both_is_raised() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let bo = Definition::like(&view).tools(["pipeline_create"]).draft();
        scoped.agents().create(AgentDraft { name: "Bo".to_owned(), ..bo }).await.unwrap();
        let tasks = json!([approval("good", &[]), task("inner", "Say moss.", &["good"])]);
        let makes = json!({ "tool": "pipeline_create", "input": { "title": "Inner", "tasks": tasks } });
        let mut make = task("make", &format!("turns: {}", json!([[makes], [{ "text": "Made." }]])), &[]);
        make["agent"] = json!("Bo");
        let outer = started(&scoped, "10", vec![make]).await;
        let spent = until(&scoped, &outer, is_over).await.card.cost;
        let all = scoped.pipelines().list().await.unwrap();
        let inner = &all.iter().find(|card| card.title == "Inner").expect("it is made").id;
        scoped.pipelines().limit(&outer, Some(spent)).await.unwrap();
        scoped.pipelines().answer(inner, "good", true, "").await.unwrap();
        let over = until(&scoped, inner, is_over).await;
        assert_eq!(over.card.state, PipelineState::OverBudget);
        scoped.pipelines().limit(&outer, PLENTY).await.unwrap();
        let done = until(&scoped, inner, is_over).await;
        assert_eq!((done.card.state, done.card.done), (PipelineState::Completed, 2));
    })
    .await;
}

#[tokio::test]
async fn that_most_of_the_budget_is_used_up_is_said_once_for_each_start() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = started(&scoped, "10", vec![task("moss", &gated("Moss"), &[])]).await;
        for starts in 1..=2 {
            if starts == 2 {
                scoped.pipelines().limit(&id, PLENTY).await.unwrap();
                scoped.pipelines().start(&id).await.unwrap();
            }
            talk::until(async || endpoint.requests().await.len() == starts).await;
            assert!(scoped.ledger().limit_warnings().await.unwrap().is_empty());
            scoped.pipelines().limit(&id, Some(Micros(1))).await.unwrap();
            let done = endpoint.with_open_gates(until(&scoped, &id, is_over)).await;
            assert_eq!(done.card.state, PipelineState::Completed);
            let who = of(&done, "moss").agent.clone().unwrap();
            let log = scoped.conversations().entries(&who, 0).await.unwrap();
            let words = "The pipeline as a whole may spend";
            let is_said = |entry: &&Entry| matches!(&entry.body, EntryBody::Notice { text, .. } if text.starts_with(words));
            assert_eq!(log.iter().filter(is_said).count(), starts, "{log:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_pipeline_at_work_that_has_spent_most_of_its_budget_is_named_on_the_wall_until_it_is_over() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, _) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id =
            started(&scoped, "10", vec![task("moss", "Say moss.", &[]), approval("good", &["moss"])]).await;
        let asks = until(&scoped, &id, |view| of(view, "good").state == TaskState::Asking).await;
        let asking = scoped.pipelines().asking_pipelines().await.unwrap();
        assert_eq!(asking.iter().map(|card| &card.id).collect::<Vec<_>>(), [&id]);
        let warnings = async || scoped.ledger().limit_warnings().await.unwrap();
        assert!(warnings().await.is_empty());
        let cost = asks.card.cost;
        scoped.pipelines().limit(&id, Some(cost)).await.unwrap();
        let near = warnings().await;
        assert_eq!(near.len(), 1, "{near:?}");
        assert_eq!((near[0].of, near[0].agent.as_ref()), (LimitOf::Pipeline, None));
        assert_eq!(near[0].message, format!("The pipeline Moss may spend {cost} in all. {cost} is spent."));
        scoped.pipelines().answer(&id, "good", true, "").await.unwrap();
        until(&scoped, &id, is_over).await;
        assert!(warnings().await.is_empty());
        assert!(scoped.pipelines().asking_pipelines().await.unwrap().is_empty());
    })
    .await;
}
