//! What each server that speaks chat completions does differently, as data.

use super::effort::EffortField;
use crate::providers::form::Keeps;
use crate::providers::sampling::Names;
use crate::providers::{Auth, base_url, outgoing};
use protocol::model::Media;

/// One kind of server.
#[derive(Debug, PartialEq, Eq)]
pub struct Dialect {
    name: &'static str,
    base_url: Option<&'static str>,
    /// Domains that it is known by when a person gave no more than the address.
    hosts: &'static [&'static str],
    models: &'static [&'static str],
    /// The header of the key, where it is not `Authorization: Bearer`.
    key_header: Option<&'static str>,
    /// What stands between the address of the server and a path, where a person did not write it.
    version: &'static str,
    /// `max_completion_tokens` in place of `max_tokens`.
    pub(super) counts_completion: bool,
    /// It takes `stream_options`, without which most send no usage.
    pub(super) stream_options: bool,
    /// The field in which it wants its reasoning back, with the calls that came of it. Others refuse it.
    pub(super) echo: Option<&'static str>,
    pub(super) effort: EffortField,
    pub(super) files: Files,
    /// A tool's result may hold them too.
    pub(super) files_in_results: bool,
    /// It may pass on a call's signature of Google's, and want it back.
    pub(super) signed_calls: bool,
    /// Ids of calls have nine letters and digits.
    pub(super) short_ids: bool,
    /// It holds calls to the schemas of tools that ask for it.
    pub(super) strict_calls: bool,
    /// It can be told to make one call at a time.
    pub(super) counts_calls: bool,
    pub(in crate::providers) sampling: Names,
    pub(in crate::providers) forms: Keeps,
}

/// What OpenAI itself has.
const SAMPLING: Names = Names {
    presence_penalty: Some("presence_penalty"),
    frequency_penalty: Some("frequency_penalty"),
    logit_bias: Some("logit_bias"),
    seed: Some("seed"),
    stop: Some("stop"),
    verbosity: Some("verbosity"),
    ..Names::FEW
};

/// What servers have that run models of anybody's.
const WIDE: Names = Names { top_k: Some("top_k"), ..SAMPLING };

/// Files that a server takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Files {
    None,
    Images,
    /// Images and PDF.
    All,
}

impl Dialect {
    /// Any server of which nothing more is known than its address.
    pub const OTHER: Self = Self {
        name: "OpenAI-compatible",
        base_url: Some("https://api.openai.com"),
        hosts: &[],
        models: Self::OPENAI.models,
        key_header: None,
        version: "/v1",
        counts_completion: false,
        stream_options: true,
        echo: None,
        effort: EffortField::None,
        files: Files::Images,
        files_in_results: false,
        signed_calls: true,
        short_ids: false,
        strict_calls: true,
        counts_calls: true,
        sampling: WIDE,
        forms: Keeps::All,
    };

    const OPENAI: Self = Self {
        name: "OpenAI",
        hosts: &["api.openai.com"],
        models: &[
            "gpt-5.5",
            "gpt-5.4",
            "gpt-5.4-mini",
            "gpt-5.4-nano",
            "gpt-5.1",
            "gpt-5-mini",
            "gpt-4.1",
            "gpt-4o-mini",
        ],
        counts_completion: true,
        effort: EffortField::OpenAi,
        files: Files::All,
        strict_calls: true,
        ..Self::BARE
    };

    pub const AZURE: Self = Self {
        name: "Azure OpenAI",
        hosts: &["openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"],
        models: Self::OPENAI.models,
        key_header: Some("api-key"),
        version: "/openai/v1",
        counts_completion: true,
        effort: EffortField::OpenAi,
        strict_calls: true,
        ..Self::BARE
    };

    pub const GROQ: Self = Self {
        name: "Groq",
        base_url: Some("https://api.groq.com/openai"),
        hosts: &["api.groq.com"],
        models: &[
            "openai/gpt-oss-120b",
            "openai/gpt-oss-20b",
            "qwen/qwen3-32b",
            "moonshotai/kimi-k2-instruct-0905",
            "llama-3.3-70b-versatile",
            "llama-3.1-8b-instant",
        ],
        counts_completion: true,
        effort: EffortField::Groq,
        sampling: Names { logit_bias: None, verbosity: None, ..SAMPLING },
        ..Self::BARE
    };

    pub const OPENROUTER: Self = Self {
        name: "OpenRouter",
        base_url: Some("https://openrouter.ai/api"),
        hosts: &["openrouter.ai"],
        models: &[
            "anthropic/claude-sonnet-4.5",
            "openai/gpt-5.1",
            "google/gemini-2.5-pro",
            "google/gemini-2.5-flash",
            "deepseek/deepseek-chat-v3.1",
            "qwen/qwen3-coder",
        ],
        echo: Some("reasoning"),
        effort: EffortField::OpenRouter,
        files: Files::All,
        strict_calls: true,
        sampling: WIDE,
        ..Self::BARE
    };

