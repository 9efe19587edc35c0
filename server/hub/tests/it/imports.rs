//! Conversations from the exports of other products: they are here as if they had been held here, once, each whole
//! or not at all, and nobody takes the words of a file for what somebody was seen to say.

use crate::runs::open;
use crate::talk::{PATIENCE, ada, ask};
use crate::world::{Endpoint, World, each_store};
use hub::{Error, ExportFormat, ImportTarget, Outgoing, Scoped};
use protocol::import::{ImportReview, ImportSource};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::Block;
use protocol::todo::TodoState;
use protocol::view::{AgentDraft, ConversationFilter, ConversationView, SearchQuery};
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// In Unix milliseconds.
const THEN: i64 = 1_700_000_000_000;

/// A conversation of Claude's of so many messages, begun so many days after `THEN`.
pub fn talk(id: &str, day: i64, messages: usize) -> Value {
    let message = |number: usize| {
        let at = (THEN + day * DAY_MS) / 1000 + i64::try_from(number).unwrap();
        let text = format!("{id} says {number}");
        let sender = if number.is_multiple_of(2) { "human" } else { "assistant" };
        let files = if number == 0 { json!([{ "file_name": "a.pdf" }]) } else { json!([]) };
        let at = jiff::Timestamp::from_second(at).unwrap().to_string();
        json!({ "uuid": format!("{id}{number}"), "sender": sender, "text": text, "created_at": at, "files": files })
    };
    let messages: Vec<Value> = (0..messages).map(message).collect();
    json!({ "uuid": id, "name": format!("About {id}"), "created_at": messages[0]["created_at"], "chat_messages": messages })
}

pub async fn upload(scoped: &Scoped<'_>, conversations: &[Value]) -> ImportReview {
    let bytes = Value::from(conversations).to_string();
    let upload = scoped.imports().upload("conversations.json", bytes.as_bytes()).await.unwrap().upload;
    scoped.imports().review(&upload).await.unwrap()
}

pub async fn bring(scoped: &Scoped<'_>, review: &ImportReview, agent: &AgentId) -> Result<AgentId, Error> {
    let chosen: BTreeSet<u32> = review.offered.iter().map(|offered| offered.number).collect();
    scoped.imports().create(&review.upload, ImportTarget::Agent(agent.clone()), &chosen).await
}

