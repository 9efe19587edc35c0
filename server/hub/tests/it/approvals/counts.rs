//! How often tools were called: counted once for each call, and told to whom it concerns.

use super::way_out::{Scene, make_tool};
use super::{set, turns};
use crate::world::{World, each_store_with_a_web};
use hub::Viewer;
use protocol::approval::Decision;
use protocol::view::{CalledTool, Role, ToolUsage};
use serde_json::{Value, json};
use sqlx::Row as _;
use std::time::Duration;

/// Holds that the counts are what the calls add up to.
pub(crate) async fn agree(world: &World) {
    let store = world.store().await;
    let kept = sqlx::query(
        "SELECT user_id, agent_id, caller, outcome, COUNT(*) AS calls FROM tool_calls
         WHERE finished_at IS NOT NULL GROUP BY user_id, agent_id, caller, outcome
         ORDER BY user_id, agent_id, caller, outcome",
    );
    let counted = sqlx::query(
        "SELECT user_id, agent_id, caller, outcome, CAST(SUM(calls) AS BIGINT) AS calls FROM tool_counts
         GROUP BY user_id, agent_id, caller, outcome ORDER BY user_id, agent_id, caller, outcome",
    );
    let [mut kept, mut counted] =
        [kept.fetch_all(store.read()).await.unwrap(), counted.fetch_all(store.read()).await.unwrap()].map(
            |rows| {
                let text = |row: &sqlx::any::AnyRow, column: &str| row.try_get::<String, _>(column).unwrap();
                let line = |row: &sqlx::any::AnyRow| {
                    let words = ["user_id", "agent_id", "caller", "outcome"].map(|column| text(row, column));
                    (words, row.try_get::<i64, _>("calls").unwrap())
                };
                rows.iter().map(line).collect::<Vec<_>>()
            },
        );
    store.close().await;
    kept.sort();
    counted.sort();
    assert!(!kept.is_empty());
    assert_eq!(counted, kept);
}

/// Calls of every kind: of a tool, of one that the agent made, of one that there is not, and of a page.
async fn call_around(world: &World, person: &str) -> Viewer {
    let mut scene = Scene::begin(world, person).await;
    scene.call_around(world).await;
    let calls = [json!({ "tool": "http_fetch", "input": { "url": "http://elsewhere.example/" } })];
    scene.run(world, &turns(&calls), Decision::Once).await;
    make_tool(&mut scene, world).await;
    let call = |name: &str, input: Value| json!({ "tool": name, "input": input });
    let calls = [
        call("double", json!({})),
        call("the diary of Ada", json!({})),
        call("state", json!({ "action": "jump" })),
    ];
    scene.run(world, &turns(&calls), Decision::Once).await;
    scene.viewer
}

fn told(line: &ToolUsage) -> String {
    let ToolUsage { tool, calls, of_pages, done, failed, refused, unfinished, took_ms: _ } = line;
    let tool = match tool {
        CalledTool::BuiltIn { name } => name.clone(),
        CalledTool::Made { name } => format!("made {name:?}"),
        CalledTool::Nothing => "nothing".to_owned(),
    };
    format!("{tool}: {calls} ({of_pages}), {done} {failed} {refused} {unfinished}")
}

