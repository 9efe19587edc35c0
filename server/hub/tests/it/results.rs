//! Results that the gateway gives again, and when it does not.

use crate::talk::PATIENCE;
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Viewer;
use protocol::AgentId;
use protocol::agent::ProviderKind;
use protocol::agent::{Hook, HookAction, HookEvent};
use protocol::log::{EntryBody, Outcome};
use protocol::view::{AgentView, LoopSettings};
use sqlx::Row;

#[tokio::test]
async fn a_result_is_given_again_until_something_writes_what_it_read() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let hooks = vec![Hook {
            event: HookEvent::PostToolUse,
            tool: Some("list_tools".to_owned()),
            holds: None,
            action: HookAction::AddContext { text: "Mind the frost.".to_owned() },
        }];
        let agent = agent(&world, &viewer, &endpoint, hooks).await;
        let listed = listed(&world, &viewer, &agent).await;
        assert_eq!(listed.len(), 3);
        assert_eq!(listed[0], listed[1]);
        assert!(!listed[1].contains("water") && listed[2].contains("water"), "{listed:?}");
        for result in &listed {
            assert_eq!(result.matches("Mind the frost.").count(), 1, "hooks see every result: {result}");
        }
        assert_eq!(audit(&world, &agent.id).await, ["done", "cached", "done", "done"]);
    })
    .await;
}

#[tokio::test]
async fn what_one_agent_read_is_no_answer_for_another() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for person in ["ada", "eve"] {
            let viewer = world.person(person).await;
            let agent = agent(&world, &viewer, &endpoint, Vec::new()).await;
            for listed in [listed(&world, &viewer, &agent).await, listed(&world, &viewer, &agent).await] {
                assert_eq!(listed.len(), 3);
            }
            let expected = ["done", "cached", "done", "done", "done", "cached", "done", "done"];
            assert_eq!(audit(&world, &agent.id).await, expected, "{person}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_hook_that_denies_a_tool_denies_what_is_known_as_well() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let hooks = vec![Hook {
            event: HookEvent::PreToolUse,
            tool: Some("list_tools".to_owned()),
            holds: None,
            action: HookAction::Deny { reason: "Not today.".to_owned() },
        }];
        let agent = agent(&world, &viewer, &endpoint, hooks).await;
        for result in listed(&world, &viewer, &agent).await {
            assert_eq!(result, "Not allowed: Not today.");
        }
        assert!(!audit(&world, &agent.id).await.contains(&"cached".to_owned()));
    })
    .await;
}

async fn agent(world: &World, viewer: &Viewer, endpoint: &Endpoint, hooks: Vec<Hook>) -> AgentView {
    let scoped = world.hub.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::OpenAi).await;
    Definition::on(&provider, "gpt-5-mini")
        .tools(["list_tools", "create_tool"])
        .settings(LoopSettings { hooks, ..LoopSettings::default() })
        .create(&scoped)
        .await
}

/// Lets the agent list its tools twice, make one, and list them again; gives what the lists said.
async fn listed(world: &World, viewer: &Viewer, agent: &AgentView) -> Vec<String> {
    let scoped = world.hub.for_viewer(viewer);
    let answered = scoped.runs().ask(&agent.id, "script: list-tools", None, PATIENCE).await.unwrap();
    assert_eq!(answered.outcome, Some(Outcome::Completed), "{:?}", answered.error);
    let entries = scoped.conversations().entries(&agent.id, answered.seq).await.unwrap();
    let results = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::ToolFinished { result, .. } if result.name == "list_tools" => Some(result.content),
        _ => None,
    });
    results.collect()
}

/// How the agent's calls ended, oldest first.
async fn audit(world: &World, agent: &AgentId) -> Vec<String> {
    let store = world.store().await;
    let rows = sqlx::query("SELECT outcome FROM tool_calls WHERE agent_id = $1 ORDER BY started_at, turn")
        .bind(&agent.0)
        .fetch_all(store.read())
        .await
        .unwrap();
    store.close().await;
    rows.iter().map(|row| row.get(0)).collect()
}
