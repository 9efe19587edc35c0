//! How an agent's model chooses its words: as its person said, in the provider's own fields.

use super::driven::Browser;
use super::page::Page;
use super::{agent, agent_with, open};
use crate::talk::{PATIENCE, ask};
use crate::world::{Definition, Endpoint, Sink, World, each_store};
use agent::providers::Wire;
use hub::Scoped;
use protocol::agent::{Home, ProviderKind};
use protocol::model::Verbosity;
use protocol::view::{LoopSettings, SamplingSettings};
use protocol::{AgentId, RunId, TabId};
use serde_json::{Value, json};

async fn give(scoped: &Scoped<'_>, agent: &AgentId, sampling: SamplingSettings) {
    let is = scoped.agents().get(agent).await.unwrap();
    let settings = LoopSettings { sampling, ..LoopSettings::default() };
    Definition::like(&is).settings(settings).replace(scoped, agent).await;
}

#[tokio::test]
async fn an_agents_model_chooses_its_words_as_its_person_said_in_each_providers_fields() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let plain =
            SamplingSettings { temperature: Some(0.2), top_p: Some(0.9), ..SamplingSettings::default() };
        let top_k = SamplingSettings { top_k: Some(40), ..plain.clone() };
        let alike = SamplingSettings { seed: Some(7), verbosity: Some(Verbosity::Low), ..plain.clone() };
        for (kind, sampling, expected) in [
            (ProviderKind::Anthropic, top_k, json!({ "temperature": 0.2, "top_p": 0.9, "top_k": 40 })),
            (
                ProviderKind::OpenAi,
                alike,
                json!({ "temperature": 0.2, "top_p": 0.9, "seed": 7, "verbosity": "low" }),
            ),
        ] {
            let agent = agent(&world, &ada, &endpoint, kind, Home::Hub).await;
            give(&scoped, &agent.id, sampling).await;
            ask(&scoped, &agent.id, &agent.conversation, "Hello").await;
            let sent = endpoint.requests().await.pop().unwrap()["body"].clone();
            for (field, value) in expected.as_object().unwrap() {
                assert_eq!(&sent[field], value, "{kind:?} {field}");
            }
            give(&scoped, &agent.id, SamplingSettings::default()).await;
            ask(&scoped, &agent.id, &agent.conversation, "Hello").await;
            let sent = endpoint.requests().await.pop().unwrap()["body"].clone();
            assert_eq!(sent["temperature"], Value::Null, "{kind:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_provider_has_no_place_for_ends_the_run_in_words_and_is_not_dropped() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = agent(&world, &ada, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let wanted = SamplingSettings { presence_penalty: Some(1.0), ..SamplingSettings::default() };
        give(&scoped, &agent.id, wanted).await;
        let runs = scoped.runs().of_conversation(Some(&agent.conversation));
        let failure = runs.ask(&agent.id, "Hello", None, PATIENCE).await.unwrap().error.unwrap();
        assert!(failure.contains("Anthropic has no presence_penalty"), "{failure}");
        assert_eq!(endpoint.requests().await.len(), 0);
    })
    .await;
}

