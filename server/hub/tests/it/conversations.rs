//! Several conversations of one agent: each is answered by itself, and what is put away comes back.

mod brought;
mod damaged;
mod packing;
mod retention;
mod unpacking;

use crate::runs::{open, trace::until_finished};
use crate::talk::{GATED, ada, ask};
use crate::world::{Endpoint, World, each_store};
use hub::{Error, ExportFormat, Scoped};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::view::{ConversationFilter, ConversationView};
use protocol::{AgentId, ConversationId, FailureKind};
use serde_json::{Value, json};
use std::time::Duration;

async fn titles(scoped: &Scoped<'_>, agent: &AgentId, filter: ConversationFilter) -> Vec<String> {
    let list = scoped.conversations().list(agent, filter, 0).await.unwrap();
    list.conversations.into_iter().map(|conversation| conversation.title).collect()
}

/// What people said, with the conversation that it was said in.
fn said(entries: &[Entry]) -> Vec<(String, Option<ConversationId>)> {
    let said = |entry: &Entry| match &entry.body {
        EntryBody::Message { from: Sender::Person, text, .. } => {
            Some((text.clone(), entry.conversation.clone()))
        }
        _ => None,
    };
    entries.iter().filter_map(said).collect()
}

#[tokio::test]
async fn a_model_is_sent_one_conversation_and_nothing_of_another() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let ferns = agent.conversation.clone();
        assert_eq!(ask(&scoped, &agent.id, &ferns, "Ferns").await, "You said: Ferns");
        let mosses = scoped.conversations().create(&agent.id).await.unwrap().id;
        assert_ne!(mosses, ferns);
        ask(&scoped, &agent.id, &mosses, "Mosses").await;
        ask(&scoped, &agent.id, &ferns, "More ferns").await;
        let sent: Vec<String> =
            endpoint.requests().await.iter().map(|request| request["body"]["messages"].to_string()).collect();
        let has = |text: &str| sent.iter().map(|request| request.contains(text)).collect::<Vec<_>>();
        assert_eq!(has("Mosses"), [false, true, false]);
        assert_eq!(has("Ferns"), [true, false, true]);
        for (conversation, texts) in [(&ferns, vec!["Ferns", "More ferns"]), (&mosses, vec!["Mosses"])] {
            let page = scoped.pages().of_conversation(Some(conversation)).latest(&agent.id).await.unwrap();
            assert_eq!(page.conversation.id, *conversation);
            let own: Vec<_> =
                texts.iter().map(|text| ((*text).to_owned(), Some(conversation.clone()))).collect();
            assert_eq!(said(&page.entries), own);
        }
        let page = scoped.pages().latest(&agent.id).await.unwrap();
        assert_eq!(page.conversation.id, ferns, "the one that was used last");
    })
    .await;
}

#[tokio::test]
async fn what_is_said_in_another_conversation_is_answered_there_when_the_run_is_over() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, GATED, None, None).await.unwrap();
        let second = scoped.conversations().create(&agent.id).await.unwrap().id;
        let runs = scoped.runs().of_conversation(Some(&second));
        runs.send_message(&agent.id, "Mosses", None, None).await.unwrap();
        let page = scoped.pages().latest(&agent.id).await.unwrap();
        assert_eq!(page.conversation.id, second);
        assert_eq!(page.elsewhere.map(|view| view.id), Some(first.clone()));
        endpoint.open_gate().await;
        let entries = until_finished(&mut tab).await;
        let is_told = |entry: &Entry| matches!(entry.body, EntryBody::Steered { .. });
        assert!(!entries.iter().any(is_told), "the run under way is told nothing of the other conversation");
        let after = until_finished(&mut tab).await;
        let in_second = after.iter().all(|entry| entry.conversation.as_ref() == Some(&second));
        assert!(in_second, "{after:?}");
        let answered = |entry: &Entry| matches!(&entry.body, EntryBody::Block { block, .. } if format!("{block:?}").contains("You said: Mosses"));
        assert!(after.iter().any(answered));
    })
    .await;
}

