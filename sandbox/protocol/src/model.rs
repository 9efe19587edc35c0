//! A model call in the product's own words. Providers' codecs translate to and from it.

use crate::{APP_RESULT, Attachment, AttachmentId, CallId, Dimensions, words};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod message_list;

pub use message_list::MessageList;

/// Everything that is sent to a model, in order: system, tools, messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The provider's name of the model.
    pub model: String,
    pub system: String,
    pub tools: Vec<ToolSpec>,
    #[serde(default, skip_serializing_if = "ToolChoice::is_auto")]
    pub tool_choice: ToolChoice,
    pub messages: MessageList,
    pub max_output_tokens: u32,
    /// How much the model is to think. `None` leaves it to the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    #[serde(default, skip_serializing_if = "Sampling::is_left_out")]
    pub sampling: Box<Sampling>,
}

/// How the model chooses among what it could say, as far as a program says so. What is left out is the
/// provider's to choose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency_penalty: Option<f64>,
    /// Tokens of the model's own, by number, and how likely they are made.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub logit_bias: Map<String, Value>,
    /// What makes equal requests likely to have equal replies. It promises nothing, so wires that have
    /// none leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Texts at which the reply ends, without them. Wires that have none leave them out, so whoever asked
    /// keeps to them too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<Verbosity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// One tool call in a reply at most. Wires that cannot say it leave it out, so whoever asked keeps
    /// to it too.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub one_call: bool,
    /// Fields of the provider's own, which go into the body of the request as they are.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl Sampling {
    pub fn is_left_out(&self) -> bool {
        *self == Self::default()
    }
}

/// How long an answer is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verbosity {
    Low,
    Medium,
    High,
}

/// The form that the answer's text has to have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Form {
    /// One JSON value.
    Json,
    /// One that is valid against a JSON Schema.
    Schema(FormSchema),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormSchema {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub schema: Value,
    /// Whether the answer has to be valid, and not only likely to be.
    pub strict: bool,
}

/// Whether the model may call tools. The tools are declared either way, so that the beginning of
/// the request stays as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    #[default]
    Auto,
    None,
    /// The reply has to call one. Where a wire has no field for it, words say it.
    Required,
}

impl ToolChoice {
    pub fn is_auto(&self) -> bool {
        matches!(self, Self::Auto)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    Off,
    Low,
    Medium,
    High,
}

/// An image or a document: whole, or named, for the hub to put its bytes in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// `image/png`, `application/pdf`, …
    pub mime: String,
    /// Base64 with padding; empty while it is only named.
    pub data: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where the hub keeps it, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredMedia>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredMedia {
    pub id: AttachmentId,
    /// In bytes.
    pub size: u64,
    /// Of a picture, or of the first page of a PDF as it looks, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<Dimensions>,
    /// The MCP server that gave it: others made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
}

impl Media {
    pub fn is_picture(&self) -> bool {
        self.mime.starts_with("image/")
    }

