//! Providers' codecs: a canonical request becomes the bytes of one HTTP request, and the bytes of
//! the answer become model events. Who connects, holds the key, waits or retries is the hub.

#[cfg(not(feature = "cloud"))]
mod absent;
mod anthropic;
mod base_url;
#[cfg(feature = "cloud")]
mod bedrock;
mod decoder;
#[cfg(feature = "cloud")]
pub mod embeddings;
mod errors;
pub mod extra;
pub(crate) mod form;
pub mod framing;
#[cfg(feature = "cloud")]
mod gemini;
pub mod in_browser;
mod models;
mod mould;
mod naming;
mod ollama;
mod openai_chat;
#[cfg(feature = "cloud")]
mod openai_responses;
pub(crate) mod outgoing;
mod probing;
pub(crate) mod reply;
mod sampling;
mod schema;
#[cfg(feature = "cloud")]
pub mod speech;
mod web_search;

#[cfg(not(feature = "cloud"))]
use absent::{self as bedrock, self as gemini, self as openai_responses};
use decoder::Stream;
use form::Keeps;
use framing::{Event, Framing, Payload};
use protocol::agent::ProviderKind;
use protocol::model::{Media, ModelFailure, ModelFailureKind, ModelMessage, ModelRequest};
use protocol::{told, words};
use reply::Reply;

pub use decoder::Decoder;
pub use naming::{Named, naming_files};
pub use openai_chat::Dialect;
pub use probing::{Attempt, Candidate, Judgement, candidates, summarise};

/// A format that servers of models speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions, and the many servers that copy them, each a little differently.
    OpenAiChat(&'static Dialect),
    /// OpenAI Responses, without state on the server.
    OpenAiResponses,
    /// Gemini `streamGenerateContent`.
    Gemini,
    /// Ollama's own `/api/chat`.
    Ollama,
    /// Bedrock `ConverseStream`.
    Bedrock,
}

/// One HTTP request, but for the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    pub method: Method,
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub auth: Auth,
    pub body: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

/// Where the key goes. Without a key the request is sent as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auth {
    None,
    /// `Authorization: Bearer <key>`.
    Bearer,
    /// The key alone, in the header of this name.
    Header(&'static str),
    /// AWS Signature Version 4. The path is percent-encoded once; the canonical request encodes it
    /// again, as for every service but S3. A plain Bedrock API key goes as a bearer instead.
    SigV4 {
        service: &'static str,
        region: String,
    },
}

impl Wire {
    /// `None` for a kind that is no server, or whose codec is not built in.
    pub fn of(kind: ProviderKind) -> Option<Self> {
        let wire = Self::named(kind)?;
        match wire {
            Self::Anthropic | Self::OpenAiChat(_) | Self::Ollama => Some(wire),
            Self::OpenAiResponses | Self::Gemini | Self::Bedrock => cfg!(feature = "cloud").then_some(wire),
        }
    }

    fn named(kind: ProviderKind) -> Option<Self> {
        Some(match kind {
            ProviderKind::Anthropic => Self::Anthropic,
            ProviderKind::OpenAi => Self::OpenAiChat(&Dialect::OTHER),
            ProviderKind::OpenAiResponses => Self::OpenAiResponses,
            ProviderKind::Gemini => Self::Gemini,
            ProviderKind::Bedrock => Self::Bedrock,
            ProviderKind::Azure => Self::OpenAiChat(&Dialect::AZURE),
            ProviderKind::Groq => Self::OpenAiChat(&Dialect::GROQ),
            ProviderKind::OpenRouter => Self::OpenAiChat(&Dialect::OPENROUTER),
            ProviderKind::DeepSeek => Self::OpenAiChat(&Dialect::DEEPSEEK),
            ProviderKind::Mistral => Self::OpenAiChat(&Dialect::MISTRAL),
            ProviderKind::XAi => Self::OpenAiChat(&Dialect::XAI),
            ProviderKind::Ollama => Self::Ollama,
            ProviderKind::LmStudio => Self::OpenAiChat(&Dialect::LM_STUDIO),
            ProviderKind::LlamaCpp => Self::OpenAiChat(&Dialect::LLAMA_CPP),
            ProviderKind::InBrowser | ProviderKind::Scripted => return None,
        })
    }

