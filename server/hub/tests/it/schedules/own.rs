//! What an agent does with schedules of its own, and what its person says to that.

use super::{HOUR, hourly, once, only, state};
use crate::runs::trace::{until, until_finished};
use crate::runs::{agent, open};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{Approval, ApprovalReason, Decision};
use protocol::log::{Entry, EntryBody};
use protocol::schedule::{Author, FiringState, Timing};
use protocol::view::{AgentView, AuditAction, AuditVia};
use serde_json::{Value, json};

/// An agent that has the tool.
async fn begin(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> (AgentView, Tab) {
    let made = agent(world, viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let tools = made.tools.iter().map(String::as_str).chain(["schedule"]);
    let agent = Definition::like(&made).tools(tools).replace(&world.hub.for_viewer(viewer), &made.id).await;
    let mut tab = open(world, viewer, "laptop");
    tab.follow(&agent.id, 0).await.unwrap();
    (agent, tab)
}

fn calls(input: &Value) -> String {
    format!("turns: {}", json!([[{ "tool": "schedule", "input": input }], [{ "text": "Done." }]]))
}

async fn asked(tab: &mut Tab) -> Approval {
    let entries = until(tab, |body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
    match entries.into_iter().next_back().map(|entry| entry.body) {
        Some(EntryBody::ApprovalAsked { approval }) => approval,
        body => panic!("{body:?}"),
    }
}

fn result(entries: &[Entry]) -> &str {
    let result = entries.iter().find_map(|entry| match &entry.body {
        EntryBody::ToolFinished { result, .. } => Some(result.content.as_str()),
        _ => None,
    });
    result.unwrap()
}

#[tokio::test]
async fn an_agent_schedules_itself_when_its_person_says_yes_to_these_very_words() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let input = json!({
            "action": "create", "name": "Morning", "message": "Say what the day brings.",
            "kind": "days", "days": "workdays", "time": "08:00", "zone": "Europe/Berlin",
        });
        for decision in [Decision::Deny, Decision::Once] {
            scoped.runs().send_message(&agent.id, &calls(&input), None, None).await.unwrap();
            let approval = asked(&mut tab).await;
            assert_eq!((approval.why, &approval.call.input), (ApprovalReason::Risk, &input));
            assert_eq!(approval.about.as_deref(), Some("Morning"));
            assert!(scoped.schedules().of_agent(&agent.id).await.unwrap().is_empty());
            scoped.approvals().answer(&approval.id, &approval.hash, decision, "").await.unwrap();
            until_finished(&mut tab).await;
        }
        let made = only(&world.hub, &viewer, &agent.id).await;
        assert_eq!((made.by, made.name.as_str()), (Author::Agent, "Morning"));
        assert!(matches!(&made.timing, Timing::Days { zone, .. } if zone == "Europe/Berlin"));
        let audit = scoped.audit().read(&hub::AuditQuery::default()).await.unwrap();
        let line = audit.lines.iter().find(|line| line.action == AuditAction::ScheduleMade).unwrap();
        assert_eq!((line.via, line.object.as_str()), (AuditVia::Hub, "Morning, by Ada"));

        scoped
            .runs()
            .send_message(&agent.id, &calls(&json!({ "action": "list" })), None, None)
            .await
            .unwrap();
        let listed = until_finished(&mut tab).await;
        let listed: Value = serde_json::from_str(result(&listed)).unwrap();
        assert_eq!(
            (&listed["schedules"][0]["id"], &listed["schedules"][0]["yours"]),
            (&json!(made.id), &json!(true))
        );

        let others = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        for (id, left, words) in [(&others, 2, "only they delete it"), (&made.id, 1, "ok")] {
            let input = json!({ "action": "delete", "id": id });
            scoped.runs().send_message(&agent.id, &calls(&input), None, None).await.unwrap();
            let entries = until_finished(&mut tab).await;
            assert!(result(&entries).contains(words), "{}", result(&entries));
            assert_eq!(scoped.schedules().of_agent(&agent.id).await.unwrap().len(), left);
        }
    })
    .await;
}

