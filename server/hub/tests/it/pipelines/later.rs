//! What a task of a pipeline leaves behind that wakes its agent later, and under which budget that is.

use super::budget::started;
use super::{is_over, task, until};
use crate::runs::driven::Browser;
use crate::runs::open;
use crate::runs::page::Page;
use crate::talk::{self, ada};
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::Micros;
use protocol::log::{Entry, EntryBody};
use protocol::page::{PageError, PageErrorKind};
use protocol::view::{AgentDraft, PipelineState, Status};
use serde_json::{Value, json};

#[tokio::test]
async fn what_a_task_would_arrange_for_later_is_refused_where_there_is_a_budget() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let bo = Definition::like(&view).tools(["schedule", "state", "subscribe_topic"]).draft();
        let bo = scoped.agents().create(AgentDraft { name: "Bo".to_owned(), ..bo }).await.unwrap();
        let schedule = json!({
            "action": "create", "name": "Later", "message": "Go on.", "kind": "after", "delay": 5,
        });
        let rule = json!({ "action": "escalate", "key": "moss", "when": "changed", "message": "Go on." });
        let arranging =
            [("schedule", schedule), ("state", rule), ("subscribe_topic", json!({ "topic": "moss" }))];
        let mut turns: Vec<Value> =
            arranging.iter().map(|(tool, input)| json!([{ "tool": tool, "input": input }])).collect();
        turns.push(json!([{ "tool": "schedule", "input": { "action": "list" } }]));
        turns.push(json!([{ "text": "Done." }]));
        let mut by_bo = task("bo", &format!("turns: {}", Value::from(turns)), &[]);
        by_bo["agent"] = json!("Bo");
        let id = started(&scoped, "10", vec![by_bo]).await;
        let over = until(&scoped, &id, is_over).await;
        assert_eq!(over.card.state, PipelineState::Completed);
        let log = scoped.conversations().entries(&bo.id, 0).await.unwrap();
        assert!(!log.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. })), "{log:?}");
        let refused = |entry: &&Entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => {
                result.is_error && result.content.contains("a pipeline with a budget")
            }
            _ => false,
        };
        assert_eq!(log.iter().filter(refused).count(), arranging.len(), "{log:?}");
        assert!(scoped.schedules().of_agent(&bo.id).await.unwrap().is_empty());
        assert!(scoped.states().rules(&bo.id).await.unwrap().is_empty());

        // Without one nothing would be got round.
        scoped.pipelines().limit(&id, None).await.unwrap();
        scoped.pipelines().start(&id).await.unwrap();
        talk::until(async || {
            let log = scoped.conversations().entries(&bo.id, 0).await.unwrap();
            log.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. }))
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn errors_of_a_page_that_a_task_drew_are_repaired_under_the_same_budget() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let bo = Definition::like(&view).tools(["dom"]).draft();
        let bo = scoped.agents().create(AgentDraft { name: "Bo".to_owned(), ..bo }).await.unwrap();
        let draws = json!({ "tool": "dom", "input": { "action": "create", "html": "<p>Moss</p>" } });
        let draws = json!([[draws], [{ "text": "Drawn." }]]);
        let mut by_bo = task("bo", &format!("turns: {draws}"), &[]);
        by_bo["agent"] = json!("Bo");
        let id = started(&scoped, "10", vec![by_bo]).await;
        let drawn = until(&scoped, &id, is_over).await.card;
        assert_eq!(drawn.state, PipelineState::Completed);
        let mut browser = Browser::new(open(&world, &viewer, "page"), Page::default());
        browser.show(&bo.id).await;
        let report = async |message: &str| {
            let (kind, message) = (PageErrorKind::Exception, message.to_owned());
            let problem = PageError { kind, message, source: None, line: None, count: 1 };
            browser.tab.page_problems(&bo.id, &[problem]).await.unwrap();
        };
        report("one").await;
        talk::until(async || scoped.pipelines().get(&id).await.unwrap().card.cost > drawn.cost).await;
        talk::until(async || {
            let all = scoped.agents().list().await.unwrap();
            all.iter().any(|card| card.id == bo.id && card.status == Status::Idle)
        })
        .await;

        scoped.pipelines().limit(&id, Some(Micros(1))).await.unwrap();
        report("two").await;
        talk::until(async || {
            let log = scoped.conversations().entries(&bo.id, 0).await.unwrap();
            let says = |body: &EntryBody| {
                matches!(body, EntryBody::Notice { text, .. } if text.starts_with("The budget of its pipeline"))
            };
            log.iter().any(|entry| says(&entry.body))
        })
        .await;
    })
    .await;
}