async fn list(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<ConversationView> {
    scoped.conversations().list(agent, ConversationFilter::Active, 0).await.unwrap().conversations
}

fn titles(list: &[ConversationView]) -> Vec<&str> {
    list.iter().map(|conversation| conversation.title.as_str()).collect()
}

/// What was said on both sides, with when.
fn lines(entries: &[Entry]) -> Vec<(String, i64)> {
    let line = |entry: &Entry| match &entry.body {
        EntryBody::Message { from: Sender::Person, text, .. }
        | EntryBody::Block { block: Block::Text { text }, .. } => Some((text.clone(), entry.at)),
        _ => None,
    };
    entries.iter().filter_map(line).collect()
}

#[tokio::test]
async fn what_was_said_elsewhere_is_read_found_exported_and_gone_on_with() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Here").await;
        let review = upload(&scoped, &[talk("moss", 1, 3), talk("fern", 5, 2)]).await;
        assert_eq!((review.source, review.total, review.messages), (ImportSource::Claude, 2, 5));
        assert_eq!(review.offered[0].left_out, ["1 file was left out."]);
        assert_eq!(review.offered[1].said_at, Some(THEN + 5 * DAY_MS + 1000));
        let before = scoped.agents().list().await.unwrap().remove(0);
        bring(&scoped, &review, &agent.id).await.unwrap();

        let there = list(&scoped, &agent.id).await;
        assert_eq!(titles(&there), ["Here", "About fern", "About moss"]);
        assert_eq!((there[1].created_at, there[1].used_at), (THEN + 5 * DAY_MS, THEN + 5 * DAY_MS + 1000));
        let current = scoped.pages().latest(&agent.id).await.unwrap();
        assert_eq!(current.agent.conversation, agent.conversation, "what was used last stays that");
        let after = scoped.agents().list().await.unwrap().remove(0);
        assert_eq!((after.status, after.last_line), (before.status, before.last_line));
        assert_eq!(after.message_count, before.message_count + 5);
        let log = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let seqs: Vec<u64> = log.iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, (1..=log.len() as u64).collect::<Vec<_>>());

        let moss = &there[2].id;
        let page = scoped.pages().of_conversation(Some(moss)).latest(&agent.id).await.unwrap();
        let said = |number: i64| (format!("moss says {number}"), THEN + DAY_MS + number * 1000);
        assert_eq!(lines(&page.entries), [said(0), said(1), said(2)]);
        let told = page.entries.iter().find_map(|entry| match &entry.body {
            EntryBody::Imported { name, notes } => Some((name.as_str(), notes.clone())),
            _ => None,
        });
        assert_eq!(told, Some(("Claude", vec!["1 file was left out.".to_owned()])));
        let wanted = SearchQuery { text: "moss says".to_owned(), ..SearchQuery::default() };
        assert_eq!(scoped.search().find(&wanted).await.unwrap().hits.len(), 3);
        let mut export = scoped.conversations().export(moss, ExportFormat::Markdown).await.unwrap();
        let mut text = String::new();
        while let Some(part) = export.next().await.unwrap() {
            text.push_str(&part);
        }
        assert!(text.contains("moss says 1") && text.contains("2023-11-15"), "{text}");

        // Nobody had answered the last one.
        assert_eq!(ask(&scoped, &agent.id, moss, "Go on").await, "You said: moss says 2\n\nGo on");
        let sent = endpoint.requests().await.pop().unwrap()["body"]["messages"].to_string();
        for words in ["moss says 0", "moss says 1", "moss says 2", "Go on"] {
            assert!(sent.contains(words), "{sent}");
        }
        assert!(!sent.contains("fern says"), "{sent}");
        let answer = page.entries.iter().find(|entry| matches!(entry.body, EntryBody::RunFinished { .. }));
        let run = answer.and_then(|entry| entry.run.clone()).unwrap();
        let fork = scoped.conversations().fork(moss, &run).await.unwrap();
        let page = scoped.pages().of_conversation(Some(&fork.id)).latest(&agent.id).await.unwrap();
        assert_eq!(lines(&page.entries), [said(0), said(1)]);
    })
    .await;
}

#[tokio::test]
async fn a_conversation_is_brought_in_once_whatever_file_and_agent() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = upload(&scoped, &[talk("moss", 1, 2)]).await;
        bring(&scoped, &first, &agent.id).await.unwrap();
        assert_eq!(bring(&scoped, &first, &agent.id).await.unwrap(), agent.id, "it is passed over");
        let here = scoped.imports().review(&first.upload).await.unwrap();
        assert_eq!((here.offered.len(), here.imported.len(), here.known), (0, 1, 0));
        assert_eq!(here.imported[0].left_out, ["1 file was left out."]);

        let second = upload(&scoped, &[talk("fern", 2, 2), talk("moss", 1, 4)]).await;
        assert_eq!((second.offered.len(), second.known), (1, 1));
        let target = ImportTarget::New(Box::new(AgentDraft {
            name: "Old".to_owned(),
            colour: "#3d9a5d".to_owned(),
            ..AgentDraft::default()
        }));
        let both = BTreeSet::from([0, 1]);
        let other = scoped.imports().create(&second.upload, target, &both).await.unwrap();
        assert_eq!(titles(&list(&scoped, &other).await), ["", "About fern"]);
        assert_eq!(list(&scoped, &agent.id).await.len(), 2);

        let moss = here.imported[0].conversation.clone();
        scoped.conversations().delete(&moss).await.unwrap();
        let here = scoped.imports().review(&first.upload).await.unwrap();
        assert!(here.imported[0].deleted, "it can be brought back, so it is here");
        scoped.agents().delete(&agent.id).await.unwrap();
        assert_eq!(scoped.imports().review(&first.upload).await.unwrap().offered.len(), 1);

        let eve = world.person("eve").await;
        let hers = world.hub.for_viewer(&eve);
        for result in [
            hers.imports().review(&first.upload).await.map(drop),
            hers.imports().discard(&first.upload).await,
            hers.imports().create(&first.upload, ImportTarget::Agent(other.clone()), &both).await.map(drop),
        ] {
            assert!(matches!(result, Err(Error::NotFound(_))));
        }
        let own = upload(&hers, &[talk("moss", 1, 2)]).await;
        assert_eq!((own.offered.len(), own.known), (1, 0));
        assert!(matches!(bring(&hers, &own, &other).await, Err(Error::NotFound("agent"))));
    })
    .await;
}

