//! What programs' calls cost when many are settled at once, and when nobody waits for it.

use super::{chat, hello, program, provider, usage};
use crate::talk::{GATED, a_moment, until};
use crate::world::{Endpoint, each_store, on_sqlite};
use futures_util::StreamExt;
use futures_util::future::join_all;
use hub::Body;
use protocol::Caps;
use protocol::Micros;
use protocol::agent::ProviderKind;
use protocol::view::Share;
use serde_json::json;
use sqlx::Row;
use std::time::Duration;

#[tokio::test]
async fn who_hangs_up_before_money_is_held_holds_none_in_the_end_and_asks_nobody() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        // Enough for one call at a time.
        let (program, _) = program(&world, &ada, Some(Micros(200_000))).await;
        let ask = || chat(&world, &program, hello("claude-sonnet-4-5", "Hi"));
        assert_eq!(ask().await.status, 200);
        // Somebody else is writing, so the next one waits on its way to the money.
        let store = world.store().await;
        let mut busy = store.write().await.unwrap();
        sqlx::query("UPDATE spending SET calls = calls").execute(&mut *busy).await.unwrap();
        assert!(tokio::time::timeout(Duration::from_millis(300), ask()).await.is_err());
        busy.rollback().await.unwrap();
        until(async || ask().await.status == 200).await;
        assert_eq!(endpoint.requests().await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn who_hangs_up_while_it_is_settled_has_used_it_all_the_same() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await;
        let mut body = hello("claude-sonnet-4-5", "Hi again");
        body["stream"] = json!(true);
        // Somebody else is writing, so it waits on its way into the books.
        let store = world.store().await;
        let mut busy = store.write().await.unwrap();
        sqlx::query("UPDATE spending SET calls = calls").execute(&mut *busy).await.unwrap();
        let Body::Events(mut events) = chat(&world, &program, body).await.body else { panic!("a stream") };
        while tokio::time::timeout(Duration::from_millis(300), events.next()).await.is_ok() {}
        drop(events);
        busy.rollback().await.unwrap();
        while usage(&world, &ada).await.programs[0].calls == 1 {
            a_moment().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_call_that_ends_while_the_database_is_away_is_booked_once_when_it_is_back_and_holds_nothing() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, Some(Micros(10_000_000))).await;
        let mut body = hello("claude-sonnet-4-5", GATED);
        body["stream"] = json!(true);
        let Body::Events(mut events) = chat(&world, &program, body).await.body else { panic!("a stream") };
        let mut heard = String::new();
        while !heard.contains("words") {
            heard += std::str::from_utf8(&events.next().await.unwrap()).unwrap();
        }
        // The last event comes after the first try to book it, and does not wait for the database.
        let whole_reply = async {
            endpoint.open_gate().await;
            while events.next().await.is_some() {}
        };
        world.without_store(whole_reply).await;
        let holds = async || {
            let store = world.store().await;
            let row = sqlx::query("SELECT COUNT(*) FROM holds").fetch_one(store.read()).await.unwrap();
            store.close().await;
            row.get::<i64, _>(0)
        };
        until(async || holds().await == 0).await;
        let used = usage(&world, &ada).await.programs;
        let [line] = used.as_slice() else { panic!("{used:?}") };
        assert!(line.calls == 1 && line.input_tokens > 0 && line.cost > Micros(0), "{line:?}");
    })
    .await;
}

