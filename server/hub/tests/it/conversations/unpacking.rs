//! What is packed is what it was for whoever comes back to it.

use super::packing::{WORDS, are_packed, leave_alone, look_again, rows, say_in_two};
use crate::runs::{
    open,
    trace::{next, until_finished},
};
use crate::search::find;
use crate::talk::{ada, ask, calls, until};
use crate::world::{Definition, Endpoint, World, each_store, on_postgres};
use futures_util::future::join_all;
use hub::ExportFormat;
use hub::store::{Dialect, Store};
use protocol::ConversationId;
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody};
use protocol::todo::TodoState;
use protocol::view::{ConversationFilter, SearchQuery};
use serde_json::json;
use sqlx::{AssertSqlSafe, Row as _};

#[tokio::test]
async fn what_is_packed_is_found_and_comes_back_as_it_was_for_whoever_reads_it_or_speaks_in_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, ferns) = (scoped.conversations(), &agent.conversation);
        let lichens = say_in_two(&scoped, &agent.id, ferns).await;
        leave_alone(&world).await;
        let (before, log) = (rows(&world, ferns).await, conversations.entries(&agent.id, 0).await.unwrap());
        let current = rows(&world, &lichens).await;
        assert!(before.len() > 4 && before.iter().any(|(.., body)| body.contains("mosses")));

        conversations.pack_after(Some(30)).await.unwrap();
        are_packed(&scoped, 1).await;
        assert_eq!((rows(&world, ferns).await, rows(&world, &lichens).await), (vec![], current));
        let packed = conversations.packed().await.unwrap();
        let said: usize = before.iter().map(|(.., body)| body.len()).sum();
        assert_eq!((packed.days, packed.bytes), (Some(30), said as u64));
        assert!(packed.stored > 0);
        let list = conversations.list(&agent.id, ConversationFilter::Active, 0).await.unwrap().conversations;
        assert!(list.iter().any(|one| one.id == *ferns));

        let found = find(&scoped, "ferns").await.hits;
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|hit| hit.conversation == *ferns));
        // As after a backup: it is read anew.
        world.execute("DELETE FROM search_documents").await;
        world.execute("DELETE FROM search_progress").await;
        assert_eq!(find(&scoped, "ferns").await.hits, found);
        assert_eq!(conversations.packed().await.unwrap().conversations, 1, "nobody opened it");

        let copy = scoped.copies().make(&agent.id).await.unwrap();
        let noted = conversations.entries(&copy.id, 0).await.unwrap();
        let warns = |entry: &Entry| matches!(entry.body, EntryBody::Imported { .. });
        assert!(noted.iter().any(warns), "words of strangers are not forgotten with what is packed");

        let page = scoped.pages().of_conversation(Some(ferns)).latest(&agent.id).await.unwrap();
        let is_it = |entry: &Entry| matches!(&entry.body, EntryBody::Message { text, .. } if text == WORDS);
        assert!(page.entries.iter().any(is_it));
        assert_eq!(rows(&world, ferns).await, before);
        assert_eq!(conversations.packed().await.unwrap().conversations, 0);
        assert_eq!(find(&scoped, "ferns").await.hits, found);

        // Those who come at once all find it, whoever of them unpacks it.
        for _ in 0..4 {
            look_again(&world, &scoped).await;
            are_packed(&scoped, 1).await;
            let shown = join_all((0..8).map(async |_| {
                let page = scoped.pages().of_conversation(Some(ferns)).latest(&agent.id).await.unwrap();
                page.entries.iter().any(is_it)
            }));
            let followed = join_all((0..8).map(async |_| conversations.entries(&agent.id, 0).await.unwrap()));
            let (shown, followed) = tokio::join!(shown, followed);
            assert!(shown.iter().all(|is_shown| *is_shown), "{shown:?}");
            assert!(followed.iter().all(|entries| *entries == log));
            assert_eq!(rows(&world, ferns).await, before);
        }

        look_again(&world, &scoped).await;
        are_packed(&scoped, 1).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let followed = until_finished(&mut tab).await;
        assert_eq!(followed.last().unwrap().conversation.as_ref(), Some(ferns), "whoever follows has all");
        drop(tab);

        look_again(&world, &scoped).await;
        are_packed(&scoped, 1).await;
        let mut export = conversations.export(ferns, ExportFormat::Json).await.unwrap();
        let mut text = String::new();
        while let Some(part) = export.next().await.unwrap() {
            text.push_str(&part);
        }
        assert!(text.contains("You said: Ferns"), "{text}");
        assert_eq!(rows(&world, ferns).await, before);

        look_again(&world, &scoped).await;
        are_packed(&scoped, 1).await;
        assert_eq!(world.hub.examine_packed().await.unwrap(), "1 packed conversations, and all of them open");
        world.execute("UPDATE packed_conversations SET digest = digest || 'x'").await;
        assert!(world.hub.examine_packed().await.is_err());
        assert_eq!(find(&scoped, "ferns").await.hits, [], "what is damaged is left out");
        world.execute("DELETE FROM search_documents").await;
        world.execute("DELETE FROM search_progress").await;
        assert!(!find(&scoped, "lichens").await.hits.is_empty(), "also of an index that is made anew");
        assert!(scoped.pages().of_conversation(Some(ferns)).latest(&agent.id).await.is_err());
        assert_eq!(rows(&world, ferns).await, [], "what is damaged is not taken for what was said");
        world.execute("UPDATE packed_conversations SET digest = substr(digest, 1, 64)").await;
        conversations.delete(ferns).await.unwrap();
        conversations.restore(ferns).await.unwrap();
        assert_eq!(rows(&world, ferns).await, before);

        // Bringing it back was a use of it.
        leave_alone(&world).await;
        look_again(&world, &scoped).await;
        are_packed(&scoped, 1).await;
        ask(&scoped, &agent.id, ferns, "Where?").await;
        let after = rows(&world, ferns).await;
        assert!(after.len() > before.len() && after.starts_with(&before));
        let sent = endpoint.requests().await.pop().unwrap()["body"]["messages"].to_string();
        assert!(sent.contains("mosses") && sent.contains("Where?"), "{sent}");
    })
    .await;
}