    /// `None` where everybody has an address of their own.
    pub fn default_base_url(&self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some(anthropic::BASE_URL),
            Self::OpenAiChat(dialect) => dialect.base_url(),
            Self::OpenAiResponses => Some(openai_responses::BASE_URL),
            Self::Gemini => Some(gemini::BASE_URL),
            Self::Ollama => Some(ollama::BASE_URL),
            Self::Bedrock => Some(bedrock::BASE_URL),
        }
    }

    /// Why this cannot be asked: it changes the answer, and the wire has no place for it.
    pub fn refusal(&self, base_url: Option<&str>, request: &ModelRequest) -> Option<ModelFailure> {
        if let Some(failure) = self.sampling_refusal(base_url, request) {
            return Some(failure);
        }
        let base_url = self.base_url(base_url);
        let (name, model) = (self.name(base_url), &request.model);
        let message = if form::is_beyond(request, self.keeps(base_url, model)) {
            told!(
                "{name} cannot hold {model} to a JSON Schema. Ask for it without strict, or ask another model."
            )
        } else if let Some(file) = files(request).find(|file| !self.takes(base_url, file)) {
            let kind = &file.mime;
            told!("{name} shows {model} no files of the type {kind}. Leave it out, or ask another model.")
        } else {
            return None;
        };
        Some(bad_request(message))
    }

    /// Why the model cannot choose its words like this.
    pub fn sampling_refusal(&self, base_url: Option<&str>, request: &ModelRequest) -> Option<ModelFailure> {
        if let Some(message) = extra::refusal(&request.sampling.extra) {
            return Some(bad_request(message));
        }
        let base_url = self.base_url(base_url);
        let (name, model) = (self.name(base_url), &request.model);
        let field = self.sampling(base_url, model).lack(&request.sampling)?;
        let message =
            told!("{name} has no {field} for {model}. Leave it out, or ask a model of another provider.");
        Some(bad_request(message))
    }

    /// The request for a streamed reply. `base_url` may end in a slash or not, in a version or not.
    pub fn encode(&self, base_url: Option<&str>, request: &ModelRequest) -> HttpRequest {
        let base_url = self.base_url(base_url);
        let written = form::written(request, self.keeps(base_url, &request.model));
        let request = written.as_ref().unwrap_or(request);
        let mut call = match self {
            Self::Anthropic => anthropic::encode(base_url, request),
            Self::OpenAiChat(dialect) => openai_chat::encode(dialect, base_url, request),
            Self::OpenAiResponses => openai_responses::encode(base_url, request),
            Self::Gemini => gemini::encode(base_url, request),
            Self::Ollama => ollama::encode(base_url, request),
            Self::Bedrock => bedrock::encode(base_url, request),
        };
        extra::add(&mut call.body, &request.sampling.extra);
        call
    }

    /// What people call it.
    fn name(&self, base_url: &str) -> &'static str {
        match self {
            Self::Anthropic => "Anthropic",
            Self::OpenAiChat(dialect) => dialect.at(base_url).name(),
            Self::OpenAiResponses => "OpenAI Responses",
            Self::Gemini => "Gemini",
            Self::Ollama => "Ollama",
            Self::Bedrock => "Bedrock",
        }
    }

    fn sampling(&self, base_url: &str, model: &str) -> sampling::Names {
        match self {
            Self::Anthropic => anthropic::SAMPLING,
            Self::OpenAiChat(dialect) => dialect.at(base_url).sampling,
            Self::OpenAiResponses => openai_responses::SAMPLING,
            Self::Gemini => gemini::SAMPLING,
            Self::Ollama => ollama::SAMPLING,
            Self::Bedrock => bedrock::names(model),
        }
    }

    fn keeps(&self, base_url: &str, model: &str) -> Keeps {
        match self {
            Self::Anthropic => anthropic::keeps(model),
            Self::OpenAiChat(dialect) => dialect.at(base_url).forms,
            Self::OpenAiResponses | Self::Gemini | Self::Ollama => Keeps::All,
            Self::Bedrock => bedrock::keeps(model),
        }
    }

    /// Whether a request can have a PDF as it is.
    pub fn takes_pdf(&self, base_url: Option<&str>) -> bool {
        let mime = outgoing::PDF.to_owned();
        let pdf = Media { mime, data: String::new(), name: None, stored: None };
        self.takes(self.base_url(base_url), &pdf)
    }

    fn takes(&self, base_url: &str, file: &Media) -> bool {
        match self {
            Self::Anthropic | Self::OpenAiResponses => outgoing::is_image_or_pdf(file),
            Self::OpenAiChat(dialect) => dialect.at(base_url).takes(file),
            Self::Gemini => gemini::takes(file),
            Self::Ollama => outgoing::is_image(file),
            Self::Bedrock => bedrock::takes(file),
        }
    }

    /// What a request carries besides when a page makes it: some servers answer a page only if it says
    /// that it means to.
    pub fn page_headers(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Anthropic => anthropic::PAGE_HEADERS,
            Self::OpenAiChat(_) | Self::OpenAiResponses | Self::Gemini | Self::Ollama | Self::Bedrock => &[],
        }
    }

    /// The request for the names of the models that the server has.
    pub fn list_models(&self, base_url: Option<&str>) -> HttpRequest {
        let base_url = self.base_url(base_url);
        match self {
            Self::Anthropic => anthropic::list_models(base_url),
            Self::OpenAiChat(dialect) => openai_chat::list_models(dialect, base_url),
            Self::OpenAiResponses => openai_responses::list_models(base_url),
            Self::Gemini => gemini::list_models(base_url),
            Self::Ollama => ollama::list_models(base_url),
            Self::Bedrock => bedrock::list_models(base_url),
        }
    }

    /// Reads the answer to [`Wire::list_models`]: the likely ones for a conversation first.
    pub fn decode_models(&self, body: &[u8]) -> Result<Vec<String>, ModelFailure> {
        models::decode(
            body,
            match self {
                Self::Anthropic | Self::OpenAiChat(_) | Self::OpenAiResponses => &models::OPENAI,
                Self::Gemini => &gemini::LIST,
                Self::Ollama => &ollama::LIST,
                Self::Bedrock => &bedrock::LIST,
            },
        )
    }

    /// Says what an answer with an error status means, and what to do. `retry_after` is the header
    /// of that name.
    pub fn decode_error(&self, status: u16, retry_after: Option<&str>, body: &[u8]) -> ModelFailure {
        let mut failure = errors::of_response(status, retry_after, body);
        match self {
            Self::Gemini => failure.retry_after_ms = failure.retry_after_ms.or(gemini::retry_after(body)),
            Self::Anthropic | Self::OpenAiChat(_) | Self::OpenAiResponses | Self::Ollama | Self::Bedrock => {}
        }
        errors::say_when(failure)
    }

    /// Well-known models, for when the server cannot be asked.
    pub fn static_models(&self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => anthropic::MODELS,
            Self::OpenAiChat(dialect) => dialect.models(),
            Self::OpenAiResponses => openai_responses::MODELS,
            Self::Gemini => gemini::MODELS,
            Self::Ollama => ollama::MODELS,
            Self::Bedrock => bedrock::MODELS,
        }
    }

    pub fn decoder(&self) -> Decoder {
        let (framing, stream) = match self {
            Self::Anthropic => (Framing::sse(), Stream::Anthropic(anthropic::Stream::default())),
            Self::OpenAiChat(_) => (Framing::sse(), Stream::OpenAiChat(openai_chat::Stream::default())),
            Self::OpenAiResponses => {
                (Framing::sse(), Stream::OpenAiResponses(openai_responses::Stream::default()))
            }
            Self::Gemini => (Framing::sse(), Stream::Gemini(gemini::Stream::default())),
            Self::Ollama => (Framing::lines(), Stream::Ollama(ollama::Stream::default())),
            Self::Bedrock => (Framing::event_stream(), Stream::Bedrock(bedrock::Stream::default())),
        };
        Decoder::new(framing, stream)
    }

    /// Where everybody has an address of their own and none was given, one that leads nowhere
    /// (RFC 6761).
    fn base_url<'a>(&self, given: Option<&'a str>) -> &'a str {
        given.or(self.default_base_url()).unwrap_or("https://base-url.invalid")
    }
}

