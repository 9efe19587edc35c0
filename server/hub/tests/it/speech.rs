//! Hearing and speaking by a person's own endpoint: a real server that reads the form and answers with sound.

use crate::providers::server::{Server, json as answered};
use crate::talk::until;
use crate::world::{Definition, Endpoint, World, each_store};
use futures_util::TryStreamExt;
use hub::{Error, LARGEST_SOUND, LONGEST_SPOKEN, Scoped};
use protocol::agent::ProviderKind;
use protocol::view::{AgentView, CallKind, ModelPrice, Share, SpeechPart, UsageLine};
use protocol::{Caps, Micros, ProviderId};
use serde_json::json;
use sqlx::Row as _;
use std::time::Duration;

const KEY: &str = "key-good-0123456789abcdef-0123456789";
/// As much as says that it is WebM.
const SOUND: &[u8] = b"\x1a\x45\xdf\xa3 and what was said";
const WEBM: &str = "audio/webm;codecs=opus";

async fn agent(scoped: &Scoped<'_>) -> AgentView {
    Definition::named("Ada").create(scoped).await
}

async fn endpoint_of(scoped: &Scoped<'_>, endpoint: &Endpoint) -> ProviderId {
    let kind = ProviderKind::OpenAi;
    scoped.providers().save(None, "Parrot", kind, Some(&endpoint.url), Some(KEY)).await.unwrap().id
}

async fn uses(scoped: &Scoped<'_>, part: SpeechPart, provider: &ProviderId, model: &str) {
    scoped.speech().choose(part, Some(provider), model, "alloy").await.unwrap();
}

async fn hear(scoped: &Scoped<'_>, agent: &AgentView) -> hub::Result<String> {
    scoped.speech().hear(&agent.id, WEBM, SOUND.to_vec(), 3).await
}

async fn speak(scoped: &Scoped<'_>, agent: &AgentView, text: &str) -> hub::Result<Vec<u8>> {
    let sound = scoped.speech().speak(&agent.id, text).await?;
    Ok(sound.try_collect::<Vec<_>>().await?.concat())
}

async fn spent(scoped: &Scoped<'_>) -> Option<UsageLine> {
    let usage = scoped.ledger().usage().await.unwrap();
    usage.kinds.into_iter().find(|of| of.kind == CallKind::Speech).map(|of| of.line)
}

async fn holds(world: &World) -> i64 {
    let store = world.store().await;
    let count = sqlx::query("SELECT COUNT(*) FROM holds").fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    count
}