    /// What is there for a page of an MCP server alone.
    pub fn is_app_result(&self) -> bool {
        self.mime == APP_RESULT
    }
}

impl From<&Attachment> for Media {
    fn from(attachment: &Attachment) -> Self {
        Self {
            mime: attachment.mime.clone(),
            data: String::new(),
            name: Some(attachment.name.clone()),
            stored: Some(StoredMedia {
                id: attachment.id.clone(),
                size: attachment.size,
                dimensions: attachment.dimensions,
                server: attachment.server.clone(),
            }),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum ModelMessage {
    User {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        media: Vec<Media>,
    },
    Assistant {
        blocks: Vec<Block>,
    },
    /// The results of all tool calls of the assistant message before it.
    Tools {
        results: Vec<ToolResult>,
    },
}

/// One finished piece of a model's reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    Text {
        text: String,
    },
    /// Reasoning, with whatever the provider wants back unread on the next turn. The signature begins
    /// with the name of the wire that it came over and a colon, so that no other sends it. Without
    /// text it belongs to the block behind it.
    Reasoning {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    ToolUse(ToolCall),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: CallId,
    pub name: String,
    /// A JSON object, or a JSON string holding the raw text when a provider sent arguments that
    /// are not valid JSON. The gateway refuses the latter with an error the model can act on.
    pub input: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    pub call: CallId,
    pub name: String,
    /// Text for the model, usually JSON.
    pub content: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media>,
    #[serde(default)]
    pub is_error: bool,
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema (draft 2020-12) of an object.
    pub input_schema: Value,
    /// Whether calls have to be valid, where the wire can say so.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub strict: bool,
}

/// A page of the web that a reply comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub url: String,
    pub title: String,
    /// What the reply takes from it, or says because of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// As the provider writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
}

/// What a codec tells of a provider's stream, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ModelEvent {
    BlockStarted {
        index: u32,
        kind: BlockKind,
    },
    /// More text, reasoning, or tool input (a piece of JSON text) of a started block.
    Delta {
        index: u32,
        text: String,
    },
    BlockFinished {
        index: u32,
        block: Block,
    },
    /// Running totals of this call; the last one counts.
    Usage {
        usage: Usage,
    },
    /// The last event of a call that went well.
    Stopped {
        reason: StopReason,
    },
    /// The last event of a call that did not.
    Failed {
        failure: ModelFailure,
    },
    /// What the provider's own search found, before the end of the reply.
    Cited {
        sources: Vec<Source>,
        /// How often it searched.
        #[serde(default, skip_serializing_if = "crate::is_zero")]
        searches: u32,
    },
    /// Something in the stream that the codec does not know, kept for the log.
    Unknown {
        what: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BlockKind {
    Text,
    Reasoning,
    ToolUse { id: CallId, name: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    EndTurn,
    ToolUse,
    MaxTokens,
    StopSequence,
    Refusal,
    ContextFull,
    Other,
}

/// Tokens, as the provider counted them. `input` leaves out what was read from or written to its
/// prompt cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    #[serde(default)]
    pub cache_read: u64,
    #[serde(default)]
    pub cache_write: u64,
    /// Of `output`, what went into reasoning.
    #[serde(default)]
    pub reasoning: u64,
}

impl Usage {
    /// More than any call can use, and few enough that the sums of many are still numbers.
    const MAX_TOKENS_OF_CALL: u64 = 1_000_000_000;

    /// Tokens of the whole prompt, wherever they were read from.
    pub fn prompt(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// What is booked of it, whoever counted.
    pub fn bounded(self) -> Self {
        let Self { input, output, cache_read, cache_write, reasoning } = self;
        Self {
            input: input.min(Self::MAX_TOKENS_OF_CALL),
            output: output.min(Self::MAX_TOKENS_OF_CALL),
            cache_read: cache_read.min(Self::MAX_TOKENS_OF_CALL),
            cache_write: cache_write.min(Self::MAX_TOKENS_OF_CALL),
            reasoning: reasoning.min(Self::MAX_TOKENS_OF_CALL),
        }
    }
}

/// What a call says whose agent has no provider.
pub const NO_PROVIDER: &str = words!("This agent has no provider yet. Choose one in its settings.");

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFailure {
    pub kind: ModelFailureKind,
    /// A sentence for a person. Never holds a key or a request body.
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelFailureKind {
    /// The agent has no provider, or the provider has no key.
    NotConfigured,
    /// The call could cost more than a limit on spending leaves.
    OverBudget,
    BadKey,
    UnknownModel,
    RateLimited,
    Overloaded,
    ContextTooLong,
    Refused,
    BadRequest,
    /// No connection: DNS, TCP, TLS, or an address that is not allowed.
    Unreachable,
    Timeout,
    /// The server answered, but does not speak this wire.
    NotThisKind,
    /// The stream broke off before its end.
    Cut,
    /// The stream held something that is not the wire's format.
    Malformed,
    /// Any other error of the provider's.
    Server,
    Aborted,
}

/// What a model is asked for on the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A summary of what no longer fits into the context.
    Summary,
    /// What to do first, before a model without native tools is called.
    Plan,
    /// The hub's own, after a run: what the conversation is called.
    Title,
    /// The hub's own, after a run: what of it is worth remembering.
    Memories,
    /// The hub's own, within a call of `web_search`: what the provider's own search finds.
    Search,
}

impl Purpose {
    /// Whether the hub asks by itself, and no loop.
    pub fn is_of_hub(self) -> bool {
        match self {
            Self::Title | Self::Memories | Self::Search => true,
            Self::Summary | Self::Plan => false,
        }
    }
}
