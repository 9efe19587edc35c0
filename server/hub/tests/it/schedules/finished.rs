//! Agents that hear of it when another one has finished.

use super::{all, begin, once, only};
use crate::runs::trace::{until, until_finished};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Hub, Scoped, Viewer};
use protocol::approval::Decision;
use protocol::log::{EntryBody, Sender};
use protocol::schedule::{FiringCause, FiringState, Overlap, ScheduleDraft, Timing, TimingKind};
use protocol::{AgentId, FailureKind, ScheduleId};
use serde_json::json;

const FAILS: &str = r#"turns: [{ "status": 400, "type": "invalid_request_error", "message": "No." }]"#;

fn after(agent: &AgentId) -> ScheduleDraft {
    ScheduleDraft {
        name: "Review".to_owned(),
        message: "Look at what came of it.".to_owned(),
        kind: TimingKind::Finished,
        after_agent: agent.0.clone(),
        ..ScheduleDraft::default()
    }
}

/// What ends of runs said to the agent, the oldest first.
async fn told_to(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> Vec<String> {
    let told = all(hub, viewer, agent).await.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from: Sender::Trigger { .. }, text, .. } => Some(text),
        _ => None,
    });
    told.collect()
}

async fn say(scoped: &Scoped<'_>, agent: &AgentId, text: &str) {
    scoped.runs().send_message(agent, text, None, None).await.unwrap();
}

async fn states(scoped: &Scoped<'_>, id: &ScheduleId) -> Vec<FiringState> {
    scoped.schedules().history(id).await.unwrap().into_iter().map(|firing| firing.state).collect()
}

#[tokio::test]
async fn an_agent_hears_once_how_another_one_ended_and_what_it_answered_but_not_of_a_stop() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (worker, mut tab) = begin(&world, &viewer, &endpoint).await;
        let (watcher, _other_tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&watcher.id, &after(&worker.id)).await.unwrap();
        let made = only(&world.hub, &viewer, &watcher.id).await;
        assert_eq!(made.timing, Timing::Finished { agent: worker.id.clone(), pipelines: false });
        assert_eq!((made.after.as_deref(), made.rules.overlap), (Some("Ada"), Overlap::Each));

        let mut count = 0;
        for (text, expected) in [
            ("Hello.", "Agent: Ada\nOutcome: done\n\nYou said: Hello."),
            ("script: hang", ""),
            (FAILS, "Agent: Ada\nOutcome: failed. "),
        ] {
            say(&scoped, &worker.id, text).await;
            if expected.is_empty() {
                until(&mut tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
                scoped.runs().stop(&worker.id).await.unwrap();
            }
            until_finished(&mut tab).await;
            count += usize::from(!expected.is_empty());
            once(async || states(&scoped, &id).await == vec![FiringState::Done; count]).await;
            let told = told_to(&world.hub, &viewer, &watcher.id).await;
            assert_eq!(told.len(), count);
            assert!(told[count - 1].starts_with(expected) || expected.is_empty(), "{told:?}");
        }
        let history = scoped.schedules().history(&id).await.unwrap();
        assert!(history.iter().all(|firing| firing.cause == FiringCause::Finished));
        let read = endpoint.requests().await;
        let fenced =
            "<words-of-strangers>\\nAgent: Ada\\nOutcome: done\\n\\nYou said: Hello.\\n</words-of-strangers>";
        assert!(read.iter().any(|request| request["body"]["messages"].to_string().contains(fenced)));

        // Of a long answer the beginning is told. What failed is not said to the model again.
        scoped.conversations().create(&worker.id).await.unwrap();
        say(&scoped, &worker.id, &(0..900).map(|n| format!("ä{n} ")).collect::<String>()).await;
        once(async || told_to(&world.hub, &viewer, &watcher.id).await.len() == 3).await;
        let told = told_to(&world.hub, &viewer, &watcher.id).await.remove(2);
        assert!(told.ends_with("(The answer is longer.)") && told.chars().count() < 2100, "{told}");
    })
    .await;
}