#[tokio::test]
async fn a_hub_that_is_back_answers_in_the_conversation_in_which_it_was_asked() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        scoped.runs().send_message(&agent.id, GATED, None, None).await.unwrap();
        let second = scoped.conversations().create(&agent.id).await.unwrap().id;
        let runs = scoped.runs().of_conversation(Some(&second));
        runs.send_message(&agent.id, "Mosses", None, None).await.unwrap();
        world.hub.close().await;
        let hub = world.reopened().await;
        let mut tab = hub.open_tab(viewer.clone(), "laptop".into()).unwrap();
        tab.follow(&agent.id, 0).await.unwrap();
        let finished = endpoint.with_open_gates(until_finished(&mut tab)).await;
        assert_eq!(finished.last().unwrap().conversation, Some(first));
        let answered = until_finished(&mut tab).await;
        assert_eq!(answered.last().unwrap().conversation, Some(second));
    })
    .await;
}

#[tokio::test]
async fn conversations_are_listed_by_their_last_use_with_the_pinned_ones_first() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let empty = conversations.create(&agent.id).await.unwrap();
        assert_eq!(
            (empty.id, empty.title.as_str()),
            (agent.conversation.clone(), ""),
            "nothing was said in it"
        );
        let mut made = Vec::new();
        for text in ["One", "Two", "Three"] {
            let id = conversations.create(&agent.id).await.unwrap().id;
            ask(&scoped, &agent.id, &id, text).await;
            made.push(id);
            world.clock.advance(Duration::from_secs(60));
        }
        let list = async |filter| titles(&scoped, &agent.id, filter).await;
        assert_eq!(list(ConversationFilter::Active).await, ["Three", "Two", "One"]);
        conversations.pin(&made[0], true).await.unwrap();
        conversations.rename(&made[1], " Second\nof all ").await.unwrap();
        assert_eq!(list(ConversationFilter::Active).await, ["One", "Three", "Second of all"]);
        conversations.archive(&made[2], true).await.unwrap();
        assert_eq!(list(ConversationFilter::Active).await, ["One", "Second of all"]);
        assert_eq!(list(ConversationFilter::Archived).await, ["Three"]);
        ask(&scoped, &agent.id, &made[2], "Again").await;
        assert_eq!(
            list(ConversationFilter::Active).await,
            ["One", "Three", "Second of all"],
            "it is used again"
        );
        assert_eq!(list(ConversationFilter::Archived).await, [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn a_folder_is_there_for_as_long_as_a_conversation_is_in_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let mut made = Vec::new();
        for text in ["One", "Two", "Three"] {
            let id = conversations.create(&agent.id).await.unwrap().id;
            ask(&scoped, &agent.id, &id, text).await;
            made.push(id);
            world.clock.advance(Duration::from_secs(60));
        }
        let listed = async |folder: &str| {
            let list =
                conversations.list_folder(&agent.id, ConversationFilter::Active, folder, 0).await.unwrap();
            let titles: Vec<_> = list.conversations.into_iter().map(|each| each.title).collect();
            (titles, list.folders)
        };
        let (garden, both) = (vec!["Garden".to_owned()], vec!["Garden".to_owned(), "House".to_owned()]);
        conversations.put_into(&made[0], " Garden\n").await.unwrap();
        conversations.put_into(&made[2], "House").await.unwrap();
        assert_eq!(
            listed("").await,
            (vec!["Three".to_owned(), "Two".to_owned(), "One".to_owned()], both.clone())
        );
        assert_eq!(listed("Garden").await, (vec!["One".to_owned()], both.clone()));
        assert_eq!(listed("Cellar").await, (Vec::new(), both.clone()));

        let entries = conversations.entries(&agent.id, 0).await.unwrap();
        let run = entries.into_iter().filter_map(|entry| entry.run).next_back().unwrap();
        let forked = conversations.fork(&made[2], &run).await.unwrap();
        assert_eq!(forked.folder, "House", "what begins with it stands beside it");
        conversations.put_into(&forked.id, "").await.unwrap();
        conversations.archive(&made[2], true).await.unwrap();
        assert_eq!(listed("Garden").await.1, garden);
        assert!(matches!(conversations.put_into(&made[0], &"x".repeat(121)).await, Err(Error::Limit(_))));
        assert_eq!(conversations.get(&made[0]).await.unwrap().folder, "Garden");
    })
    .await;
}

