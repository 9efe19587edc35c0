//! Settings that are carried to another hub.

use crate::golden::{Section, section};
use protocol::agent::ProviderKind;
use protocol::approval::{Asker, Verdict};
use protocol::view::{
    CarriedProvider, CarriedRule, ModelPrice, OwnPrice, ProviderReach, Settings, TakenSettings,
};
use protocol::{Caps, Micros};

pub fn sections() -> Vec<Section> {
    vec![
        section("Settings", &[Settings::default(), settings()]),
        section(
            "TakenSettings",
            &[TakenSettings {
                providers: vec!["provider-1".into()],
                notes: vec!["What model-1 costs is known here, so your own price was left out.".to_owned()],
            }],
        ),
    ]
}

pub fn settings() -> Settings {
    Settings {
        providers: vec![CarriedProvider {
            name: "Mine".to_owned(),
            kind: ProviderKind::OpenAi,
            base_url: Some("https://models.example.com/v1".to_owned()),
            reach: ProviderReach::Hub,
            had_key: true,
        }],
        prices: vec![OwnPrice {
            model: "model-1".to_owned(),
            price: ModelPrice { input: Micros(250_000), output: Micros(2_000_000) },
        }],
        limits: Some(Caps { per_day: Some(Micros(5_000_000)), ..Caps::default() }),
        rules: vec![CarriedRule {
            asker: Some(Asker::Page),
            tool: "fetch".to_owned(),
            about: Some("example.com".to_owned()),
            verdict: Verdict::Deny,
        }],
    }
}