#[tokio::test]
async fn what_fails_in_the_middle_leaves_whole_conversations_and_says_so() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let review = upload(&scoped, &[talk("moss", 1, 60), talk("fern", 2, 60)]).await;
        world.refuse_inserts("imported_conversations").await;
        assert!(bring(&scoped, &review, &agent.id).await.is_err());
        world.take_inserts("imported_conversations").await;
        assert_eq!(list(&scoped, &agent.id).await.len(), 1);
        assert_eq!(scoped.conversations().entries(&agent.id, 0).await.unwrap(), []);
        assert_eq!(scoped.imports().review(&review.upload).await.unwrap().offered.len(), 2);

        let narrow = world.narrow(6_000).await;
        let scoped = narrow.for_viewer(&viewer);
        let refused = bring(&scoped, &review, &agent.id).await.unwrap_err().to_string();
        assert!(refused.starts_with("1 of 2 conversations were brought in. Your agents keep"), "{refused}");
        let here = scoped.imports().review(&review.upload).await.unwrap();
        assert_eq!((here.imported[0].title.as_str(), here.offered.len()), ("About fern", 1));
        for chosen in [BTreeSet::new(), BTreeSet::from([0, 9])] {
            let target = ImportTarget::Agent(agent.id.clone());
            let result = scoped.imports().create(&review.upload, target, &chosen).await;
            assert!(matches!(result, Err(Error::Invalid(_))));
        }
    })
    .await;
}

#[tokio::test]
async fn an_agent_at_work_is_left_alone() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let review = upload(&scoped, &[talk("moss", 1, 2)]).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, crate::talk::GATED, None, None).await.unwrap();
        let refused = bring(&scoped, &review, &agent.id).await.unwrap_err().to_string();
        assert!(
            refused.starts_with("0 of 1 conversations were brought in. The agent is at work."),
            "{refused}"
        );
        endpoint.open_gate().await;
        tokio::time::timeout(PATIENCE, crate::runs::trace::until_finished(&mut tab)).await.unwrap();
        bring(&scoped, &review, &agent.id).await.unwrap();
    })
    .await;
}

async fn exported(scoped: &Scoped<'_>, conversation: &ConversationId) -> Value {
    let mut export = scoped.conversations().export(conversation, ExportFormat::Json).await.unwrap();
    let mut text = String::new();
    while let Some(part) = export.next().await.unwrap() {
        text.push_str(&part);
    }
    serde_json::from_str(&text).unwrap()
}

/// What stands in the conversation and in each branch at each place where it has several.
async fn branches(scoped: &Scoped<'_>, agent: &AgentId, conversation: &ConversationId) -> Vec<Vec<String>> {
    let page =
        async |id: &ConversationId| scoped.pages().of_conversation(Some(id)).latest(agent).await.unwrap();
    let words = |entries: &[Entry]| lines(entries).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let shown = page(conversation).await;
    let mut all = vec![words(&shown.entries)];
    for point in &shown.branches {
        all.push(vec![format!("{} of {}", point.shown, point.branches.len())]);
        for branch in &point.branches {
            all.push(words(&page(branch).await.entries));
        }
    }
    all
}

