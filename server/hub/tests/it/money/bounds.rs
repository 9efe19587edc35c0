//! What is held and booked has bounds, whatever a provider counts and whoever says what a model costs.

use super::{OUTPUT, daily, is_over_budget, until_finished, watch};
use crate::programs;
use crate::providers::server::Server;
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Api, OpenedAgents, Scoped};
use protocol::Caps;
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody};
use protocol::view::{AgentView, ModelPrice, Share, TokenScope};
use protocol::{FailureKind, Micros, ProviderId};
use serde_json::json;

const MODEL: &str = "claude-sonnet-4-5";

#[tokio::test]
async fn a_member_s_own_provider_that_counts_what_it_likes_stops_nobody_else() {
    let usage = json!({ "input_tokens": 1_000_000_000_000_u64, "cache_read_input_tokens": u64::MAX,
                        "cache_creation_input_tokens": 7, "output_tokens": 1_000_000_000_000_u64 });
    let message = json!({ "id": "m", "type": "message", "role": "assistant", "usage": usage });
    let start = json!({ "type": "message_start", "message": message });
    let end = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage });
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nevent: message_start\ndata: {start}\n\nevent: message_delta\ndata: {end}\n\nevent: message_stop\ndata: {{\"type\":\"message_stop\"}}\n\n"
    );
    each_store(async |world: World| {
        let (endpoint, answer) = (Endpoint::start(), answer.clone());
        let liar = Server::start(move |_| answer.clone()).await;
        let (root, ada, eve) =
            (world.admin("root").await, world.person("ada").await, world.person("eve").await);
        let (roots, adas, eves) =
            (world.hub.for_viewer(&root), world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let admin = world.hub.as_admin(&root).unwrap();
        admin.ledger().limit(None, &daily(Micros(1_000_000))).await.unwrap();
        let ours = provider(&roots, ProviderKind::Anthropic, &endpoint.url).await;
        admin.providers().put(&ours, &Share { everyone: true, ..Share::default() }).await.unwrap();

        let own = provider(&eves, ProviderKind::Anthropic, &liar.url).await;
        let agent = agent(&eves, &own, MODEL).await;
        let mut tab = watch(&world, &eve, std::slice::from_ref(&agent)).await;
        for _ in 0..3 {
            eves.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
            let entries = until_finished(&mut tab, 1).await;
            assert!(!entries.iter().any(is_over_budget), "{entries:?}");
            let used = entries.iter().find_map(|entry| match &entry.body {
                EntryBody::Used { usage, cost, .. } => Some((*usage, *cost)),
                _ => None,
            });
            let (usage, cost) = used.unwrap();
            assert!(usage.prompt() < 100_000 && usage.output <= 100_000, "{usage:?}");
            assert!(cost.unwrap() < Micros(2_000_000), "{cost:?}");
        }
        assert_eq!(admin.ledger().budget(None).await.unwrap().spent.ever, Micros(0), "it is their own money");
        assert!(admin.ledger().budget(Some(&eve.me.id)).await.unwrap().spent.ever > Micros(0));

        let theirs = crate::money::bounds::agent(&adas, &ours, MODEL).await;
        let mut tab = watch(&world, &ada, std::slice::from_ref(&theirs)).await;
        adas.runs().send_message(&theirs.id, "Hello", None, None).await.unwrap();
        let entries = until_finished(&mut tab, 1).await;
        assert!(!entries.iter().any(is_over_budget), "{entries:?}");
        assert!(
            admin.ledger().budget(None).await.unwrap().spent.ever > Micros(0),
            "what is shared is the server's"
        );
    })
    .await;
}

#[tokio::test]
async fn a_price_has_a_bound_and_so_has_what_a_call_costs() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (root, ada) = (world.admin("root").await, world.person("ada").await);
        let (scoped, admin) = (world.hub.for_viewer(&ada), world.hub.as_admin(&root).unwrap());
        for price in [i64::MAX, 100_000_000_001] {
            for (input, output) in [(price, 1), (1, price)] {
                let price = ModelPrice { input: Micros(input), output: Micros(output) };
                let refused =
                    scoped.model_facts().set_own_price("model-without-price", price).await.unwrap_err();
                assert_eq!(refused.into_failure().kind, FailureKind::Invalid);
                let refused =
                    admin.model_facts().enter_facts("m", None, None, None, Some(price)).await.unwrap_err();
                assert_eq!(refused.into_failure().kind, FailureKind::Invalid);
            }
        }
        let highest = ModelPrice { input: Micros(100_000_000_000), output: Micros(100_000_000_000) };
        scoped.model_facts().set_own_price("model-without-price", highest).await.unwrap();
        let provider = provider(&scoped, ProviderKind::OpenAi, &endpoint.url).await;
        let agent = agent(&scoped, &provider, "model-without-price").await;
        let mut tab = watch(&world, &ada, std::slice::from_ref(&agent)).await;
        for _ in 0..3 {
            scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
            until_finished(&mut tab, 1).await;
        }
        assert!(scoped.ledger().own_budget().await.unwrap().spent.ever > Micros(0));
    })
    .await;
}

