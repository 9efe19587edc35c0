//! The tools that agents make for themselves, as their person sees them.

use crate::world::{Endpoint, World, each_store};
use protocol::log::{EntryBody, Outcome};
use protocol::view::{AgentDraft, ProviderKind};
use protocol::{AgentId, FailureKind};
use serde_json::json;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_person_reads_what_an_agent_made_and_takes_it_away() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let kind = ProviderKind::OpenAi;
        let provider =
            scoped.save_provider(None, "Test", kind, Some(&endpoint.url), Some("key-good")).await.unwrap();
        let draft = json!({
            "name": "Ada", "colour": "#3a7d44", "provider": provider.id, "model": "gpt-5-mini",
            "tools": ["list_tools", "create_tool"],
        });
        let agent =
            scoped.create_agent(serde_json::from_value::<AgentDraft>(draft).unwrap()).await.unwrap().id;
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
