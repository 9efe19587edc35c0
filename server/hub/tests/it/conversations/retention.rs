//! Conversations that nobody uses go once their person said so, and what was deleted goes for good.

use super::unpacking::somebody_waits;
use super::{said, titles};
use crate::schedules::hourly;
use crate::talk::{ada, ask, until};
use crate::world::{Endpoint, World, each_store, on_postgres};
use protocol::FailureKind;
use protocol::log::EntryBody;
use protocol::view::ConversationFilter::{Active, Archived, Deleted};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn what_nobody_used_for_as_long_as_its_person_said_goes_and_what_they_put_away_stays() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let mut made = vec![agent.conversation.clone()];
        ask(&scoped, &agent.id, &made[0], "Ferns").await;
        for text in ["Pinned", "Archived", "Lately"] {
            let next = conversations.create(&agent.id).await.unwrap().id;
            ask(&scoped, &agent.id, &next, text).await;
            made.push(next);
        }
        let [ferns, pinned, archived, lately] = &made[..] else { panic!("four were made") };
        conversations.pin(pinned, true).await.unwrap();
        conversations.archive(archived, true).await.unwrap();
        world.clock.advance(40 * DAY);
        ask(&scoped, &agent.id, lately, "Again").await;

        conversations.keep_for(Some(30)).await.unwrap();
        let are = async |filter, expected: &[&str]| titles(&scoped, &agent.id, filter).await == expected;
        until(async || are(Deleted, &["Ferns"]).await).await;
        assert!(are(Active, &["Pinned", "Lately"]).await && are(Archived, &["Archived"]).await);

        // To bring it back is to use it.
        world.clock.advance(8 * DAY);
        conversations.restore(ferns).await.unwrap();
        conversations.keep_for(Some(7)).await.unwrap();
        until(async || are(Deleted, &["Lately"]).await).await;
        assert!(are(Active, &["Pinned", "Ferns"]).await);

        // Nobody deletes anything any more, and what was deleted goes all the same.
        conversations.keep_for(None).await.unwrap();
        world.clock.advance(31 * DAY);
        let is_gone = async || {
            let all = said(&conversations.entries(&agent.id, 0).await.unwrap());
            !all.iter().any(|(_, conversation)| conversation.as_ref() == Some(lately))
        };
        until(is_gone).await;
        assert!(are(Active, &["Pinned", "Ferns"]).await && are(Archived, &["Archived"]).await);
    })
    .await;
}

#[tokio::test]
async fn a_conversation_in_which_a_schedule_works_is_in_use() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        ask(&scoped, &agent.id, &agent.conversation, "Heath").await;
        let ferns = conversations.create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &ferns, "Ferns").await;
        // What a schedule says joins the one that was used last.
        ask(&scoped, &agent.id, &agent.conversation, "Moors").await;
        world.clock.advance(40 * DAY);
        scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        world.clock.advance(DAY / 24);
        let is_done = async || {
            let entries = conversations.entries(&agent.id, 0).await.unwrap();
            let ends = entries.iter().filter(|entry| matches!(entry.body, EntryBody::RunFinished { .. }));
            ends.count() > 3
        };
        until(is_done).await;
        conversations.keep_for(Some(30)).await.unwrap();
        until(async || titles(&scoped, &agent.id, Deleted).await == ["Ferns"]).await;
        assert_eq!(titles(&scoped, &agent.id, Active).await, ["Heath"]);
    })
    .await;
}

#[tokio::test]
async fn what_is_kept_or_worked_in_at_the_moment_in_which_it_would_be_deleted_stays() {
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        let mut made = vec![agent.conversation.clone()];
        ask(&scoped, &agent.id, &made[0], "Ferns").await;
        for text in ["Pinned", "Worked in", "Gone"] {
            let next = conversations.create(&agent.id).await.unwrap().id;
            ask(&scoped, &agent.id, &next, text).await;
            made.push(next);
        }
        let [_, pinned, worked_in, gone] = &made[..] else { panic!("four were made") };
        conversations.delete(gone).await.unwrap();
        conversations.keep_for(Some(7)).await.unwrap();
        let (store, beside) = (world.store().await, world.store().await);
        let mut beginning = store.write().await.unwrap();
        sqlx::query("UPDATE agents SET id = id").execute(&mut *beginning).await.unwrap();
        world.clock.advance(31 * DAY);
        until(async || somebody_waits(&beside).await).await;
        for (statement, conversation) in [
            ("UPDATE conversations SET pinned_at = 1 WHERE id = $1", pinned),
            ("UPDATE runs SET running = 1, process = 'another' WHERE conversation_id = $1", worked_in),
        ] {
            sqlx::query(statement).bind(conversation.0.clone()).execute(&mut *beginning).await.unwrap();
        }
        beginning.commit().await.unwrap();
        // What was deleted goes for good once it was looked for all that is old.
        until(async || conversations.get(gone).await.is_err()).await;
        assert_eq!(titles(&scoped, &agent.id, Deleted).await, ["Ferns"]);
        store.close().await;
        beside.close().await;
    })
    .await;
}

#[tokio::test]
async fn conversations_are_kept_for_a_week_at_least() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        assert_eq!(conversations.kept_days().await.unwrap(), None);
        conversations.keep_for(Some(90)).await.unwrap();
        for days in [0, 6, 3651] {
            let refused = conversations.keep_for(Some(days)).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::Invalid, "{days}");
        }
        assert_eq!(conversations.kept_days().await.unwrap(), Some(90));
    })
    .await;
}
