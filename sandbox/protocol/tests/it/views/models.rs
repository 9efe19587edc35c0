//! Models: their lists, where they are, and what is known of them.

use crate::golden::{Section, every, section};
use protocol::Micros;
use protocol::view::{FoundServers, ModelFacts, ModelList, ModelPlace, ModelPrice, Probe};

pub fn lists() -> Vec<Section> {
    vec![
        section(
            "ModelList",
            &[
                ModelList { models: vec!["model-1".to_owned()], live: true, ..ModelList::default() },
                ModelList {
                    models: vec!["model-1".to_owned()],
                    live: false,
                    known: vec![facts(None)],
                    free: true,
                    near: Some(ModelPlace::Hub),
                },
            ],
        ),
        every!(ModelPlace {
            ModelPlace::Device => [ModelPlace::Device],
            ModelPlace::Hub => [ModelPlace::Hub],
        }),
        section("Probe", &[Probe { ok: true, message: "Connected. 12 models.".to_owned(), millis: 80 }]),
    ]
}

pub fn found_and_known() -> Vec<Section> {
    vec![
        section(
            "FoundServers",
            &[FoundServers {
                found: Vec::new(),
                summary: "Ollama at http://localhost:11434: no answer.".to_owned(),
            }],
        ),
        section(
            "ModelFacts",
            &[facts(Some(ModelPrice { input: Micros(3_000_000), output: Micros(15_000_000) })), facts(None)],
        ),
    ]
}

pub fn facts(price: Option<ModelPrice>) -> ModelFacts {
    ModelFacts {
        model: "model-1".to_owned(),
        context: 200_000,
        is_known: price.is_some(),
        output: 64_000,
        images: true,
        pdf: price.is_some(),
        is_media_unknown: false,
        reasoning: false,
        native_tools: true,
        price,
    }
}