#[tokio::test]
async fn what_a_fork_has_of_another_conversation_is_packed_after_it_and_comes_back_with_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, source) = (scoped.conversations(), &agent.conversation);
        say_in_two(&scoped, &agent.id, source).await;
        let page = scoped.pages().of_conversation(Some(source)).latest(&agent.id).await.unwrap();
        let run = page.entries.iter().rev().find_map(|entry| entry.run.clone()).unwrap();
        let fork = conversations.fork(source, &run).await.unwrap().id;
        ask(&scoped, &agent.id, &fork, "Bogs").await;
        let last = conversations.create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &last, "Heath").await;
        leave_alone(&world).await;
        let before = (rows(&world, source).await, rows(&world, &fork).await);

        // Of the three that are old the one in between is no part of any.
        conversations.pack_after(Some(30)).await.unwrap();
        are_packed(&scoped, 2).await;
        assert_eq!((rows(&world, source).await, rows(&world, &fork).await), (before.0.clone(), vec![]));
        conversations.pack_after(Some(30)).await.unwrap();
        are_packed(&scoped, 3).await;
        assert_eq!(rows(&world, source).await, []);

        let page = scoped.pages().of_conversation(Some(&fork)).latest(&agent.id).await.unwrap();
        let is_it = |entry: &Entry| matches!(&entry.body, EntryBody::Message { text, .. } if text == WORDS);
        assert!(page.entries.iter().any(is_it));
        assert_eq!((rows(&world, source).await, rows(&world, &fork).await), before);

        // One in which nothing was said is not packed, and the first word in it has what it is made of come back.
        let silent = conversations.fork(source, &run).await.unwrap().id;
        leave_alone(&world).await;
        for count in [3, 4] {
            look_again(&world, &scoped).await;
            are_packed(&scoped, count).await;
        }
        assert_eq!(rows(&world, source).await, []);
        scoped.runs().pause(&agent.id, true).await.unwrap();
        let runs = scoped.runs().of_conversation(Some(&silent));
        runs.send_message(&agent.id, "Where?", None, None).await.unwrap();
        assert_eq!(rows(&world, source).await, before.0);
    })
    .await;
}

