//! Providers: of a person, of a device, and lent.

use crate::golden::{Section, every, section};
use crate::samples::{AT, key_slot};
use protocol::Micros;
use protocol::agent::ProviderKind;
use protocol::view::{
    GroupView, KeptKey, LocalEndpoint, ProviderOwnership, ProviderReach, ProviderView, Share, SharedProvider,
};

pub fn kinds() -> Vec<Section> {
    vec![every!(ProviderKind {
        ProviderKind::Anthropic => [ProviderKind::Anthropic],
        ProviderKind::OpenAi => [ProviderKind::OpenAi],
        ProviderKind::OpenAiResponses => [ProviderKind::OpenAiResponses],
        ProviderKind::Gemini => [ProviderKind::Gemini],
        ProviderKind::Bedrock => [ProviderKind::Bedrock],
        ProviderKind::Azure => [ProviderKind::Azure],
        ProviderKind::Groq => [ProviderKind::Groq],
        ProviderKind::OpenRouter => [ProviderKind::OpenRouter],
        ProviderKind::DeepSeek => [ProviderKind::DeepSeek],
        ProviderKind::Mistral => [ProviderKind::Mistral],
        ProviderKind::XAi => [ProviderKind::XAi],
        ProviderKind::Ollama => [ProviderKind::Ollama],
        ProviderKind::LmStudio => [ProviderKind::LmStudio],
        ProviderKind::LlamaCpp => [ProviderKind::LlamaCpp],
        ProviderKind::InBrowser => [ProviderKind::InBrowser],
        ProviderKind::Scripted => [ProviderKind::Scripted],
    })]
}

pub fn providers() -> Vec<Section> {
    vec![
        section(
            "ProviderView",
            &[
                provider(Some("http://127.0.0.1:11434/v1")),
                provider(None),
                device_provider(),
                keyed_provider(),
            ],
        ),
        every!(ProviderReach {
            ProviderReach::Hub => [ProviderReach::Hub],
            ProviderReach::Device => [ProviderReach::Device],
            ProviderReach::DeviceKey => [ProviderReach::DeviceKey],
        }),
    ]
}

pub fn of_devices() -> Vec<Section> {
    vec![
        section(
            "KeptKey",
            &[KeptKey {
                provider: "provider-1".into(),
                device: "device-1".into(),
                name: "Firefox on Linux".to_owned(),
                current: true,
            }],
        ),
        section(
            "LocalEndpoint",
            &[LocalEndpoint {
                kind: ProviderKind::Ollama,
                name: "Ollama".to_owned(),
                base_url: "http://127.0.0.1:11434/v1".to_owned(),
                models: vec!["model-1".to_owned()],
            }],
        ),
    ]
}

pub fn lent() -> Vec<Section> {
    vec![
        every!(ProviderOwnership {
            ProviderOwnership::Own => [ProviderOwnership::Own],
            ProviderOwnership::OwnShared => [ProviderOwnership::OwnShared],
            ProviderOwnership::Lent { .. } => [
                ProviderOwnership::Lent { models: vec!["model-1".to_owned()], per_month: Some(Micros(5)), spent: Micros(4) },
                ProviderOwnership::Lent { models: Vec::new(), per_month: None, spent: Micros(0) },
            ],
        }),
        section("SharedProvider", &[shared()]),
        section(
            "GroupView",
            &[GroupView { id: "group-1".into(), name: "Friends".to_owned(), people: vec!["user-1".into()] }],
        ),
    ]
}

pub fn provider(base_url: Option<&str>) -> ProviderView {
    ProviderView {
        id: "provider-1".into(),
        name: "Mine".to_owned(),
        kind: ProviderKind::OpenAi,
        base_url: base_url.map(str::to_owned),
        has_key: true,
        whose: ProviderOwnership::Own,
        created_at: AT,
        reach: ProviderReach::Hub,
        models_at: None,
        key_slot: None,
    }
}

pub fn device_provider() -> ProviderView {
    ProviderView {
        kind: ProviderKind::Ollama,
        has_key: false,
        reach: ProviderReach::Device,
        models_at: Some("http://localhost:11434/api/tags".to_owned()),
        ..provider(None)
    }
}

pub fn keyed_provider() -> ProviderView {
    ProviderView {
        has_key: false,
        reach: ProviderReach::DeviceKey,
        models_at: Some("http://localhost:11434/v1/models".to_owned()),
        key_slot: Some(key_slot()),
        ..provider(Some("http://localhost:11434/v1"))
    }
}

pub fn shared() -> SharedProvider {
    SharedProvider {
        id: "provider-1".into(),
        name: "Mine".to_owned(),
        owner: "root".to_owned(),
        share: Share {
            everyone: false,
            people: vec!["user-1".into()],
            groups: vec!["group-1".into()],
            models: vec!["model-1".to_owned()],
            per_month: Some(Micros(5_000_000)),
        },
    }
}
