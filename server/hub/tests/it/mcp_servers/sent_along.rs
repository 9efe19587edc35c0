//! What goes along with requests is its person's alone.

use super::{TOKEN, called, tool, water};
use crate::approvals::add_rule;
use crate::talk::ada;
use crate::world::{Endpoint, FakeMcp, World, each_store};
use hub::Error;
use serde_json::json;

#[tokio::test]
async fn servers_with_what_is_sent_along_are_their_persons_alone() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (ada, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let (scoped, other) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let fake = FakeMcp::start(&[tool("water", &format!("Waters. {TOKEN}"))]);
        fake.bring(json!({ "content": [{ "type": "text", "text": format!("You sent {TOKEN}.") }] }));
        for (name, url, token, headers) in [
            ("Garden", fake.url(), "", ""),
            ("garden", "ftp://garden.example".to_owned(), "", ""),
            ("garden", "http://169.254.169.254/mcp".to_owned(), "", ""),
            ("garden", fake.url(), "", "host: elsewhere.example"),
        ] {
            let refused = scoped.mcp_servers().add(name, &url, token, headers).await.unwrap_err();
            assert!(matches!(refused, Error::Invalid(_)), "{refused:?}");
        }
        let server =
            scoped.mcp_servers().add("garden", &fake.url(), TOKEN, "X-Api-Key: second-canary").await.unwrap();
        let twice = scoped.mcp_servers().add("garden", &fake.url(), "", "").await.unwrap_err();
        assert!(matches!(twice, Error::Conflict(_)), "{twice:?}");
        assert!(fake.heads().iter().all(|head| head.contains(&format!("authorization: bearer {TOKEN}"))
            && head.contains("x-api-key: second-canary")));
        let shown = serde_json::to_string(&scoped.mcp_servers().list().await.unwrap()).unwrap();
        assert!(!shown.contains("canary"), "{shown}");

        // Of the other person nobody finds anything, and each may have one of the same name.
        let theirs = other.mcp_servers();
        assert_eq!(theirs.list().await.unwrap(), []);
        assert!(matches!(theirs.read(&server.id).await, Err(Error::NotFound(_))));
        assert!(matches!(theirs.look(&server.id).await, Err(Error::NotFound(_))));
        assert!(matches!(theirs.switch(&server.id, "water", false, "").await, Err(Error::NotFound(_))));
        assert!(matches!(theirs.remove(&server.id).await, Err(Error::NotFound(_))));
        assert!(matches!(theirs.choose(&agent.id, &[]).await, Err(Error::NotFound(_))));
        assert!(matches!(theirs.of_agent(&agent.id).await, Err(Error::NotFound(_))));
        let own = theirs.add("garden", &fake.url(), "", "").await.unwrap();
        assert!(
            !fake.heads().last().unwrap().contains("authorization"),
            "a token goes with its person's requests alone"
        );
        assert!(matches!(scoped.mcp_servers().choose(&agent.id, &[own.id]).await, Err(Error::NotFound(_))));

        scoped.mcp_servers().choose(&agent.id, std::slice::from_ref(&server.id)).await.unwrap();
        assert!(scoped.mcp_servers().of_agent(&agent.id).await.unwrap()[0].is_chosen);
        add_rule(&world.hub, &ada, "allow", "mcp_garden_water", &fake.host()).await;
        let told = called(&scoped, &agent.id, "mcp_garden_water", json!({})).await.unwrap();
        assert_eq!(told, "{\"text\":\"You sent [key].\"}");
        // Another token takes the place of all that was sent before.
        let renewed = scoped.mcp_servers().set_headers(&server.id, "mcp-token-second", "").await.unwrap();
        let last = fake.heads().pop().unwrap();
        assert!(
            last.contains("authorization: bearer mcp-token-second") && !last.contains("x-api-key"),
            "{last}"
        );
        assert_eq!((renewed.headers.as_slice(), renewed.tools_on), (&["authorization".to_owned()][..], 1));
        assert!(matches!(theirs.set_headers(&server.id, "", "").await, Err(Error::NotFound(_))));
        // Where the address was changed behind the hub's back, what is secret does not go there.
        let elsewhere = FakeMcp::start(&[water()]);
        world
            .execute(&format!("UPDATE mcp_servers SET url = '{}' WHERE headers <> '[]'", elsewhere.url()))
            .await;
        let looked = scoped.mcp_servers().look(&server.id).await.unwrap();
        assert!(!looked.ok && elsewhere.heads().is_empty(), "{looked:?}");
        scoped.mcp_servers().remove(&server.id).await.unwrap();
        assert_eq!(scoped.mcp_servers().of_agent(&agent.id).await.unwrap(), []);
        let why = called(&scoped, &agent.id, "mcp_garden_water", json!({})).await.unwrap_err();
        assert!(why.starts_with("There is no tool"), "{why}");
        let store = world.store().await;
        let secrets =
            sqlx::query("SELECT 1 FROM secrets WHERE purpose = 'mcp'").fetch_all(store.read()).await.unwrap();
        assert!(secrets.is_empty());
    })
    .await;
}