fn bad_request(message: String) -> ModelFailure {
    ModelFailure { kind: ModelFailureKind::BadRequest, message, retry_after_ms: None }
}

fn files(request: &ModelRequest) -> impl Iterator<Item = &Media> {
    request.messages.iter().flat_map(files_of)
}

fn files_of(message: &ModelMessage) -> impl Iterator<Item = &Media> {
    let (said, results) = match message {
        ModelMessage::User { media, .. } => (media.as_slice(), [].as_slice()),
        ModelMessage::Assistant { .. } => ([].as_slice(), [].as_slice()),
        ModelMessage::Tools { results } => ([].as_slice(), results.as_slice()),
    };
    said.iter().chain(results.iter().flat_map(|result| &result.media))
}

/// The object that an event of JSON holds; `None`, and the reply failed where it must be, for
/// anything else.
fn object(event: &Event, reply: &mut Reply) -> Option<serde_json::Value> {
    match event.payload() {
        Payload::Json(value) if value.is_object() => Some(value),
        Payload::Nothing => None,
        Payload::Json(_) | Payload::Garbage => {
            reply.fail_malformed(words!("an event is not a JSON object"));
            None
        }
    }
}

/// The text of a field, empty where there is none.
fn text<'a>(value: &'a serde_json::Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The beginning of what is kept for the log.
fn excerpt(value: &serde_json::Value) -> String {
    value.to_string().chars().take(300).collect()
}
