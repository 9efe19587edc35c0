//! Finding what was said, in any conversation and of any age, and nobody else's.

use crate::talk::{ada, ask};
use crate::world::{Endpoint, World, each_store};
use hub::{Outgoing, Scoped};
use protocol::FailureKind;
use protocol::view::{SearchQuery, SearchResults, SearchSpeaker};
use std::time::Duration;

pub async fn find(scoped: &Scoped<'_>, text: &str) -> SearchResults {
    let wanted = SearchQuery { text: text.to_owned(), ..SearchQuery::default() };
    let results = scoped.search().find(&wanted).await.unwrap();
    assert!(results.is_complete);
    results
}

/// The excerpts, with what was found in brackets.
fn excerpts(results: &SearchResults) -> Vec<String> {
    let shown = results.hits.iter().map(|hit| {
        let parts = hit.excerpt.iter();
        parts.map(|part| if part.is_hit { format!("[{}]", part.text) } else { part.text.clone() }).collect()
    });
    shown.collect()
}

#[tokio::test]
async fn what_both_sides_said_is_found_in_every_conversation_newest_first() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        assert_eq!(find(&scoped, "fern").await.hits, []);
        ask(&scoped, &agent.id, &agent.conversation, "Wie groß werden Farne? Ferns!").await;
        world.clock.advance(Duration::from_secs(60));
        let other = scoped.conversations().create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &other, "明日の天気予報 and the FERN").await;
        let found = find(&scoped, "fern").await;
        assert_eq!(
            excerpts(&found),
            [
                "You said: 明日の天気予報 and the [FERN]",
                "明日の天気予報 and the [FERN]",
                "You said: Wie groß werden Farne? [Ferns]!",
                "Wie groß werden Farne? [Ferns]!",
            ]
        );
        let by: Vec<_> = found.hits.iter().map(|hit| hit.by).collect();
        use SearchSpeaker::{Agent, Person};
        assert_eq!(by, [Agent, Person, Agent, Person]);
        assert_eq!(found.hits[0].conversation, other);
        assert_eq!(found.hits[3].conversation, agent.conversation);
        assert_eq!(find(&scoped, "天気 fern").await.hits.len(), 2);
        assert_eq!(find(&scoped, "farne groß").await.hits.len(), 2);
        assert_eq!(find(&scoped, "fern moss").await.hits, []);
        assert_eq!(found.titles.len(), 2, "they are called so too");

        let only = SearchQuery {
            text: "fern".to_owned(),
            conversation: Some(other.clone()),
            ..SearchQuery::default()
        };
        assert_eq!(scoped.search().find(&only).await.unwrap().hits.len(), 2);
        scoped.conversations().delete(&other).await.unwrap();
        assert_eq!(find(&scoped, "fern").await.hits.len(), 2, "what is deleted is not found");
    })
    .await;
}

#[tokio::test]
async fn a_text_without_words_is_refused_and_signs_of_the_database_are_words() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "it's \"quoted\" OR not: a*b").await;
        // An accent by itself is no word, and stops nothing that comes after it.
        ask(&scoped, &agent.id, &agent.conversation, "zalgo \u{345} \u{363}\u{36f} here").await;
        assert_eq!(find(&scoped, "zalgo here").await.hits.len(), 2);
        for text in
            ["\u{345}", "it's", "\"quoted\"", "OR", "a*b", "not:", "' & !", "quoted\" OR \"x", "\0quoted"]
        {
            let wanted = SearchQuery { text: text.to_owned(), ..SearchQuery::default() };
            match scoped.search().find(&wanted).await {
                Ok(results) => assert!(results.hits.len() <= 2, "{text}"),
                Err(error) => assert_eq!(error.into_failure().kind, FailureKind::Invalid, "{text}"),
            }
        }
        assert_eq!(find(&scoped, "it's quoted").await.hits.len(), 2);
        let long = "a ".repeat(10_000);
        assert_eq!(find(&scoped, &long).await.hits.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn nobody_finds_what_somebody_else_said() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        find(&scoped, "ferns").await;
        let other = world.person("bo").await;
        let bo = world.hub.for_viewer(&other);
        assert_eq!(find(&bo, "ferns").await.hits, []);
        let ada_id = viewer.me.id.0.replace('-', "");
        assert_eq!(find(&bo, &format!("ferns owner0{ada_id}")).await.hits, []);
        for wanted in [
            SearchQuery { text: "ferns".to_owned(), agent: Some(agent.id.clone()), ..SearchQuery::default() },
            SearchQuery {
                text: "ferns".to_owned(),
                conversation: Some(agent.conversation.clone()),
                ..SearchQuery::default()
            },
        ] {
            let refused = bo.search().find(&wanted).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_gone_for_good_leaves_no_word_behind() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        find(&scoped, "ferns").await;
        let documents = async || {
            let store = world.store().await;
            let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM search_documents")
                .fetch_one(store.read())
                .await
                .unwrap();
            count
        };
        assert_eq!(documents().await, 2);
        scoped.conversations().delete(&agent.conversation).await.unwrap();
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        let other = scoped.conversations().create(&agent.id).await.unwrap();
        scoped.conversations().delete(&other.id).await.unwrap();
        assert_eq!(documents().await, 0);
        let current = scoped.agents().get(&agent.id).await.unwrap().conversation;
        ask(&scoped, &agent.id, &current, "Mosses").await;
        assert_eq!(find(&scoped, "mosses").await.hits.len(), 2, "their places are taken by others");
        assert_eq!(find(&scoped, "ferns").await.hits, []);
        scoped.agents().delete(&agent.id).await.unwrap();
        assert_eq!(documents().await, 0);
    })
    .await;
}

/// Also of conversations that a model is told of in a summary, and in the branch that has it.
#[tokio::test]
async fn a_hit_names_the_branch_that_it_stands_in() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        let page = scoped.pages().latest(&agent.id).await.unwrap();
        let message = Outgoing { text: "Mosses", attachments: &[], key: None };
        let seq = page.entries.iter().find(|entry| entry.run.is_none()).unwrap().seq;
        let sent = scoped.runs().send_instead(&agent.conversation, seq, message, None).await.unwrap();
        let found = find(&scoped, "mosses").await;
        assert!(found.hits.iter().all(|hit| hit.conversation == sent.conversation));
        assert_eq!(find(&scoped, "ferns").await.hits[0].conversation, agent.conversation);
    })
    .await;
}