#[tokio::test]
async fn the_one_used_last_is_that_whatever_the_clock_says() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let hour_ms = 60 * 60 * 1000;
        world.clock.set(hour_ms);
        ask(&scoped, &agent.id, &agent.conversation, "An hour ahead").await;
        world.clock.set(-hour_ms);
        let current = async || scoped.agents().get(&agent.id).await.unwrap().conversation;
        let begun = scoped.conversations().create(&agent.id).await.unwrap().id;
        assert_eq!(current().await, begun);
        ask(&scoped, &agent.id, &agent.conversation, "Right again").await;
        assert_eq!(current().await, agent.conversation);
        ask(&scoped, &agent.id, &begun, "And here").await;
        assert_eq!(current().await, begun);
        assert_eq!(
            titles(&scoped, &agent.id, ConversationFilter::Active).await,
            ["And here", "An hour ahead"]
        );
    })
    .await;
}

#[tokio::test]
async fn a_deleted_conversation_can_be_brought_back_until_it_goes_for_good() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let ferns = agent.conversation.clone();
        ask(&scoped, &agent.id, &ferns, "Ferns").await;
        let before = scoped.pages().of_conversation(Some(&ferns)).latest(&agent.id).await.unwrap().entries;

        conversations.delete(&ferns).await.unwrap();
        let page = scoped.pages().latest(&agent.id).await.unwrap();
        assert_ne!(page.conversation.id, ferns, "there is always one to go on with");
        let runs = scoped.runs().of_conversation(Some(&ferns));
        let refused = runs.send_message(&agent.id, "Still there?", None, None).await.unwrap_err();
        assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        assert_eq!(titles(&scoped, &agent.id, ConversationFilter::Deleted).await, ["Ferns"]);

        conversations.restore(&ferns).await.unwrap();
        let after = scoped.pages().of_conversation(Some(&ferns)).latest(&agent.id).await.unwrap().entries;
        assert_eq!(after, before);
        assert_eq!(ask(&scoped, &agent.id, &ferns, "Back").await, "You said: Back");

        conversations.delete(&ferns).await.unwrap();
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        let other = conversations.create(&agent.id).await.unwrap();
        conversations.delete(&other.id).await.unwrap();
        assert_eq!(titles(&scoped, &agent.id, ConversationFilter::Deleted).await, [""; 0]);
        let gone = conversations.get(&ferns).await.unwrap_err();
        assert_eq!(gone.into_failure().kind, FailureKind::NotFound);
        assert_eq!(said(&conversations.entries(&agent.id, 0).await.unwrap()), []);
    })
    .await;
}

#[tokio::test]
async fn conversations_in_which_nothing_was_said_do_not_pile_up() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        for _ in 0..5 {
            let current = conversations.create(&agent.id).await.unwrap().id;
            let refused = conversations.archive(&current, true).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::Conflict);
            conversations.delete(&current).await.unwrap();
        }
        let mut count = 0;
        for filter in [ConversationFilter::Active, ConversationFilter::Archived, ConversationFilter::Deleted]
        {
            count += titles(&scoped, &agent.id, filter).await.len();
        }
        assert_eq!(count, 1, "the one to go on with");
    })
    .await;
}

#[tokio::test]
async fn a_run_stops_with_its_conversation_and_no_other() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        let other = conversations.create(&agent.id).await.unwrap().id;
        let runs = scoped.runs().of_conversation(Some(&other));
        runs.send_message(&agent.id, GATED, None, None).await.unwrap();
        let at_work = async || {
            let page = scoped.pages().of_conversation(Some(&agent.conversation)).latest(&agent.id).await;
            page.map(|page| page.elsewhere.is_some())
        };
        conversations.archive(&agent.conversation, true).await.unwrap();
        assert!(at_work().await.unwrap());
        conversations.delete(&other).await.unwrap();
        assert!(!at_work().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn what_waits_in_a_conversation_that_is_deleted_holds_nothing_up() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, GATED, None, None).await.unwrap();
        let other = scoped.conversations().create(&agent.id).await.unwrap().id;
        let runs = scoped.runs().of_conversation(Some(&other));
        runs.send_message(&agent.id, "Mosses", None, None).await.unwrap();
        tab.page_notify(&agent.id, "watered", &json!({})).await.unwrap();
        scoped.conversations().delete(&other).await.unwrap();
        endpoint.open_gate().await;
        until_finished(&mut tab).await;
        let woken = until_finished(&mut tab).await;
        let is_of_page =
            |entry: &Entry| matches!(entry.body, EntryBody::Message { from: Sender::PageNotify { .. }, .. });
        assert!(woken.iter().any(is_of_page), "{woken:?}");
        assert_eq!(woken.last().unwrap().conversation, Some(agent.conversation));
    })
    .await;
}