#[tokio::test]
async fn what_is_packed_is_read_where_nothing_can_be_written_and_stays_packed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, source) = (scoped.conversations(), &agent.conversation);
        scoped.todos().add(source, "Rake").await.unwrap();
        say_in_two(&scoped, &agent.id, source).await;
        let page = scoped.pages().of_conversation(Some(source)).latest(&agent.id).await.unwrap();
        let run = page.entries.iter().rev().find_map(|entry| entry.run.clone()).unwrap();
        let fork = conversations.fork(source, &run).await.unwrap().id;
        ask(&scoped, &agent.id, &fork, "Bogs").await;
        let last = conversations.create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &last, "Heath").await;
        leave_alone(&world).await;
        let read = async || {
            let mut all = Vec::new();
            for conversation in [source, &fork] {
                let pages = scoped.pages().of_conversation(Some(conversation));
                let page = pages.latest(&agent.id).await.unwrap();
                let earlier = pages.before(&agent.id, page.entries.last().unwrap().seq).await.unwrap();
                let todo = scoped.todos().read(conversation).await.unwrap();
                let mut export = conversations.export(conversation, ExportFormat::Json).await.unwrap();
                let mut text = String::new();
                while let Some(part) = export.next().await.unwrap() {
                    text.push_str(&part);
                }
                let within = SearchQuery {
                    text: "mosses".to_owned(),
                    conversation: Some(conversation.clone()),
                    ..SearchQuery::default()
                };
                let hits = scoped.search().find(&within).await.unwrap().hits;
                all.push((page.entries, earlier.entries, todo.items.len(), text, hits));
            }
            let mut tab = open(&world, &viewer, "laptop");
            tab.follow(&agent.id, 0).await.unwrap();
            let mut followed = Vec::new();
            loop {
                match next(&mut tab).await {
                    HubFrame::Entry { entry } => followed.push(entry),
                    HubFrame::CaughtUp { .. } => break,
                    _ => {}
                }
            }
            (all, followed, conversations.entries(&agent.id, 0).await.unwrap())
        };
        let before = read().await;
        assert_eq!(before.1, before.2);
        assert!(before.0.iter().all(|(entries, _, tasks, text, hits)| {
            let is_told = text.contains("mosses") && text.contains("Rake");
            entries.len() > 4 && *tasks == 1 && is_told && !hits.is_empty()
        }));
        // Of the three that are old the one that the fork is made of is packed after it.
        for count in [2, 3] {
            look_again(&world, &scoped).await;
            are_packed(&scoped, count).await;
        }

        world.refuse_inserts("entries").await;
        assert_eq!(read().await, before);
        assert_eq!(conversations.packed().await.unwrap().conversations, 3);
        world.take_inserts("entries").await;
        assert_eq!(read().await, before);
        assert_eq!(conversations.packed().await.unwrap().conversations, 0, "who follows has all unpacked");
    })
    .await;
}

