//! The other side of the providers' codecs: what programs ask of the hub in the words of OpenAI's and
//! Anthropic's APIs becomes a canonical request, and model events become the answer. Who asks, which
//! provider a model's name means and what a call may cost is not known here.

mod chat;
mod conversation;
mod fields;
mod heard;
mod messages;
mod responses;
mod trouble;

use protocol::model::{ModelEvent, ModelRequest};

pub use trouble::{Problem, Trouble, TroubleKind};

/// An API that programs speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// OpenAI chat completions.
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Anthropic Messages.
    Messages,
}

/// What a program asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// `model` is the name that the program used, and `max_output_tokens` 0 where it named no limit.
    pub request: ModelRequest,
    pub stream: bool,
    /// Whether a stream ends with what was used.
    counts: bool,
}

/// What an answer is called.
#[derive(Clone, Debug)]
pub struct Name {
    pub id: String,
    /// The model, as the program called it.
    pub model: String,
    /// Unix seconds.
    pub created: i64,
}

impl Api {
    /// Reads the body of a request.
    pub fn read(self, body: &[u8]) -> Result<Asked, Trouble> {
        let body = fields::object(body)?;
        match self {
            Self::Chat => chat::read(&body),
            Self::Responses => responses::read(&body),
            Self::Messages => messages::read(&body),
        }
    }

    /// A failure as the API says it.
    pub fn problem(self, trouble: &Trouble) -> Problem {
        match self {
            Self::Chat | Self::Responses => trouble.as_openai(),
            Self::Messages => trouble.as_anthropic(),
        }
    }

    /// An answer that is sent as one piece.
    pub fn whole(self, name: Name) -> Whole {
        Whole { api: self, name, heard: heard::Heard::default() }
    }

    /// An answer that is sent as it comes.
    pub fn streamed(self, name: Name, asked: &Asked) -> Streamed {
        match self {
            Self::Chat => Streamed::Chat(chat::Streamed::new(name, asked.counts)),
            Self::Responses => Streamed::Responses(responses::Streamed::new(name)),
            Self::Messages => Streamed::Messages(messages::Streamed::new(name)),
        }
    }
}

/// Answers how many tokens a request for a message has, by its length.
pub fn count_tokens(body: &[u8]) -> Result<Vec<u8>, Trouble> {
    let counted = messages::counted(&fields::object(body)?)?;
    Ok(counted.to_string().into_bytes())
}

/// Puts an answer together.
#[derive(Debug)]
pub struct Whole {
    api: Api,
    name: Name,
    heard: heard::Heard,
}

impl Whole {
    pub fn take(&mut self, event: ModelEvent) {
        self.heard.take(event);
    }

    /// The body, in JSON.
    pub fn finish(self) -> Vec<u8> {
        let body = match self.api {
            Api::Chat => chat::whole(&self.name, &self.heard),
            Api::Responses => responses::whole(&self.name, &self.heard),
            Api::Messages => messages::whole(&self.name, &self.heard),
        };
        body.to_string().into_bytes()
    }
}

/// Writes an answer as server-sent events.
#[derive(Debug)]
pub enum Streamed {
    Chat(chat::Streamed),
    Responses(responses::Streamed),
    Messages(messages::Streamed),
}

impl Streamed {
    /// What the event adds to the stream; often nothing.
    pub fn take(&mut self, event: ModelEvent) -> String {
        match self {
            Self::Chat(stream) => stream.take(event),
            Self::Responses(stream) => stream.take(event),
            Self::Messages(stream) => stream.take(event),
        }
    }
}