#[tokio::test]
async fn a_conversation_of_this_product_comes_back_with_its_branches_and_is_exported_again() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        for text in ["Ferns", "Mosses", "Water"] {
            ask(&scoped, &agent.id, &first, text).await;
        }
        let instead = async |of: &ConversationId, old: &str, new: &str| {
            let page = scoped.pages().of_conversation(Some(of)).latest(&agent.id).await.unwrap();
            let is_it =
                |entry: &&Entry| matches!(&entry.body, EntryBody::Message { text, .. } if text == old);
            let seq = page.entries.iter().find(is_it).unwrap().seq;
            let message = Outgoing { text: new, attachments: &[], key: None };
            let branch = scoped.runs().send_instead(of, seq, message, None).await.unwrap().conversation;
            crate::talk::until(async || {
                let page = scoped.pages().of_conversation(Some(&branch)).latest(&agent.id).await.unwrap();
                matches!(page.entries.last().unwrap().body, EntryBody::RunFinished { .. })
            })
            .await;
            branch
        };
        let second = instead(&first, "Mosses", "Stones").await;
        ask(&scoped, &agent.id, &second, "Sand").await;
        let third = instead(&second, "Sand", "Clay").await;
        scoped.conversations().rename(&third, "A garden").await.unwrap();

        let file = exported(&scoped, &third).await;
        let review = upload(&scoped, std::slice::from_ref(&file)).await;
        assert_eq!((review.source, review.total, review.left_out), (ImportSource::Vivarium, 1, vec![]));
        assert_eq!((review.offered[0].title.as_str(), review.messages), ("A garden", 12));
        let target = ImportTarget::New(Box::new(AgentDraft {
            name: "Other".to_owned(),
            colour: "#3d9a5d".to_owned(),
            ..AgentDraft::default()
        }));
        let other = scoped.imports().create(&review.upload, target, &BTreeSet::from([0])).await.unwrap();
        let there = list(&scoped, &other).await.pop().unwrap();
        assert_eq!(there.title, "A garden");
        assert_eq!(branches(&scoped, &other, &there.id).await, branches(&scoped, &agent.id, &third).await);
        let log = scoped.conversations().entries(&other, 0).await.unwrap();
        let seqs: Vec<u64> = log.iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, (1..=log.len() as u64).collect::<Vec<_>>());
        let again = exported(&scoped, &there.id).await;
        assert_eq!(again["tree"].as_array().unwrap().len(), 3);

        // Whatever the tree says that cannot be, what was said on the way to the exported one is there.
        let eve = world.person("eve").await;
        let hers = world.hub.for_viewer(&eve);
        let line =
            lines(&scoped.pages().of_conversation(Some(&third)).latest(&agent.id).await.unwrap().entries);
        let mut hostile = Vec::new();
        let spoils: [fn(&mut Value); 4] = [
            |file| file["tree"][0]["of"] = file["tree"][1]["of"].clone(),
            |file| file["tree"][1]["of"]["from"] = json!("nobody"),
            |file| file["tree"][2]["of"]["from"] = file["tree"][2]["id"].clone(),
            |file| file["tree"] = json!([]),
        ];
        for (number, spoil) in spoils.into_iter().enumerate() {
            let mut spoilt = file.clone();
            let id = json!(format!("{third}-{number}"));
            (spoilt["conversation"]["id"], spoilt["tree"][2]["id"]) = (id.clone(), id);
            spoil(&mut spoilt);
            hostile.push(spoilt);
        }
        let review = upload(&hers, &hostile).await;
        assert_eq!((review.total, review.offered.len()), (4, 4));
        let target = ImportTarget::New(Box::new(AgentDraft {
            name: "Hers".to_owned(),
            colour: "#3d9a5d".to_owned(),
            ..AgentDraft::default()
        }));
        let made = hers.imports().create(&review.upload, target, &(0..4).collect()).await.unwrap();
        for conversation in list(&hers, &made).await.iter().filter(|each| !each.title.is_empty()) {
            let page = hers.pages().of_conversation(Some(&conversation.id)).latest(&made).await.unwrap();
            assert_eq!(lines(&page.entries), line);
        }

        // Of a branch that says nothing of its own, what it has of another one goes on in those that left it.
        let entry = |seq: u32, text: &str| {
            let body = json!({ "type": "message", "from": { "type": "person" }, "text": text });
            json!({ "seq": seq, "at": THEN, "body": body })
        };
        let of = |from: &str, at: u32| json!({ "from": from, "end": at, "messages_end": at, "at": at });
        let silent = json!({
            "format": "vivarium.conversation",
            "conversation": { "id": "c", "title": "Silent", "created_at": THEN },
            "entries": [entry(1, "One"), entry(6, "Six")],
            "tree": [
                { "id": "a", "entries": [entry(1, "One"), entry(2, "Two")] },
                { "id": "b", "of": of("a", 2), "entries": [] },
                { "id": "c", "of": of("b", 5), "entries": [entry(6, "Six")] },
            ],
        });
        let review = upload(&hers, &[silent]).await;
        bring(&hers, &review, &made).await.unwrap();
        let here = list(&hers, &made).await.into_iter().find(|each| each.title == "Silent").unwrap();
        let page = hers.pages().of_conversation(Some(&here.id)).latest(&made).await.unwrap();
        assert_eq!(lines(&page.entries), [("One".to_owned(), THEN), ("Six".to_owned(), THEN)]);
    })
    .await;
}

