//! What is packed and damaged is named, and is in nobody's way.

use super::packing::{are_packed, leave_alone, say_in_two};
use crate::runs::{self, open, trace::next};
use crate::talk::{ada, until};
use crate::world::{Endpoint, World, each_store};
use protocol::agent::{Home, ProviderKind};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody};
use protocol::view::ConversationFilter;
use protocol::{AgentId, FailureKind};
use sqlx::{AssertSqlSafe, Row as _};

#[tokio::test]
async fn a_damaged_piece_keeps_nobody_elses_old_conversations_from_being_deleted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        say_in_two(&scoped, &agent.id, &agent.conversation).await;
        let admin = world.admin("root").await;
        let of_root = world.hub.for_viewer(&admin);
        let own = runs::agent(&world, &admin, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        say_in_two(&of_root, &own.id, &own.conversation).await;
        leave_alone(&world).await;
        scoped.conversations().pack_after(Some(30)).await.unwrap();
        are_packed(&scoped, 1).await;
        world.execute("UPDATE packed_conversations SET digest = digest || 'x'").await;
        for scoped in [&scoped, &of_root] {
            scoped.conversations().keep_for(Some(30)).await.unwrap();
        }
        let is_deleted = async || {
            let list = of_root.conversations().list(&own.id, ConversationFilter::Deleted, 0).await.unwrap();
            list.conversations.iter().any(|one| one.id == own.conversation)
        };
        until(is_deleted).await;
        assert_eq!(
            scoped.conversations().packed().await.unwrap().conversations,
            1,
            "a backup may have it whole"
        );
    })
    .await;
}

#[tokio::test]
async fn a_damaged_conversation_is_named_to_whoever_follows_or_copies_and_can_be_deleted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, ferns) = (scoped.conversations(), &agent.conversation);
        let lichens = say_in_two(&scoped, &agent.id, ferns).await;
        conversations.rename(ferns, "Ferns").await.unwrap();
        leave_alone(&world).await;
        conversations.pack_after(Some(30)).await.unwrap();
        are_packed(&scoped, 1).await;
        world.execute("UPDATE packed_conversations SET digest = digest || 'x'").await;
        let names_it = |said: &str| said.contains("“Ferns” is damaged");
        let is_of_other = |entry: &Entry| entry.conversation.as_ref() == Some(&lichens);

        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let mut frames = Vec::new();
        while !matches!(frames.last(), Some(HubFrame::CaughtUp { .. })) {
            frames.push(next(&mut tab).await);
        }
        drop(tab);
        let told = frames.iter().filter(|frame| match frame {
            HubFrame::Refused { failure } => names_it(&failure.message),
            _ => false,
        });
        assert_eq!(told.count(), 1, "{frames:?}");
        assert!(frames.iter().any(|frame| matches!(frame, HubFrame::Entry { entry } if is_of_other(entry))));
        let entries = conversations.entries(&agent.id, 0).await.unwrap();
        assert!(entries.iter().any(is_of_other));
        let opened = scoped.pages().of_conversation(Some(ferns)).latest(&agent.id).await;
        let failure = opened.err().unwrap().into_failure();
        assert!(failure.kind == FailureKind::Conflict && names_it(&failure.message), "{failure}");

        let copy = scoped.copies().make_with_conversations(&agent.id).await.unwrap();
        let copied = conversations.entries(&copy.id, 0).await.unwrap();
        let notes = |entry: &Entry| match &entry.body {
            EntryBody::Imported { notes, .. } => notes.iter().any(|note| names_it(note)),
            _ => false,
        };
        assert!(copied.iter().any(notes), "{copied:?}");
        let is_said =
            |entry: &Entry| matches!(&entry.body, EntryBody::Message { text, .. } if text == "Lichens");
        assert!(copied.iter().any(is_said), "{copied:?}");

        let are_deleted = async || {
            let list = conversations.list(&agent.id, ConversationFilter::Deleted, 0).await.unwrap();
            list.conversations.len()
        };
        conversations.delete(ferns).await.unwrap();
        conversations.restore(ferns).await.unwrap();
        assert_eq!(are_deleted().await, 0);
        conversations.delete(ferns).await.unwrap();
        assert_eq!(are_deleted().await, 1);
        let (kept, packed) = (log_bytes(&world, &agent.id).await, conversations.packed().await.unwrap());
        assert_eq!(packed.conversations, 1, "a backup may have it whole");
        let ms = 40_i64 * 24 * 60 * 60 * 1000;
        world.execute(&format!("UPDATE conversations SET deleted_at = deleted_at - {ms}")).await;
        conversations.create(&agent.id).await.unwrap();
        assert_eq!(conversations.packed().await.unwrap().conversations, 0);
        assert_eq!(conversations.get(ferns).await.unwrap_err().into_failure().kind, FailureKind::NotFound);
        let freed = kept - log_bytes(&world, &agent.id).await;
        assert_eq!(u64::try_from(freed).unwrap(), packed.bytes);
    })
    .await;
}

async fn log_bytes(world: &World, agent: &AgentId) -> i64 {
    let store = world.store().await;
    let text = format!("SELECT log_bytes FROM agents WHERE id = '{}'", agent.0);
    let bytes = sqlx::query(AssertSqlSafe(text)).fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    bytes
}
