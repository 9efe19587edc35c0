//! What a person thinks of answers: who is told of it, which conversations have it, and when it goes.

use crate::runs::{open, trace::next};
use crate::talk::{ada, ask};
use crate::world::{Endpoint, World, each_store};
use hub::{ExportFormat, Result, Scoped};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::Block;
use protocol::view::{Rating, Thumb};
use protocol::{AgentId, ConversationId, FailureKind, RunId};
use serde_json::{Value, json};
use std::time::Duration;

async fn entries(scoped: &Scoped<'_>, agent: &AgentId, conversation: &ConversationId) -> Vec<Entry> {
    scoped.pages().of_conversation(Some(conversation)).latest(agent).await.unwrap().entries
}

/// Says it, and gives the entry of the answer and its run.
async fn answer(
    scoped: &Scoped<'_>,
    agent: &AgentId,
    conversation: &ConversationId,
    text: &str,
) -> (u64, RunId) {
    ask(scoped, agent, conversation, text).await;
    let entries = entries(scoped, agent, conversation).await;
    let is_answer = |entry: &&Entry| matches!(entry.body, EntryBody::Block { block: Block::Text { .. }, .. });
    let answer = entries.iter().rev().find(is_answer).expect("there is an answer");
    (answer.seq, answer.run.clone().expect("an answer has a run"))
}

/// What the agent was given.
async fn given(scoped: &Scoped<'_>, agent: &AgentId, conversation: &ConversationId) -> Vec<String> {
    let entries = entries(scoped, agent, conversation).await.into_iter();
    entries
        .filter_map(|entry| match entry.body {
            EntryBody::Message { from: Sender::Rating, text, .. } => Some(text),
            _ => None,
        })
        .collect()
}

async fn last_request(endpoint: &Endpoint) -> String {
    endpoint.requests().await.pop().expect("there is a request").to_string()
}

fn refused<T: std::fmt::Debug>(result: Result<T>) -> FailureKind {
    result.unwrap_err().into_failure().kind
}

#[tokio::test]
async fn a_note_is_given_to_the_next_run_once_and_a_rating_alone_to_none() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, here) = (scoped.conversations(), &agent.conversation);
        let (ferns, _) = answer(&scoped, &agent.id, here, "Ferns").await;
        let rated = conversations.rate(here, ferns, Some(Thumb::Down)).await.unwrap();
        let expected = Rating { seq: ferns, thumb: Some(Thumb::Down), note: String::new(), told_at: None };
        assert_eq!(rated, [expected]);
        let (mosses, _) = answer(&scoped, &agent.id, here, "Mosses").await;
        assert!(!last_request(&endpoint).await.contains("[note on an answer]"));

        conversations.leave_note(here, ferns, " Too long,\r\nand\u{7} dry ").await.unwrap();
        let rated = conversations.leave_note(here, mosses, "Like this").await.unwrap();
        let notes: Vec<&str> = rated.iter().map(|rating| rating.note.as_str()).collect();
        assert_eq!(notes, ["Too long,\nand dry", "Like this"]);
        assert!(rated.iter().all(|rating| rating.told_at.is_none()));
        assert_eq!(given(&scoped, &agent.id, here).await, [""; 0], "nobody is woken for it");
        ask(&scoped, &agent.id, here, "Water").await;
        let told = "Of your answer \u{201c}You said: Ferns\u{201d} your person rated it bad and noted: Too long, and dry\n\
                    Of your answer \u{201c}You said: Mosses\u{201d} your person noted: Like this";
        assert_eq!(given(&scoped, &agent.id, here).await, [told]);
        let request = last_request(&endpoint).await;
        assert!(request.contains("[note on an answer]") && request.contains("noted: Like this"), "{request}");
        let rated = conversations.ratings(here).await.unwrap();
        assert!(rated.iter().all(|rating| rating.told_at.is_some()), "{rated:?}");

        // The same again is no other note, and a thumb is none.
        conversations.leave_note(here, mosses, "Like this").await.unwrap();
        conversations.rate(here, mosses, Some(Thumb::Up)).await.unwrap();
        ask(&scoped, &agent.id, here, "Stones").await;
        assert_eq!(given(&scoped, &agent.id, here).await.len(), 1);
        conversations.leave_note(here, mosses, "Like that").await.unwrap();
        ask(&scoped, &agent.id, here, "Lichens").await;
        let last = given(&scoped, &agent.id, here).await.pop().unwrap();
        assert!(last.ends_with("your person rated it good and noted: Like that"), "{last}");
        conversations.rate(here, mosses, None).await.unwrap();
        let left = conversations.leave_note(here, mosses, "").await.unwrap();
        assert_eq!(left.iter().map(|rating| rating.seq).collect::<Vec<_>>(), [ferns]);
    })
    .await;
}