#[tokio::test]
async fn what_there_is_to_do_comes_along_with_a_conversation_of_ours_and_each_branch_has_what_it_had() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, todos, own) = (scoped.conversations(), scoped.todos(), &agent.conversation);
        todos.add(own, "Rake").await.unwrap();
        ask(&scoped, &agent.id, own, "Here").await;
        todos.mark(own, 1, TodoState::Done).await.unwrap();
        todos.add(own, "Sow").await.unwrap();
        let exported = async |format| {
            let mut export = conversations.export(own, format).await.unwrap();
            let mut text = String::new();
            while let Some(part) = export.next().await.unwrap() {
                text.push_str(&part);
            }
            text
        };
        let markdown = exported(ExportFormat::Markdown).await;
        assert!(markdown.ends_with("\n## To do\n\n- [x] Rake\n- [ ] Sow\n"), "{markdown}");
        let json = exported(ExportFormat::Json).await;
        let review = upload(&scoped, &[serde_json::from_str(&json).unwrap()]).await;
        bring(&scoped, &review, &agent.id).await.unwrap();

        let all = list(&scoped, &agent.id).await;
        let brought = &all.iter().find(|one| one.id != *own).unwrap().id;
        let tasks = async |conversation: &ConversationId| {
            let list = todos.read(conversation).await.unwrap();
            list.items.into_iter().map(|item| (item.id, item.text, item.state)).collect::<Vec<_>>()
        };
        let task = |id: u32, text: &str, state| (id, text.to_owned(), state);
        assert_eq!(
            tasks(brought).await,
            [task(1, "Rake", TodoState::Done), task(2, "Sow", TodoState::Pending)]
        );
        let page = scoped.pages().of_conversation(Some(brought)).latest(&agent.id).await.unwrap();
        let run = page.entries.iter().find_map(|entry| entry.run.clone()).unwrap();
        let fork = conversations.fork(brought, &run).await.unwrap().id;
        assert_eq!(tasks(&fork).await, [task(1, "Rake", TodoState::Pending)]);
        let added = todos.add(brought, "Water").await.unwrap();
        assert_eq!(added.items.last().map(|item| item.id), Some(3));
    })
    .await;
}
