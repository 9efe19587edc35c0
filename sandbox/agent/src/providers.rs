//! Providers' codecs: a canonical request becomes the bytes of one HTTP request, and the bytes of
//! the answer become model events. Who connects, holds the key, waits or retries is the hub.

mod anthropic;
mod base_url;
mod errors;
mod models;
mod openai_chat;
mod outgoing;
mod reply;
mod sse;

use protocol::model::{Block, ModelEvent, ModelFailure, ModelFailureKind, ModelMessage, ModelRequest};
use protocol::view::ProviderKind;
use reply::Reply;

/// A format that servers of models speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions, and the many servers that copy them.
    OpenAiChat,
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
    /// AWS Signature Version 4.
    SigV4 {
        service: &'static str,
        region: String,
    },
}

impl Wire {
    /// `None` for a kind that is no server.
    pub fn of(kind: ProviderKind) -> Option<Self> {
        match kind {
            ProviderKind::Anthropic => Some(Self::Anthropic),
            ProviderKind::OpenAi => Some(Self::OpenAiChat),
            ProviderKind::Scripted => None,
        }
    }

    pub fn default_base_url(&self) -> &'static str {
        match self {
            Self::Anthropic => anthropic::BASE_URL,
            Self::OpenAiChat => openai_chat::BASE_URL,
        }
    }

    /// The request for a streamed reply. `base_url` may end in a slash or not, in `/v1` or not.
    pub fn encode(&self, base_url: Option<&str>, request: &ModelRequest) -> HttpRequest {
        let base_url = base_url.unwrap_or(self.default_base_url());
        match self {
            Self::Anthropic => anthropic::encode(base_url, request),
            Self::OpenAiChat => openai_chat::encode(base_url, request),
        }
    }

    /// The request for the names of the models that the server has.
    pub fn list_models(&self, base_url: Option<&str>) -> HttpRequest {
        let base_url = base_url.unwrap_or(self.default_base_url());
        match self {
            Self::Anthropic => anthropic::list_models(base_url),
            Self::OpenAiChat => openai_chat::list_models(base_url),
        }
    }

    /// Reads the answer to [`Wire::list_models`]: the likely ones for a conversation first.
    pub fn decode_models(&self, body: &[u8]) -> Result<Vec<String>, ModelFailure> {
        models::decode(body)
    }

    /// Says what an answer with an error status means, and what to do. `retry_after` is the header
    /// of that name.
    pub fn decode_error(&self, status: u16, retry_after: Option<&str>, body: &[u8]) -> ModelFailure {
        errors::of_response(status, retry_after, body)
    }

    /// Well-known models, for when the server cannot be asked.
    pub fn static_models(&self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => anthropic::MODELS,
            Self::OpenAiChat => openai_chat::MODELS,
        }
    }

    pub fn decoder(&self) -> Decoder {
        let stream = match self {
            Self::Anthropic => Stream::Anthropic(anthropic::Stream::default()),
            Self::OpenAiChat => Stream::OpenAiChat(openai_chat::Stream::default()),
        };
        Decoder {
            parser: sse::Parser::default(),
            stream,
            reply: Reply::default(),
            head: Vec::new(),
            is_stream: false,
        }
    }
}

/// How much of a body that is no event stream is kept, to say what it is.
const HEAD_LIMIT: usize = 64 * 1024;

/// Turns the body of one streamed reply into events. The last one is `Stopped` or `Failed`, and
/// nothing follows it.
#[derive(Debug)]
pub struct Decoder {
    parser: sse::Parser,
    stream: Stream,
    reply: Reply,
    head: Vec<u8>,
    is_stream: bool,
}

#[derive(Debug)]
enum Stream {
    Anthropic(anthropic::Stream),
    OpenAiChat(openai_chat::Stream),
}

impl Decoder {
    /// Keeps the ids of new tool calls apart from those in `request`: servers that count their
    /// calls from zero in every reply would repeat them within a run.
    pub fn answering(mut self, request: &ModelRequest) -> Self {
        for message in &request.messages {
            let ModelMessage::Assistant { blocks } = message else {
                continue;
            };
            for block in blocks {
                if let Block::ToolUse(call) = block {
                    self.reply.reserve_call_id(&call.id);
                }
            }
        }
        self
    }

    /// Takes the next bytes of the body, cut anywhere.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<ModelEvent> {
        if self.reply.is_ended() {
            return Vec::new();
        }
        if !self.is_stream {
            let room = HEAD_LIMIT - self.head.len();
            self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
        for frame in self.parser.push(bytes) {
            self.take(frame);
            if self.reply.is_ended() {
                break;
            }
        }
        self.reply.take_events()
    }

    /// Takes the end of the body.
    pub fn finish(&mut self) -> Vec<ModelEvent> {
        if let Some(event) = self.parser.finish() {
            self.take(sse::Frame::Event(event));
        }
        match &mut self.stream {
            Stream::Anthropic(stream) => stream.finish(&mut self.reply),
            Stream::OpenAiChat(stream) => stream.finish(&mut self.reply),
        }
        let failure = self.explain_end();
        self.reply.fail(failure);
        self.reply.take_events()
    }

    fn take(&mut self, frame: sse::Frame) {
        self.is_stream = true;
        let event = match frame {
            sse::Frame::Event(event) => event,
            sse::Frame::TooLarge => {
                self.reply.fail_malformed("one event is larger than 16 MiB");
                return;
            }
        };
        match &mut self.stream {
            Stream::Anthropic(stream) => stream.read(&event, &mut self.reply),
            Stream::OpenAiChat(stream) => stream.read(&event, &mut self.reply),
        }
    }

    /// What it means that the body ended here.
    fn explain_end(&self) -> ModelFailure {
        let head = self.head.trim_ascii_start();
        if self.is_stream || !matches!(head.first(), Some(b'<' | b'{' | b'[')) {
            return ModelFailure {
                kind: ModelFailureKind::Cut,
                message: "The provider's reply broke off before its end. Try again.".to_owned(),
                retry_after_ms: None,
            };
        }
        errors::of_unstreamed(head)
    }
}
