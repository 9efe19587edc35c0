//! The search that a provider of models has itself: three wires in their documented words, and who pays for it.

use super::{reach, searched};
use crate::talk::ada;
use crate::world::{Endpoint, Sink, World, each_store_with_a_web};
use hub::{CallsQuery, Error, Scoped};
use protocol::agent::ProviderKind;
use protocol::view::{CallKind, Network, SearchKind, SearchSourceView};
use protocol::{Caps, Micros};
use serde_json::{Value, json};
use sqlx::Row as _;

const KEY: &str = "provider-key-canary";

/// A provider that searches: what it answers with, and what it has to be asked.
struct Searching {
    kind: ProviderKind,
    model: &'static str,
    answer: String,
    tool: Value,
    /// What a search costs besides the tokens, in millionths of a dollar.
    fee: i64,
}

fn events(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("message")))
        .collect()
}

/// <https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool>
fn anthropic() -> String {
    let found = |url: &str, title: &str, age: &str| json!({ "type": "web_search_result", "url": url, "title": title, "encrypted_content": "abc", "page_age": age });
    events(&[
        json!({ "type": "message_start", "message": { "id": "m", "role": "assistant", "content": [], "usage": { "input_tokens": 900, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {} } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": "{\"query\":\"moss fern\"}" } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [
            found("https://other.example/", "Of ferns", "2025-01-02"), found("https://moss.example/", "On moss", "2026-03-04"),
        ] } }),
        json!({ "type": "content_block_stop", "index": 1 }),
        json!({ "type": "content_block_start", "index": 2, "content_block": { "type": "text", "text": "", "citations": [] } }),
        json!({ "type": "content_block_delta", "index": 2, "delta": { "type": "citations_delta", "citation": { "type": "web_search_result_location", "url": "https://moss.example/", "title": "On moss", "cited_text": "It grows.", "encrypted_index": "x" } } }),
        json!({ "type": "content_block_delta", "index": 2, "delta": { "type": "text_delta", "text": "Moss grows." } }),
        json!({ "type": "content_block_stop", "index": 2 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "input_tokens": 9000, "output_tokens": 40, "server_tool_use": { "web_search_requests": 1 } } }),
        json!({ "type": "message_stop" }),
    ])
}

/// <https://platform.openai.com/docs/guides/tools-web-search>
fn responses() -> String {
    let text = "- It grows. ([moss.example](https://moss.example/))";
    let cited = json!({ "type": "url_citation", "start_index": 12, "end_index": 51, "url": "https://moss.example/", "title": "On moss" });
    events(&[
        json!({ "type": "response.created", "response": { "id": "r" } }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "web_search_call", "id": "ws", "status": "in_progress" } }),
        json!({ "type": "response.web_search_call.searching", "output_index": 0, "item_id": "ws" }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": { "type": "web_search_call", "id": "ws", "status": "completed", "action": { "type": "search", "query": "moss fern" } } }),
        json!({ "type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": text }),
        json!({ "type": "response.output_text.annotation.added", "output_index": 1, "content_index": 0, "annotation": cited }),
        json!({ "type": "response.output_item.done", "output_index": 1, "item": { "type": "message", "id": "msg", "content": [{ "type": "output_text", "text": text, "annotations": [cited] }] } }),
        json!({ "type": "response.completed", "response": { "id": "r", "status": "completed", "output": [], "usage": { "input_tokens": 9000, "output_tokens": 40 } } }),
    ])
}

/// <https://ai.google.dev/gemini-api/docs/google-search>
fn gemini() -> String {
    let answer = json!({
        "candidates": [{
            "content": { "role": "model", "parts": [{ "text": "It grows." }] },
            "finishReason": "STOP",
            "groundingMetadata": {
                "webSearchQueries": ["moss fern"],
                "groundingChunks": [{ "web": { "uri": "https://moss.example/", "title": "On moss" } }],
                "groundingSupports": [{ "segment": { "endIndex": 9, "text": "It grows." }, "groundingChunkIndices": [0] }],
            },
        }],
        "usageMetadata": { "promptTokenCount": 9000, "candidatesTokenCount": 40, "totalTokenCount": 9040 },
    });
    format!("data: {answer}\n\n")
}

fn searching() -> [Searching; 3] {
    [
        Searching {
            kind: ProviderKind::Anthropic,
            model: "claude-haiku-4-5",
            answer: anthropic(),
            tool: json!([{ "type": "web_search_20250305", "name": "web_search", "max_uses": 1 }]),
            fee: 10_000,
        },
        Searching {
            kind: ProviderKind::OpenAiResponses,
            model: "gpt-5-mini",
            answer: responses(),
            tool: json!([{ "type": "web_search" }]),
            fee: 10_000,
        },
        Searching {
            kind: ProviderKind::Gemini,
            model: "gemini-2.5-flash",
            answer: gemini(),
            tool: json!([{ "google_search": {} }]),
            fee: 35_000,
        },
    ]
}