#[tokio::test]
async fn the_context_is_that_of_the_conversation_that_is_looked_at() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        let other = scoped.conversations().create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &other, "Mosses").await;
        for (conversation, has, has_not) in
            [(&agent.conversation, "Ferns", "Mosses"), (&other, "Mosses", "Ferns")]
        {
            let context =
                scoped.runs().of_conversation(Some(conversation)).context_of(&agent.id).await.unwrap();
            let sent = format!("{:?}", context.sections);
            assert!(sent.contains(has) && !sent.contains(has_not), "{sent}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_conversation_may_be_held_with_another_model_than_the_agents_own() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        conversations.set_model(&agent.conversation, " claude-opus-4-1 ").await.unwrap();
        ask(&scoped, &agent.id, &agent.conversation, "Mosses").await;
        let other = conversations.create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &other, "Stones").await;
        conversations.set_model(&agent.conversation, "").await.unwrap();
        ask(&scoped, &agent.id, &agent.conversation, "Water").await;
        let requests = endpoint.requests().await;
        let models: Vec<_> =
            requests.iter().map(|request| request["body"]["model"].as_str().unwrap().to_owned()).collect();
        let own = agent.model.clone();
        assert_eq!(models, [own.as_str(), "claude-opus-4-1", &own, &own]);
        let page = scoped.pages().of_conversation(Some(&other)).latest(&agent.id).await.unwrap();
        assert_eq!(page.conversation.model, "");
        let refused = conversations.set_model(&other, "two\nlines").await.unwrap_err();
        assert_eq!(refused.into_failure().kind, FailureKind::Invalid);
    })
    .await;
}

#[tokio::test]
async fn nobody_touches_the_conversations_of_somebody_else() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let of_ada = world.hub.for_viewer(&viewer);
        ask(&of_ada, &agent.id, &agent.conversation, "Ferns").await;
        let other = world.person("bo").await;
        let bo = world.hub.for_viewer(&other);
        let theirs = crate::world::Definition::named("Bo's").create(&bo).await;
        let (conversations, id) = (bo.conversations(), &agent.conversation);
        let view = |view: ConversationView| drop(view);
        for (what, failure) in [
            ("list", conversations.list(&agent.id, ConversationFilter::Active, 0).await.map(drop)),
            ("create", conversations.create(&agent.id).await.map(view)),
            ("get", conversations.get(id).await.map(view)),
            ("rename", conversations.rename(id, "Mine").await),
            ("pin", conversations.pin(id, true).await),
            ("archive", conversations.archive(id, true).await),
            ("delete", conversations.delete(id).await),
            ("restore", conversations.restore(id).await),
            ("read", bo.pages().of_conversation(Some(id)).latest(&theirs.id).await.map(drop)),
            (
                "say",
                bo.runs()
                    .of_conversation(Some(id))
                    .send_message(&theirs.id, "Hello", None, None)
                    .await
                    .map(drop),
            ),
        ] {
            assert_eq!(failure.expect_err(what).into_failure().kind, FailureKind::NotFound, "{what}");
        }
        assert_eq!(titles(&of_ada, &agent.id, ConversationFilter::Active).await, ["Ferns"]);
    })
    .await;
}

async fn exported(scoped: &Scoped<'_>, id: &ConversationId, format: ExportFormat) -> (String, String) {
    let mut export = scoped.conversations().export(id, format).await.unwrap();
    let mut text = String::new();
    while let Some(part) = export.next().await.unwrap() {
        text.push_str(&part);
    }
    (export.file_name(), text)
}

