//! Memories by what they mean: an embedding model of the person's own, over HTTP.

use super::{conversation, drafted, id_of, let_remember, parsed, texts};
use crate::talk::{ada, calls, until};
use crate::world::{Endpoint, World, each_store};
use hub::{Error, Scoped};
use protocol::agent::ProviderKind;
use protocol::view::{CallKind, MemoryMeaning, ModelPrice, UsageLine};
use protocol::{Caps, Micros, ProviderId};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

const KEY: &str = "key-good-0123456789abcdef-0123456789";
const MODEL: &str = "meaning-1";

async fn provider_of(scoped: &Scoped<'_>, endpoint: &Endpoint) -> ProviderId {
    let kind = ProviderKind::OpenAi;
    scoped.providers().save(None, "Meaning", kind, Some(&endpoint.url), Some(KEY)).await.unwrap().id
}

async fn meaning(scoped: &Scoped<'_>) -> MemoryMeaning {
    scoped.memories().meaning().await.unwrap()
}

/// Until each memory has a vector.
async fn made(scoped: &Scoped<'_>) {
    until(async || meaning(scoped).await.waiting == 0).await;
}

/// Until it was tried in vain.
async fn failed(scoped: &Scoped<'_>) -> MemoryMeaning {
    until(async || !meaning(scoped).await.failure.is_empty()).await;
    meaning(scoped).await
}

async fn uses(scoped: &Scoped<'_>, provider: &ProviderId, model: &str) {
    scoped.memories().choose_meaning(Some(provider), model).await.unwrap();
    made(scoped).await;
}

async fn keep(scoped: &Scoped<'_>, sentences: &[&str]) {
    for text in sentences {
        scoped.memories().create(&drafted(text, 3)).await.unwrap();
    }
}

async fn count(world: &World, statement: &str) -> i64 {
    let store = world.store().await;
    let count =
        sqlx::query(AssertSqlSafe(statement.to_owned())).fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    count
}

async fn vectors(world: &World) -> i64 {
    count(world, "SELECT COUNT(*) FROM memory_vectors").await
}

async fn spent(scoped: &Scoped<'_>) -> UsageLine {
    let usage = scoped.ledger().usage().await.unwrap();
    usage.kinds.into_iter().find(|of| of.kind == CallKind::Meaning).unwrap().line
}

