//! Agents of people on another node, asked from here.

use crate::approvals::add_rule;
use crate::talk::{self, ask};
use crate::world::{Definition, Endpoint, Nats, PASSWORD, World, on_postgres};
use hub::{Hub, Placement, SharedWith, Viewer};
use protocol::Micros;
use protocol::agent::ProviderKind;
use protocol::view::{AgentView, DelegationState, Role, Status};
use serde_json::{Value, json};

/// Somebody new whom this node has.
async fn somebody_on(node: &Hub) -> Viewer {
    // Another node may take one on as they come.
    for name in ["eve", "eva", "evi"] {
        node.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
        let session = node.accounts().sign_in(name, PASSWORD, "test").await.unwrap().done().unwrap();
        if node.place(&session.viewer.me.id).await.unwrap() == Placement::Here {
            return session.viewer;
        }
    }
    panic!("others have them all");
}

async fn agent_of(node: &Hub, viewer: &Viewer, endpoint: &Endpoint, name: &str) -> AgentView {
    let scoped = node.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
    Definition::named(name).model(&provider, "claude-sonnet-4-5").tools(["agent_ask"]).create(&scoped).await
}

#[tokio::test]
async fn an_agent_of_somebody_on_another_node_works_there_and_is_heard_and_stopped_from_here() {
    on_postgres(async |world: World| {
        let (nats, endpoint) = (Nats::start(), Endpoint::start());
        let ada = world.person("ada").await;
        world.hub.close().await;
        let there = world.node(&nats).await.unwrap();
        assert_eq!(there.place(&ada.me.id).await.unwrap(), Placement::Here);
        let here = world.node(&nats).await.unwrap();
        let eve = somebody_on(&here).await;
        let fern = agent_of(&there, &ada, &endpoint, "Fern").await;
        let moss = agent_of(&here, &eve, &endpoint, "Moss").await;
        let (adas, eves) = (there.for_viewer(&ada), here.for_viewer(&eve));
        let with = SharedWith::Person(&eve.me.name);
        adas.agent_shares().give(&fern.id, with, Some(Micros(5_000_000))).await.unwrap();
        add_rule(&here, &eve, "allow", "agent_ask", "person:ada").await;
        let asks = |text: &str, then: &str| {
            let input = json!({ "person": "ada", "agents": ["Fern"], "text": text, "wait_seconds": 60 });
            let turns: Value = json!([[{ "tool": "agent_ask", "input": input }], [{ "text": then }]]);
            format!("turns: {turns}")
        };
        let said = ask(&eves, &moss.id, &moss.conversation, &asks("What is green?", "{results}")).await;
        assert!(said.contains("You said: What is green?"), "{said}");
        let hangs = format!("turns: {}", json!([[{ "text": "some words" }, "hang"]]));
        eves.runs().send_message(&moss.id, &asks(&hangs, "Done."), None, None).await.unwrap();
        let is = async |state| eves.delegations().list(None).await.unwrap()[0].state == state;
        talk::until(async || is(DelegationState::Running).await).await;
        eves.runs().stop(&moss.id).await.unwrap();
        talk::until(async || is(DelegationState::Stopped).await).await;
        let is_free =
            async || adas.agents().list().await.unwrap().iter().all(|card| card.status != Status::Running);
        talk::until(is_free).await;
        here.close().await;
        there.close().await;
    })
    .await;
}