#[tokio::test]
async fn calls_are_counted_by_tool_with_what_became_of_them() {
    each_store_with_a_web(async |world: World| {
        let (ada, root) = (call_around(&world, "ada").await, world.admin("root").await);
        let eve = world.person("eve").await;
        agree(&world).await;
        let own = world.hub.for_viewer(&ada).ledger().usage().await.unwrap().tools;
        let expected =
            ["state: 2 (0), 1 0 1 0", "fetch: 4 (0), 1 0 3 0", "storage: 2 (1), 0 0 2 0"].map(str::to_owned);
        let lines: Vec<_> = own.iter().map(told).collect();
        for line in &expected {
            assert!(lines.contains(line), "{line} is not in {lines:?}");
        }
        assert!(lines.iter().any(|line| line.starts_with("made \"double\": 1 (0)")), "{lines:?}");
        assert!(lines.contains(&"nothing: 1 (0), 0 0 1 0".to_owned()), "{lines:?}");
        assert!(own.windows(2).all(|pair| pair[0].calls >= pair[1].calls), "{lines:?}");

        let admin = world.hub.as_admin(&root).unwrap();
        let all: Vec<_> = admin.ledger().usage().await.unwrap().tools.iter().map(told).collect();
        assert!(expected.iter().all(|line| all.contains(line)), "{all:?}");
        assert!(all.iter().any(|line| line.starts_with("made \"\": 1 (0)")), "{all:?}");
        assert_eq!(world.hub.for_viewer(&eve).ledger().usage().await.unwrap().tools, []);
    })
    .await;
}

#[tokio::test]
async fn sheets_of_calls_name_tools_of_agents_only_to_their_person() {
    each_store_with_a_web(async |world: World| {
        let (ada, root) = (call_around(&world, "ada").await, world.admin("root").await);
        let own = world.hub.for_viewer(&ada).ledger().tool_sheet().await.unwrap();
        let all = world.hub.as_admin(&root).unwrap().ledger().tool_sheet().await.unwrap();
        assert!(own.starts_with("day,agent,agent_id,tool,kind,caller,outcome,calls,took_ms\n"), "{own}");
        assert!(all.starts_with("day,tool,kind,caller,outcome,calls,took_ms\n"), "{all}");
        for (line, is_own, is_everybodys) in [
            (",\"fetch\",built_in,model,denied,2,", true, true),
            (",\"storage\",built_in,page,denied,1,", true, true),
            (",\"\",none,model,refused,1,", true, true),
            (",\"double\",made,model,", true, false),
            (",\"\",made,model,", false, true),
            ("diary", false, false),
            ("\"Ada\"", true, false),
        ] {
            assert_eq!(own.contains(line), is_own, "{line} in {own}");
            assert_eq!(all.contains(line), is_everybodys, "{line} in {all}");
        }
        let eve = world.person("eve").await;
        assert_eq!(world.hub.for_viewer(&eve).ledger().tool_sheet().await.unwrap().lines().count(), 1);
    })
    .await;
}

#[tokio::test]
async fn counts_outlive_their_agent_and_are_let_go_of_with_age() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        scene.run(&world, &turns(&[set("a", 1)]), Decision::Deny).await;
        world.hub.for_viewer(&scene.viewer).agents().delete(&scene.agent).await.unwrap();
        let scoped = world.hub.for_viewer(&scene.viewer);
        let lines: Vec<_> = scoped.ledger().usage().await.unwrap().tools.iter().map(told).collect();
        assert_eq!(lines, ["state: 1 (0), 1 0 0 0"]);
        assert!(
            scoped.ledger().tool_sheet().await.unwrap().contains(",\"\","),
            "the agent has no name any more"
        );

        world.hub.accounts().add_user("bo", crate::world::PASSWORD, Role::Member).await.unwrap();
        for (days, is_in_the_sheet) in [(31, true), (370, false)] {
            world.clock.advance(Duration::from_secs(days * 24 * 60 * 60));
            assert_eq!(scoped.ledger().usage().await.unwrap().tools, [], "after {days} days");
            assert_eq!(
                scoped.ledger().tool_sheet().await.unwrap().lines().count() > 1,
                is_in_the_sheet,
                "{days}"
            );
        }
        let viewer = world
            .hub
            .accounts()
            .sign_in("ada", crate::world::PASSWORD, "test")
            .await
            .unwrap()
            .done()
            .unwrap()
            .viewer;
        let mut next = Scene::begin_as(&world, viewer).await;
        next.run(&world, &turns(&[set("a", 1)]), Decision::Deny).await;
        agree(&world).await;
    })
    .await;
}