#[tokio::test]
async fn what_is_said_at_the_moment_in_which_a_conversation_is_packed_is_said_in_a_whole_one() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let ferns = &agent.conversation;
        let lichens = say_in_two(&scoped, &agent.id, ferns).await;
        leave_alone(&world).await;
        let before = rows(&world, ferns).await;
        scoped.conversations().pack_after(Some(30)).await.unwrap();
        are_packed(&scoped, 1).await;
        // Nothing is answered, so that this message alone is what comes.
        scoped.runs().pause(&agent.id, true).await.unwrap();
        let packed_is =
            |of: &ConversationId| format!("UPDATE packed_conversations SET conversation_id = '{}'", of.0);
        // As before the commit that packs it, when nobody else sees the piece.
        world.execute(&packed_is(&lichens)).await;
        let runs = scoped.runs().of_conversation(Some(ferns));
        let say = async || runs.send_message(&agent.id, "Where?", None, None).await.unwrap();
        let (store, beside) = (world.store().await, world.store().await);
        if store.dialect() == Dialect::Postgres {
            let mut packing = store.write().await.unwrap();
            for statement in ["UPDATE agents SET id = id".to_owned(), packed_is(ferns)] {
                sqlx::query(AssertSqlSafe(statement)).execute(&mut *packing).await.unwrap();
            }
            let commit = async {
                until(async || somebody_waits(&beside).await).await;
                packing.commit().await.unwrap();
            };
            tokio::join!(say(), commit);
        } else {
            world.execute(&packed_is(ferns)).await;
            say().await;
        }
        store.close().await;
        beside.close().await;
        let after = rows(&world, ferns).await;
        assert_eq!((after.starts_with(&before), after.len()), (true, before.len() + 1));
        assert_eq!(scoped.conversations().packed().await.unwrap().conversations, 0);
    })
    .await;
}

#[tokio::test]
async fn what_there_is_to_do_in_a_packed_conversation_and_its_fork_stays_on_the_list_that_is_changed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = Definition::like(&agent).tools(["todo"]).draft();
        scoped.agents().edit(&agent.id, draft).await.unwrap();
        let (conversations, todos, ferns) = (scoped.conversations(), scoped.todos(), &agent.conversation);
        for text in ["Rake", "Sow"] {
            todos.add(ferns, text).await.unwrap();
        }
        ask(&scoped, &agent.id, ferns, "Ferns").await;
        let page = scoped.pages().of_conversation(Some(ferns)).latest(&agent.id).await.unwrap();
        let run = page.entries.iter().rev().find_map(|entry| entry.run.clone()).unwrap();
        let fork = conversations.fork(ferns, &run).await.unwrap().id;
        ask(&scoped, &agent.id, &fork, "Mosses").await;
        let last = conversations.create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &last, "Lichens").await;
        let pack = async || {
            leave_alone(&world).await;
            // What is a part of another one is packed after it.
            until(async || {
                look_again(&world, &scoped).await;
                conversations.packed().await.unwrap().conversations == 2
            })
            .await;
        };
        let of = async |conversation: &ConversationId| {
            let list = todos.read(conversation).await.unwrap();
            list.items.into_iter().map(|item| (item.id, item.text, item.state)).collect::<Vec<_>>()
        };
        let task = |id: u32, text: &str, state| (id, text.to_owned(), state);

        pack().await;
        todos.mark(ferns, 1, TodoState::Done).await.unwrap();
        let mut expected = vec![task(1, "Rake", TodoState::Done), task(2, "Sow", TodoState::Pending)];
        assert_eq!(of(ferns).await, expected);
        pack().await;
        todos.add(ferns, "Water").await.unwrap();
        expected.push(task(3, "Water", TodoState::Pending));
        assert_eq!(of(ferns).await, expected);
        pack().await;
        assert_eq!(of(ferns).await, expected, "whoever only looks at it sees it too");
        pack().await;
        todos.add(&fork, "Weed").await.unwrap();
        let begun = [task(1, "Rake", TodoState::Pending), task(2, "Sow", TodoState::Pending)];
        let of_fork = [begun.as_slice(), &[task(3, "Weed", TodoState::Pending)]].concat();
        assert_eq!((of(&fork).await, of(ferns).await), (of_fork, expected.clone()));
        pack().await;
        let results = calls(
            &scoped,
            &agent.id,
            ferns,
            &[("todo", json!({ "action": "change", "id": 2, "state": "in_progress" }))],
        )
        .await;
        assert!(results.iter().all(|(is_error, _)| !is_error), "{results:?}");
        expected[1].2 = TodoState::InProgress;
        assert_eq!(of(ferns).await, expected);
    })
    .await;
}

