//! Files whose changes make a schedule due.

use super::{all, begin, once, only};
use crate::runs::trace::{until, until_finished};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Hub, Outgoing, Scoped, Viewer};
use protocol::log::{EntryBody, Sender};
use protocol::schedule::{FiringCause, FiringState, ScheduleDraft, Timing, TimingKind};
use protocol::{AgentId, FailureKind, FolderId, ScheduleId};
use serde_json::json;
use std::time::Duration;

/// So often the hub looks, and so long a schedule that was due by files rests.
const LOOK: Duration = Duration::from_secs(30);
const MINUTE: Duration = Duration::from_secs(60);

fn on(path: &str) -> ScheduleDraft {
    ScheduleDraft {
        name: "Files".to_owned(),
        message: "Look at them.".to_owned(),
        kind: TimingKind::File,
        file_path: path.to_owned(),
        ..ScheduleDraft::default()
    }
}

/// What changes said to the agent, the oldest first.
async fn told_to(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> Vec<String> {
    let told = all(hub, viewer, agent).await.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from: Sender::Trigger { .. }, text, .. } => Some(text),
        _ => None,
    });
    told.collect()
}

/// Waits until the schedule was due so often and all is answered.
async fn done(scoped: &Scoped<'_>, id: &ScheduleId, times: usize) {
    once(async || {
        let history = scoped.schedules().history(id).await.unwrap();
        history.len() == times && history.iter().all(|firing| firing.state == FiringState::Done)
    })
    .await;
}

/// The agent, with these tools.
async fn with_tools(scoped: &Scoped<'_>, agent: &protocol::view::AgentView, tools: &[&str]) {
    Definition::like(agent).tools(tools.iter().copied()).replace(scoped, &agent.id).await;
}

fn writes(path: &str) -> String {
    let call = json!({ "tool": "write", "input": { "path": path, "content": "By the agent." } });
    format!("turns: {}", json!([[call], [{ "text": "Done." }]]))
}

#[tokio::test]
async fn files_that_somebody_else_changed_are_told_by_their_paths_once_a_minute_at_most() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        with_tools(&scoped, &agent, &["write"]).await;
        let folder = FolderId::from(&agent.id);
        scoped.files().write(folder.clone(), "before.md", b"It was there.").await.unwrap();
        let id = scoped.schedules().create(&agent.id, &on("/agent/*.md")).await.unwrap();
        let made = only(&world.hub, &viewer, &agent.id).await;
        assert_eq!(made.timing, Timing::File { path: "/agent/*.md".to_owned() });

        // What its own run changes, and what is not meant, is not told.
        scoped.runs().send_message(&agent.id, &writes("/agent/own.md"), None, None).await.unwrap();
        until_finished(&mut tab).await;
        scoped.files().write(folder.clone(), "notes/deep.md", b"Not meant.").await.unwrap();
        scoped.files().write(folder.clone(), "plan.md", b"secret words").await.unwrap();
        world.clock.advance(LOOK);
        done(&scoped, &id, 1).await;
        let told = async || told_to(&world.hub, &viewer, &agent.id).await;
        assert_eq!(told().await, ["Changed or deleted files:\n/agent/plan.md"]);

        // What changes within a minute is told together, and by one of two hubs.
        let other = world.reopened().await;
        scoped.files().write(folder.clone(), "a.md", b"1").await.unwrap();
        scoped.files().write(folder.clone(), "a.md", b"2").await.unwrap();
        scoped.files().delete(folder.clone(), "before.md").await.unwrap();
        // The same again is no change.
        scoped.files().write(folder.clone(), "plan.md", b"secret words").await.unwrap();
        assert_eq!(scoped.schedules().history(&id).await.unwrap().len(), 1);
        world.clock.advance(MINUTE);
        done(&scoped, &id, 2).await;
        assert_eq!(told().await[1..], ["Changed or deleted files:\n/agent/a.md\n/agent/before.md"]);
        world.clock.advance(MINUTE);
        scoped.files().write(folder.clone(), "last.md", b"1").await.unwrap();
        world.clock.advance(MINUTE);
        done(&scoped, &id, 3).await;
        let history = scoped.schedules().history(&id).await.unwrap();
        assert!(history.iter().all(|firing| firing.cause == FiringCause::File));
        other.close().await;

        // What changed while it rested is not told.
        scoped.schedules().pause(&id).await.unwrap();
        scoped.files().write(folder.clone(), "rested.md", b"1").await.unwrap();
        scoped.schedules().resume(&id).await.unwrap();
        scoped.files().write(folder, "woken.md", b"1").await.unwrap();
        world.clock.advance(MINUTE);
        done(&scoped, &id, 4).await;
        assert_eq!(told().await[3..], ["Changed or deleted files:\n/agent/woken.md"]);
    })
    .await;
}

#[tokio::test]
async fn an_agent_hears_of_files_that_another_one_changed_or_that_a_message_brought() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (writer, mut tab) = begin(&world, &viewer, &endpoint).await;
        let (watcher, mut other_tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let workspace = scoped.workspaces().create("Garden").await.unwrap();
        for agent in [&writer, &watcher] {
            with_tools(&scoped, agent, &["write"]).await;
            scoped.workspaces().give(&agent.id, Some(&workspace)).await.unwrap();
        }
        let shared = scoped.schedules().create(&watcher.id, &on("/workspace/beds")).await.unwrap();
        scoped.runs().send_message(&watcher.id, &writes("/workspace/beds/own.md"), None, None).await.unwrap();
        until_finished(&mut other_tab).await;
        scoped.runs().send_message(&writer.id, &writes("/workspace/beds/moss.md"), None, None).await.unwrap();
        until_finished(&mut tab).await;
        world.clock.advance(LOOK);
        done(&scoped, &shared, 1).await;
        let told = told_to(&world.hub, &viewer, &watcher.id).await;
        assert_eq!(told, ["Changed or deleted files:\n/workspace/beds/moss.md"]);

        scoped.schedules().delete(&shared).await.unwrap();
        let brought = scoped.schedules().create(&watcher.id, &on("/uploads/*.txt")).await.unwrap();
        let file = scoped.attachments().take_in("order.txt", b"One fern.".to_vec()).await.unwrap();
        let message = Outgoing { text: "Here.", attachments: &[file.id], key: None };
        scoped.runs().send(&watcher.id, message, None).await.unwrap();
        until(
            &mut other_tab,
            |body| matches!(body, EntryBody::Message { from: Sender::Person, text, .. } if text == "Here."),
        )
        .await;
        until_finished(&mut other_tab).await;
        world.clock.advance(LOOK);
        done(&scoped, &brought, 1).await;
        let told = told_to(&world.hub, &viewer, &watcher.id).await;
        assert_eq!(told[1..], ["Changed or deleted files:\n/uploads/order.txt"]);

        for wrong in ["", "plan.md", "/local/plan.md", "/agent/../plan.md", "/agent/["] {
            let refused =
                scoped.schedules().create(&watcher.id, &on(wrong)).await.unwrap_err().into_failure();
            assert_eq!(refused.kind, FailureKind::Invalid, "{wrong}: {refused:?}");
        }
    })
    .await;
}