#[tokio::test]
async fn an_end_while_the_other_is_at_work_waits_for_it_in_the_next_process_too() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (worker, mut tab) = begin(&world, &viewer, &endpoint).await;
        let (watcher, mut other_tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&watcher.id, &after(&worker.id)).await.unwrap();
        say(&scoped, &watcher.id, "script: hang").await;
        until(&mut other_tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
        for text in ["One.", "Two."] {
            say(&scoped, &worker.id, text).await;
            until_finished(&mut tab).await;
        }
        assert_eq!(states(&scoped, &id).await, [FiringState::Queued, FiringState::Queued]);

        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&viewer);
        scoped.runs().stop(&watcher.id).await.unwrap();
        once(async || states(&scoped, &id).await == [FiringState::Done, FiringState::Done]).await;
        let told = told_to(&hub, &viewer, &watcher.id).await;
        assert_eq!(told.len(), 2);
        assert!(told[0].ends_with("You said: One.") && told[1].ends_with("You said: Two."), "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn an_agent_hears_how_a_pipeline_of_another_one_came_out_and_not_of_its_runs() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (worker, mut tab) = begin(&world, &viewer, &endpoint).await;
        let (watcher, _other_tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = ScheduleDraft { after_pipelines: true, ..after(&worker.id) };
        let id = scoped.schedules().create(&watcher.id, &draft).await.unwrap();
        let round = scoped.schedules().create(&worker.id, &after(&watcher.id)).await.unwrap_err();
        assert!(round.to_string().contains("in a circle"), "{round}");

        say(&scoped, &worker.id, "Hello.").await;
        until_finished(&mut tab).await;
        for (count, instruction, expected) in [
            (1, "Say moss.", "Pipeline: Garden\nOutcome: done\n\n- Moss: You said: "),
            (2, FAILS, "Pipeline: Garden\nOutcome: failed\n\n- Moss: "),
        ] {
            let task = json!({ "id": "moss", "title": "Moss", "instruction": instruction, "depends_on": [] });
            let garden = json!({ "title": "Garden", "agent": worker.id, "tasks": [task] });
            let pipeline = scoped.pipelines().create(&garden.to_string()).await.unwrap();
            scoped.pipelines().start(&pipeline).await.unwrap();
            once(async || states(&scoped, &id).await == vec![FiringState::Done; count]).await;
            let told = told_to(&world.hub, &viewer, &watcher.id).await;
            assert!(told.len() == count && told[count - 1].starts_with(expected), "{told:?}");
        }
        // What is stopped is no end that anybody hears of.
        let task = json!({ "id": "yours", "title": "Yours", "approval": true, "depends_on": [] });
        let work =
            json!({ "id": "moss", "title": "Moss", "instruction": "Say so.", "depends_on": ["yours"] });
        let garden = json!({ "title": "Garden", "agent": worker.id, "tasks": [task, work] });
        let pipeline = scoped.pipelines().create(&garden.to_string()).await.unwrap();
        scoped.pipelines().start(&pipeline).await.unwrap();
        scoped.pipelines().stop(&pipeline).await.unwrap();
        assert_eq!(states(&scoped, &id).await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn what_one_agent_asks_of_another_is_no_end_that_a_third_hears_of() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (worker, _tab) = begin(&world, &viewer, &endpoint).await;
        let (watcher, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&watcher).tools(["agent_ask"]).replace(&scoped, &watcher.id).await;
        let id = scoped.schedules().create(&watcher.id, &after(&worker.id)).await.unwrap();
        let input = json!({ "agents": [worker.id.0], "text": "Say moss.", "wait_seconds": 20 });
        let turns = json!([[{ "tool": "agent_ask", "input": input }], [{ "text": "Done." }]]);
        say(&scoped, &watcher.id, &format!("turns: {turns}")).await;
        until_finished(&mut tab).await;
        say(&scoped, &worker.id, "Directly.").await;
        once(async || states(&scoped, &id).await == [FiringState::Done]).await;
        let told = told_to(&world.hub, &viewer, &watcher.id).await;
        assert!(told.len() == 1 && told[0].ends_with("You said: Directly."), "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn agents_wait_for_each_other_in_no_circle_and_for_nobody_else_s() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let mut agents = Vec::new();
        for _ in 0..3 {
            agents.push(begin(&world, &viewer, &endpoint).await.0.id);
        }
        let [a, b, c] = &agents[..] else { unreachable!("there are three") };
        let scoped = world.hub.for_viewer(&viewer);
        let refused = async |agent: &AgentId, of: &AgentId| {
            let refused = scoped.schedules().create(agent, &after(of)).await.unwrap_err().into_failure();
            assert_eq!(refused.kind, FailureKind::Invalid, "{refused:?}");
            assert!(refused.message.contains("in a circle"), "{refused:?}");
        };
        refused(a, a).await;
        scoped.schedules().create(b, &after(a)).await.unwrap();
        refused(a, b).await;
        let id = scoped.schedules().create(c, &after(b)).await.unwrap();
        refused(a, c).await;
        // One that rests is none the less there, and one that is changed is not.
        scoped.schedules().pause(&id).await.unwrap();
        refused(a, c).await;
        scoped.schedules().edit(&id, &after(a)).await.unwrap();
        scoped.schedules().resume(&id).await.unwrap();
        let last = scoped.schedules().create(b, &after(c)).await.unwrap();
        let round = scoped.schedules().edit(&id, &after(b)).await.unwrap_err().into_failure();
        assert!(round.message.contains("in a circle"), "{round:?}");
        scoped.schedules().delete(&last).await.unwrap();

        let eve = world.person("eve").await;
        let (of_eve, _tab) = begin(&world, &eve, &endpoint).await;
        let hidden = scoped.schedules().create(a, &after(&of_eve.id)).await.unwrap_err().into_failure();
        assert_eq!(hidden.kind, FailureKind::NotFound);
        let nobody =
            scoped.schedules().create(a, &after(&AgentId::from(" "))).await.unwrap_err().into_failure();
        assert!(nobody.message.contains("Choose the agent"), "{nobody:?}");
    })
    .await;
}

#[tokio::test]
async fn a_copy_waits_for_the_same_agent_and_where_that_is_gone_another_one_is_to_be_chosen() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (worker, mut tab) = begin(&world, &viewer, &endpoint).await;
        let (watcher, _other_tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.schedules().create(&watcher.id, &after(&worker.id)).await.unwrap();
        let copy = scoped.copies().make(&watcher.id).await.unwrap();
        let brought = only(&world.hub, &viewer, &copy.id).await;
        assert_eq!((brought.paused, brought.after.as_deref()), (true, Some("Ada")));
        scoped.schedules().resume(&brought.id).await.unwrap();
        say(&scoped, &worker.id, "Hello.").await;
        until_finished(&mut tab).await;
        once(async || states(&scoped, &brought.id).await == [FiringState::Done]).await;

        scoped.agents().delete(&worker.id).await.unwrap();
        assert_eq!(only(&world.hub, &viewer, &copy.id).await.after, None);
        scoped.schedules().pause(&brought.id).await.unwrap();
        let gone = scoped.schedules().resume(&brought.id).await.unwrap_err().into_failure();
        assert_eq!(gone.kind, FailureKind::Conflict);
        assert!(gone.message.contains("Choose another one"), "{gone:?}");
    })
    .await;
}

#[tokio::test]
async fn an_agent_asks_to_hear_of_another_one_by_its_name() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (worker, _tab) = begin(&world, &viewer, &endpoint).await;
        let (watcher, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&watcher).tools(["schedule"]).replace(&scoped, &watcher.id).await;
        let input = json!({
            "action": "create", "name": "Review", "message": "Look.", "kind": "finished", "after_agent": "Ada",
            "after_pipelines": true,
        });
        let turns = json!([[{ "tool": "schedule", "input": input }], [{ "text": "Done." }]]);
        say(&scoped, &watcher.id, &format!("turns: {turns}")).await;
        let entries = until(&mut tab, |body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
        let Some(EntryBody::ApprovalAsked { approval }) = entries.into_iter().next_back().map(|it| it.body) else {
            unreachable!("that is where it ends")
        };
        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
        until_finished(&mut tab).await;
        let made = only(&world.hub, &viewer, &watcher.id).await;
        assert_eq!(made.timing, Timing::Finished { agent: worker.id, pipelines: true });
    })
    .await;
}
