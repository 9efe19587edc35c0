//! Conversations that nobody uses are packed once their person or an administrator said so, and no others.

use crate::runs::{self, open, trace::until_finished};
use crate::talk::{GATED, ada, ask, until};
use crate::world::{Endpoint, World, each_store};
use hub::Scoped;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody};
use protocol::view::Thumb;
use protocol::{AgentId, ConversationId, FailureKind};

pub(super) const WORDS: &str =
    "Ferns \"and\" \\ mosses\n\u{2028}苔 <words-of-strangers>\nMoors\n</words-of-strangers>";

/// What the table of entries has of the conversation.
pub(super) type Rows = Vec<(i64, i64, Option<String>, Option<i64>, String, String)>;

pub(super) async fn rows(world: &World, conversation: &ConversationId) -> Rows {
    let store = world.store().await;
    let rows = sqlx::query_as::<sqlx::Any, _>(
        "SELECT seq, at, run_id, ordinal, kind, body FROM entries WHERE conversation_id = $1 ORDER BY seq",
    );
    let rows = rows.bind(conversation.0.clone()).fetch_all(store.read()).await.unwrap();
    store.close().await;
    rows
}

pub(super) async fn are_packed(scoped: &Scoped<'_>, count: u64) {
    until(async || scoped.conversations().packed().await.unwrap().conversations == count).await;
}

/// Has the hub look for what is old, as if nobody had opened anything of it lately.
pub(super) async fn look_again(world: &World, scoped: &Scoped<'_>) {
    world.execute("UPDATE conversations SET unpacked_at = NULL").await;
    scoped.conversations().pack_after(Some(30)).await.unwrap();
}

/// Nobody has used any conversation for forty days.
pub(super) async fn leave_alone(world: &World) {
    let ms = 40_i64 * 24 * 60 * 60 * 1000;
    world
        .execute(&format!(
            "UPDATE conversations SET created_at = created_at - {ms}, used_at = used_at - {ms}"
        ))
        .await;
}

/// Says something in this conversation, and in another one with which the agent goes on.
pub(super) async fn say_in_two(
    scoped: &Scoped<'_>,
    agent: &AgentId,
    first: &ConversationId,
) -> ConversationId {
    ask(scoped, agent, first, WORDS).await;
    let second = scoped.conversations().create(agent).await.unwrap().id;
    ask(scoped, agent, &second, "Lichens").await;
    second
}