#[tokio::test]
async fn what_follows_the_question_mark_of_an_address_goes_along_and_is_shown_to_nobody() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (ada, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&ada);
        let servers = scoped.mcp_servers();
        let fake = FakeMcp::start(&[water()]).speaking("2025-11-25");
        let told = format!("You sent {TOKEN} for the north-garden-bed.");
        fake.bring(json!({ "content": [{ "type": "text", "text": told }] }));
        let url = format!("{}?project_ref=north-garden-bed&apiKey={TOKEN}&lone-canary", fake.url());
        let server = servers.add("garden", &url, "", "").await.unwrap();
        assert_eq!(
            (server.url.clone(), server.tools_on),
            (format!("{}?project_ref=*&apiKey=*&*", fake.url()), 1)
        );
        servers.choose(&agent.id, std::slice::from_ref(&server.id)).await.unwrap();
        add_rule(&world.hub, &ada, "allow", "mcp_garden_water", &fake.host()).await;
        let told = called(&scoped, &agent.id, "mcp_garden_water", json!({})).await.unwrap();
        assert_eq!(told, "{\"text\":\"You sent [key] for the north-garden-bed.\"}");
        servers.set_headers(&server.id, "mcp-token-second", "").await.unwrap();
        let asked = format!(" /mcp?project_ref=north-garden-bed&apikey={TOKEN}&lone-canary http/1.1");
        let heads = [fake.heads(), fake.gets()].concat();
        assert!(heads.iter().all(|head| head.contains(&asked)), "{heads:?}");
        assert!(heads.last().unwrap().starts_with("get "));

        let shown = serde_json::to_string(&servers.read(&server.id).await.unwrap()).unwrap();
        let audit = scoped.audit().read(&hub::AuditQuery::default()).await.unwrap();
        let told = format!("{shown} {audit:?}");
        assert!(!told.contains("canary") && !told.contains("north-garden-bed"), "{told}");
        // Where the address was changed behind the hub's back, what is secret does not go there.
        let elsewhere = FakeMcp::start(&[water()]);
        world
            .execute(&format!("UPDATE mcp_servers SET url = '{}?a=*', headers = '[]'", elsewhere.url()))
            .await;
        let looked = servers.look(&server.id).await.unwrap();
        assert!(!looked.ok && elsewhere.heads().is_empty(), "{looked:?}");
        servers.remove(&server.id).await.unwrap();
        let store = world.store().await;
        let secrets = sqlx::query("SELECT 1 FROM secrets WHERE purpose LIKE 'mcp%'");
        assert!(secrets.fetch_all(store.read()).await.unwrap().is_empty());
    })
    .await;
}
