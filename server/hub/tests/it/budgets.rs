//! What something costs SQLite's writer, in statements and in flushes to the disk, and how often something leaves. How long it takes is measured in
//! benches; this counts, and a count that grows has a reason.

use crate::programs::{chat, hello, program, provider};
use crate::providers::server::Server;
use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use futures_util::StreamExt;
use hub::Body;
use hub::store::Written;
use protocol::agent::ProviderKind;
use protocol::{Caps, Micros, TabId};
use serde_json::json;

/// What it cost; `None` with PostgreSQL, which counts for itself.
pub(crate) async fn cost(world: &World, work: impl Future<Output = ()>) -> Option<Written> {
    let before = world.hub.written().await;
    work.await;
    let after = world.hub.written().await;
    (before.statements > 0).then(|| Written {
        statements: after.statements - before.statements,
        commits: after.commits - before.commits,
    })
}

#[tokio::test]
async fn what_a_page_writes_to_its_state_costs_one_flush() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let agent = Definition::named("Fern").create(&world.hub.for_viewer(&ada)).await.id;
        let tab = world.hub.open_tab(ada.clone(), TabId::from("tab")).unwrap();
        let write = async |value| tab.set_state(&agent, "count".to_owned(), json!(value)).await.unwrap();
        write(0).await;
        let cost = cost(&world, async {
            for value in 1..=10 {
                write(value).await;
            }
        });
        if let Some(cost) = cost.await {
            // Of them its beginning and its end, four that look, and five that write.
            assert_eq!(cost, Written { statements: 10 * 11, commits: 10 });
        }
    })
    .await;
}

#[tokio::test]
async fn a_program_s_call_under_a_limit_is_held_told_and_settled_in_three_flushes_at_most() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "One", ProviderKind::OpenAi, &endpoint).await;
        let caps = Caps { per_month: Some(Micros(10_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&caps).await.unwrap();
        let (program, _) = program(&world, &ada, None).await;
        let ask = async || {
            let reply = chat(&world, &program, hello("One/gpt-5-mini", "Hi")).await;
            assert_eq!(reply.status, 200);
        };
        ask().await;
        if let Some(cost) = cost(&world, ask()).await {
            // Held with five, kept as far as it was told with three, and settled with five, the sum of the hub among
            // them as an administrator pays. What is held waits for a commit to share, and gets none if the model is
            // slow.
            assert!(cost.statements == 13 && cost.commits <= 3, "{cost:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn frames_of_a_reply_that_come_at_once_leave_in_few_pieces() {
    const FRAMES: usize = 1000;
    let said = r#"data: {"choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}"#;
    let stop = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let said = [said, "\n\n"].concat().repeat(FRAMES);
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{said}{stop}\n\ndata: [DONE]\n\n"
    );
    let server = Server::start(move |_| answer.clone()).await;
    on_sqlite(async |world| {
        let ada = world.person("ada").await;
        let providers = world.hub.for_viewer(&ada).providers();
        let (url, key) = (Some(server.url.as_str()), Some("key-good-and-long"));
        providers.save(None, "One", ProviderKind::OpenAi, url, key).await.unwrap();
        let (program, _) = program(&world, &ada, None).await;
        let mut body = hello("gpt-5-mini", "Hi");
        body["stream"] = json!(true);
        let Body::Events(events) = chat(&world, &program, body).await.body else { panic!("a stream") };
        let pieces: Vec<_> = events.collect().await;
        let text = String::from_utf8(pieces.concat()).unwrap();
        assert_eq!(text.matches(r#""content":"word ""#).count(), FRAMES);
        // As many as the network makes of it.
        assert!(pieces.len() * 10 <= FRAMES, "{} pieces", pieces.len());
    })
    .await;
}