async fn added(scoped: &Scoped<'_>, kind: ProviderKind, model: &str, sink: &Sink) -> SearchSourceView {
    let provider = scoped.providers().save(None, "Mine", kind, Some(&sink.url("")), Some(KEY)).await.unwrap();
    scoped.web_search().add_provider(&provider.id, model).await.unwrap()
}

fn stream(body: &str) -> Sink {
    Sink::saying("200 OK", "content-type: text/event-stream\r\n", body.as_bytes())
}

/// What searches of providers have cost so far, and how many there were.
async fn paid(scoped: &Scoped<'_>) -> (u64, i64) {
    let usage = scoped.ledger().usage().await.unwrap();
    let of_searches = usage.kinds.iter().find(|of| of.kind == CallKind::Search);
    of_searches.map_or((0, 0), |of| (of.line.calls, of.line.cost.0))
}

/// What stands beside the calls, where their person looks them up.
async fn beside_calls(scoped: &Scoped<'_>) -> i64 {
    let page = scoped.audit().calls(&CallsQuery::default()).await.unwrap();
    page.lines.iter().filter_map(|line| line.cost).map(|cost| cost.0).sum()
}

async fn holds(world: &World) -> i64 {
    let store = world.store().await;
    let count = sqlx::query("SELECT COUNT(*) FROM holds").fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    count
}

#[tokio::test]
async fn a_provider_searches_with_its_own_tool_and_is_told_nothing_but_the_words() {
    let endpoint = Endpoint::start();
    each_store_with_a_web(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        // What a call may cost is held before it is made.
        scoped
            .ledger()
            .limit_own(&Caps { ever: Some(Micros(100_000_000)), ..Caps::default() })
            .await
            .unwrap();
        for Searching { kind, model, answer, tool, fee } in searching() {
            let sink = stream(&answer);
            let source = added(&scoped, kind, model, &sink).await;
            let words = json!({ "query": "moss fern", "time_range": "week", "language": "de" });

            let hosts = vec![sink.host()];
            reach(&scoped, &agent.id, Network::AllowList { hosts }).await;
            let why = searched(&scoped, &agent.id, words.clone()).await.unwrap_err();
            assert!(
                why.contains("own search (")
                    && why.contains("it reaches all of the web, and this agent may not"),
                "{why}"
            );
            assert!(sink.heard().is_empty(), "who may reach a few hosts does not search everywhere");

            reach(&scoped, &agent.id, Network::Public).await;
            let before = paid(&scoped).await;
            let told = searched(&scoped, &agent.id, words.clone()).await.unwrap();
            let first = &told["results"][0];
            assert_eq!(
                (&first["url"], &first["title"], &first["from"]),
                (&json!("https://moss.example/"), &json!("On moss"), &json!(["A provider's own search"])),
                "{kind:?}: {told}"
            );
            assert_eq!(first["snippet"], "It grows.", "{kind:?}");
            if kind == ProviderKind::Anthropic {
                assert_eq!(
                    (&first["date"], &told["results"][1]["url"]),
                    (&json!("2026-03-04"), &json!("https://other.example/"))
                );
            }
            assert_eq!(told["asked"], json!([format!("Mine's own search ({model})")]));

            let heard = sink.heard().remove(0);
            let body: Value = serde_json::from_str(heard.split_once(" HTTP/1.1 ").unwrap().1).unwrap();
            assert_eq!(body["tools"], tool, "{kind:?}");
            assert!(
                heard.contains("Search for: moss fern") && heard.contains("Not older than a week."),
                "{heard}"
            );
            assert!(
                !heard.contains("turns:") && !heard.contains("time_range"),
                "nothing of the conversation: {heard}"
            );

            let (calls, cost) = paid(&scoped).await;
            assert_eq!(calls, before.0 + 1);
            assert!(cost - before.1 > fee, "{kind:?}: tokens come on top of {fee}: {}", cost - before.1);
            assert!(cost - before.1 < fee + 20_000, "{kind:?}: {}", cost - before.1);
            assert_eq!(holds(&world).await, 0);
            assert_eq!(beside_calls(&scoped).await, cost, "{kind:?}");

            let again = searched(&scoped, &agent.id, words).await.unwrap();
            assert_eq!(beside_calls(&scoped).await, cost, "{kind:?}");
            assert_eq!((again, sink.heard().len()), (told, 1), "what was found lately is kept");
            scoped.web_search().remove(&source.id).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_search_that_cannot_be_paid_or_fails_gives_way_to_the_next_source() {
    let endpoint = Endpoint::start();
    let good = json!({ "results": [{ "title": "Moss", "url": "https://moss.example/", "content": "" }] })
        .to_string();
    each_store_with_a_web(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        reach(&scoped, &agent.id, Network::Public).await;
        let silent = events(&[json!({ "type": "message_start", "message": { "id": "m", "content": [] } })]);
        let by_heart = anthropic().split("event: content_block_start").next().unwrap().to_owned()
            + &events(&[
                json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 1 } }),
                json!({ "type": "message_stop" }),
            ]);
        let fine = Sink::saying("200 OK", "", good.as_bytes());
        for (answer, expected) in [
            (Sink::saying("401 Unauthorized", "", b"{}"), "The key was refused."),
            (Sink::saying("429 Too Many Requests", "retry-after: 7\r\n", b"{}"), "It was asked too often. It can be asked again in 7 s."),
            (Sink::saying("404 Not Found", "", b"{}"), "Its provider cannot be asked for this model."),
            (stream(&silent), "Its model did not search."),
            (stream(&by_heart), "Its model did not search."),
        ] {
            let sources = [
                added(&scoped, ProviderKind::Anthropic, "claude-haiku-4-5", &answer).await,
                scoped.web_search().add(SearchKind::Searxng, Some(&fine.url("/")), None).await.unwrap(),
            ];
            let told = searched(&scoped, &agent.id, json!({ "query": expected })).await.unwrap();
            assert_eq!(told["results"][0]["url"], "https://moss.example/");
            let why = told["failed"][0]["why"].as_str().unwrap();
            assert!(why.starts_with(expected), "{why}");
            for source in sources {
                scoped.web_search().remove(&source.id).await.unwrap();
            }
        }

        // Two answers of the agent's fit into what is left, and no search.
        let sink = stream(&anthropic());
        let dear = added(&scoped, ProviderKind::Anthropic, "claude-opus-4-1", &sink).await;
        let spent = scoped.ledger().usage().await.unwrap();
        let spent: i64 = spent.kinds.iter().map(|of| of.line.cost.0).sum();
        let left = Caps { ever: Some(Micros(spent + 700_000)), ..Caps::default() };
        scoped.ledger().limit_own(&left).await.unwrap();
        let why = searched(&scoped, &agent.id, json!({ "query": "dear" })).await.unwrap_err();
        assert!(why.contains("own search (claude-opus-4-1): All your agents together may spend"), "{why}");
        assert_eq!((sink.heard().len(), holds(&world).await), (0, 0));

        // A provider that goes takes its search along.
        scoped.ledger().limit_own(&Caps::default()).await.unwrap();
        scoped.providers().delete(&dear.model.unwrap().provider).await.unwrap();
        let why = searched(&scoped, &agent.id, json!({ "query": "gone" })).await.unwrap_err();
        assert!(why.contains("Its provider is gone"), "{why}");
    })
    .await;
}

