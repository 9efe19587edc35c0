//! The tools that agents make for themselves, as their person sees them.

use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use hub::Viewer;
use protocol::agent::ProviderKind;
use protocol::log::{EntryBody, Outcome};
use protocol::{AgentId, FailureKind};
use serde_json::{Value, json};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(180);

#[tokio::test]
async fn a_person_reads_what_an_agent_made_and_takes_it_away() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap(), []);
        for version in [1, 2] {
            let answered = scoped.runs().ask(&agent, "script: list-tools", None, PATIENCE).await.unwrap();
            assert_eq!(answered.outcome, Some(Outcome::Completed), "{:?}", answered.error);
            let made = scoped.made_tools().list(&agent).await.unwrap();
            assert_eq!((made.len(), made[0].name.as_str(), made[0].version), (1, "water", version));
            assert!(made[0].made_at.is_some() && made[0].code.contains("is wet"), "{made:?}");
        }

        for (viewer, id, name) in
            [(&eve, &agent, "water"), (&ada, &AgentId::from("0198c0ffee"), "water"), (&ada, &agent, "fire")]
        {
            let refused = world.hub.for_viewer(viewer).made_tools().delete(id, name).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        }
        assert!(world.hub.for_viewer(&eve).made_tools().list(&agent).await.is_err());

        scoped.made_tools().delete(&agent, "water").await.unwrap();
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap(), []);
        let told = scoped.runs().ask(&agent, "Is it gone?", None, PATIENCE).await.unwrap();
        let entries = scoped.conversations().entries(&agent, 0).await.unwrap();
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
        let answered = scoped.runs().ask(&agent, &format!("turns: {making}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("$defs, which is not used here"), "{}", answered.text);
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap(), []);

        // One that was stored before there were bounds is there for the person, and for nobody else.
        store(&world, &agent, &hostile).await;
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap().len(), 1);
        let calling = json!([[{ "tool": "bomb", "input": {} }], [{ "text": "{results}" }]]);
        let answered = scoped.runs().ask(&agent, &format!("turns: {calling}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("bomb cannot be called: The schema has $"), "{}", answered.text);
        let declared = endpoint.requests().await.last().unwrap()["body"]["tools"].to_string();
        assert!(declared.contains("create_tool") && !declared.contains("bomb"), "{declared}");
    })
    .await;
}

#[tokio::test]
async fn patterns_that_take_long_end_with_the_process_that_checks_them() {
    on_sqlite(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        let patterns: Vec<_> =
            (0..32).map(|n| json!({ "pattern": format!("[ab]*a[ab]{{{}}}x", 1_500 + n) })).collect();
        let slow = json!({
            "name": "slow", "description": "Takes long.", "code": "return 1",
            "input_schema": { "type": "object", "properties": { "text": { "allOf": patterns } } },
        });
        store(&world, &agent, &slow).await;
        let mut seed = 1_u32;
        let letter = |_| {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            if seed >> 31 == 0 { 'a' } else { 'b' }
        };
        let text: String = (0..120_000).map(letter).collect();
        let calling = json!([[{ "tool": "slow", "input": { "text": text } }], [{ "text": "{results}" }]]);
        let answered = scoped.runs().ask(&agent, &format!("turns: {calling}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("Its patterns take too long"), "{}", answered.text);
    })
    .await;
}

#[tokio::test]
async fn of_many_made_tools_the_model_is_told_of_few_and_finds_the_others() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        for (given, told) in [(&["tool_search"][..], "mow_a mow_b mow_c mow_d mow_e mow_f mow_g mow_h"), (&["list_tools"], ALL)] {
            let agent = made_for(&world, &ada, &endpoint, given).await;
            for name in ALL.split(' ') {
                let tool = json!({ "name": name, "description": format!("Mows {name}."), "input_schema": { "type": "object" } });
                store(&world, &agent, &tool).await;
            }
            let finding = json!([
                [{ "tool": "tool_search", "input": { "query": "Mows mow_j" } }],
                [{ "tool": "mow_j", "input": {} }],
                [{ "text": "{results}" }],
            ]);
            let before = endpoint.requests().await.len();
            scoped.runs().ask(&agent, &format!("turns: {finding}"), None, PATIENCE).await.unwrap();
            let requests = endpoint.requests().await;
            let declared = |request: &Value| {
                let tools = request["body"]["tools"].as_array().cloned().unwrap_or_default();
                let names = tools.iter().filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned));
                names.filter(|name| name.starts_with("mow_")).collect::<Vec<_>>().join(" ")
            };
            assert_eq!(declared(&requests[before]), told);
            assert!(declared(requests.last().unwrap()).contains("mow_j"), "what was found can be called");
        }
    })
    .await;
}

#[tokio::test]
async fn a_reply_is_not_asked_to_be_longer_than_its_model_can_make_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        let view = scoped.agents().get(&agent).await.unwrap();
        for (model, asked, expected) in [("gpt-5-mini", 200_000, 128_000), ("gpt-5-mini", 500, 500)] {
            let wordy = Definition::like(&view).model(&view.provider.clone().unwrap(), model).output(asked);
            wordy.replace(&scoped, &agent).await;
            scoped.runs().ask(&agent, "Hello", None, PATIENCE).await.unwrap();
            let body = endpoint.requests().await.last().unwrap()["body"].clone();
            let most =
                [&body["max_completion_tokens"], &body["max_tokens"]].into_iter().find_map(Value::as_u64);
            assert_eq!(most, Some(expected), "{body}");
        }
    })
    .await;
}

const ALL: &str = "mow_a mow_b mow_c mow_d mow_e mow_f mow_g mow_h mow_i mow_j";

/// An agent that may make tools.
async fn maker(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> AgentId {
    made_for(world, viewer, endpoint, &["list_tools", "create_tool"]).await
}

async fn made_for(world: &World, viewer: &Viewer, endpoint: &Endpoint, tools: &[&str]) -> AgentId {
    let scoped = world.hub.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::OpenAi).await;
    Definition::on(&provider, "gpt-5-mini").tools(tools.iter().copied()).create(&scoped).await.id
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
