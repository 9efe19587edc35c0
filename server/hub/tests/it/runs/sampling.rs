//! How an agent's model chooses its words: as its person said, in the provider's own fields.

use super::agent;
use crate::talk::{PATIENCE, ask};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::AgentId;
use protocol::agent::{Home, ProviderKind};
use protocol::model::Verbosity;
use protocol::view::{LoopSettings, SamplingSettings};
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
