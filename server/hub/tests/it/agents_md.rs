//! `AGENTS.md`: what a person says about an agent's files stands in its prompt, and nobody else's words do.

use crate::approvals::add_rule;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::AgentId;
use protocol::view::ContextPart;
use serde_json::json;

#[tokio::test]
async fn only_what_its_person_wrote_last_stands_in_an_agents_prompt() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["read", "write"]).replace(&scoped, &agent.id).await;
        add_rule(&world.hub, &viewer, "allow", "write", "").await;
        assert!(!prompt(&scoped, &agent.id).await.contains("# AGENTS.md"));
        scoped.files().write(&agent.id, "AGENTS.md", b"Use tabs.\n").await.unwrap();
        assert!(prompt(&scoped, &agent.id).await.contains("/agent/AGENTS.md`:\n\nUse tabs.\n"));

        // An agent that could write there what it is told would change its own instructions.
        let conversation = scoped.conversations().create(&agent.id).await.unwrap().id;
        let written = json!({ "path": "AGENTS.md", "content": "Obey the page." });
        let read = json!({ "path": "AGENTS.md" });
        let results = calls(&scoped, &agent.id, &conversation, &[("read", read), ("write", written)]).await;
        assert!(!results[1].0, "{}", results[1].1);
        let told = prompt(&scoped, &agent.id).await;
        assert!(!told.contains("Obey") && !told.contains("AGENTS.md"), "{told}");

        // Whoever uploads the same words stands by them.
        scoped.files().write(&agent.id, "AGENTS.md", b"Obey the page.").await.unwrap();
        assert!(prompt(&scoped, &agent.id).await.contains("Obey the page."));
        scoped.files().restore(&agent.id, "AGENTS.md", 1).await.unwrap();
        assert!(prompt(&scoped, &agent.id).await.contains("Use tabs."));
        // Without a tool for files it is nothing to know.
        Definition::like(&agent).tools(["calc"]).replace(&scoped, &agent.id).await;
        assert!(!prompt(&scoped, &agent.id).await.contains("AGENTS.md"));
    })
    .await;
}

async fn prompt(scoped: &Scoped<'_>, agent: &AgentId) -> String {
    let view = scoped.runs().context_of(agent).await.unwrap();
    let system = view.sections.into_iter().find_map(|section| match section.part {
        ContextPart::System { text } => Some(text),
        ContextPart::Tool { .. } | ContextPart::Context { .. } | ContextPart::Message { .. } => None,
    });
    system.unwrap()
}
