//! For how long, and how often, an answer or a rule holds.

use super::{Scene, answer, set};
use crate::runs::trace::{until, until_finished};
use crate::world::{World, each_store};
use protocol::FailureKind;
use protocol::approval::{Decision, PolicyDraft};
use protocol::log::{EntryBody, Outcome};
use serde_json::json;
use sqlx::Row as _;
use std::time::Duration;

#[tokio::test]
async fn an_answer_holds_as_long_as_it_says() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        // How many of these calls are asked about: twice in one run, and once in the next, half an hour later.
        for (decision, expected) in [
            (Decision::Once, [true, true, true]),
            (Decision::Run, [true, false, true]),
            (Decision::HalfHour, [true, false, true]),
            (Decision::Deny, [true, true, true]),
            (Decision::Always, [true, false, false]),
        ] {
            let mut asked = Vec::new();
            for calls in [vec![set("a", 1), set("a", 2)], vec![set("a", 3)]] {
                scene.says(&world, &calls).await;
                let mut open = 0;
                loop {
                    let entries = until(&mut scene.tab, |body| {
                        matches!(
                            body,
                            EntryBody::ApprovalAsked { .. }
                                | EntryBody::ToolFinished { .. }
                                | EntryBody::RunFinished { .. }
                        )
                    })
                    .await;
                    match entries.into_iter().next_back().map(|entry| entry.body) {
                        Some(EntryBody::ApprovalAsked { approval }) => {
                            open += 1;
                            answer(&world.hub, &scene.viewer, &approval, decision).await.unwrap();
                        }
                        Some(EntryBody::ToolFinished { .. }) => {
                            asked.push(open == 1);
                            open = 0;
                        }
                        _ => break,
                    }
                }
                world.clock.advance(Duration::from_secs(31 * 60));
            }
            assert_eq!(asked, expected, "{decision:?}");
        }
        let rules = world.hub.for_viewer(&scene.viewer).policies().list(&scene.agent).await.unwrap();
        assert_eq!(rules.iter().filter(|rule| rule.approval.is_some() && rule.run.is_none()).count(), 1);
        let store = world.store().await;
        let kept: i64 =
            sqlx::query("SELECT COUNT(*) FROM policy_rules").fetch_one(store.read()).await.unwrap().get(0);
        store.close().await;
        assert_eq!(kept, 2, "what holds no more is not kept");
    })
    .await;
}

#[tokio::test]
async fn an_answer_makes_no_rule_past_the_limit_and_can_be_given_for_this_call() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        world
            .execute(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
                 INSERT INTO policy_rules (id, user_id, tool, verdict, made_at, place)
                 SELECT 'rule-' || CAST(n.i AS TEXT), p.user_id, p.tool, p.verdict, p.made_at, n.i + 1
                 FROM n CROSS JOIN policy_rules p",
            )
            .await;
        scene.says(&world, &[set("a", 1)]).await;
        let approval = scene.until_asked().await;
        for decision in [Decision::Run, Decision::HalfHour, Decision::Always] {
            let (kind, why) = answer(&world.hub, &scene.viewer, &approval, decision).await.unwrap_err();
            assert_eq!(kind, FailureKind::Limit, "{decision:?}");
            assert!(why.contains("Take some back first"), "{why}");
        }
        answer(&world.hub, &scene.viewer, &approval, Decision::Once).await.unwrap();
        let entries = until_finished(&mut scene.tab).await;
        assert_eq!(entries.last().unwrap().body, EntryBody::finished(Outcome::Completed));
    })
    .await;
}

#[tokio::test]
async fn an_answer_holds_as_often_as_it_says() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        scene.says(&world, &[set("a", 1), set("a", 2), set("a", 3), set("a", 4)]).await;
        let first = scene.until_asked().await;
        for (decision, times) in [(Decision::Once, 2), (Decision::Deny, 2), (Decision::Always, 1001)] {
            let refused = scoped.approvals().answer_for(&first.id, &first.hash, decision, "", times).await;
            assert_eq!(
                refused.unwrap_err().into_failure().kind,
                FailureKind::Invalid,
                "{decision:?} {times}"
            );
        }
        scoped.approvals().answer_for(&first.id, &first.hash, Decision::Always, "", 2).await.unwrap();
        let last = scene.until_asked().await;
        assert_eq!(last.call.input["value"], 4);
        answer(&world.hub, &viewer, &last, Decision::Deny).await.unwrap();
        until_finished(&mut scene.tab).await;
        assert_eq!(scene.state(&world.hub).await, json!({ "a": 3 }));
    })
    .await;
}

#[tokio::test]
async fn a_rule_holds_as_often_and_as_long_as_it_says() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        let twice = PolicyDraft {
            verdict: "allow".to_owned(),
            tool: "state".to_owned(),
            about: "a*".to_owned(),
            uses: 2,
            minutes: 30,
            ..PolicyDraft::default()
        };
        let calls = [set("a1", 1), set("b", 1), set("a2", 1), set("a3", 1)];
        for (later, expected) in [(0, ["b", "a3"].as_slice()), (31, &["a1", "b", "a2", "a3"])] {
            scoped.policies().add(&twice).await.unwrap();
            world.clock.advance(Duration::from_secs(later * 60));
            scene.says(&world, &calls).await;
            let mut asked = Vec::new();
            while asked.len() < expected.len() {
                let approval = scene.until_asked().await;
                asked.push(approval.about.clone().unwrap());
                answer(&world.hub, &scene.viewer, &approval, Decision::Once).await.unwrap();
            }
            until_finished(&mut scene.tab).await;
            assert_eq!(asked, expected);
        }
        for draft in [
            PolicyDraft { verdict: "deny".to_owned(), ..twice.clone() },
            PolicyDraft { verdict: "ask".to_owned(), ..twice.clone() },
            PolicyDraft { tool: String::new(), ..twice.clone() },
            PolicyDraft { tool: "fe tch".to_owned(), ..twice.clone() },
            PolicyDraft { verdict: "perhaps".to_owned(), ..twice.clone() },
            PolicyDraft { asker: "nobody".to_owned(), ..twice.clone() },
            PolicyDraft { uses: 1001, ..twice.clone() },
            PolicyDraft { about: "a\nb".to_owned(), ..twice.clone() },
        ] {
            let refused = scoped.policies().add(&draft).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::Invalid, "{draft:?}");
        }
    })
    .await;
}
