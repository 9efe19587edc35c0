//! What an agent is made of, in the words that its log, its runs and its pages share.

mod ability;
mod hook;

pub use ability::Ability;
pub use hook::{Hook, HookAction, HookEvent};

use serde::{Deserialize, Serialize};

/// Which driver runs an agent's loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    #[default]
    Hub,
    Browser,
}

/// What a run does when the model has given its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Mode {
    /// It ends.
    #[default]
    Answering,
    /// It goes on by itself until the answer holds `done`, at most `turns` times.
    Autonomous { turns: u32, done: String },
    /// It ends. Nobody asked: the model thinks things over, and the run gives way to a person.
    Ambient,
}

impl Mode {
    pub fn is_answering(&self) -> bool {
        matches!(self, Self::Answering)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions, at OpenAI or at any server that speaks them.
    OpenAi,
    /// OpenAI Responses.
    OpenAiResponses,
    /// Google's Gemini.
    Gemini,
    /// Amazon Bedrock.
    Bedrock,
    /// Azure OpenAI.
    Azure,
    Groq,
    OpenRouter,
    DeepSeek,
    Mistral,
    /// xAI.
    XAi,
    /// Ollama's own format.
    Ollama,
    LmStudio,
    LlamaCpp,
    /// The model that a browser has itself.
    InBrowser,
    /// The guided tour: a script in the hub, not a model.
    Scripted,
}

impl ProviderKind {
    /// Whether its API has a search of the web of its own.
    pub fn has_web_search(self) -> bool {
        match self {
            Self::Anthropic | Self::OpenAiResponses | Self::Gemini => true,
            Self::OpenAi
            | Self::Bedrock
            | Self::Azure
            | Self::Groq
            | Self::OpenRouter
            | Self::DeepSeek
            | Self::Mistral
            | Self::XAi
            | Self::Ollama
            | Self::LmStudio
            | Self::LlamaCpp
            | Self::InBrowser
            | Self::Scripted => false,
        }
    }

    /// Whether servers of it may say what texts mean, as OpenAI's do.
    pub fn has_embeddings(self) -> bool {
        self.has_speech() || self == Self::Ollama
    }

    /// Whether servers of it may hear and speak, as OpenAI's do.
    pub fn has_speech(self) -> bool {
        match self {
            Self::OpenAi
            | Self::OpenAiResponses
            | Self::Azure
            | Self::Groq
            | Self::OpenRouter
            | Self::DeepSeek
            | Self::Mistral
            | Self::XAi
            | Self::LmStudio
            | Self::LlamaCpp => true,
            Self::Anthropic
            | Self::Gemini
            | Self::Bedrock
            | Self::Ollama
            | Self::InBrowser
            | Self::Scripted => false,
        }
    }
}

/// How much harm a call can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolRisk {
    /// It only looks.
    None,
    /// It changes what the agent can change back.
    Low,
    /// It changes what a person would notice, or runs code in a sandbox.
    Medium,
    /// It reaches outside or takes something away.
    #[serde(alias = "critical")]
    High,
}
