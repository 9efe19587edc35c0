//! Resources of servers, attached to messages.

use super::{given, water};
use crate::talk::{PATIENCE, ada};
use crate::world::{Endpoint, FakeMcp, RealMcp, World, each_store};
use hub::Outgoing;
use serde_json::json;

#[tokio::test]
async fn a_resource_comes_along_with_a_message_as_the_words_of_others() {
    let endpoint = Endpoint::start();
    let (modern, legacy) = (RealMcp::modern(), RealMcp::legacy());
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let garden = servers.add("garden", &modern.url, "", "").await.unwrap().id;
        let every = servers.add("every", &legacy.url, "", "").await.unwrap().id;
        let refused = servers.resources(&garden, &agent.id).await.unwrap_err();
        assert!(refused.to_string().starts_with("The agent may not use this server."), "{refused}");
        servers.choose(&agent.id, &[garden.clone(), every.clone()]).await.unwrap();
        let with_resources = servers.commands(&agent.id).await.unwrap().with_resources;
        let names: Vec<&str> = with_resources.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["every", "garden"]);
        let listed = servers.resources(&garden, &agent.id).await.unwrap();
        assert!(listed.iter().any(|it| it.is_template && it.uri == "garden://beds/{bed}"), "{listed:?}");

        let file = servers.attach(&garden, &agent.id, "garden://beds/north").await.unwrap();
        assert_eq!(
            (&*file.name, file.server.as_deref(), &*file.mime),
            ("north", Some("garden"), "text/plain")
        );
        let message =
            Outgoing { text: "What grows?", attachments: std::slice::from_ref(&file.id), key: None };
        let sent = scoped.runs().send(&agent.id, message, None).await.unwrap();
        let conversation = sent.conversation;
        scoped
            .runs()
            .of_conversation(Some(&conversation))
            .ask(&agent.id, "Go on.", None, PATIENCE)
            .await
            .unwrap();
        let asked = endpoint.requests().await;
        for expected in [
            "Moss grows in north.",
            "north (of the MCP server garden: written by others",
            r"<words-of-strangers>\nnorth:",
        ] {
            let is_told =
                |request: &serde_json::Value| request["body"]["messages"].to_string().contains(expected);
            assert!(asked.iter().any(is_told), "{expected}: {asked:?}");
        }
        let uploads = scoped.files().list_uploads(&agent.id).await.unwrap();
        let [upload] = uploads.as_slice() else { panic!("{uploads:?}") };
        let from = (upload.path.as_str(), upload.server.as_deref(), upload.by_tool);
        assert_eq!(from, ("north", Some("garden"), false));
        let opened = scoped.files().view_upload(&agent.id, "north").await.unwrap();
        assert_eq!(opened.conversation.map(|place| place.id), Some(conversation));
        let own = scoped.attachments().take_in("north.txt", b"Moss grows in north.".to_vec()).await.unwrap();
        assert_eq!((own.id, own.server), (file.id, None), "its person stands by it");
        let why = servers.attach(&every, &agent.id, "demo://nothing").await.unwrap_err().to_string();
        assert!(why.starts_with("every: It says: "), "{why}");
    })
    .await;
}

#[tokio::test]
async fn what_a_server_gives_for_a_resource_is_taken_by_what_it_is() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let fake = FakeMcp::start(&[water()]);
        let id = given(&scoped, &agent.id, "garden", &fake).await.id;
        for (content, expected) in [
            (json!({ "uri": "a:1", "text": "Moss" }), Ok("text/plain")),
            (json!({ "uri": "a:1", "blob": "TW9zcw==" }), Ok("text/plain")),
            (json!({ "uri": "a:1", "blob": "AAECAw==" }), Ok("application/octet-stream")),
            (json!({ "uri": "a:1", "blob": "no base64" }), Err("gave nothing that could be used")),
            (json!({ "uri": "a:1" }), Err("gave nothing that could be used")),
            (json!({ "uri": "a:1", "text": "x".repeat(300_000) }), Ok("application/octet-stream")),
        ] {
            fake.bring(json!({ "contents": [content] }));
            let attached = scoped.mcp_servers().attach(&id, &agent.id, "a:1").await;
            match (attached, expected) {
                (Ok(file), Ok(mime)) => assert_eq!(file.mime, mime, "{content}"),
                (Err(why), Err(expected)) => assert!(why.to_string().contains(expected), "{content}: {why}"),
                (attached, _) => panic!("{content}: {attached:?}"),
            }
        }
    })
    .await;
}
