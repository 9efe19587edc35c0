//! What was held before it came here has its old times, and is as old as its coming here for whatever lets go of old
//! conversations.

use super::packing::{leave_alone, rows, say_in_two};
use super::titles;
use crate::imports::{bring, talk, upload};
use crate::talk::{ada, ask, until};
use crate::world::{Endpoint, World, each_store};
use protocol::view::ConversationFilter::{Active, Deleted};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn what_was_brought_here_or_copied_lately_is_not_packed_for_what_it_was_elsewhere() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let lichens = say_in_two(&scoped, &agent.id, &agent.conversation).await;
        let current = conversations.create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &current, "Heath").await;
        leave_alone(&world).await;
        // The last one that is packed at a look, for those that were used least lately are the first.
        let later = 5_i64 * 24 * 60 * 60 * 1000;
        let sql = format!("UPDATE conversations SET used_at = used_at + {later} WHERE id = '{}'", lichens.0);
        world.execute(&sql).await;
        let copy = scoped.copies().make_with_conversations(&agent.id).await.unwrap();
        let review = upload(&scoped, &[talk("moss", 1, 2)]).await;
        bring(&scoped, &review, &agent.id).await.unwrap();

        conversations.pack_after(Some(30)).await.unwrap();
        until(async || rows(&world, &lichens).await.is_empty()).await;
        assert_eq!(conversations.packed().await.unwrap().conversations, 2, "those that were held here");
        assert!(rows(&world, &agent.conversation).await.is_empty());

        world.execute("UPDATE conversations SET brought_at = 1 WHERE brought_at IS NOT NULL").await;
        conversations.pack_after(Some(30)).await.unwrap();
        // Of the copy all, since what it goes on with is another one.
        until(async || conversations.packed().await.unwrap().conversations == 6).await;
        let copied = titles(&scoped, &copy.id, Active).await;
        assert_eq!(copied.iter().filter(|title| !title.is_empty()).count(), 3, "{copied:?}");
    })
    .await;
}

#[tokio::test]
async fn what_was_brought_here_lately_is_not_deleted_for_what_it_was_elsewhere() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        let current = conversations.create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &current, "Heath").await;
        let review = upload(&scoped, &[talk("moss", 1, 2)]).await;
        bring(&scoped, &review, &agent.id).await.unwrap();
        conversations.delete(&agent.conversation).await.unwrap();
        conversations.keep_for(Some(60)).await.unwrap();

        // What was deleted goes for good once it was looked for all that is old.
        world.clock.advance(31 * DAY);
        until(async || conversations.get(&agent.conversation).await.is_err()).await;
        assert_eq!(titles(&scoped, &agent.id, Active).await, ["Heath", "About moss"]);
        assert!(titles(&scoped, &agent.id, Deleted).await.is_empty());

        world.clock.advance(30 * DAY);
        until(async || titles(&scoped, &agent.id, Deleted).await.iter().any(|title| title == "About moss"))
            .await;
    })
    .await;
}
