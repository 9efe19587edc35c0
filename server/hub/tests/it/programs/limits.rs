//! The limit of a token: it stays with what its program asked for, can be changed, and is told of in time.

use super::{agent, chat, hello, json_of, program, provider, usage};
use crate::runs::trace;
use crate::schedules::hourly;
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Body, OpenedAgents, Viewer, Words};
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::view::{AgentView, LoopSettings, Status, TokenScope};
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
        scoped.runs().retry(&fern.id, None).await.unwrap();
        let entries = trace::until_finished(&mut tab).await;
        let EntryBody::RunFinished { outcome: Outcome::Failed { failure }, stopped_by } =
            &entries.last().unwrap().body
        else {
            panic!("it went round the limit")
        };
        assert_eq!(stopped_by, &Some(LimitOf::Token));
        assert!(failure.message.starts_with("The program with this token"), "{}", failure.message);

        let refused = world.hub.for_viewer(&eve).account().limit_token(&token, None).await.unwrap_err();
        assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        assert!(scoped.account().limit_token(&token, Some(Micros(-1))).await.is_err());
        scoped.account().limit_token(&token, Some(Micros(10_000_000))).await.unwrap();
        assert_eq!(end(&trace::until_finished(&mut tab).await), Outcome::Completed);
        assert_eq!(scoped.account().tokens().await.unwrap()[0].per_month, Some(Micros(10_000_000)));
        assert_eq!(usage(&world, &ada).await.programs[0].calls, 1, "it is still the program's");
    })
    .await;
}

#[tokio::test]
async fn a_program_with_a_limit_lifts_it_in_no_way_and_makes_no_other_token() {
    each_store(async |world| {
        let root = world.admin("root").await;
        let scoped = world.hub.for_viewer(&root);
        for per_month in [Micros(10), Micros(0)].map(Some) {
            let made = scoped
                .account()
                .make_token("all", TokenScope::Everything, Words::Own, per_month, OpenedAgents::All)
                .await
                .unwrap();
            let program = world.hub.accounts().viewer_by_token(&made.token).await.unwrap().unwrap();
            let programs = world.hub.for_viewer(&program);
            let refused = [
                programs.account().limit_token(&made.view.id, None).await.map(drop),
                programs.account().create_token("more").await.map(drop),
                programs
                    .account()
                    .make_token("more", TokenScope::Models, Words::Own, None, OpenedAgents::All)
                    .await
                    .map(drop),
                // Nor a way into a browser, from which it could.
                world.hub.as_admin(&program).unwrap().people().reset_password(&root.me.id).await.map(drop),
            ];
            for refused in refused {
                assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::Forbidden);
            }
            assert_eq!(scoped.account().tokens().await.unwrap()[0].per_month, per_month);
            scoped.account().revoke_token(&made.view.id).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_program_with_a_limit_begins_nothing_that_is_not_counted_for_it() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let fern = agent(&world, &ada, "Fern").await.id;
        let schedule = scoped.schedules().create(&fern, &hourly("Look around.")).await.unwrap();
        let made = scoped
            .account()
            .make_token("all", TokenScope::Everything, Words::Own, Some(Micros(10)), OpenedAgents::All)
            .await
            .unwrap();
        let program = world.hub.accounts().viewer_by_token(&made.token).await.unwrap().unwrap();
        let programs = world.hub.for_viewer(&program);
        let tab = world.hub.open_tab(program.clone(), TabId::from("page")).unwrap();
        let thinks = LoopSettings { ambient_after_minutes: Some(5), ..LoopSettings::default() };
        let draft = Definition::named("Moss").settings(thinks).draft();
        let refused = [
            programs.runs().send_message(&fern, "Hi", None, None).await.map(drop),
            programs.runs().retry(&fern, None).await,
            programs.schedules().create(&fern, &hourly("Look again.")).await.map(drop),
            programs.schedules().edit(&schedule, &hourly("Look again.")).await.map(drop),
            programs.schedules().run_now(&schedule).await,
            programs.agents().create(draft.clone()).await.map(drop),
            programs.agents().edit(&fern, draft).await.map(drop),
            tab.page_notify(&fern, "pressed", &json!(1)).await,
            tab.set_state(&fern, "leaf".to_owned(), json!(1)).await,
        ];
        for refused in refused {
            assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::Forbidden);
        }
        assert!(
            !scoped.conversations().entries(&fern, 0).await.unwrap().iter().any(|entry| entry.run.is_some())
        );
        scoped.account().limit_token(&made.view.id, None).await.unwrap();
        programs.runs().send_message(&fern, "Hi", None, None).await.unwrap();
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
        scoped.account().revoke_token(&token).await.unwrap();
        assert_eq!(end(&trace::until_finished(&mut tab).await), Outcome::Stopped);

        assert_eq!(json_of(chat(&world, &poor, hello("agent/Moss", "Hi")).await).0, 429);
        assert_eq!(scoped.pages().latest(&moss.id).await.unwrap().card.status, Status::Waiting);
        scoped.account().revoke_token(&other).await.unwrap();
        assert_eq!(scoped.pages().latest(&moss.id).await.unwrap().card.status, Status::Idle);
        let entries = scoped.conversations().entries(&moss.id, 0).await.unwrap();
        let EntryBody::Notice { kind: NoticeKind::GivenUp, text, .. } = &entries.last().unwrap().body else {
            panic!("nobody is told: {entries:?}")
        };
        let why = "A limit had stopped what a program asked for, and its token script was revoked.";
        assert_eq!(text, why);
        let before = entries.len();
        let caps = protocol::Caps::default();
        scoped.ledger().limit_own(&caps).await.unwrap();
        scoped.ledger().limit_agent(&moss.id, &caps).await.unwrap();
        assert_eq!(scoped.conversations().entries(&moss.id, 0).await.unwrap().len(), before);
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
        assert!(scoped.ledger().limit_warnings().await.unwrap().is_empty());
        let fern = agent(&world, &ada, "Fern").await;
        spend_of(&world, &ada, &token, 850_000).await;
        scoped.account().limit_token(&token, Some(Micros(1_000_000))).await.unwrap();
        let mut tab = follow(&world, &ada, &fern).await;
        assert_eq!(json_of(chat(&world, &program, hello("agent/Fern", "Hi")).await).0, 200);
        let entries = trace::until_finished(&mut tab).await;
        let said = notices(&entries);
        assert_eq!(said.len(), 1, "{}", trace::trace(&entries));
        assert!(said[0].starts_with("The program with this token"), "{said:?}");
        let wall = scoped.ledger().limit_warnings().await.unwrap();
        assert_eq!(wall.len(), 1);
        assert!(wall[0].message.starts_with("The program with the token script may spend"), "{wall:?}");
    })
    .await;
}

async fn follow(world: &World, viewer: &Viewer, agent: &AgentView) -> hub::Tab {
    let mut tab = world.hub.open_tab(viewer.clone(), TabId::from("watcher")).unwrap();
    let entries = world.hub.for_viewer(viewer).conversations().entries(&agent.id, 0).await.unwrap();
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
