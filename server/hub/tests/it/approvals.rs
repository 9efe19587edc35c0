//! Calls that wait for a person: who may answer what.

mod calls;
pub(crate) mod counts;
mod denials;
mod holding;
mod in_browsers;
mod lifetimes;
mod ordinary;
mod redirects;
mod rules;
mod state;
mod total;
mod way_out;

use crate::runs::trace::{until, until_finished};
use crate::runs::{agent, open};
use crate::world::{Endpoint, PASSWORD, World, each_store};
use hub::{AuditQuery, Hub, Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{Approval, ApprovalReason, Decision, PolicyDraft};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::view::{AuditAction, Status};
use protocol::{AgentId, FailureKind};
use serde_json::{Value, json};

/// An agent that has to ask before it writes its state, and a tab that follows it.
struct Scene {
    viewer: Viewer,
    agent: AgentId,
    tab: Tab,
    _endpoint: Endpoint,
}

impl Scene {
    async fn begin(world: &World) -> Self {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        let mut tab = open(world, &viewer, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        Self { viewer, agent, tab, _endpoint: endpoint }
    }

    /// Lets the model make these calls, a reply for each, and say Done.
    async fn says(&self, world: &World, calls: &[Value]) {
        let turns = turns(calls);
        world
            .hub
            .for_viewer(&self.viewer)
            .runs()
            .send_message(&self.agent, &turns, None, None)
            .await
            .unwrap();
    }

    /// The person signs in again and goes on from here.
    async fn come_back(&mut self, world: &World) {
        let entries =
            world.hub.for_viewer(&self.viewer).conversations().entries(&self.agent, 0).await.unwrap();
        self.viewer =
            world.hub.accounts().sign_in("ada", PASSWORD, "test").await.unwrap().done().unwrap().viewer;
        self.tab = open(world, &self.viewer, "laptop");
        self.tab.follow(&self.agent, entries.last().unwrap().seq).await.unwrap();
    }

    async fn until_asked(&mut self) -> Approval {
        until_asked(&mut self.tab).await
    }

    async fn status(&self, world: &World) -> Status {
        world.hub.for_viewer(&self.viewer).agents().list().await.unwrap()[0].status
    }

    async fn state(&self, hub: &Hub) -> Value {
        Value::Object(
            hub.for_viewer(&self.viewer).states().read(&self.agent).await.unwrap().into_iter().collect(),
        )
    }
}

pub async fn add_rule(hub: &Hub, viewer: &Viewer, verdict: &str, tool: &str, about: &str) {
    let draft = PolicyDraft {
        verdict: verdict.to_owned(),
        tool: tool.to_owned(),
        about: about.to_owned(),
        ..PolicyDraft::default()
    };
    hub.for_viewer(viewer).policies().add(&draft).await.unwrap();
}

fn turns(calls: &[Value]) -> String {
    let mut turns: Vec<Value> = calls.iter().map(|call| json!([call])).collect();
    turns.push(json!([{ "text": "Done." }]));
    format!("turns: {}", Value::from(turns))
}

fn set(key: &str, value: u32) -> Value {
    json!({ "tool": "state", "input": { "action": "set", "key": key, "value": value } })
}

pub async fn until_asked(tab: &mut Tab) -> Approval {
    let entries = until(tab, |body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
    match entries.into_iter().next_back().map(|entry| entry.body) {
        Some(EntryBody::ApprovalAsked { approval }) => approval,
        body => panic!("{body:?}"),
    }
}

pub async fn answer(
    hub: &Hub,
    viewer: &Viewer,
    approval: &Approval,
    decision: Decision,
) -> Result<(), (FailureKind, String)> {
    let answered =
        hub.for_viewer(viewer).approvals().answer(&approval.id, &approval.hash, decision, "").await;
    answered.map_err(|error| {
        let failure = error.into_failure();
        (failure.kind, failure.message)
    })
}

fn results(entries: &[Entry]) -> Vec<(String, bool)> {
    let result = |entry: &Entry| match &entry.body {
        EntryBody::ToolFinished { result, denied, .. } => Some((result.content.clone(), *denied)),
        _ => None,
    };
    entries.iter().filter_map(result).collect()
}

#[tokio::test]
async fn a_call_waits_until_a_person_says_yes_and_is_made_once() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        scene.says(&world, &[set("a", 1)]).await;
        let approval = scene.until_asked().await;
        assert_eq!(approval.call.input, json!({ "action": "set", "key": "a", "value": 1 }));
        assert_eq!((approval.why, approval.about.as_deref()), (ApprovalReason::Rule, Some("a")));
        assert_eq!((scene.status(&world).await, scene.state(&world.hub).await), (Status::Waiting, json!({})));
        let waiting = world.hub.for_viewer(&scene.viewer).approvals().list().await.unwrap();
        assert_eq!(waiting.iter().map(|one| &one.approval).collect::<Vec<_>>(), [&approval]);

        answer(&world.hub, &scene.viewer, &approval, Decision::Once).await.unwrap();
        let entries = until_finished(&mut scene.tab).await;
        assert_eq!(results(&entries), [(json!({ "ok": true }).to_string(), false)]);
        assert_eq!(
            (scene.status(&world).await, scene.state(&world.hub).await),
            (Status::Idle, json!({ "a": 1 }))
        );
        assert!(world.hub.for_viewer(&scene.viewer).approvals().list().await.unwrap().is_empty());
        let written = entries.iter().filter(|entry| matches!(entry.body, EntryBody::State { .. })).count();
        assert_eq!(written, 1);
    })
    .await;
}