#[tokio::test]
async fn what_is_under_way_pinned_rated_or_lately_opened_is_not_packed_nor_what_others_chose_for() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let mut tab = open(&world, &viewer, "laptop");
        let mut made = vec![agent.conversation.clone()];
        ask(&scoped, &agent.id, &made[0], "At work").await;
        for text in ["Pinned", "Rated", "Opened", "Archived"] {
            let next = conversations.create(&agent.id).await.unwrap().id;
            ask(&scoped, &agent.id, &next, text).await;
            made.push(next);
        }
        let [at_work, pinned, rated, opened, archived] = &made[..] else { panic!("five were made") };
        conversations.pin(pinned, true).await.unwrap();
        conversations.archive(archived, true).await.unwrap();
        let entries = scoped.pages().of_conversation(Some(rated)).latest(&agent.id).await.unwrap().entries;
        let is_answer = |entry: &&Entry| matches!(entry.body, EntryBody::Block { .. });
        let seq = entries.iter().rev().find(is_answer).unwrap().seq;
        conversations.rate(rated, seq, Some(Thumb::Up)).await.unwrap();
        let after = scoped.pages().latest(&agent.id).await.unwrap().seq;
        tab.follow(&agent.id, after).await.unwrap();
        scoped
            .runs()
            .of_conversation(Some(at_work))
            .send_message(&agent.id, GATED, None, None)
            .await
            .unwrap();
        let last = conversations.create(&agent.id).await.unwrap().id;
        leave_alone(&world).await;
        world.execute(&format!("UPDATE conversations SET unpacked_at = 0 WHERE id = '{}'", opened.0)).await;

        // Another person's choice is theirs.
        let ben = world.person("ben").await;
        let bens = world.hub.for_viewer(&ben);
        bens.conversations().pack_after(Some(7)).await.unwrap();
        conversations.pack_after(Some(0)).await.unwrap();
        // An administrator's is for those who chose nothing.
        let admin = world.admin("root").await;
        let all = world.hub.as_admin(&admin).unwrap();
        all.conversations().pack_after(Some(30)).await.unwrap();
        assert_eq!(all.conversations().packed_days().await.unwrap(), Some(30));
        let of_root = world.hub.for_viewer(&admin);
        let own = runs::agent(&world, &admin, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        say_in_two(&of_root, &own.id, &own.conversation).await;
        leave_alone(&world).await;
        all.conversations().pack_after(Some(30)).await.unwrap();
        are_packed(&of_root, 1).await;
        assert_eq!(conversations.packed().await.unwrap().conversations, 0);
        assert_eq!(of_root.conversations().packed().await.unwrap().usual, Some(30));

        conversations.pack_after(None).await.unwrap();
        are_packed(&scoped, 1).await;
        assert_eq!(rows(&world, archived).await, [], "what is out of the list is packed like the rest");
        for stays in [at_work, pinned, rated, opened] {
            assert!(!rows(&world, stays).await.is_empty(), "{stays:?}");
        }
        assert_eq!(rows(&world, &last).await, [], "nothing was said in it");
        endpoint.open_gate().await;
        until_finished(&mut tab).await;

        // With a person everything of theirs goes.
        all.people().remove(&viewer.me.id, "ada").await.unwrap();
        let store = world.store().await;
        let left = sqlx::query_as::<sqlx::Any, _>(
            "SELECT COUNT(*) FROM packed_conversations p JOIN agents a ON a.id = p.agent_id",
        );
        let (left,): (i64,) = left.fetch_one(store.read()).await.unwrap();
        let of_all = sqlx::query_as::<sqlx::Any, _>("SELECT COUNT(*) FROM packed_conversations");
        let (of_all,): (i64,) = of_all.fetch_one(store.read()).await.unwrap();
        store.close().await;
        assert_eq!((left, of_all), (1, 1), "what the administrator has");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_read_of_one_person_keeps_nobody_elses_conversations_from_being_packed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        say_in_two(&world.hub.for_viewer(&viewer), &agent.id, &agent.conversation).await;
        let admin = world.admin("root").await;
        let of_root = world.hub.for_viewer(&admin);
        let own = runs::agent(&world, &admin, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        say_in_two(&of_root, &own.id, &own.conversation).await;
        leave_alone(&world).await;
        let spoil =
            format!("UPDATE entries SET body = '{{' WHERE kind = 'message' AND agent_id = '{}'", agent.id.0);
        world.execute(&spoil).await;
        world.hub.as_admin(&admin).unwrap().conversations().pack_after(Some(30)).await.unwrap();
        are_packed(&of_root, 1).await;
    })
    .await;
}

#[tokio::test]
async fn conversations_are_packed_after_a_week_at_the_earliest() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let admin = world.admin("root").await;
        let conversations = world.hub.for_viewer(&viewer).conversations();
        let all = world.hub.as_admin(&admin).unwrap();
        conversations.pack_after(Some(90)).await.unwrap();
        for days in [6, 3651] {
            for refused in [
                conversations.pack_after(Some(days)).await.unwrap_err(),
                all.conversations().pack_after(Some(days)).await.unwrap_err(),
            ] {
                assert_eq!(refused.into_failure().kind, FailureKind::Invalid, "{days}");
            }
        }
        assert!(all.conversations().pack_after(Some(0)).await.is_err());
        assert_eq!(conversations.packed().await.unwrap().days, Some(90));
        assert_eq!(all.conversations().packed_days().await.unwrap(), None);
    })
    .await;
}
