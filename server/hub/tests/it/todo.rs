//! What there is to do in a conversation: who changes it, who is told, and which branch has what.

use crate::runs::open;
use crate::runs::trace::{next, trace};
use crate::talk::{PATIENCE, ada, ask, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::hub::HubFrame;
use protocol::log::{EntryBody, Sender};
use protocol::todo::{TodoList, TodoState};
use protocol::{AgentId, ConversationId, FailureKind};
use serde_json::{Value, json};

async fn gardener(scoped: &Scoped<'_>, view: &protocol::view::AgentView) -> (AgentId, ConversationId) {
    let draft = Definition::like(view).tools(["todo"]).draft();
    scoped.agents().edit(&view.id, draft).await.unwrap();
    let conversation = scoped.pages().latest(&view.id).await.unwrap().conversation.id;
    (view.id.clone(), conversation)
}

fn lines(list: &TodoList) -> Vec<(u32, &str, TodoState)> {
    list.items.iter().map(|item| (item.id, item.text.as_str(), item.state)).collect()
}

fn replace(texts: &[&str]) -> (&'static str, Value) {
    let tasks: Vec<Value> = texts.iter().map(|text| json!({ "text": text })).collect();
    ("todo", json!({ "action": "replace", "tasks": tasks }))
}

#[tokio::test]
async fn an_agent_writes_its_list_and_changes_one_task() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (agent, conversation) = gardener(&scoped, &view).await;
        let results = calls(
            &scoped,
            &agent,
            &conversation,
            &[
                replace(&["Rake", "Sow"]),
                ("todo", json!({ "action": "add", "text": "Water" })),
                ("todo", json!({ "action": "change", "id": 1, "state": "in_progress" })),
                ("todo_complete", json!({ "id": 2 })),
                ("todo", json!({ "action": "change", "id": 3 })),
                ("todo", json!({ "action": "change", "id": 9, "state": "done" })),
                ("todo", json!({ "action": "add", "text": "é".repeat(201) })),
                ("todo_list", json!({})),
            ],
        )
        .await;
        let failed: Vec<bool> = results.iter().map(|(is_error, _)| *is_error).collect();
        assert_eq!(failed, [false, false, false, false, true, true, true, false], "{results:?}");
        let told: Value = serde_json::from_str(&results[7].1).unwrap();
        let expected = [
            (1, "Rake", TodoState::InProgress),
            (2, "Sow", TodoState::Done),
            (3, "Water", TodoState::Pending),
        ];
        let list = scoped.todos().read(&conversation).await.unwrap();
        assert_eq!(lines(&list), expected);
        assert_eq!(told, json!({ "tasks": list.items }));
    })
    .await;
}

#[tokio::test]
async fn what_the_person_changes_is_told_before_the_next_turn_and_wakes_nobody() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (agent, conversation) = gardener(&scoped, &view).await;
        calls(&scoped, &agent, &conversation, &[replace(&["Rake", "Sow"])]).await;
        let before = scoped.pages().latest(&agent).await.unwrap().seq;
        scoped.todos().mark(&conversation, 1, TodoState::Done).await.unwrap();
        scoped.todos().add(&conversation, "Water").await.unwrap();
        // What is so already is no change.
        scoped.todos().mark(&conversation, 1, TodoState::Done).await.unwrap();
        let entries = scoped.conversations().entries(&agent, before).await.unwrap();
        let told: Vec<&str> = entries
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Message { from: Sender::Todo, text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(told, ["Your person marked task 1 as done: Rake", "Your person added task 3: Water"]);
        assert!(!entries.iter().any(|entry| matches!(entry.body, EntryBody::RunStarted { .. })));
        ask(&scoped, &agent, &conversation, "Go on.").await;
        let request = endpoint.requests().await.pop().unwrap().to_string();
        assert!(
            request.contains("[to-do list]") && request.contains("Your person added task 3: Water"),
            "{request}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_run_under_way_reads_what_the_person_ticks_meanwhile() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (agent, conversation) = gardener(&scoped, &view).await;
        calls(&scoped, &agent, &conversation, &[replace(&["Rake"])]).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        let turns = json!([
            [{ "text": "a gate b", "gate": "gate" }, { "tool": "todo", "input": { "action": "list" } }],
            [{ "text": "Done." }],
        ]);
        let runs = scoped.runs().of_conversation(Some(&conversation));
        let text = format!("turns: {turns}");
        let asked = runs.ask(&agent, &text, None, PATIENCE);
        let ticks = async {
            while !matches!(next(&mut tab).await, HubFrame::Delta { .. }) {}
            scoped.todos().mark(&conversation, 1, TodoState::Done).await.unwrap();
            endpoint.open_gate().await;
        };
        let (answered, ()) = tokio::join!(asked, ticks);
        let answer = answered.unwrap().text;
        assert!(answer.contains("Your person marked task 1 as done: Rake"), "{answer}");
        let entries = scoped.conversations().entries(&agent, 0).await.unwrap();
        let steered = |seq| {
            entries
                .iter()
                .any(|entry| matches!(entry.body, EntryBody::Steered { seq: read, .. } if read == seq))
        };
        let note = entries
            .iter()
            .find(|entry| matches!(entry.body, EntryBody::Message { from: Sender::Todo, .. }))
            .unwrap();
        assert!(steered(note.seq), "{}", trace(&entries));
    })
    .await;
}

#[tokio::test]
async fn a_branch_has_the_list_of_its_past_and_changes_its_own() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (agent, conversation) = gardener(&scoped, &view).await;
        calls(&scoped, &agent, &conversation, &[replace(&["Rake"])]).await;
        let entries = scoped.conversations().entries(&agent, 0).await.unwrap();
        let run = entries.iter().rev().find_map(|entry| entry.run.clone()).unwrap();
        let fork = scoped.conversations().fork(&conversation, &run).await.unwrap().id;
        calls(&scoped, &agent, &conversation, &[replace(&["Sow"])]).await;
        scoped.todos().mark(&fork, 1, TodoState::Cancelled).await.unwrap();
        let of = async |conversation| scoped.todos().read(conversation).await.unwrap();
        assert_eq!(lines(&of(&fork).await), [(1, "Rake", TodoState::Cancelled)]);
        assert_eq!(lines(&of(&conversation).await), [(2, "Sow", TodoState::Pending)]);
        let page = scoped.pages().latest(&agent).await.unwrap();
        assert!(page.entries.iter().any(|entry| matches!(entry.body, EntryBody::Todo { .. })));
    })
    .await;
}

#[tokio::test]
async fn a_list_is_full_at_fifty_and_is_its_owner_s_alone() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let bo = world.person("bo").await;
        let scoped = world.hub.for_viewer(&viewer);
        let (agent, conversation) = gardener(&scoped, &view).await;
        let many: Vec<String> = (0..50).map(|number| format!("Task {number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        calls(&scoped, &agent, &conversation, &[replace(&many)]).await;
        let full = scoped.todos().add(&conversation, "One more").await.unwrap_err().into_failure();
        assert!(full.message.starts_with("The list holds 50 tasks."), "{full:?}");
        let theirs = world.hub.for_viewer(&bo);
        for refused in [
            theirs.todos().read(&conversation).await,
            theirs.todos().add(&conversation, "Mine").await,
            theirs.todos().mark(&conversation, 1, TodoState::Done).await,
        ] {
            assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::NotFound);
        }
    })
    .await;
}
