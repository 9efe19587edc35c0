//! Who called which tool, who decided, and how it ended: found by those who may see it, for as long as it is
//! kept.

use super::way_out::{Scene, get, storage};
use super::{add_rule, set, turns};
use crate::world::{World, each_store_with_a_web};
use hub::{AuditQuery, CallPlace, CallsQuery, Hub, Viewer};
use protocol::approval::{Asker, Decision};
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use protocol::view::{AuditAction, CallDecider, CallLine, CallOutcome, Role};
use serde_json::json;
use sqlx::Row as _;
use std::time::Duration;

fn told(line: &CallLine) -> String {
    let CallLine { person, agent, caller, tool, about, decided_by, outcome, .. } = line;
    let caller = match caller {
        Asker::Model => "model",
        Asker::Page => "page",
    };
    let about = about.as_deref().unwrap_or("-");
    format!("{person}{agent} {caller} {tool} {about} {decided_by:?} {:?}", outcome.unwrap())
}

async fn own(hub: &Hub, viewer: &Viewer, query: CallsQuery) -> Vec<String> {
    hub.for_viewer(viewer).audit().calls(&query).await.unwrap().lines.iter().map(told).collect()
}

impl Scene {
    /// Calls of every kind of ending; gives what they look like to their person, oldest first.
    pub(super) async fn call_around(&mut self, world: &World) -> Vec<String> {
        let (page, evil) = (self.page.host(), self.evil.host());
        add_rule(&world.hub, &self.viewer, "deny", "fetch", &evil).await;
        self.run(
            world,
            &turns(&[set("a", 1), get(self.page.url("/")), get(self.evil.url("/"))]),
            Decision::Deny,
        )
        .await;
        self.run(world, &turns(&[get("http://elsewhere.example/".to_owned())]), Decision::Deny).await;
        add_rule(&world.hub, &self.viewer, "ask", "storage", "").await;
        self.run(world, &turns(&[storage()]), Decision::Deny).await;
        self.tab.page_call(&self.agent, 9, "storage".to_owned(), json!({ "action": "list" })).await.unwrap();
        while !matches!(crate::runs::trace::next(&mut self.tab).await, HubFrame::Answered { id: 9, .. }) {}
        let line = |rest: String| format!("Ada {rest}");
        [
            "model state a Default Done".to_owned(),
            format!("model fetch {page} over http Default Done"),
            format!("model fetch {evil} over http Rule Denied"),
            "model fetch elsewhere.example over http Network Denied".to_owned(),
            "model storage diary Person Denied".to_owned(),
            "page storage - Default Denied".to_owned(),
        ]
        .map(line)
        .to_vec()
    }
}

#[tokio::test]
async fn a_call_is_found_by_those_who_may_see_it_with_who_decided_and_how_it_ended() {
    each_store_with_a_web(async |world: World| {
        let hub = &world.hub;
        let mut scene = Scene::begin(&world, "ada").await;
        let mut expected = scene.call_around(&world).await;
        expected.reverse();
        let (ada, eve, root) = (scene.viewer.clone(), world.person("eve").await, world.admin("root").await);
        assert_eq!(own(hub, &ada, CallsQuery::default()).await, expected);
        assert_eq!(own(hub, &eve, CallsQuery::default()).await, Vec::<String>::new());

        // Each of a model is found from where the conversation shows it.
        let scoped = hub.for_viewer(&ada);
        let mut told_alone = Vec::new();
        for entry in scoped.conversations().entries(&scene.agent, 0).await.unwrap() {
            let (Some(run), EntryBody::ToolFinished { turn, result, .. }) = (&entry.run, &entry.body) else {
                continue;
            };
            let place = CallPlace { agent: &scene.agent, run, turn: *turn, call: &result.call };
            told_alone.extend(scoped.audit().call(place).await.unwrap().iter().map(told));
            assert!(hub.for_viewer(&eve).audit().call(place).await.is_err());
            let nowhere = CallPlace { turn: 99, ..place };
            assert_eq!(scoped.audit().call(nowhere).await.unwrap(), None);
        }
        told_alone.sort();
        let mut of_model: Vec<String> =
            expected.iter().filter(|line| !line.contains(" page ")).cloned().collect();
        of_model.sort();
        assert_eq!(told_alone, of_model, "the page's call stands in no conversation");

        let admin = hub.as_admin(&root).unwrap();
        for (text, outcome, mine, admins) in [
            ("fetch", None, 3, 3),
            ("FETCH", Some(CallOutcome::Denied), 2, 2),
            ("elsewhere", None, 1, 0),
            ("ada", None, 6, 0),
            ("diary", None, 1, 0),
            ("%", None, 0, 0),
            ("", Some(CallOutcome::Done), 2, 2),
        ] {
            let query = CallsQuery { text: text.to_owned(), outcome, before: None };
            assert_eq!(own(hub, &ada, query.clone()).await.len(), mine, "{text} {outcome:?}");
            let found = admin.audit().calls(None, &query).await.unwrap().lines;
            assert_eq!(found.len(), admins, "{text} {outcome:?}");
            assert!(
                found
                    .iter()
                    .all(|line| line.person == "ada" && line.agent.is_empty() && line.about.is_none())
            );
        }
        assert_eq!(admin.audit().calls(Some(&eve.me.id), &CallsQuery::default()).await.unwrap().lines, []);
        assert!(hub.as_admin(&eve).is_none());
    })
    .await;
}