#[tokio::test]
async fn an_export_has_all_of_a_conversation_however_long_and_nothing_of_another() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let ferns = agent.conversation.clone();
        // Each answer has the words again: together more than is read at a time.
        for number in 0..4 {
            let words = format!("Ferns {number} {}", format!("{} ", "green".repeat(100)).repeat(360));
            ask(&scoped, &agent.id, &ferns, &words).await;
        }
        let mosses = scoped.conversations().create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &mosses, "Mosses: \"soft\"").await;
        let all = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let of = |id: &ConversationId| {
            let own = all.iter().filter(|entry| entry.conversation.as_ref() == Some(id));
            own.map(|entry| serde_json::to_value(entry).unwrap()).collect::<Vec<_>>()
        };
        let (name, json) = exported(&scoped, &mosses, ExportFormat::Json).await;
        let file: Value = serde_json::from_str(&json).unwrap();
        assert_eq!((name.as_str(), &file["format"]), ("Mosses soft.json", &json!("vivarium.conversation")));
        let read: Vec<Value> = file["entries"].as_array().unwrap().clone();
        assert!(!read.is_empty() && of(&mosses).iter().all(|entry| read.contains(entry)), "{json}");
        assert!(!json.contains("Ferns"));
        let (_, json) = exported(&scoped, &ferns, ExportFormat::Json).await;
        let file: Value = serde_json::from_str(&json).unwrap();
        let numbers: Vec<u64> =
            file["entries"].as_array().unwrap().iter().map(|entry| entry["seq"].as_u64().unwrap()).collect();
        assert!(numbers.is_sorted() && numbers.len() > 20, "{numbers:?}");
        let (name, text) = exported(&scoped, &ferns, ExportFormat::Markdown).await;
        assert!(name.starts_with("Ferns 0 green") && name.ends_with(".md"), "{name}");
        for number in 0..4 {
            assert!(text.contains(&format!("\n\nFerns {number} green")), "{number}");
            assert!(text.contains(&format!("\n\nYou said: Ferns {number} green")), "{number}");
        }
        let empty = scoped.conversations().create(&agent.id).await.unwrap().id;
        let (_, json) = exported(&scoped, &empty, ExportFormat::Json).await;
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["entries"], json!([]));
        let eve = world.person("eve").await;
        let refused = world.hub.for_viewer(&eve).conversations().export(&ferns, ExportFormat::Json).await;
        assert_eq!(refused.err().unwrap().into_failure().kind, FailureKind::NotFound);
    })
    .await;
}

#[tokio::test]
async fn a_conversation_begins_before_a_message_with_its_words_to_go_on_from() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        for text in ["Ferns", "Mosses"] {
            ask(&scoped, &agent.id, &agent.conversation, text).await;
        }
        let mut asked = Vec::new();
        let mut others = Vec::new();
        for entry in conversations.entries(&agent.id, 0).await.unwrap() {
            match entry.body {
                EntryBody::Message { from: Sender::Person, text, .. } => asked.push((entry.seq, text)),
                _ => others.push(entry.seq),
            }
        }
        assert_eq!(asked.len(), 2);
        for ((seq, text), before) in asked.iter().zip([vec![], vec!["Ferns".to_owned()]]) {
            let begun = conversations.fork_before(&agent.conversation, *seq).await.unwrap();
            assert_ne!(begun.id, agent.conversation);
            assert_eq!(conversations.draft(&begun.id).await.unwrap().text, *text);
            let page = scoped.pages().of_conversation(Some(&begun.id)).latest(&agent.id).await.unwrap();
            let kept: Vec<String> = said(&page.entries).into_iter().map(|(text, _)| text).collect();
            assert_eq!(kept, before);
        }
        for seq in others.into_iter().chain([u64::from(u32::MAX)]) {
            let refused = conversations.fork_before(&agent.conversation, seq).await;
            assert!(matches!(refused, Err(Error::Invalid(_) | Error::NotFound(_))), "{seq}");
        }
        let eve = world.person("eve").await;
        let strange = world.hub.for_viewer(&eve).conversations().fork_before(&agent.conversation, asked[0].0);
        assert!(matches!(strange.await, Err(Error::NotFound(_))));
    })
    .await;
}