/// All texts that it was asked about.
fn inputs(asked: &[Value]) -> Vec<&str> {
    asked.iter().flat_map(|one| one["input"].as_array().unwrap()).map(|text| text.as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_memory_is_found_by_its_meaning_with_no_word_in_common() {
    each_store(async |world: World| {
        let (models, endpoint) = (Endpoint::start(), Endpoint::embeddings());
        let (viewer, agent) = ada(&world, &models).await;
        let scoped = world.hub.for_viewer(&viewer);
        let_remember(&scoped, &agent).await;
        keep(&scoped, &["Ada plays the piano.", "Mia lives in Lisbon.", "Ferns want shade."]).await;
        assert_eq!(texts(&scoped, "musical instrument").await, [""; 0]);
        assert_eq!(meaning(&scoped).await, MemoryMeaning::default());
        let provider = provider_of(&scoped, &endpoint).await;
        uses(&scoped, &provider, MODEL).await;
        assert_eq!(texts(&scoped, "musical instrument").await, ["Ada plays the piano."]);
        assert_eq!(texts(&scoped, "piano").await, ["Ada plays the piano."]);

        // What is written later too, and what changed by what it says now; an agent finds it the same way.
        keep(&scoped, &["She likes coffee."]).await;
        let mia = id_of(&scoped, "Mia lives in Lisbon.").await;
        scoped.memories().edit(&mia, &drafted("Mia bought a violin.", 3)).await.unwrap();
        made(&scoped).await;
        assert_eq!(texts(&scoped, "beverage").await, ["She likes coffee."]);
        assert_eq!(texts(&scoped, "city abroad").await, [""; 0]);
        let talk = conversation(&scoped, &agent.id).await;
        let search = [("memory", json!({ "action": "search", "text": "musical instrument" }))];
        let found = parsed(&calls(&scoped, &agent.id, &talk, &search).await[0]);
        assert_eq!(found["memories"].as_array().unwrap().len(), 2, "{found}");

        // What is forgotten leaves nothing of its meaning, and what is taken along has nothing of it.
        assert_eq!(vectors(&world).await, 4);
        scoped.memories().forget(&mia).await.unwrap();
        assert_eq!(vectors(&world).await, 3);
        assert_eq!(texts(&scoped, "musical instrument").await, ["Ada plays the piano."]);
        scoped.memories().keep(&mia).await.unwrap();
        made(&scoped).await;
        assert_eq!(vectors(&world).await, 4);
        let file = serde_json::to_value(scoped.memories().export().await.unwrap()).unwrap();
        let known = [
            "agent",
            "author",
            "changed_at",
            "importance",
            "kind",
            "strangers",
            "tags",
            "text",
            "workspace",
            "writer",
            "written_at",
        ];
        for memory in file["memories"].as_array().unwrap() {
            assert!(memory.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{memory}");
        }
    })
    .await;
}

#[tokio::test]
async fn words_are_all_there_is_while_the_model_fails_or_does_not_answer() {
    each_store(async |world: World| {
        let endpoint = Endpoint::embeddings();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &["Ada plays the piano.", "Mia lives in Lisbon."]).await;
        uses(&scoped, &provider_of(&scoped, &endpoint).await, MODEL).await;

        endpoint.mode("fails").await;
        keep(&scoped, &["Ferns want shade."]).await;
        let told = failed(&scoped).await;
        assert_eq!(told.waiting, 1, "{told:?}");
        assert!(!told.failure.contains(KEY), "{told:?}");
        assert_eq!(texts(&scoped, "ferns plant").await, ["Ferns want shade."]);
        assert_eq!(texts(&scoped, "music").await, [""; 0]);
        let asked = endpoint.requests().await.len();
        assert_eq!(texts(&scoped, "sonata").await, [""; 0]);
        assert_eq!(endpoint.requests().await.len(), asked, "nobody waits for who just failed");

        // It is tried again by itself.
        endpoint.mode("answers").await;
        world.clock.advance(Duration::from_secs(6 * 60));
        made(&scoped).await;
        assert_eq!(texts(&scoped, "plants").await, ["Ferns want shade."]);
        until(async || meaning(&scoped).await.failure.is_empty()).await;

        endpoint.mode("waits").await;
        assert_eq!(texts(&scoped, "portugal mia").await, ["Mia lives in Lisbon."]);
        assert_eq!(texts(&scoped, "portugal").await, [""; 0]);
        endpoint.mode("answers").await;
        world.clock.advance(Duration::from_secs(31));
        assert_eq!(texts(&scoped, "portugal").await, ["Mia lives in Lisbon."]);
    })
    .await;
}

#[tokio::test]
async fn what_meaning_costs_is_its_persons_and_a_limit_leaves_words() {
    each_store(async |world: World| {
        let endpoint = Endpoint::embeddings();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let price = ModelPrice { input: Micros(2_000_000), output: Micros(2_000_000) };
        scoped.model_facts().set_own_price(MODEL, price).await.unwrap();
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&enough).await.unwrap();
        keep(&scoped, &["Ada plays the piano.", "Mia lives in Lisbon."]).await;
        let provider = provider_of(&scoped, &endpoint).await;
        uses(&scoped, &provider, MODEL).await;
        assert_eq!(texts(&scoped, "beverage music").await, ["Ada plays the piano."]);
        let asked = endpoint.requests().await;
        assert_eq!(texts(&scoped, "beverage music").await, ["Ada plays the piano."]);
        assert_eq!(endpoint.requests().await.len(), asked.len(), "it is known what that means");
        let tokens: i64 = asked.iter().map(|one| one["tokens"].as_i64().unwrap()).sum();
        let line = spent(&scoped).await;
        assert_eq!((line.calls, line.cost), (u64::try_from(asked.len()).unwrap(), Micros(2 * tokens)));

        let little = Caps { ever: Some(Micros(1)), ..Caps::default() };
        scoped.ledger().limit_own(&little).await.unwrap();
        keep(&scoped, &["Ferns want shade."]).await;
        let told = failed(&scoped).await;
        assert!(told.failure.contains("may spend"), "{told:?}");
        assert_eq!(texts(&scoped, "violin").await, [""; 0]);
        assert_eq!(texts(&scoped, "shade").await, ["Ferns want shade."]);
        assert_eq!(endpoint.requests().await.len(), asked.len(), "nobody was asked");
        assert_eq!(count(&world, "SELECT COUNT(*) FROM holds").await, 0);

        // Who saves again has it tried at once.
        scoped.ledger().limit_own(&enough).await.unwrap();
        uses(&scoped, &provider, MODEL).await;
        assert_eq!(texts(&scoped, "violin").await, ["Ada plays the piano."]);
    })
    .await;
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "this is a test, whose clock may be moved")]
async fn what_a_server_took_is_paid_for_though_it_hangs_up_or_is_not_done_in_time() {
    each_store(async |world: World| {
        let endpoint = Endpoint::embeddings();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let price = ModelPrice { input: Micros(2_000_000), output: Micros(2_000_000) };
        scoped.model_facts().set_own_price(MODEL, price).await.unwrap();
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&enough).await.unwrap();
        keep(&scoped, &["Ada plays the piano."]).await;
        let provider = provider_of(&scoped, &endpoint).await;
        for (mode, calls, is_paid) in [("hangs up", 1, true), ("waits", 2, true), ("fails", 2, false)] {
            endpoint.mode(mode).await;
            let asked = endpoint.requests().await.len();
            scoped.memories().choose_meaning(Some(&provider), MODEL).await.unwrap();
            until(async || endpoint.requests().await.len() > asked).await;
            if mode == "waits" {
                tokio::time::pause();
                tokio::time::advance(Duration::from_secs(61)).await;
                tokio::time::resume();
            }
            if is_paid {
                until(async || calls_so_far(&scoped).await == calls).await;
            } else {
                failed(&scoped).await;
            }
            let line = spent(&scoped).await;
            assert_eq!((line.calls, line.cost > Micros(0)), (calls, true), "{mode}");
            until(async || count(&world, "SELECT COUNT(*) FROM holds").await == 0).await;
        }
    })
    .await;
}