#[tokio::test]
async fn a_document_is_held_by_its_bytes() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&scoped, ProviderKind::Anthropic, &endpoint.url).await;
        let per_month = Some(Micros(300_000));
        let made = scoped
            .account()
            .make_token("script", TokenScope::Models, hub::Words::Own, per_month, OpenedAgents::All)
            .await
            .unwrap();
        let program = world.hub.accounts().bearer(&made.token, "").await.unwrap().unwrap().program;
        for (bytes, status) in [(1000, 200), (200_000, 402)] {
            let source =
                json!({ "type": "base64", "media_type": "application/pdf", "data": "A".repeat(bytes) });
            let content =
                json!([{ "type": "document", "source": source }, { "type": "text", "text": "What is it?" }]);
            let body = json!({ "model": MODEL, "max_tokens": 1000,
                               "messages": [{ "role": "user", "content": content }] });
            let reply = world.hub.for_program(&program).answer(Api::Messages, body.to_string().into()).await;
            assert_eq!(reply.status, status, "{bytes}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_far_away_is_not_free_whatever_it_is_called() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        scoped.ledger().limit_own(&Caps { ever: Some(Micros(0)), ..Caps::default() }).await.unwrap();
        for kind in [ProviderKind::LmStudio, ProviderKind::LlamaCpp, ProviderKind::Ollama] {
            for (url, is_free) in [("http://llm.example.com/v1", false), ("http://127.0.0.1:1/v1", true)] {
                let agent = agent(&scoped, &provider(&scoped, kind, url).await, MODEL).await;
                let mut tab = watch(&world, &ada, std::slice::from_ref(&agent)).await;
                scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
                let is_stopped = until_over(&mut tab).await.iter().any(is_over_budget);
                assert_eq!(is_stopped, !is_free, "{kind:?} {url}");
            }
        }
    })
    .await;
}

/// Up to the end of the run, or to its first call that failed.
async fn until_over(tab: &mut hub::Tab) -> Vec<Entry> {
    crate::runs::trace::until(tab, |body| {
        matches!(body, EntryBody::RunFinished { .. } | EntryBody::Retrying { .. })
    })
    .await
}

async fn provider(scoped: &Scoped<'_>, kind: ProviderKind, url: &str) -> ProviderId {
    scoped.providers().save(None, "Test", kind, Some(url), Some("key-good")).await.unwrap().id
}

async fn agent(scoped: &Scoped<'_>, provider: &ProviderId, model: &str) -> AgentView {
    Definition::on(provider, model).output(OUTPUT).create(scoped).await
}

#[tokio::test]
async fn a_limit_holds_for_calls_that_are_made_while_it_is_replaced() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        programs::provider(&world, &ada, "One", ProviderKind::OpenAi, &endpoint).await;
        let (program, _) = programs::program(&world, &ada, None).await;
        let nothing = daily(Micros(1));
        scoped.ledger().limit_own(&nothing).await.unwrap();
        let replace = async {
            for _ in 0..40 {
                scoped.ledger().limit_own(&nothing).await.unwrap();
            }
        };
        let ask = async {
            for _ in 0..40 {
                let asked = programs::hello("One/gpt-5-mini", "Hi");
                assert_ne!(programs::chat(&world, &program, asked).await.status, 200);
            }
        };
        tokio::join!(replace, ask);
        assert!(endpoint.requests().await.is_empty());
    })
    .await;
}