#[tokio::test]
async fn a_call_that_nobody_denied_and_was_not_made_has_a_line_in_the_audit() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        scene.call_around(&world).await;
        scene.hook(&world, "state", "moss").await;
        let call = json!({ "tool": "state", "input": { "action": "set", "key": "moss", "value": 1 } });
        scene.run(&world, &turns(&[call]), Decision::Deny).await;
        let query = AuditQuery { action: Some(AuditAction::CallBlocked), ..AuditQuery::default() };
        let page = world.hub.for_viewer(&scene.viewer).audit().read(&query).await.unwrap();
        let lines: Vec<_> = page.lines.iter().map(|line| line.object.clone()).collect();
        assert_eq!(
            lines,
            [
                "state about moss, by a hook, Ada".to_owned(),
                "storage, not allowed here, Ada".to_owned(),
                "fetch about elsewhere.example over http, out of reach, Ada".to_owned(),
                format!("fetch about {} over http, by a rule, Ada", scene.evil.host()),
            ]
        );
        assert!(page.lines.iter().all(|line| line.person == "ada" && line.actor.is_empty()));
        assert_eq!(world.hub.audit().state().await.unwrap().broken, None);
    })
    .await;
}

#[tokio::test]
async fn calls_outlive_their_agent_without_their_words_and_are_let_go_of_with_age() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        let before = scene.call_around(&world).await.len();
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        scoped.agents().delete(&scene.agent).await.unwrap();
        let lines = scoped.audit().calls(&CallsQuery::default()).await.unwrap().lines;
        assert_eq!(lines.len(), before);
        assert!(lines.iter().all(|line| line.agent == "Ada" && line.about.is_none()));
        let kept = "SELECT COUNT(*) FROM tool_calls WHERE input <> ''";
        let store = world.store().await;
        assert_eq!(sqlx::query(kept).fetch_one(store.read()).await.unwrap().get::<i64, _>(0), 0);
        let page = scoped.audit().read(&AuditQuery::default()).await.unwrap();
        let newest = page.lines.first().map(|line| (line.action, line.object.as_str()));
        assert_eq!(newest, Some((AuditAction::AgentDeleted, "Ada")));

        world.hub.accounts().add_user("bo", crate::world::PASSWORD, Role::Member).await.unwrap();
        world.clock.advance(Duration::from_secs(401 * 24 * 60 * 60));
        let viewer = world
            .hub
            .accounts()
            .sign_in("ada", crate::world::PASSWORD, "test")
            .await
            .unwrap()
            .done()
            .unwrap()
            .viewer;
        let mut next = Scene::begin_as(&world, viewer.clone()).await;
        next.run(&world, &turns(&[set("a", 1)]), Decision::Deny).await;
        let lines = own(&world.hub, &viewer, CallsQuery::default()).await;
        assert_eq!(lines, ["Ada model state a Default Done"]);
    })
    .await;
}

#[tokio::test]
async fn many_calls_come_in_pages_without_a_gap() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        for start in [0, 20, 40] {
            let calls: Vec<_> = (start..start + 20).map(|number| set(&format!("k{number}"), 1)).collect();
            scene.run(&world, &turns(&calls), Decision::Deny).await;
        }
        let scoped = world.hub.for_viewer(&scene.viewer);
        let first = scoped.audit().calls(&CallsQuery::default()).await.unwrap();
        let rest = CallsQuery { before: first.older.clone(), ..CallsQuery::default() };
        let rest = scoped.audit().calls(&rest).await.unwrap();
        assert_eq!((first.lines.len(), rest.lines.len(), rest.older), (50, 10, None));
        let mut keys: Vec<_> =
            first.lines.iter().chain(&rest.lines).filter_map(|line| line.about.clone()).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 60);
        assert!(first.lines.iter().all(|line| line.decided_by == CallDecider::Default));
    })
    .await;
}