/// What a person puts in beside what has a field, and where it stands in the body with what was there before.
fn extra_fields() -> [(ProviderKind, Value, &'static str, Value); 8] {
    [
        (
            ProviderKind::Anthropic,
            json!({ "metadata": { "user_id": "ada" } }),
            "/metadata",
            json!({ "user_id": "ada" }),
        ),
        (ProviderKind::OpenAi, json!({ "min_p": 0.1 }), "/min_p", json!(0.1)),
        (
            ProviderKind::OpenAiResponses,
            json!({ "reasoning": { "summary": "concise" } }),
            "/reasoning/summary",
            json!("concise"),
        ),
        (
            ProviderKind::Gemini,
            json!({ "generationConfig": { "mediaResolution": "LOW" } }),
            "/generationConfig",
            json!({ "mediaResolution": "LOW", "maxOutputTokens": 4096, "temperature": 0.5 }),
        ),
        // Each by itself: how much context it is given follows from the length of the request.
        (
            ProviderKind::Ollama,
            json!({ "options": { "mirostat": 2, "temperature": 0.25 } }),
            "/options/mirostat",
            json!(2),
        ),
        (
            ProviderKind::Ollama,
            json!({ "options": { "mirostat": 2, "temperature": 0.25 } }),
            "/options/temperature",
            json!(0.25),
        ),
        (
            ProviderKind::Ollama,
            json!({ "options": { "mirostat": 2, "temperature": 0.25 } }),
            "/options/num_predict",
            json!(4096),
        ),
        (
            ProviderKind::Bedrock,
            json!({ "additionalModelRequestFields": { "min_p": 0.1 } }),
            "/additionalModelRequestFields",
            json!({ "min_p": 0.1 }),
        ),
    ]
}

#[tokio::test]
async fn a_persons_own_fields_reach_every_wire_from_either_home() {
    each_store(async |world: World| {
        let recorder = Sink::saying("400 Bad Request", "", b"{}");
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        for (kind, extra, place, expected) in extra_fields() {
            let key = Some("key-good");
            let saved = scoped.providers().save(None, "Test", kind, Some(&recorder.url("")), key).await;
            let provider = saved.unwrap().id;
            for home in [Home::Hub, Home::Browser] {
                let agent = agent_with(&world, &ada, provider.clone(), "some-model", home).await;
                let sampling = SamplingSettings {
                    temperature: Some(0.5),
                    extra: Some(extra.clone()),
                    ..SamplingSettings::default()
                };
                let settings = LoopSettings { sampling, ..LoopSettings::default() };
                Definition::like(&agent).home(home).settings(settings).replace(&scoped, &agent.id).await;
                let mut browser = Browser::new(open(&world, &ada, "tab-1"), Page::default());
                browser.show(&agent.id).await;
                let tab = TabId::from("tab-1");
                scoped.runs().send_message(&agent.id, "Hello", None, Some(&tab)).await.unwrap();
                browser.until_finished().await;
                let heard = recorder.heard().pop().unwrap();
                let (_, body) = heard.split_once(" HTTP/1.1 ").unwrap();
                let sent: Value = serde_json::from_str(body).unwrap();
                assert_eq!(sent.pointer(place), Some(&expected), "{kind:?} {home:?}: {sent}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_model_on_a_device_is_sent_them_too_and_one_that_takes_none_is_said() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let providers = scoped.providers();
        let near = providers.save_device_provider(None, "Mine", ProviderKind::Ollama, None).await.unwrap();
        let agent = agent_with(&world, &ada, near.id, "llama3", Home::Browser).await;
        let extra = Some(json!({ "keep_alive": "1h" }));
        let sampling = SamplingSettings { extra, ..SamplingSettings::default() };
        let settings = LoopSettings { sampling, ..LoopSettings::default() };
        let definition = Definition::like(&agent).home(Home::Browser).settings(settings.clone());
        definition.replace(&scoped, &agent.id).await;
        let mut browser = Browser::new(open(&world, &ada, "tab-1"), Page::default());
        browser.show(&agent.id).await;
        scoped.runs().send_message(&agent.id, "Hello", None, Some(&TabId::from("tab-1"))).await.unwrap();
        let spec = browser.granted_spec().await;
        let request = agent::context::assemble(&spec, &RunId::from("run"), &[]);
        let sent: Value = serde_json::from_slice(&Wire::Ollama.encode(None, &request).body).unwrap();
        assert_eq!(sent["keep_alive"], "1h");

        let own = providers.save(None, "Here", ProviderKind::InBrowser, None, None).await.unwrap();
        let definition = Definition::on(&own.id, "in-browser").home(Home::Browser).settings(settings);
        let refused = scoped.agents().create(definition.draft()).await.unwrap_err();
        assert!(refused.into_failure().message.contains("Here is no server, and takes no extra fields."));
    })
    .await;
}
