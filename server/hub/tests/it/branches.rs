//! Branches of a conversation: each has what came before it and nothing of the others, in what people see, in
//! what a model is sent, and when others are long gone.

use crate::runs::{open, trace::until_finished};
use crate::talk::{GATED, PATIENCE, ada, ask};
use crate::world::{Endpoint, World, each_store};
use hub::{Outgoing, Scoped};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::Block;
use protocol::view::{AgentPage, AgentView, ConversationFilter, ConversationView, SearchQuery};
use protocol::{AgentId, ConversationId, FailureKind, RunId};
use serde_json::{Value, json};
use std::time::Duration;

async fn page(scoped: &Scoped<'_>, agent: &AgentId, conversation: &ConversationId) -> AgentPage {
    scoped.pages().of_conversation(Some(conversation)).latest(agent).await.unwrap()
}

/// What was said on both sides, oldest first.
fn lines(entries: &[Entry]) -> Vec<String> {
    let line = |entry: &Entry| match &entry.body {
        EntryBody::Message { from: Sender::Person, text, .. } => Some(text.clone()),
        EntryBody::Block { block: Block::Text { text }, .. } => Some(text.clone()),
        _ => None,
    };
    entries.iter().filter_map(line).collect()
}

fn seq_of(page: &AgentPage, text: &str) -> u64 {
    let is_it = |entry: &&Entry| matches!(&entry.body, EntryBody::Message { text: own, .. } if own == text);
    page.entries.iter().rev().find(is_it).unwrap_or_else(|| panic!("{text} was not said")).seq
}

/// The run that answered what was said last.
fn last_run(page: &AgentPage) -> RunId {
    let ends = |entry: &&Entry| matches!(entry.body, EntryBody::RunFinished { .. });
    page.entries.iter().rev().find(ends).and_then(|entry| entry.run.clone()).expect("there is an answer")
}

/// Says this instead, and waits until it is answered.
async fn edit(
    scoped: &Scoped<'_>,
    of: &AgentView,
    conversation: &ConversationId,
    old: &str,
    new: &str,
) -> ConversationId {
    let entry = seq_of(&page(scoped, &of.id, conversation).await, old);
    let message = Outgoing { text: new, attachments: &[], key: None };
    let sent = scoped.runs().send_instead(conversation, entry, message, None).await.unwrap();
    answered(scoped, of, &sent.conversation).await;
    sent.conversation
}

async fn answered(scoped: &Scoped<'_>, of: &AgentView, conversation: &ConversationId) {
    let is_over = async || {
        let entries = page(scoped, &of.id, conversation).await.entries;
        entries.last().is_some_and(|last| matches!(last.body, EntryBody::RunFinished { .. }))
    };
    tokio::time::timeout(PATIENCE, async {
        while !is_over().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .expect("the run ends");
}

async fn regenerate(scoped: &Scoped<'_>, of: &AgentView, conversation: &ConversationId) -> ConversationId {
    let run = last_run(&page(scoped, &of.id, conversation).await);
    let branch = scoped.runs().regenerate(conversation, &run, "", None).await.unwrap();
    answered(scoped, of, &branch.id).await;
    branch.id
}

/// Every text of the last request, in order.
async fn last_sent(endpoint: &Endpoint) -> Vec<String> {
    fn texts(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::String(text) => into.push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| texts(value, into)),
            Value::Object(fields) => {
                fields
                    .iter()
                    .filter(|(name, _)| matches!(name.as_str(), "content" | "text"))
                    .for_each(|(_, value)| texts(value, into));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut sent = Vec::new();
    texts(&endpoint.requests().await.last().expect("there is a request")["body"]["messages"], &mut sent);
    sent
}

fn points(page: &AgentPage) -> Vec<(Vec<ConversationId>, usize)> {
    page.branches.iter().map(|point| (point.branches.clone(), point.shown)).collect()
}

#[tokio::test]
async fn a_message_that_is_written_again_leaves_the_first_one_and_what_followed_as_it_was() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        for text in ["Ferns", "Mosses", "Water"] {
            ask(&scoped, &agent.id, &first, text).await;
        }
        let before = page(&scoped, &agent.id, &first).await;
        let branch = edit(&scoped, &agent, &first, "Mosses", "Lichens").await;
        assert_eq!(last_sent(&endpoint).await, ["Ferns", "You said: Ferns", "Lichens"]);
        let there = page(&scoped, &agent.id, &branch).await;
        assert_eq!(lines(&there.entries), ["Ferns", "You said: Ferns", "Lichens", "You said: Lichens"]);
        assert!(there.entries.iter().all(|entry| entry.conversation.as_ref() == Some(&branch)));
        let here = page(&scoped, &agent.id, &first).await;
        assert_eq!(here.entries, before.entries);
        assert_eq!(points(&here), [(vec![first.clone(), branch.clone()], 0)]);
        assert_eq!(points(&there), [(vec![first.clone(), branch.clone()], 1)]);
        assert_eq!(here.branches[0].at, seq_of(&here, "Mosses"));
        assert_eq!(there.branches[0].at, seq_of(&there, "Lichens"));

        let list = scoped.conversations().list(&agent.id, ConversationFilter::Active, 0).await.unwrap();
        let listed: Vec<_> = list.conversations.iter().map(|one| (&one.id, one.title.as_str())).collect();
        assert_eq!(
            listed,
            [(&branch, "Ferns")],
            "branches are one conversation, and open where they were used last"
        );
        ask(&scoped, &agent.id, &first, "On").await;
        let list = scoped.conversations().list(&agent.id, ConversationFilter::Active, 0).await.unwrap();
        assert_eq!(list.conversations.iter().map(|one| &one.id).collect::<Vec<_>>(), [&first]);
    })
    .await;
}