#[tokio::test]
async fn a_yes_to_these_words_is_none_to_others_under_the_same_name() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let called = |message: &str| {
            calls(&json!({
                "action": "create", "name": "Morning", "message": message, "kind": "every", "minutes": 60,
            }))
        };
        scoped.runs().send_message(&agent.id, &called("Say what the day brings."), None, None).await.unwrap();
        let approval = asked(&mut tab).await;
        assert!(approval.once);
        for decision in [Decision::Run, Decision::HalfHour, Decision::Always] {
            let refused = scoped.approvals().answer(&approval.id, &approval.hash, decision, "").await;
            assert!(refused.unwrap_err().to_string().contains("one by one"), "{decision:?}");
        }
        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
        until_finished(&mut tab).await;
        scoped.runs().send_message(&agent.id, &called("Send the diary away."), None, None).await.unwrap();
        let approval = asked(&mut tab).await;
        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Deny, "").await.unwrap();
        until_finished(&mut tab).await;
        assert_eq!(only(&world.hub, &viewer, &agent.id).await.message, "Say what the day brings.");
    })
    .await;
}

#[tokio::test]
async fn an_agent_takes_no_limit_off_the_run_that_it_is_in() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let input = json!({
            "action": "create", "name": "Morning", "message": "Look around.", "kind": "every", "minutes": 60,
        });
        scoped.runs().send_message(&agent.id, &calls(&input), None, None).await.unwrap();
        let approval = asked(&mut tab).await;
        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
        until_finished(&mut tab).await;
        let made = only(&world.hub, &viewer, &agent.id).await;
        let delete = calls(&json!({ "action": "delete", "id": made.id }));
        let next = format!("turns: [[{{\"text\":\"Yes.\"}}]]\n{}", delete.replace("turns:", "next:"));
        scoped.runs().send_message(&agent.id, &next, None, None).await.unwrap();
        until_finished(&mut tab).await;
        scoped.schedules().run_now(&made.id).await.unwrap();
        let entries = until_finished(&mut tab).await;
        assert!(result(&entries).contains("began the run that is under way"), "{}", result(&entries));
        only(&world.hub, &viewer, &agent.id).await;
        scoped.runs().send_message(&agent.id, &delete, None, None).await.unwrap();
        until_finished(&mut tab).await;
        assert!(scoped.schedules().of_agent(&agent.id).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn what_a_model_cannot_mean_comes_back_as_a_sentence() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        crate::approvals::add_rule(&world.hub, &viewer, "allow", "schedule", "").await;
        for (input, words) in [
            (json!({ "action": "create", "name": "a", "message": "b" }), "Say its kind"),
            (json!({ "action": "create", "kind": "every", "name": "a", "minutes": 60 }), "Say its message."),
            (json!({ "action": "create", "kind": "every", "name": "a", "message": "b" }), "whole number"),
            (
                json!({ "action": "create", "kind": "cron", "name": "a", "message": "b", "cron": "soon" }),
                "no cron expression",
            ),
            (json!({ "action": "delete", "id": "none" }), "no such schedule"),
            (
                json!({ "action": "create", "kind": "every", "name": "a", "message": "b", "minutes": 60 }),
                "\"ok\":true",
            ),
        ] {
            scoped.runs().send_message(&agent.id, &calls(&input), None, None).await.unwrap();
            let entries = until_finished(&mut tab).await;
            assert!(result(&entries).contains(words), "{input}: {}", result(&entries));
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_schedule_begins_asks_its_person_like_everybody_and_waits_across_a_restart() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        crate::approvals::add_rule(&world.hub, &viewer, "ask", "state", "").await;
        let set = json!([[{ "tool": "state", "input": { "action": "set", "key": "a", "value": 1 } }], [{ "text": "Done." }]]);
        scoped.schedules().create(&agent.id, &hourly(&format!("turns: {set}"))).await.unwrap();
        world.clock.advance(HOUR);
        let approval = asked(&mut tab).await;
        assert_eq!(state(&world.hub, &viewer, &agent.id).await, FiringState::WaitsForYou);
        let calls = endpoint.requests().await.len();

        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&viewer);
        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
        once(async || state(&hub, &viewer, &agent.id).await == FiringState::Done).await;
        assert_eq!(scoped.states().read(&agent.id).await.unwrap()["a"], 1);
        assert_eq!(calls, 1, "while it waits nothing is asked of the model");
        let spent = only(&hub, &viewer, &agent.id).await.budget.spent;
        assert_eq!(Some(spent.day), scoped.agents().list().await.unwrap()[0].spent.cost, "the schedule pays for what goes on");
    })
    .await;
}
