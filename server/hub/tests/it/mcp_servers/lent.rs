//! Servers that administrators share: with whom, what each has of them, and what nobody sees.

use super::{TOKEN, called, read, water};
use crate::approvals::add_rule;
use crate::runs::agent;
use crate::world::{Definition, Endpoint, FakeMcp, World, each_store};
use hub::Viewer;
use protocol::agent::{Home, ProviderKind};
use protocol::view::{McpLent, McpToolState};
use serde_json::json;
use std::slice::from_ref;

#[tokio::test]
async fn a_shared_server_is_used_with_what_its_administrator_entered_and_stays_each_person_s_own() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let fake = FakeMcp::start(&[water()]);
        let ada = world.admin("ada").await;
        let (bert, eve) = (world.person("bert").await, world.person("eve").await);
        let lender = world.hub.for_viewer(&ada);
        let url = format!("{}?key=query-canary-1", fake.url());
        let server = lender.mcp_servers().add("garden", &url, TOKEN, "").await.unwrap();
        let (theirs, others) = (world.hub.for_viewer(&bert), world.hub.for_viewer(&eve));
        assert!(theirs.mcp_servers().offered().await.unwrap().is_empty());
        assert!(theirs.mcp_servers().take(&server.id).await.is_err());
        assert!(theirs.mcp_servers().share(&server.id, true, &[]).await.is_err());

        let admin = world.hub.as_admin(&ada).unwrap();
        let group = admin.groups().save(None, "Gardeners", from_ref(&bert.me.id)).await.unwrap();
        lender.mcp_servers().share(&server.id, false, from_ref(&group)).await.unwrap();
        assert!(others.mcp_servers().offered().await.unwrap().is_empty());
        assert!(others.mcp_servers().take(&server.id).await.is_err());
        let taken = theirs.mcp_servers().take(&server.id).await.unwrap();
        assert_eq!((&taken.lent, taken.tools_on), (&Some(McpLent::By { name: "ada".to_owned() }), 1));
        assert_ne!(taken.id, server.id);
        assert_eq!(theirs.mcp_servers().take(&server.id).await.unwrap().id, taken.id, "once is enough");
        let shown = serde_json::to_string(&theirs.mcp_servers().read(&taken.id).await.unwrap()).unwrap();
        for secret in [TOKEN, "authorization", "query-canary-1"] {
            assert!(!shown.contains(secret), "{secret}: {shown}");
        }
        assert!(theirs.mcp_servers().set_headers(&taken.id, "mine", "").await.is_err());
        assert!(theirs.mcp_servers().read(&server.id).await.is_err());

        let bot = given(&world, &bert, &endpoint, (&taken.id, &fake.host())).await;
        assert!(called(&theirs, &bot, "mcp_garden_water", json!({})).await.is_ok());
        for sent in [TOKEN, "?key=query-canary-1 "] {
            assert!(fake.heads().iter().all(|head| head.contains(sent)), "{sent}: {:?}", fake.heads());
        }
        theirs.mcp_servers().switch(&taken.id, "water", false, "").await.unwrap();
        let states = read(&lender.mcp_servers(), &server.id).await;
        assert_eq!(states[0].2, McpToolState::On, "what one switches off is off for nobody else");
        let digest = states[0].1.clone();
        theirs.mcp_servers().switch(&taken.id, "water", true, &digest).await.unwrap();

        lender.mcp_servers().share(&server.id, false, &[]).await.unwrap();
        let told = called(&theirs, &bot, "mcp_garden_water", json!({})).await.unwrap_err();
        assert!(told.contains("There is no tool"), "{told}");
        let list = theirs.mcp_servers().list().await.unwrap();
        assert_eq!(list[0].lent, Some(McpLent::Over));
        let probe = theirs.mcp_servers().look(&taken.id).await.unwrap();
        assert!(
            !probe.ok && probe.message.contains("does not share it with you any more"),
            "{}",
            probe.message
        );
        theirs.mcp_servers().remove(&taken.id).await.unwrap();
        assert_eq!(lender.mcp_servers().list().await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn what_a_shared_server_listed_is_not_told_any_more_once_it_is_not_shared() {
    each_store(async |world: World| {
        let fake = FakeMcp::start(&[water()]);
        fake.declare(json!({ "tools": {}, "resources": {} }));
        fake.offer_resources(&[json!({ "uri": "garden://beds/north.md", "name": "North" })], &[]);
        let (ada, bert) = (world.admin("ada").await, world.person("bert").await);
        let (lender, theirs) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&bert));
        let server = lender.mcp_servers().add("garden", &fake.url(), TOKEN, "").await.unwrap();
        lender.mcp_servers().share(&server.id, true, &[]).await.unwrap();
        let (taken, bot) = (
            theirs.mcp_servers().take(&server.id).await.unwrap(),
            Definition::named("Fern").create(&theirs).await,
        );
        theirs.mcp_servers().mount(&taken.id, &bot.id).await.unwrap();
        let listed = theirs.mcp_servers().mounted_files(&taken.id, &bot.id).await.unwrap();
        assert_eq!(listed.files.len(), 1);
        lender.mcp_servers().share(&server.id, false, &[]).await.unwrap();
        let told = theirs.mcp_servers().mounted_files(&taken.id, &bot.id).await.unwrap_err().to_string();
        assert!(told.contains("does not share it with you any more"), "{told}");
    })
    .await;
}

/// An agent of the person's that has the server and may call it.
async fn given(
    world: &World,
    person: &Viewer,
    endpoint: &Endpoint,
    (server, host): (&protocol::McpServerId, &str),
) -> protocol::AgentId {
    let scoped = world.hub.for_viewer(person);
    let view = agent(world, person, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    Definition::like(&view).tools(["state"]).replace(&scoped, &view.id).await;
    scoped.mcp_servers().choose(&view.id, from_ref(server)).await.unwrap();
    add_rule(&world.hub, person, "allow", "mcp_garden_water", host).await;
    view.id
}