#[tokio::test]
async fn another_answer_is_given_to_the_same_words_and_stands_beside_the_first() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        ask(&scoped, &agent.id, &first, "Ferns").await;
        ask(&scoped, &agent.id, &first, "Mosses").await;
        let sent = last_sent(&endpoint).await;
        let second = regenerate(&scoped, &agent, &first).await;
        assert_eq!(last_sent(&endpoint).await, sent);
        let third = regenerate(&scoped, &agent, &second).await;
        assert_eq!(last_sent(&endpoint).await, sent);
        let all = vec![first.clone(), second.clone(), third.clone()];
        for (shown, branch) in all.iter().enumerate() {
            let there = page(&scoped, &agent.id, branch).await;
            assert_eq!(lines(&there.entries), ["Ferns", "You said: Ferns", "Mosses", "You said: Mosses"]);
            assert_eq!(points(&there), [(all.clone(), shown)]);
        }
        let other = edit(&scoped, &agent, &third, "Mosses", "Lichens").await;
        let edited = page(&scoped, &agent.id, &other).await;
        assert_eq!(points(&edited), [(vec![first.clone(), other.clone()], 1)]);
        let again = edit(&scoped, &agent, &other, "Lichens", "Algae").await;
        let there = page(&scoped, &agent.id, &again).await;
        assert_eq!(points(&there), [(vec![first.clone(), other, again], 2)]);
        let here = page(&scoped, &agent.id, &third).await;
        assert_eq!(here.branches.len(), 2, "at what was said, and at its answer");
    })
    .await;
}

/// What came during a run and was answered after it stands within the run in the log.
#[tokio::test]
async fn what_was_answered_after_a_run_is_no_part_of_a_branch_that_ends_with_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, GATED, None, None).await.unwrap();
        tab.page_notify(&agent.id, "watered", &json!({})).await.unwrap();
        let run = page(&scoped, &agent.id, &first).await.entries.iter().find_map(|entry| entry.run.clone());
        let early = scoped.conversations().fork(&first, run.as_ref().unwrap()).await;
        assert_eq!(early.unwrap_err().into_failure().kind, FailureKind::Conflict);
        endpoint.open_gate().await;
        until_finished(&mut tab).await;
        until_finished(&mut tab).await;
        let of_page = |page: &AgentPage| {
            let is_it = |entry: &Entry| {
                matches!(entry.body, EntryBody::Message { from: Sender::PageNotify { .. }, .. })
            };
            page.entries.iter().any(is_it)
        };
        let whole = page(&scoped, &agent.id, &first).await;
        assert!(of_page(&whole));
        let fork = scoped.conversations().fork(&first, run.as_ref().unwrap()).await.unwrap();
        let there = page(&scoped, &agent.id, &fork.id).await;
        assert_eq!(lines(&there.entries), [GATED, "some words gate b"]);
        assert!(!of_page(&there));
        let later = scoped.conversations().fork(&first, &last_run(&whole)).await.unwrap();
        assert!(of_page(&page(&scoped, &agent.id, &later.id).await));
    })
    .await;
}

