//! Conversations in an archive, which are brought in where they are wanted.

use super::zipped::Zipped;
use crate::talk::{ada, ask, until};
use crate::world::{Endpoint, World, each_store, on_sqlite};
use hub::Accepted;
use protocol::AgentId;
use protocol::view::ConversationFilter;
use serde_json::{Value, json};

#[tokio::test]
async fn conversations_come_along_in_an_archive_and_are_brought_in_where_they_are_wanted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        let other = scoped.conversations().create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &other, "Mosses").await;
        let titles = async |agent: &AgentId| {
            let list = scoped.conversations().list(agent, ConversationFilter::Active, 0).await.unwrap();
            let titles = list.conversations.into_iter().map(|conversation| conversation.title);
            titles.filter(|title| !title.is_empty()).collect::<Vec<_>>()
        };
        let plain = scoped.archives().export(&agent.id).await.unwrap();
        let exported = scoped.archives().export_with_conversations(&agent.id).await.unwrap();
        for (bytes, wanted, conversations, expected) in [
            (&plain.bytes, true, 0, vec![]),
            (&exported.bytes, false, 2, vec![]),
            (&exported.bytes, true, 2, vec!["Ferns", "Mosses"]),
            (&exported.bytes, true, 2, vec!["Ferns", "Mosses"]),
        ] {
            let uploaded = scoped.archives().upload("x", bytes).await.unwrap();
            let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
            assert_eq!(review.conversations, conversations);
            assert!(!review.notices.iter().any(|notice| notice.contains("conversations/")), "{review:?}");
            let accepted = Accepted { conversations: wanted, ..Accepted::default() };
            let archive = &uploaded.archive;
            let made = scoped.archives().create_with(archive, review.draft, accepted).await.unwrap();
            let mut there = titles(&made.id).await;
            there.sort();
            assert_eq!(there, expected);
        }
    })
    .await;
}

#[tokio::test]
async fn all_conversations_of_an_archive_are_brought_in_also_if_nobody_waits_and_none_of_an_archive_in_it() {
    on_sqlite(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let at = 1_700_000_000_000_i64;
        let said = |number: u32, messages: u32| {
            let body = json!({ "type": "message", "from": { "type": "person" }, "text": "a" });
            let entry = |seq: u32| json!({ "seq": seq, "at": at, "body": body });
            let entries: Vec<Value> = (1..=messages).map(entry).collect();
            let title = format!("Number {number}");
            let about = json!({ "id": number.to_string(), "title": title, "created_at": at });
            let file =
                json!({ "format": "vivarium.conversation", "conversation": about, "entries": entries });
            file.to_string().into_bytes()
        };
        let inner = Zipped::new().with("conversations.json", &said(0, 1)).bytes();
        let bytes = Zipped::new()
            .with("manifest.yaml", b"name: A\nversion: 1.0.0\nvivarium: { colour: '#3d9a5d' }\n")
            .with("conversations/0000.json", &inner)
            .with("conversations/0001.json", &said(1, 10_000))
            .with("conversations/0002.json", &said(2, 10_000))
            .with("conversations/0003.json", &said(3, 1))
            .bytes();
        let archive = scoped.archives().upload("x", &bytes).await.unwrap().archive;
        let draft = scoped.archives().review_stored(&archive).await.unwrap().draft;
        let accepted = Accepted { conversations: true, ..Accepted::default() };
        let made = async || scoped.agents().list().await.unwrap().pop();
        tokio::select! {
            created = scoped.archives().create_with(&archive, draft, accepted) => drop(created.unwrap()),
            () = until(async || made().await.is_some()) => {}
        }
        let agent = made().await.unwrap().id;
        let titles = async || {
            let list = scoped.conversations().list(&agent, ConversationFilter::Active, 0).await.unwrap();
            let titles = list.conversations.into_iter().map(|conversation| conversation.title);
            let mut titles: Vec<String> = titles.filter(|title| !title.is_empty()).collect();
            titles.sort();
            titles
        };
        until(async || titles().await.len() >= 3).await;
        assert_eq!(titles().await, ["Number 1", "Number 2", "Number 3"]);
    })
    .await;
}
