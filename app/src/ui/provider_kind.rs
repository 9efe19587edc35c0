//! Kinds of providers in words and as form values.

use crate::prelude::t;
use protocol::agent::ProviderKind;

/// What a person can choose, the best known first.
pub const KINDS: [ProviderKind; 15] = [
    ProviderKind::Anthropic,
    ProviderKind::OpenAiResponses,
    ProviderKind::Gemini,
    ProviderKind::Bedrock,
    ProviderKind::Azure,
    ProviderKind::OpenRouter,
    ProviderKind::Groq,
    ProviderKind::Mistral,
    ProviderKind::DeepSeek,
    ProviderKind::XAi,
    ProviderKind::Ollama,
    ProviderKind::LmStudio,
    ProviderKind::LlamaCpp,
    ProviderKind::InBrowser,
    ProviderKind::OpenAi,
];

pub fn kind_label(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Anthropic => "Anthropic",
        ProviderKind::OpenAi => t("OpenAI-compatible"),
        ProviderKind::OpenAiResponses => "OpenAI Responses",
        ProviderKind::Gemini => "Google Gemini",
        ProviderKind::Bedrock => "Amazon Bedrock",
        ProviderKind::Azure => "Azure OpenAI",
        ProviderKind::Groq => "Groq",
        ProviderKind::OpenRouter => "OpenRouter",
        ProviderKind::DeepSeek => "DeepSeek",
        ProviderKind::Mistral => "Mistral",
        ProviderKind::XAi => "xAI",
        ProviderKind::Ollama => "Ollama",
        ProviderKind::LmStudio => "LM Studio",
        ProviderKind::LlamaCpp => "llama.cpp",
        ProviderKind::InBrowser => t("The browser's own"),
        ProviderKind::Scripted => t("Script"),
    }
}

/// What a person needs to know to choose it.
pub fn kind_hint(kind: ProviderKind) -> &'static str {
    t(match kind {
        ProviderKind::Anthropic => "The Claude models.",
        ProviderKind::OpenAi => "Chat completions, of OpenAI or any server that speaks them.",
        ProviderKind::OpenAiResponses => "The GPT models, by OpenAI's newer API.",
        ProviderKind::Gemini => "The Gemini models, with a key of Google AI Studio.",
        ProviderKind::Bedrock => "An API key, or access key and secret with a colon between.",
        ProviderKind::Azure => "Needs your resource's address. Models are deployments.",
        ProviderKind::Groq => "Open models that answer fast.",
        ProviderKind::DeepSeek => "The DeepSeek models.",
        ProviderKind::Mistral => "The Mistral models, run in Europe.",
        ProviderKind::XAi => "The Grok models.",
        ProviderKind::OpenRouter => "One key for the models of many.",
        ProviderKind::Ollama => "On your machine, or its cloud with a key.",
        ProviderKind::LmStudio | ProviderKind::LlamaCpp => "On your machine.",
        ProviderKind::InBrowser => "Chrome and Edge have one on some computers. No address, no key.",
        ProviderKind::Scripted => "The guided tour.",
    })
}

/// Where a person gets a key for it, if it wants one and has one place for that.
pub fn key_page(kind: ProviderKind) -> Option<&'static str> {
    Some(match kind {
        ProviderKind::Anthropic => "https://console.anthropic.com/settings/keys",
        ProviderKind::OpenAiResponses => "https://platform.openai.com/api-keys",
        ProviderKind::Gemini => "https://aistudio.google.com/apikey",
        ProviderKind::Bedrock => "https://console.aws.amazon.com/bedrock",
        ProviderKind::Azure => "https://portal.azure.com",
        ProviderKind::Groq => "https://console.groq.com/keys",
        ProviderKind::OpenRouter => "https://openrouter.ai/settings/keys",
        ProviderKind::DeepSeek => "https://platform.deepseek.com/api_keys",
        ProviderKind::Mistral => "https://console.mistral.ai/api-keys",
        ProviderKind::XAi => "https://console.x.ai",
        ProviderKind::OpenAi
        | ProviderKind::Ollama
        | ProviderKind::LmStudio
        | ProviderKind::LlamaCpp
        | ProviderKind::InBrowser
        | ProviderKind::Scripted => return None,
    })
}

/// The kind that a form sends so.
pub fn kind_sent_as(value: &str) -> Option<ProviderKind> {
    KINDS.into_iter().find(|kind| kind_value(*kind) == value)
}

/// The kind as forms send it.
pub fn kind_value(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Anthropic => "anthropic",
        ProviderKind::OpenAi => "open_ai",
        ProviderKind::OpenAiResponses => "open_ai_responses",
        ProviderKind::Gemini => "gemini",
        ProviderKind::Bedrock => "bedrock",
        ProviderKind::Azure => "azure",
        ProviderKind::Groq => "groq",
        ProviderKind::OpenRouter => "open_router",
        ProviderKind::DeepSeek => "deep_seek",
        ProviderKind::Mistral => "mistral",
        ProviderKind::XAi => "x_ai",
        ProviderKind::Ollama => "ollama",
        ProviderKind::LmStudio => "lm_studio",
        ProviderKind::LlamaCpp => "llama_cpp",
        ProviderKind::InBrowser => "in_browser",
        ProviderKind::Scripted => "scripted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_sends_what_the_server_reads() {
        for kind in KINDS.into_iter().chain([ProviderKind::Scripted]) {
            let read = serde_json::from_value(kind_value(kind).into()).ok();
            assert_eq!(read, Some(kind));
        }
    }

    #[test]
    fn a_key_is_got_at_a_sealed_address_of_its_own() {
        let pages: Vec<_> = KINDS.into_iter().filter_map(key_page).collect();
        let places: std::collections::BTreeSet<_> = pages.iter().collect();
        assert_eq!((pages.len(), places.len()), (10, 10));
        assert!(pages.iter().all(|page| page.starts_with("https://")), "{pages:?}");
        for kind in KINDS {
            assert_eq!(kind_sent_as(kind_value(kind)), Some(kind));
        }
    }
}