#[tokio::test]
async fn a_message_that_a_run_read_on_its_way_belongs_to_that_run() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, GATED, None, None).await.unwrap();
        tab.page_notify(&agent.id, "watered", &json!({})).await.unwrap();
        scoped.runs().send_message(&agent.id, "Mosses", None, None).await.unwrap();
        let message = Outgoing { text: "Lichens", attachments: &[], key: None };
        let waiting = page(&scoped, &agent.id, &first).await;
        let early = scoped.runs().send_instead(&first, seq_of(&waiting, "Mosses"), message, None).await;
        assert_eq!(early.unwrap_err().into_failure().kind, FailureKind::Conflict);
        endpoint.open_gate().await;
        until_finished(&mut tab).await;
        let whole = page(&scoped, &agent.id, &first).await;
        assert!(whole.entries.iter().any(|entry| matches!(entry.body, EntryBody::Steered { .. })));
        let late = scoped.runs().send_instead(&first, seq_of(&whole, "Mosses"), message, None).await;
        assert_eq!(late.unwrap_err().into_failure().kind, FailureKind::Conflict);
        let fork = scoped.conversations().fork(&first, &last_run(&whole)).await.unwrap();
        assert!(lines(&whole.entries).contains(&"Mosses".to_owned()));
        assert_eq!(lines(&page(&scoped, &agent.id, &fork.id).await.entries), lines(&whole.entries));
        ask(&scoped, &agent.id, &fork.id, "Stones").await;
        assert!(last_sent(&endpoint).await.contains(&"Mosses".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn a_conversation_that_began_as_another_one_outlives_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let first = agent.conversation.clone();
        ask(&scoped, &agent.id, &first, "Ferns").await;
        let run = last_run(&page(&scoped, &agent.id, &first).await);
        ask(&scoped, &agent.id, &first, "Mosses").await;
        let fork: ConversationView = conversations.fork(&first, &run).await.unwrap();
        assert_eq!(fork.title, "Ferns");
        let list = conversations.list(&agent.id, ConversationFilter::Active, 0).await.unwrap();
        assert_eq!(list.conversations.len(), 2, "it is one of its own");
        ask(&scoped, &agent.id, &fork.id, "Stones").await;
        assert_eq!(last_sent(&endpoint).await, ["Ferns", "You said: Ferns", "Stones"]);

        conversations.delete(&first).await.unwrap();
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        let purge = async || {
            let other = conversations.create(&agent.id).await.unwrap();
            conversations.delete(&other.id).await.unwrap();
        };
        purge().await;
        let kept = lines(&page(&scoped, &agent.id, &fork.id).await.entries);
        assert_eq!(kept, ["Ferns", "You said: Ferns", "Stones", "You said: Stones"]);
        let all = lines(&conversations.entries(&agent.id, 0).await.unwrap());
        assert!(!all.contains(&"Mosses".to_owned()), "what nobody has is gone");
        conversations.restore(&first).await.unwrap();
        let list = conversations.list(&agent.id, ConversationFilter::Active, 0).await.unwrap();
        assert!(list.conversations.iter().all(|one| one.id != first), "too late to bring it back");

        conversations.delete(&fork.id).await.unwrap();
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        purge().await;
        assert_eq!(lines(&conversations.entries(&agent.id, 0).await.unwrap()), [""; 0]);
        let space = scoped.agents().get(&agent.id).await.unwrap();
        assert_eq!(space.id, agent.id);
    })
    .await;
}