#[tokio::test]
async fn only_a_provider_that_has_a_search_and_is_the_persons_to_use_becomes_a_source() {
    each_store_with_a_web(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, other) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let sink = Sink::saying("200 OK", "", br#"{"data":[{"id":"claude-haiku-4-5"}]}"#);
        let save = async |kind| {
            scoped.providers().save(None, "Mine", kind, Some(&sink.url("")), Some(KEY)).await.unwrap().id
        };
        let (able, unable) = (save(ProviderKind::Anthropic).await, save(ProviderKind::OpenAi).await);
        for (provider, model, expected) in [
            (&unable, "gpt-5-mini", "Mine has no search of its own here."),
            (&able, " ", "Enter the model that searches"),
        ] {
            match scoped.web_search().add_provider(provider, model).await {
                Err(Error::Invalid(why)) => assert!(why.starts_with(expected), "{why}"),
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(
            scoped.web_search().add(SearchKind::Provider, None, None).await,
            Err(Error::Invalid(_))
        ));
        assert!(matches!(
            other.web_search().add_provider(&able, "claude-haiku-4-5").await,
            Err(Error::NotFound(_))
        ));
        for (model, ok, expected) in [
            ("claude-haiku-4-5", true, "It answers, and has the model. Nothing was searched for."),
            ("moss-1", false, "It answers, and has no model moss-1."),
        ] {
            let source = scoped.web_search().add_provider(&able, model).await.unwrap();
            let tested = scoped.web_search().test(&source.id).await.unwrap();
            assert_eq!((tested.ok, tested.message.as_str()), (ok, expected));
        }
        let shown = scoped.web_search().list().await.unwrap();
        assert_eq!(shown[0].model.as_ref().map(|model| model.name.as_str()), Some("Mine"));
    })
    .await;
}
