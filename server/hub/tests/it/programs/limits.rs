//! The limit of a token: it stays with what its program asked for, can be changed, and is told of in time.

use super::{agent, chat, hello, json_of, program, provider, usage};
use crate::runs::trace;
use crate::world::{Endpoint, World, each_store};
use hub::{Body, Viewer};
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::view::{AgentView, ProviderKind, Status};
use protocol::{FailureKind, LimitOf, Micros, TabId};
use serde_json::json;

#[tokio::test]
async fn what_a_token_s_limit_stopped_stays_under_it_and_goes_on_when_it_is_raised() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, token) = program(&world, &ada, Some(Micros(10))).await;
        let fern = agent(&world, &ada, "Fern").await;
        assert_eq!(json_of(chat(&world, &program, hello("agent/Fern", "Hi")).await).0, 429);

        let mut tab = follow(&world, &ada, &fern).await;
        scoped.retry(&fern.id, None).await.unwrap();
        let entries = trace::until_finished(&mut tab).await;
        let EntryBody::RunFinished { outcome: Outcome::Failed { failure }, stopped_by } =
            &entries.last().unwrap().body
        else {
            panic!("it went round the limit")
        };
        assert_eq!(stopped_by, &Some(LimitOf::Token));
        assert!(failure.message.starts_with("The program with this token"), "{}", failure.message);

        let refused = world.hub.for_viewer(&eve).limit_token(&token, None).await.unwrap_err();
        assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        assert!(scoped.limit_token(&token, Some(Micros(-1))).await.is_err());
        scoped.limit_token(&token, Some(Micros(10_000_000))).await.unwrap();
        assert_eq!(end(&trace::until_finished(&mut tab).await), Outcome::Completed);
        assert_eq!(scoped.tokens().await.unwrap()[0].per_month, Some(Micros(10_000_000)));
        assert_eq!(usage(&world, &ada).await.programs[0].calls, 1, "it is still the program's");
    })
    .await;
}

#[tokio::test]
async fn a_revoked_token_s_run_ends_and_what_its_limit_stopped_does_not_go_on() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (rich, token) = program(&world, &ada, None).await;
        let (poor, other) = program(&world, &ada, Some(Micros(10))).await;
        let (fern, moss) = (agent(&world, &ada, "Fern").await, agent(&world, &ada, "Moss").await);
        let mut tab = follow(&world, &ada, &fern).await;
        let mut body = hello("agent/Fern", "turns: [[{\"text\":\"some words\"},\"hang\"]]");
        body["stream"] = json!(true);
        let reply = chat(&world, &rich, body).await;
        assert!(matches!(reply.body, Body::Events(_)));
        scoped.revoke_token(&token).await.unwrap();
        assert_eq!(end(&trace::until_finished(&mut tab).await), Outcome::Stopped);

        assert_eq!(json_of(chat(&world, &poor, hello("agent/Moss", "Hi")).await).0, 429);
        assert_eq!(scoped.agent_page(&moss.id).await.unwrap().card.status, Status::Waiting);
        scoped.revoke_token(&other).await.unwrap();
        assert_eq!(scoped.agent_page(&moss.id).await.unwrap().card.status, Status::Idle);
        let entries = scoped.entries(&moss.id, 0).await.unwrap();
        let EntryBody::Notice { kind: NoticeKind::GivenUp, text, .. } = &entries.last().unwrap().body else {
            panic!("nobody is told: {entries:?}")
        };
        let why = "A limit had stopped what a program asked for, and its token script was revoked.";
        assert_eq!(text, why);
        let before = entries.len();
        let caps = protocol::view::Caps::default();
        scoped.limit_own(&caps).await.unwrap();
        scoped.limit_agent(&moss.id, &caps).await.unwrap();
        assert_eq!(scoped.entries(&moss.id, 0).await.unwrap().len(), before);
        drop(reply);
    })
    .await;
}

#[tokio::test]
async fn most_of_a_token_s_limit_is_on_the_wall_and_in_the_conversation_that_brought_it_there() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, token) = program(&world, &ada, None).await;
        assert_eq!(chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await.status, 200);
        assert!(scoped.limit_warnings().await.unwrap().is_empty());
        let fern = agent(&world, &ada, "Fern").await;
        spend_of(&world, &ada, &token, 850_000).await;
        scoped.limit_token(&token, Some(Micros(1_000_000))).await.unwrap();
        let mut tab = follow(&world, &ada, &fern).await;
        assert_eq!(json_of(chat(&world, &program, hello("agent/Fern", "Hi")).await).0, 200);
        let entries = trace::until_finished(&mut tab).await;
        let said = notices(&entries);
        assert_eq!(said.len(), 1, "{}", trace::trace(&entries));
        assert!(said[0].starts_with("The program with this token"), "{said:?}");
        let wall = scoped.limit_warnings().await.unwrap();
        assert_eq!(wall.len(), 1);
        assert!(wall[0].message.starts_with("The program with the token script may spend"), "{wall:?}");
    })
    .await;
}

async fn follow(world: &World, viewer: &Viewer, agent: &AgentView) -> hub::Tab {
    let mut tab = world.hub.open_tab(viewer.clone(), TabId::from("watcher")).unwrap();
    let entries = world.hub.for_viewer(viewer).entries(&agent.id, 0).await.unwrap();
    tab.follow(&agent.id, entries.last().map_or(0, |entry| entry.seq)).await.unwrap();
    tab
}

/// Puts something on the meter of a token.
async fn spend_of(world: &World, viewer: &Viewer, token: &protocol::TokenId, cost: i64) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query("UPDATE spending SET cost = $3 WHERE user_id = $1 AND token_id = $2")
        .bind(&viewer.me.id.0)
        .bind(&token.0)
        .bind(cost)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

fn end(entries: &[Entry]) -> Outcome {
    match &entries.last().unwrap().body {
        EntryBody::RunFinished { outcome, .. } => outcome.clone(),
        other => panic!("it did not end: {other:?}"),
    }
}

fn notices(entries: &[Entry]) -> Vec<String> {
    let notice = |entry: &Entry| match &entry.body {
        EntryBody::Notice { kind: NoticeKind::Limit, text, .. } => Some(text.clone()),
        _ => None,
    };
    entries.iter().filter_map(notice).collect()
}