#[tokio::test]
async fn what_is_done_with_a_conversation_is_done_with_all_its_branches() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let first = agent.conversation.clone();
        ask(&scoped, &agent.id, &first, "Ferns").await;
        let branch = edit(&scoped, &agent, &first, "Ferns", "Mosses").await;
        let other = crate::world::Definition::named("Other").create(&scoped).await;
        ask(&scoped, &other.id, &other.conversation, "Untouched").await;
        let untouched = conversations.get(&other.conversation).await.unwrap();
        conversations.rename(&branch, "Plants").await.unwrap();
        conversations.pin(&first, true).await.unwrap();
        for id in [&first, &branch] {
            let one = conversations.get(id).await.unwrap();
            assert_eq!((one.title.as_str(), one.pinned), ("Plants", true));
        }
        conversations.archive(&first, true).await.unwrap();
        assert!(conversations.get(&branch).await.unwrap().archived);
        ask(&scoped, &agent.id, &branch, "Back").await;
        assert!(!conversations.get(&first).await.unwrap().archived);
        conversations.delete(&branch).await.unwrap();
        assert!(conversations.get(&first).await.unwrap().deleted);
        assert_eq!(conversations.get(&other.conversation).await.unwrap(), untouched);
        conversations.restore(&first).await.unwrap();
        assert!(!conversations.get(&branch).await.unwrap().deleted);
    })
    .await;
}

#[tokio::test]
async fn a_message_that_waits_and_is_written_again_is_not_answered_as_it_was() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, GATED, None, None).await.unwrap();
        let other = scoped.conversations().create(&agent.id).await.unwrap().id;
        let runs = scoped.runs().of_conversation(Some(&other));
        let said = runs.send_message(&agent.id, "Delete a", None, None).await.unwrap();
        let message = Outgoing { text: "Delete b", attachments: &[], key: None };
        let sent = scoped.runs().send_instead(&other, said.seq, message, None).await.unwrap();
        endpoint.open_gate().await;
        until_finished(&mut tab).await;
        until_finished(&mut tab).await;
        let there = page(&scoped, &agent.id, &sent.conversation).await;
        assert_eq!(lines(&there.entries), ["Delete b", "You said: Delete b"]);
        assert_eq!(lines(&page(&scoped, &agent.id, &other).await.entries), ["Delete a"]);
        assert_eq!(endpoint.requests().await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn what_is_written_again_in_a_fork_stays_in_the_fork() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        ask(&scoped, &agent.id, &first, "Ferns").await;
        let run = last_run(&page(&scoped, &agent.id, &first).await);
        let fork = scoped.conversations().fork(&first, &run).await.unwrap().id;
        ask(&scoped, &agent.id, &fork, "Stones").await;
        let branch = edit(&scoped, &agent, &fork, "Ferns", "Mosses").await;
        let ways = vec![fork.clone(), branch.clone()];
        assert_eq!(points(&page(&scoped, &agent.id, &branch).await), [(ways.clone(), 1)]);
        assert_eq!(points(&page(&scoped, &agent.id, &fork).await), [(ways, 0)]);
        assert_eq!(points(&page(&scoped, &agent.id, &first).await), []);
        scoped.conversations().delete(&first).await.unwrap();
        let words = SearchQuery { text: "ferns".to_owned(), ..SearchQuery::default() };
        let found = scoped.search().find(&words).await.unwrap();
        assert!(found.hits.iter().all(|hit| hit.conversation == fork), "{found:?}");
        assert_eq!(found.hits.len(), 2, "what a kept one has is found there");
    })
    .await;
}