#[tokio::test]
async fn what_a_person_used_who_is_removed_meanwhile_is_booked_and_keeps_nobody_from_starting() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (root, ada) = (world.admin("root").await, world.person("ada").await);
        let admin = world.hub.as_admin(&root).unwrap();
        provider(&world, &root, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let shared = world.hub.for_viewer(&root).providers().list().await.unwrap().remove(0);
        admin.providers().put(&shared.id, &Share { everyone: true, ..Share::default() }).await.unwrap();
        let (program, _) = program(&world, &ada, Some(Micros(10_000_000))).await;
        let mut body =
            hello("claude-sonnet-4-5", "turns: [[{\"text\":\"some words gate b\",\"gate\":\"gate\"}]]");
        body["stream"] = json!(true);
        let Body::Events(mut events) = chat(&world, &program, body).await.body else { panic!("a stream") };
        let mut heard = String::new();
        while !heard.contains("words") {
            heard += std::str::from_utf8(&events.next().await.unwrap()).unwrap();
        }
        let store = world.store().await;
        let holds = async |which| {
            let row = sqlx::query(which).fetch_one(store.read()).await.unwrap();
            row.get::<i64, _>(0)
        };
        assert_eq!(holds("SELECT COUNT(*) FROM holds WHERE told IS NOT NULL").await, 1);
        admin.people().remove(&ada.me.id, "ada").await.unwrap();
        endpoint.open_gate().await;
        while events.next().await.is_some() {}
        assert_eq!(holds("SELECT COUNT(*) FROM holds").await, 0);
        assert!(admin.ledger().budget(None).await.unwrap().spent.ever > Micros(0));

        let mut tx = store.write().await.unwrap();
        sqlx::query(
            "INSERT INTO holds (caller, slot, user_id, agent_id, token_id, provider_id, amount, server_amount, told)
             VALUES ('lost', 'program', 'nobody', '', '', '', 1, 1, 'no such thing')",
        )
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        world.reopened().await;
        assert_eq!(holds("SELECT COUNT(*) FROM holds").await, 0);
    })
    .await;
}

#[tokio::test]
async fn calls_that_are_booked_together_are_booked_to_the_unit() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (root, ada, eve) =
            (world.admin("root").await, world.person("ada").await, world.person("eve").await);
        let admin = world.hub.as_admin(&root).unwrap();
        let most = Caps { per_month: Some(Micros(100_000_000)), ..Caps::default() };
        admin.ledger().limit(None, &most).await.unwrap();
        let mut callers = Vec::new();
        for viewer in [&ada, &eve] {
            provider(&world, viewer, "Claude", ProviderKind::Anthropic, &endpoint).await;
            world.hub.for_viewer(viewer).ledger().limit_own(&most).await.unwrap();
            callers.push(program(&world, viewer, Some(Micros(100_000_000))).await.0);
            callers.push(program(&world, viewer, Some(Micros(1))).await.0);
        }
        let asks = callers.iter().flat_map(|program| {
            (0..20).map(|at| {
                let model = if at % 2 == 0 { "claude-sonnet-4-5" } else { "claude-haiku-4-5" };
                chat(&world, program, hello(model, "Hi"))
            })
        });
        let statuses: Vec<u16> = join_all(asks).await.into_iter().map(|reply| reply.status).collect();
        for (caller, statuses) in statuses.chunks(20).enumerate() {
            let expected = if caller % 2 == 0 { 200 } else { 429 };
            assert!(statuses.iter().all(|status| *status == expected), "{caller}: {statuses:?}");
        }
        for viewer in [&ada, &eve] {
            let usage = usage(&world, viewer).await;
            let [line] = usage.programs.as_slice() else { panic!("{:?}", usage.programs) };
            let (dear, cheap) = (&usage.models[0], &usage.models[1]);
            assert_eq!((line.calls, dear.calls, cheap.calls), (20, 10, 10));
            assert_eq!((dear.input_tokens % 10, dear.output_tokens % 10), (0, 0), "ten times the same");
            assert_eq!((dear.cost.0 % 10, cheap.cost.0 % 10), (0, 0), "ten times the same");
            assert!(dear.cost > cheap.cost && cheap.cost > Micros(0));
            assert_eq!(line.cost.0, dear.cost.0 + cheap.cost.0);
            assert_eq!(
                world.hub.for_viewer(viewer).ledger().own_budget().await.unwrap().spent.month,
                line.cost
            );
        }
    })
    .await;
}