async fn calls_so_far(scoped: &Scoped<'_>) -> u64 {
    let usage = scoped.ledger().usage().await.unwrap();
    usage.kinds.iter().filter(|of| of.kind == CallKind::Meaning).map(|of| of.line.calls).sum()
}

#[tokio::test]
async fn nobody_finds_or_is_asked_about_what_somebody_else_remembers() {
    each_store(async |world: World| {
        let (first, second) = (Endpoint::embeddings(), Endpoint::embeddings());
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, other) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        keep(&scoped, &["Ada plays the piano."]).await;
        keep(&other, &["Eve lives in Porto."]).await;
        let provider = provider_of(&scoped, &first).await;
        uses(&scoped, &provider, MODEL).await;
        let strange = other.memories().choose_meaning(Some(&provider), MODEL).await;
        assert!(matches!(strange, Err(Error::NotFound("provider"))), "{strange:?}");
        assert_eq!(meaning(&other).await, MemoryMeaning::default());
        assert_eq!(texts(&other, "music").await, [""; 0]);
        uses(&other, &provider_of(&other, &second).await, MODEL).await;
        assert_eq!(texts(&other, "music").await, [""; 0]);
        assert_eq!(texts(&other, "abroad").await, ["Eve lives in Porto."]);
        assert_eq!(texts(&scoped, "abroad").await, [""; 0]);
        assert_eq!(inputs(&first.requests().await), ["Ada plays the piano.", "abroad"]);
        assert_eq!(inputs(&second.requests().await), ["Eve lives in Porto.", "music", "abroad"]);
    })
    .await;
}

#[tokio::test]
async fn another_model_makes_all_vectors_anew_and_without_one_none_stays() {
    each_store(async |world: World| {
        let endpoint = Endpoint::embeddings();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let sentences: Vec<String> =
            (0..40).map(|at| format!("Ada plays piece {at} on the piano.")).collect();
        keep(&scoped, &sentences.iter().map(String::as_str).collect::<Vec<_>>()).await;
        keep(&scoped, &["Mia lives in Lisbon."]).await;
        let provider = provider_of(&scoped, &endpoint).await;
        uses(&scoped, &provider, MODEL).await;
        uses(&scoped, &provider, "backwards").await;
        let asked = endpoint.requests().await;
        for model in [MODEL, "backwards"] {
            let asked: Vec<Value> = asked.iter().filter(|one| one["model"] == model).cloned().collect();
            let mut said = inputs(&asked);
            said.sort_unstable();
            said.dedup();
            assert_eq!((said.len(), inputs(&asked).len()), (41, 41), "each once: {model}");
        }
        assert_eq!(count(&world, "SELECT COUNT(*) FROM memory_vectors WHERE dimensions = 5").await, 41);
        assert_eq!(vectors(&world).await, 41);
        assert_eq!(texts(&scoped, "abroad").await, ["Mia lives in Lisbon."]);

        let kind = ProviderKind::Anthropic;
        let silent =
            scoped.providers().save(None, "Silent", kind, Some(&endpoint.url), Some(KEY)).await.unwrap().id;
        for (provider, model) in [(&silent, MODEL), (&provider, " "), (&provider, "two\nlines")] {
            let refused = scoped.memories().choose_meaning(Some(provider), model).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
        }
        assert_eq!(meaning(&scoped).await.model, "backwards");
        scoped.memories().choose_meaning(None, "").await.unwrap();
        assert_eq!((vectors(&world).await, meaning(&scoped).await), (0, MemoryMeaning::default()));
        assert_eq!(texts(&scoped, "abroad").await, [""; 0]);
        uses(&scoped, &provider, MODEL).await;
        scoped.providers().delete(&provider).await.unwrap();
        assert_eq!((vectors(&world).await, meaning(&scoped).await), (0, MemoryMeaning::default()));
    })
    .await;
}