/// Any number of branches of branches, against a list of lines for each.
#[tokio::test]
async fn every_branch_has_its_own_past_however_they_were_made() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut branches: Vec<(ConversationId, Vec<String>)> = Vec::new();
        ask(&scoped, &agent.id, &agent.conversation, "0").await;
        branches.push((agent.conversation.clone(), vec!["0".to_owned()]));
        let mut random: usize = 7;
        let mut any = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        for step in 1..=24 {
            let of = any(branches.len());
            let (conversation, said) = branches[of].clone();
            let text = step.to_string();
            match any(5) {
                0 | 1 => {
                    ask(&scoped, &agent.id, &conversation, &text).await;
                    branches[of].1.push(text);
                }
                2 | 3 => {
                    let place = any(said.len());
                    let branch = edit(&scoped, &agent, &conversation, &said[place], &text).await;
                    let mut said = said[..place].to_vec();
                    said.push(text);
                    branches.push((branch, said));
                }
                _ => {
                    let branch = regenerate(&scoped, &agent, &conversation).await;
                    branches.push((branch, said));
                }
            }
            for (conversation, said) in &branches {
                let both: Vec<String> =
                    said.iter().flat_map(|text| [text.clone(), format!("You said: {text}")]).collect();
                let there = page(&scoped, &agent.id, conversation).await;
                assert_eq!(lines(&there.entries), both, "step {step}");
                for point in &there.branches {
                    assert!(point.branches.len() > 1 && point.shown < point.branches.len());
                    let first = there.entries.iter().position(|entry| entry.seq == point.at);
                    assert!(first.is_some(), "step {step}: it stands at an entry that is shown");
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_copy_with_its_conversations_has_every_branch_and_goes_on_by_itself() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let first = agent.conversation.clone();
        for text in ["Ferns", "Mosses", "Water"] {
            ask(&scoped, &agent.id, &first, text).await;
        }
        let second = edit(&scoped, &agent, &first, "Mosses", "Stones").await;
        let fork = {
            let run = last_run(&page(&scoped, &agent.id, &second).await);
            scoped.conversations().fork(&second, &run).await.unwrap().id
        };
        ask(&scoped, &agent.id, &fork, "Sand").await;
        scoped.runs().of_conversation(Some(&first)).send_message(&agent.id, GATED, None, None).await.unwrap();
        let at_work = scoped.copies().make_with_conversations(&agent.id).await.unwrap_err();
        assert_eq!(at_work.into_failure().kind, FailureKind::Conflict);
        endpoint.open_gate().await;
        answered(&scoped, &agent, &first).await;

        let copy = scoped.copies().make_with_conversations(&agent.id).await.unwrap();
        let log = scoped.conversations().entries(&copy.id, 0).await.unwrap();
        let seqs: Vec<u64> = log.iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, (1..=log.len() as u64).collect::<Vec<_>>());
        let listed = async |agent: &AgentId| {
            let list = scoped.conversations().list(agent, ConversationFilter::Active, 0).await.unwrap();
            list.conversations
        };
        let (there, here) = (listed(&agent.id).await, listed(&copy.id).await);
        assert_eq!(here[0].id, copy.conversation, "one in which nothing was said stands first");
        assert_eq!(here.len(), there.len() + 1);
        for (there, here) in there.iter().zip(&here[1..]) {
            assert_eq!((&there.title, there.used_at), (&here.title, here.used_at));
            let (old, new) =
                (page(&scoped, &agent.id, &there.id).await, page(&scoped, &copy.id, &here.id).await);
            assert_eq!(lines(&old.entries), lines(&new.entries));
            assert_eq!(new.card.spent.cost, None, "nothing was spent by it");
            let shape = |page: &AgentPage| {
                points(page).into_iter().map(|(branches, shown)| (branches.len(), shown)).collect::<Vec<_>>()
            };
            assert_eq!(shape(&old), shape(&new));
            for (old, new) in points(&old).into_iter().zip(points(&new)) {
                for (old, new) in old.0.iter().zip(&new.0) {
                    let (old, new) =
                        (page(&scoped, &agent.id, old).await, page(&scoped, &copy.id, new).await);
                    assert_eq!(lines(&old.entries), lines(&new.entries));
                }
            }
        }

        scoped.agents().delete(&agent.id).await.unwrap();
        ask(&scoped, &copy.id, &here[2].id, "Go on").await;
        let sent = last_sent(&endpoint).await;
        assert!(
            sent.iter().any(|text| text == "Ferns") && sent.iter().any(|text| text == "Go on"),
            "{sent:?}"
        );
        let other = world.person("eve").await;
        assert!(world.hub.for_viewer(&other).copies().make_with_conversations(&copy.id).await.is_err());
    })
    .await;
}