#[tokio::test]
async fn every_branch_that_has_an_answer_has_its_rating_and_no_other_is_given_its_note() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, first) = (scoped.conversations(), agent.conversation.clone());
        let (ferns, run) = answer(&scoped, &agent.id, &first, "Ferns").await;
        let (mosses, _) = answer(&scoped, &agent.id, &first, "Mosses").await;
        let fork = conversations.fork(&first, &run).await.unwrap().id;
        conversations.rate(&fork, ferns, Some(Thumb::Up)).await.unwrap();
        conversations.leave_note(&first, mosses, "Softer").await.unwrap();
        let seqs = async |id: &ConversationId| {
            let ratings = conversations.ratings(id).await.unwrap();
            ratings.iter().map(|rating| rating.seq).collect::<Vec<_>>()
        };
        assert_eq!((seqs(&first).await, seqs(&fork).await), (vec![ferns, mosses], vec![ferns]));
        assert_eq!(refused(conversations.rate(&fork, mosses, Some(Thumb::Up)).await), FailureKind::NotFound);
        let page = scoped.pages().of_conversation(Some(&fork)).latest(&agent.id).await.unwrap();
        assert_eq!(page.ratings, conversations.ratings(&fork).await.unwrap());
        ask(&scoped, &agent.id, &fork, "Stones").await;
        assert_eq!(given(&scoped, &agent.id, &fork).await, [""; 0], "it has not said that here");
        ask(&scoped, &agent.id, &first, "Water").await;
        assert_eq!(given(&scoped, &agent.id, &first).await.len(), 1);

        let count = async || {
            let store = world.store().await;
            sqlx::query("SELECT seq FROM ratings").fetch_all(store.read()).await.unwrap().len()
        };
        conversations.delete(&first).await.unwrap();
        assert_eq!(count().await, 2, "it can be brought back");
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        let other = conversations.create(&agent.id).await.unwrap();
        conversations.delete(&other.id).await.unwrap();
        assert_eq!((count().await, seqs(&fork).await), (1, vec![ferns]));
    })
    .await;
}

#[tokio::test]
async fn an_export_says_how_an_answer_was_rated() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, here) = (scoped.conversations(), &agent.conversation);
        let (ferns, _) = answer(&scoped, &agent.id, here, "Ferns").await;
        conversations.rate(here, ferns, Some(Thumb::Down)).await.unwrap();
        conversations.leave_note(here, ferns, "Too\nlong").await.unwrap();
        let exported = async |format| {
            let mut export = conversations.export(here, format).await.unwrap();
            let mut text = String::new();
            while let Some(part) = export.next().await.unwrap() {
                text.push_str(&part);
            }
            text
        };
        let text = exported(ExportFormat::Markdown).await;
        assert!(text.contains("You said: Ferns\n\n*Thumbs down: Too long*\n"), "{text}");
        let file: Value = serde_json::from_str(&exported(ExportFormat::Json).await).unwrap();
        assert_eq!(file["ratings"], json!([{ "seq": ferns, "thumb": "down", "note": "Too\nlong" }]));
    })
    .await;
}

#[tokio::test]
async fn every_device_hears_of_a_rating_and_nobody_else_can_give_one() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let (scoped, hers) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&eve));
        let (conversations, here) = (scoped.conversations(), &agent.conversation);
        let changed = HubFrame::Changed { agent: agent.id.clone() };
        let mut phone = open(&world, &viewer, "phone");
        phone.follow(&agent.id, u64::MAX).await.unwrap();
        let (ferns, _) = answer(&scoped, &agent.id, here, "Ferns").await;
        // That there is an answer to read is told behind its last entry.
        while next(&mut phone).await != changed {}
        conversations.rate(here, ferns, Some(Thumb::Up)).await.unwrap();
        assert_eq!(next(&mut phone).await, changed, "rated");
        conversations.leave_note(here, ferns, "Softer").await.unwrap();
        assert_eq!(next(&mut phone).await, changed, "noted");

        let theirs = hers.conversations();
        for (what, kind) in [
            ("rate", refused(theirs.rate(here, ferns, None).await)),
            ("note", refused(theirs.leave_note(here, ferns, "Mine").await)),
            ("list", refused(theirs.ratings(here).await)),
            ("a message", refused(conversations.rate(here, 1, Some(Thumb::Up)).await)),
            ("nothing", refused(conversations.rate(here, 9_999, Some(Thumb::Up)).await)),
        ] {
            assert_eq!(kind, FailureKind::NotFound, "{what}");
        }
        let long = refused(conversations.leave_note(here, ferns, &"\u{e9}".repeat(1_001)).await);
        assert_eq!(long, FailureKind::Limit);
        let kept = conversations.leave_note(here, ferns, &"\u{e9}".repeat(1_000)).await.unwrap();
        assert_eq!((kept.len(), kept[0].thumb, kept[0].note.chars().count()), (1, Some(Thumb::Up), 1_000));
    })
    .await;
}