/// Whether a statement waits for a row that somebody else has.
pub(super) async fn somebody_waits(store: &Store) -> bool {
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    sqlx::query(waiting).fetch_one(store.read()).await.unwrap().get::<i64, _>(0) > 0
}

#[tokio::test]
async fn when_something_was_unpacked_is_noted_behind_whoever_has_its_agent() {
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        ada(&world, &endpoint).await;
        let admin = world.admin("root").await;
        world.execute("UPDATE conversations SET unpacked_at = 0").await;
        let (store, beside) = (world.store().await, world.store().await);
        // As who deletes: first the agent, then its conversations.
        let mut deleting = store.write().await.unwrap();
        sqlx::query("UPDATE agents SET id = id").execute(&mut *deleting).await.unwrap();
        world.hub.as_admin(&admin).unwrap().conversations().pack_after(Some(30)).await.unwrap();
        until(async || somebody_waits(&beside).await).await;
        sqlx::query("UPDATE conversations SET pinned_at = NULL").execute(&mut *deleting).await.unwrap();
        deleting.commit().await.unwrap();
        let is_noted = async || {
            let left = sqlx::query("SELECT COUNT(*) FROM conversations WHERE unpacked_at = 0");
            left.fetch_one(beside.read()).await.unwrap().get::<i64, _>(0) == 0
        };
        until(is_noted).await;
        store.close().await;
        beside.close().await;
    })
    .await;
}

#[tokio::test]
async fn an_index_that_is_made_anew_has_all_of_several_packed_conversations() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, WORDS).await;
        // More than is read at a time.
        let many = format!(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 250)
             INSERT INTO entries (agent_id, seq, at, conversation_id, kind, body)
             SELECT e.agent_id, a.last_seq + n.n, e.at, e.conversation_id, e.kind, e.body
             FROM agents a JOIN entries e ON e.agent_id = a.id CROSS JOIN n
             WHERE a.id = '{}' AND e.seq = (SELECT MIN(m.seq) FROM entries m WHERE m.agent_id = a.id AND m.kind = 'message')",
            agent.id.0
        );
        world.execute(&many).await;
        world.execute("UPDATE agents SET last_seq = last_seq + 250").await;
        for text in ["Lichens", "Heath"] {
            let next = scoped.conversations().create(&agent.id).await.unwrap().id;
            ask(&scoped, &agent.id, &next, text).await;
        }
        leave_alone(&world).await;
        scoped.conversations().pack_after(Some(30)).await.unwrap();
        are_packed(&scoped, 2).await;
        let (all, found) = (documents(&world).await, find(&scoped, "lichens").await.hits);
        assert!(all.len() > 250 && !found.is_empty());
        world.execute("DELETE FROM search_documents").await;
        world.execute("DELETE FROM search_progress").await;
        until(async || scoped.search().find(&lichens()).await.unwrap().is_complete).await;
        assert_eq!((documents(&world).await, find(&scoped, "lichens").await.hits), (all, found));
    })
    .await;
}

fn lichens() -> SearchQuery {
    SearchQuery { text: "lichens".to_owned(), ..SearchQuery::default() }
}

/// What the index has: the number of each entry, and the packed conversation that it is in.
async fn documents(world: &World) -> Vec<(i64, Option<String>)> {
    let store = world.store().await;
    let rows = sqlx::query_as::<sqlx::Any, _>("SELECT seq, packed_in FROM search_documents ORDER BY seq");
    let rows = rows.fetch_all(store.read()).await.unwrap();
    store.close().await;
    rows
}