#[tokio::test]
async fn of_two_devices_that_answer_at_once_one_counts() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let phone = world
            .hub
            .accounts()
            .sign_in("ada", crate::world::PASSWORD, "Mozilla/5.0 (iPhone) Safari")
            .await
            .unwrap()
            .done()
            .unwrap();
        for round in 0..5 {
            scene.says(&world, &[set("a", round)]).await;
            let approval = scene.until_asked().await;
            let (one, other) = tokio::join!(
                answer(&world.hub, &scene.viewer, &approval, Decision::Once),
                answer(&world.hub, &phone.viewer, &approval, Decision::Deny),
            );
            let (was_allowed, late) = match (one, other) {
                (Ok(()), Err(late)) => (true, late),
                (Err(late), Ok(())) => (false, late),
                both => panic!("{both:?}"),
            };
            assert_eq!(late.0, FailureKind::Conflict);
            let said =
                if was_allowed { "This was allowed already, on " } else { "This was denied already, on " };
            assert!(late.1.starts_with(said), "{late:?}");
            let entries = until_finished(&mut scene.tab).await;
            let settled =
                entries.iter().filter(|entry| matches!(entry.body, EntryBody::ApprovalSettled { .. }));
            assert_eq!(settled.count(), 1);
            assert_eq!(results(&entries)[0].1, !was_allowed);
        }
    })
    .await;
}

#[tokio::test]
async fn an_answer_counts_for_what_was_shown_and_for_its_person_alone() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let eve = world.person("eve").await;
        scene.says(&world, &[set("a", 1), set("b\u{202e}\u{200b}", 2)]).await;
        let first = scene.until_asked().await;
        let foreign = answer(&world.hub, &eve, &first, Decision::Once).await.unwrap_err();
        let missing = Approval { id: "none".into(), ..first.clone() };
        assert_eq!(foreign, answer(&world.hub, &eve, &missing, Decision::Once).await.unwrap_err());
        assert_eq!(foreign.0, FailureKind::NotFound);
        assert!(world.hub.for_viewer(&eve).approvals().list().await.unwrap().is_empty());
        answer(&world.hub, &scene.viewer, &first, Decision::Once).await.unwrap();

        let second = scene.until_asked().await;
        assert_eq!(second.call.input["key"], "b\u{202e}\u{200b}");
        for forged in [
            Approval { hash: first.hash.clone(), ..second.clone() },
            Approval { hash: String::new(), ..second.clone() },
            Approval { id: first.id.clone(), ..second.clone() },
        ] {
            let refused = answer(&world.hub, &scene.viewer, &forged, Decision::Always).await.unwrap_err();
            assert_eq!(refused.0, FailureKind::Conflict, "{forged:?}");
        }
        let replayed = answer(&world.hub, &scene.viewer, &first, Decision::Once).await.unwrap_err();
        assert_eq!(replayed.0, FailureKind::Conflict);
        answer(&world.hub, &scene.viewer, &second, Decision::Deny).await.unwrap();
        let entries = until_finished(&mut scene.tab).await;
        assert!(entries.iter().any(|entry| entry.body == EntryBody::finished(Outcome::Completed)));
        assert_eq!(scene.state(&world.hub).await, json!({ "a": 1 }));
    })
    .await;
}

#[tokio::test]
async fn after_three_denials_each_change_is_asked_about_by_itself() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        scene.says(&world, &[set("a", 1), set("b", 2), set("c", 3), set("d", 4)]).await;
        for _ in 0..3 {
            let approval = scene.until_asked().await;
            answer(&world.hub, &viewer, &approval, Decision::Deny).await.unwrap();
        }
        // A rule that comes now does not make it go on.
        add_rule(&world.hub, &viewer, "allow", "state", "").await;
        let approval = scene.until_asked().await;
        assert_eq!((approval.why, &approval.call.input["key"]), (ApprovalReason::Denials, &json!("d")));
        let refused = answer(&world.hub, &viewer, &approval, Decision::Run).await.unwrap_err();
        assert_eq!(refused.0, FailureKind::Invalid);
        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
        until_finished(&mut scene.tab).await;
        assert_eq!(scene.state(&world.hub).await, json!({ "d": 4 }));
    })
    .await;
}

#[tokio::test]
async fn answers_and_rules_stand_in_the_audit() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        let mut ids = Vec::new();
        for decision in [Decision::Once, Decision::Deny] {
            scene.says(&world, &[set("a", 1)]).await;
            let approval = scene.until_asked().await;
            ids.push(approval.id.clone());
            answer(&world.hub, &scene.viewer, &approval, decision).await.unwrap();
            until_finished(&mut scene.tab).await;
        }
        let rule = scoped.policies().list(&scene.agent).await.unwrap().pop().unwrap();
        scoped.policies().delete(&rule.id).await.unwrap();
        let page = scoped.audit().read(&AuditQuery::default()).await.unwrap();
        let lines: Vec<_> = page.lines.iter().map(|line| (line.action, line.object.as_str())).collect();
        let (allowed, denied) = (
            format!("state about a, once, approval {}", ids[0]),
            format!("state about a, deny, approval {}", ids[1]),
        );
        let expected = [
            (AuditAction::RuleDeleted, "ask before state"),
            (AuditAction::CallDenied, denied.as_str()),
            (AuditAction::CallAllowed, allowed.as_str()),
            (AuditAction::RuleAdded, "ask before state"),
        ];
        assert_eq!(lines[..4], expected);
    })
    .await;
}