#[tokio::test]
async fn an_endpoint_hears_and_speaks_and_what_it_used_is_on_the_meter_of_the_agent() {
    each_store(async |world: World| {
        let endpoint = Endpoint::speech();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&scoped).await;
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&enough).await.unwrap();

        // Without an endpoint the device does it, and the hub has nobody to ask.
        assert!(matches!(hear(&scoped, &agent).await, Err(Error::Conflict(_))));
        assert!(matches!(speak(&scoped, &agent, "Moss.").await, Err(Error::Conflict(_))));
        let provider = endpoint_of(&scoped, &endpoint).await;
        uses(&scoped, SpeechPart::Hearing, &provider, "whisper-1").await;
        let here = scoped.pages().latest(&agent.id).await.unwrap().speech;
        assert!(here.hears && !here.speaks, "the page says what the device need not do");
        uses(&scoped, SpeechPart::Speaking, &provider, "tts-1").await;

        assert_eq!(hear(&scoped, &agent).await.unwrap(), "Water the ferns.");
        let sound = speak(&scoped, &agent, " Grün ist Moos. ").await.unwrap();
        assert!(sound.starts_with(b"RIFF") && sound.len() > 1000);
        let asked = endpoint.requests().await;
        assert_eq!(
            (&asked[0]["model"], &asked[0]["kind"], &asked[0]["name"], &asked[0]["type"], &asked[0]["bytes"]),
            (
                &json!("whisper-1"),
                &json!("webm"),
                &json!("speech.webm"),
                &json!("audio/webm"),
                &json!(SOUND.len())
            )
        );
        assert_eq!(
            (&asked[1]["model"], &asked[1]["voice"], &asked[1]["input"]),
            (&json!("tts-1"), &json!("alloy"), &json!("Grün ist Moos."))
        );
        // Of so few bytes a second at most is believed: 17 tokens of 6 micro-dollars. 14 characters cost 15 each.
        let line = spent(&scoped).await.unwrap();
        assert_eq!((line.calls, line.cost), (2, Micros(17 * 6 + 14 * 15)));
        let card = scoped.agents().list().await.unwrap().remove(0);
        assert_eq!(scoped.ledger().agent_budget(&card.id).await.unwrap().spent.ever, line.cost);
        assert_eq!(holds(&world).await, 0);

        // A price that nobody knows is no price, and stands in no sum.
        scoped.ledger().limit_own(&Caps::default()).await.unwrap();
        uses(&scoped, SpeechPart::Hearing, &provider, "tokens").await;
        hear(&scoped, &agent).await.unwrap();
        let unpriced = spent(&scoped).await.unwrap();
        assert_eq!((unpriced.calls, unpriced.unpriced, unpriced.cost), (3, 1, line.cost));

        scoped.speech().choose(SpeechPart::Hearing, None, "", "").await.unwrap();
        assert!(matches!(hear(&scoped, &agent).await, Err(Error::Conflict(_))));
        scoped.providers().delete(&provider).await.unwrap();
        assert_eq!(scoped.speech().choices().await.unwrap(), Default::default());
    })
    .await;
}

#[tokio::test]
async fn a_limit_refuses_a_call_of_speech_before_anybody_is_asked() {
    each_store(async |world: World| {
        let endpoint = Endpoint::speech();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&scoped).await;
        let provider = endpoint_of(&scoped, &endpoint).await;
        uses(&scoped, SpeechPart::Hearing, &provider, "whisper-1").await;
        uses(&scoped, SpeechPart::Speaking, &provider, "kokoro").await;
        for caps in [
            Caps { ever: Some(Micros(1)), ..Caps::default() },
            Caps { per_day: Some(Micros(0)), ..Caps::default() },
        ] {
            scoped.ledger().limit_own(&caps).await.unwrap();
            let refused = hear(&scoped, &agent).await.unwrap_err();
            assert!(matches!(&refused, Error::Limit(why) if why.contains("may spend")), "{refused}");
        }
        scoped.ledger().limit_own(&Caps::default()).await.unwrap();
        let of_agent = Caps { ever: Some(Micros(1)), ..Caps::default() };
        scoped.ledger().limit_agent(&agent.id, &of_agent).await.unwrap();
        let refused = hear(&scoped, &agent).await.unwrap_err();
        assert!(refused.to_string().starts_with("This agent may spend"), "{refused}");
        // What nobody knows the price of is not called under a limit, until somebody says it.
        let refused = speak(&scoped, &agent, "Moss.").await.unwrap_err();
        assert!(refused.to_string().contains("nobody knows what kokoro costs"), "{refused}");
        assert!(endpoint.requests().await.is_empty(), "nobody was asked");
        let enough = Caps { ever: Some(Micros(1_000_000)), ..Caps::default() };
        scoped.ledger().limit_agent(&agent.id, &enough).await.unwrap();
        let price = ModelPrice { input: Micros(2_000_000), output: Micros(2_000_000) };
        scoped.model_facts().set_own_price("kokoro", price).await.unwrap();
        speak(&scoped, &agent, "Moss.").await.unwrap();
        assert_eq!(spent(&scoped).await.unwrap().cost, Micros(10));
        assert_eq!(holds(&world).await, 0);
    })
    .await;
}

