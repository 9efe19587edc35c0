//! The tools that agents make for themselves, as their person sees them.

use crate::world::{Endpoint, World, each_store};
use hub::Viewer;
use protocol::log::{EntryBody, Outcome};
use protocol::view::{AgentDraft, ProviderKind};
use protocol::{AgentId, FailureKind};
use serde_json::{Value, json};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_person_reads_what_an_agent_made_and_takes_it_away() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        assert_eq!(scoped.made_tools(&agent).await.unwrap(), []);
        for version in [1, 2] {
            let answered = scoped.ask(&agent, "script: list-tools", None, PATIENCE).await.unwrap();
            assert_eq!(answered.outcome, Some(Outcome::Completed), "{:?}", answered.error);
            let made = scoped.made_tools(&agent).await.unwrap();
            assert_eq!((made.len(), made[0].name.as_str(), made[0].version), (1, "water", version));
            assert!(made[0].made_at.is_some() && made[0].code.contains("is wet"), "{made:?}");
        }

        for (viewer, id, name) in
            [(&eve, &agent, "water"), (&ada, &AgentId::from("0198c0ffee"), "water"), (&ada, &agent, "fire")]
        {
            let refused = world.hub.for_viewer(viewer).delete_made_tool(id, name).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        }
        assert!(world.hub.for_viewer(&eve).made_tools(&agent).await.is_err());

        scoped.delete_made_tool(&agent, "water").await.unwrap();
        assert_eq!(scoped.made_tools(&agent).await.unwrap(), []);
        let told = scoped.ask(&agent, "Is it gone?", None, PATIENCE).await.unwrap();
        let entries = scoped.entries(&agent, 0).await.unwrap();
        assert!(entries.iter().any(|entry| {
            entry.seq < told.seq && entry.body == EntryBody::ToolDeleted { name: "water".to_owned() }
        }));
        let requests = endpoint.requests().await;
        let declared = requests.last().unwrap()["body"]["tools"].to_string();
        assert!(declared.contains("create_tool") && !declared.contains("water"), "{declared}");
    })
    .await;
}

#[tokio::test]
async fn a_made_tool_whose_schema_grows_while_it_is_checked_is_neither_made_nor_called() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        let hostile = json!({
            "name": "bomb", "description": "Grows.", "input_schema": doubling(40), "code": "return 1",
        });
        let making = json!([[{ "tool": "create_tool", "input": hostile }], [{ "text": "{results}" }]]);
        let answered = scoped.ask(&agent, &format!("turns: {making}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("$defs, which is not used here"), "{}", answered.text);
        assert_eq!(scoped.made_tools(&agent).await.unwrap(), []);

        // One that was stored before there were bounds is there for the person, and for nobody else.
        store(&world, &agent, &hostile).await;
        assert_eq!(scoped.made_tools(&agent).await.unwrap().len(), 1);
        let calling = json!([[{ "tool": "bomb", "input": {} }], [{ "text": "{results}" }]]);
        let answered = scoped.ask(&agent, &format!("turns: {calling}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("bomb cannot be called: The schema has $"), "{}", answered.text);
        let declared = endpoint.requests().await.last().unwrap()["body"]["tools"].to_string();
        assert!(declared.contains("create_tool") && !declared.contains("bomb"), "{declared}");
    })
    .await;
}

/// An agent that may make tools.
async fn maker(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> AgentId {
    let scoped = world.hub.for_viewer(viewer);
    let kind = ProviderKind::OpenAi;
    let provider =
        scoped.save_provider(None, "Test", kind, Some(&endpoint.url), Some("key-good")).await.unwrap();
    let draft = json!({
        "name": "Ada", "colour": "#3a7d44", "provider": provider.id, "model": "gpt-5-mini",
        "tools": ["list_tools", "create_tool"],
    });
    scoped.create_agent(serde_json::from_value::<AgentDraft>(draft).unwrap()).await.unwrap().id
}

/// A schema each level of which doubles what there is to check.
fn doubling(levels: usize) -> Value {
    let mut schema = json!({ "type": "object", "$ref": "#/$defs/d0", "$defs": {} });
    for level in 0..levels {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        schema["$defs"][format!("d{level}")] = json!({ "allOf": [next, next] });
    }
    schema["$defs"][format!("d{levels}")] = json!({});
    schema
}

async fn store(world: &World, agent: &AgentId, tool: &Value) {
    let mut spec = tool.clone();
    spec.as_object_mut().unwrap().remove("code");
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    let sql = "INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at)
        VALUES ($1, $2, 1, $3, 'return 1', 0, 0)";
    let insert = sqlx::query(sql).bind(&agent.0).bind(tool["name"].as_str()).bind(spec.to_string());
    insert.execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}