    pub const DEEPSEEK: Self = Self {
        name: "DeepSeek",
        base_url: Some("https://api.deepseek.com"),
        hosts: &["api.deepseek.com"],
        models: &["deepseek-chat", "deepseek-reasoner"],
        echo: Some("reasoning_content"),
        effort: EffortField::Thinking,
        files: Files::None,
        counts_calls: false,
        sampling: Names { logit_bias: None, seed: None, verbosity: None, ..SAMPLING },
        forms: Keeps::Json,
        ..Self::BARE
    };

    pub const MISTRAL: Self = Self {
        name: "Mistral",
        base_url: Some("https://api.mistral.ai"),
        hosts: &["api.mistral.ai"],
        models: &[
            "mistral-large-latest",
            "mistral-medium-latest",
            "mistral-small-latest",
            "magistral-medium-latest",
            "codestral-latest",
            "ministral-8b-latest",
        ],
        stream_options: false,
        files_in_results: true,
        short_ids: true,
        strict_calls: true,
        sampling: Names { logit_bias: None, seed: Some("random_seed"), verbosity: None, ..SAMPLING },
        ..Self::BARE
    };

    pub const XAI: Self = Self {
        name: "xAI",
        base_url: Some("https://api.x.ai"),
        hosts: &["api.x.ai"],
        models: &[
            "grok-4",
            "grok-4-fast-reasoning",
            "grok-4-fast-non-reasoning",
            "grok-code-fast-1",
            "grok-3-mini",
        ],
        counts_completion: true,
        effort: EffortField::XAi,
        sampling: Names { logit_bias: None, verbosity: None, ..SAMPLING },
        ..Self::BARE
    };

    pub const LM_STUDIO: Self = Self {
        name: "LM Studio",
        base_url: Some("http://localhost:1234"),
        counts_calls: false,
        sampling: Names { verbosity: None, ..WIDE },
        forms: Keeps::Schemas,
        ..Self::BARE
    };

    pub const LLAMA_CPP: Self = Self {
        name: "llama.cpp",
        base_url: Some("http://localhost:8080"),
        effort: EffortField::Template,
        sampling: Names { verbosity: None, ..WIDE },
        ..Self::BARE
    };

    const MOONSHOT: Self = Self {
        name: "Moonshot",
        hosts: &["api.moonshot.ai", "api.moonshot.cn"],
        echo: Some("reasoning_content"),
        effort: EffortField::Thinking,
        sampling: Names { logit_bias: None, seed: None, verbosity: None, ..SAMPLING },
        ..Self::BARE
    };

    const BARE: Self = Self {
        name: "",
        base_url: None,
        hosts: &[],
        models: &[],
        key_header: None,
        version: "/v1",
        counts_completion: false,
        stream_options: true,
        echo: None,
        effort: EffortField::None,
        files: Files::Images,
        files_in_results: false,
        signed_calls: false,
        short_ids: false,
        strict_calls: false,
        counts_calls: true,
        sampling: SAMPLING,
        forms: Keeps::All,
    };

    const KNOWN: [&'static Self; 8] = [
        &Self::OPENAI,
        &Self::AZURE,
        &Self::GROQ,
        &Self::OPENROUTER,
        &Self::DEEPSEEK,
        &Self::MISTRAL,
        &Self::XAI,
        &Self::MOONSHOT,
    ];

    /// What people call it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub(in crate::providers) fn takes(&self, media: &Media) -> bool {
        match self.files {
            Files::None => false,
            Files::Images => outgoing::is_image(media),
            Files::All => outgoing::is_image_or_pdf(media),
        }
    }

    pub(in crate::providers) fn base_url(&self) -> Option<&'static str> {
        self.base_url
    }

    pub(in crate::providers) fn models(&self) -> &'static [&'static str] {
        self.models
    }

    /// The address of `path` (which starts with a slash) under `base_url`.
    pub(in crate::providers) fn address(&self, base_url: &str, path: &str) -> String {
        let (root, _) = base_url::root(base_url);
        // The version's first part may be there already.
        let part = self.version.trim_end_matches("/v1");
        match root.strip_suffix(part).filter(|_| !part.is_empty()) {
            Some(root) => base_url::under(root, self.version, path),
            None => base_url::under(base_url, self.version, path),
        }
    }

    pub(in crate::providers) fn auth(&self) -> Auth {
        self.key_header.map_or(Auth::Bearer, Auth::Header)
    }

    /// The dialect at an address: where nothing else was chosen, the address says it.
    pub(in crate::providers) fn at(&'static self, base_url: &str) -> &'static Self {
        if *self != Self::OTHER {
            return self;
        }
        let host = base_url::host(base_url);
        let is_in = |domain: &&str| {
            host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        Self::KNOWN.into_iter().find(|known| known.hosts.iter().any(is_in)).unwrap_or(self)
    }
}