#[tokio::test]
async fn what_is_too_large_or_somebody_elses_is_refused_and_no_error_has_the_key() {
    each_store(async |world: World| {
        let endpoint = Endpoint::speech();
        let (root, ada, eve) =
            (world.admin("root").await, world.person("ada").await, world.person("eve").await);
        let (hers, other) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let (agent, of_eve) = (agent(&hers).await, agent(&other).await);
        let provider = endpoint_of(&hers, &endpoint).await;
        uses(&hers, SpeechPart::Hearing, &provider, "whisper-1").await;
        uses(&hers, SpeechPart::Speaking, &provider, "silent").await;

        for (mime, bytes) in [
            (WEBM, Vec::new()),
            (WEBM, vec![0; LARGEST_SOUND + 1]),
            ("text/html", SOUND.to_vec()),
            ("", SOUND.to_vec()),
        ] {
            let refused = hers.speech().hear(&agent.id, mime, bytes, 1).await.unwrap_err();
            assert!(matches!(refused, Error::Invalid(_) | Error::Limit(_)), "{mime} {refused}");
        }
        for text in [" ".to_owned(), "m".repeat(LONGEST_SPOKEN + 1)] {
            let refused = speak(&hers, &agent, &text).await.unwrap_err();
            assert!(matches!(refused, Error::Invalid(_) | Error::Limit(_)), "{refused}");
        }

        // Another person's provider and agent are not there.
        let choose = other.speech().choose(SpeechPart::Hearing, Some(&provider), "whisper-1", "");
        assert!(matches!(choose.await, Err(Error::NotFound("provider"))));
        assert!(matches!(hear(&other, &agent).await, Err(Error::NotFound("agent"))));
        assert!(matches!(speak(&other, &agent, "Moss.").await, Err(Error::NotFound("agent"))));
        assert!(matches!(hear(&other, &of_eve).await, Err(Error::Conflict(_))));
        assert!(endpoint.requests().await.is_empty(), "nobody was asked");

        // Neither is a provider that the hub cannot ask, or that has no such endpoint.
        let vault =
            hers.providers().save_device_key_provider(None, "Vault", ProviderKind::OpenAi, None).await;
        let claude = endpoint.provider(&hers, ProviderKind::Anthropic).await;
        for (provider, model) in
            [(vault.unwrap().id, "whisper-1"), (claude, "whisper-1"), (provider.clone(), " ")]
        {
            let choose = hers.speech().choose(SpeechPart::Hearing, Some(&provider), model, "");
            assert!(matches!(choose.await, Err(Error::Invalid(_))));
        }

        // What the server says of its key stays here, and so does the address of a shared one.
        uses(&hers, SpeechPart::Hearing, &provider, "echo").await;
        let refused = hear(&hers, &agent).await.unwrap_err().to_string();
        assert!(refused.contains("Nothing is heard with") && !refused.contains("key-good"), "{refused}");
        assert!(refused.contains("under Providers") && !refused.contains("agent"), "{refused}");
        let refused = speak(&hers, &agent, "Moss.").await.unwrap_err().to_string();
        assert!(refused.contains("is no sound"), "{refused}");

        let admin = world.hub.for_viewer(&root);
        let shared = endpoint_of(&admin, &endpoint).await;
        let terms = Share { everyone: true, models: vec!["echo".to_owned()], ..Share::default() };
        let sharing = world.hub.as_admin(&root).unwrap();
        sharing.providers().put(&shared, &terms).await.unwrap();
        let choose = other.speech().choose(SpeechPart::Hearing, Some(&shared), "whisper-1", "");
        assert!(matches!(choose.await, Err(Error::Invalid(_))), "that model is not shared");
        uses(&other, SpeechPart::Hearing, &shared, "echo").await;
        let refused = hear(&other, &of_eve).await.unwrap_err().to_string();
        assert!(!refused.contains("key-good") && !refused.contains("127.0.0.1"), "{refused}");
        sharing.providers().stop_sharing(&shared).await.unwrap();
        let refused = hear(&other, &of_eve).await.unwrap_err().to_string();
        assert!(refused.contains("not shared with you any more"), "{refused}");
    })
    .await;
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "this is a test, whose clock may be moved")]
async fn what_a_server_took_is_paid_for_though_it_hangs_up_or_is_not_done_in_time() {
    each_store(async |world: World| {
        let endpoint = Endpoint::speech();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&scoped).await;
        let provider = endpoint_of(&scoped, &endpoint).await;
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&enough).await.unwrap();
        for (model, calls) in [("gone", 2), ("waits", 4)] {
            let price = ModelPrice { input: Micros(2_000_000), output: Micros(2_000_000) };
            scoped.model_facts().set_own_price(model, price).await.unwrap();
            uses(&scoped, SpeechPart::Hearing, &provider, model).await;
            uses(&scoped, SpeechPart::Speaking, &provider, model).await;
            let late = async |asked: usize| {
                until(async || endpoint.requests().await.len() == asked).await;
                if model == "waits" {
                    tokio::time::pause();
                    tokio::time::advance(Duration::from_secs(121)).await;
                    tokio::time::resume();
                }
            };
            let (heard, ()) = tokio::join!(hear(&scoped, &agent), late(calls - 1));
            assert!(matches!(heard, Err(Error::Upstream(_))), "{model}: {heard:?}");
            let (spoken, ()) = tokio::join!(speak(&scoped, &agent, "Moss."), late(calls));
            assert!(matches!(spoken, Err(Error::Upstream(_))), "{model}");
            // A second of sound is 17 tokens, a character is one.
            let line = spent(&scoped).await.unwrap();
            let calls = u64::try_from(calls).unwrap();
            assert_eq!(
                (line.calls, line.cost),
                (calls, Micros(i64::try_from(calls / 2).unwrap() * 2 * (17 + 5)))
            );
            assert_eq!(holds(&world).await, 0, "{model}");
        }

        // Whoever is not there took nothing.
        let nobody = Some("http://127.0.0.1:9");
        let away =
            scoped.providers().save(None, "Away", ProviderKind::OpenAi, nobody, Some(KEY)).await.unwrap().id;
        uses(&scoped, SpeechPart::Hearing, &away, "waits").await;
        assert!(hear(&scoped, &agent).await.is_err());
        assert_eq!(spent(&scoped).await.unwrap().calls, 4);
        assert_eq!(holds(&world).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_key_goes_to_no_address_but_the_one_that_it_was_saved_with() {
    each_store(async |world: World| {
        let heard = |_: &str| answered(200, r#"{"text":"Water the ferns."}"#);
        let (old, new) = (Server::start(heard).await, Server::start(heard).await);
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&scoped).await;
        let (kind, key) = (ProviderKind::OpenAi, "key-other-0123456789abcdef-0123456789");
        let provider =
            scoped.providers().save(None, "Parrot", kind, Some(&old.url), Some(KEY)).await.unwrap().id;
        uses(&scoped, SpeechPart::Hearing, &provider, "whisper-1").await;
        uses(&scoped, SpeechPart::Speaking, &provider, "tts-1").await;
        hear(&scoped, &agent).await.unwrap();
        assert!(old.heads().iter().all(|head| head.contains(KEY)));

        let moved = scoped.providers().save(Some(&provider), "Parrot", kind, Some(&new.url), None).await;
        assert!(matches!(moved, Err(Error::Invalid(_))), "{moved:?}");
        // Nor does it where the address is another one by some other way.
        world.execute(&format!("UPDATE providers SET base_url = '{}'", new.url)).await;
        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&viewer);
        assert!(hear(&scoped, &agent).await.is_err());
        assert!(speak(&scoped, &agent, "Moss.").await.is_err());
        assert!(scoped.providers().test(kind, Some(&new.url), None, Some(&provider), None).await.is_err());
        assert!(new.heads().iter().all(|head| !head.contains(KEY)), "{:?}", new.heads());

        scoped.providers().save(Some(&provider), "Parrot", kind, Some(&new.url), Some(key)).await.unwrap();
        hear(&scoped, &agent).await.unwrap();
        let heads = new.heads();
        assert!(heads.iter().any(|head| head.contains(key)) && heads.iter().all(|head| !head.contains(KEY)));
    })
    .await;
}
