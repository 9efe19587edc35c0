//! The other side of the providers' codecs: what programs ask of the hub in the words of OpenAI's and
//! Anthropic's APIs becomes a canonical request, and model events become the answer. Who asks, which
//! provider a model's name means and what a call may cost is not known here.

mod api_error;
mod calls;
mod chat;
mod collected;
mod conversation;
mod ending;
mod fields;
mod files;
mod form;
mod messages;
mod responses;
mod settings;
mod text_frame;
mod tools;

use calls::CallFilter;
use ending::Ending;
use protocol::model::{ModelEvent, ModelRequest};
use serde_json::{Map, Value};

pub use api_error::{ApiError, ApiErrorKind, ErrorResponse};
pub use files::Files;
pub use settings::{SETTINGS, Setting, Treatment};

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
pub struct ParsedRequest {
    /// `model` is the name that the program used, and `max_output_tokens` 0 where it named no limit.
    pub request: ModelRequest,
    pub stream: bool,
    /// Whether a stream ends with what was used.
    counts: bool,
    /// Fields of the request that the answer repeats.
    echo: Map<String, Value>,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct IncomingRequest {
    api: Api,
    body: Value,
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
    /// Takes the body of a request.
    pub fn ask(self, body: &[u8]) -> Result<IncomingRequest, ApiError> {
        let body = fields::object(body)?;
        settings::check(self, &body)?;
        Ok(IncomingRequest { api: self, body })
    }

    /// A failure as the API says it. `id` is what the request is called.
    pub fn problem(self, trouble: &ApiError, id: &str) -> ErrorResponse {
        match self {
            Self::Chat | Self::Responses => trouble.as_openai(),
            Self::Messages => trouble.as_anthropic(id),
        }
    }

    /// An answer that is sent as one piece.
    pub fn whole(self, name: Name, asked: &ParsedRequest) -> ResponseBuilder {
        ResponseBuilder {
            api: self,
            name,
            echo: asked.echo.clone(),
            only_stop: asked.only_stop(),
            heard: collected::CollectedReply::default(),
            ending: Ending::at(&asked.request.sampling.stop),
            calls: CallFilter::of(&asked.request),
        }
    }

    /// An answer that is sent as it comes.
    pub fn streamed(self, name: Name, asked: &ParsedRequest) -> ResponseStream {
        let writer = match self {
            Self::Chat => Writer::Chat(chat::EventWriter::new(name, asked.counts)),
            Self::Responses => Writer::Responses(responses::EventWriter::new(name, asked.echo.clone())),
            Self::Messages => Writer::Messages(messages::EventWriter::new(name, asked.only_stop())),
        };
        ResponseStream {
            writer,
            ending: Ending::at(&asked.request.sampling.stop),
            calls: CallFilter::of(&asked.request),
        }
    }
}

impl IncomingRequest {
    /// What is asked. If `files` do not have one that it names by its address, they say so.
    pub fn read(&self, files: &Files) -> Result<ParsedRequest, ApiError> {
        match self.api {
            Api::Chat => chat::read(&self.body, files),
            Api::Responses => responses::read(&self.body, files),
            Api::Messages => messages::read(&self.body, files),
        }
    }
}

/// Answers how many tokens a request for a message has, by its length.
pub fn count_tokens(body: &[u8]) -> Result<Vec<u8>, ApiError> {
    let counted = messages::counted(&Api::Messages.ask(body)?.body)?;
    Ok(counted.to_string().into_bytes())
}

impl ParsedRequest {
    /// Which text ended the answer, if one did: providers do not say which of several.
    fn only_stop(&self) -> Option<String> {
        match self.request.sampling.stop.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }
}

/// Puts an answer together.
#[derive(Debug)]
pub struct ResponseBuilder {
    api: Api,
    name: Name,
    echo: Map<String, Value>,
    only_stop: Option<String>,
    heard: collected::CollectedReply,
    ending: Ending,
    calls: CallFilter,
}

impl ResponseBuilder {
    pub fn take(&mut self, event: ModelEvent) {
        for event in self.ending.take(event) {
            if let Some(event) = self.calls.keep(event) {
                self.heard.take(event);
            }
        }
    }

    /// The body, in JSON.
    pub fn finish(self) -> Vec<u8> {
        let body = match self.api {
            Api::Chat => chat::whole(&self.name, &self.heard),
            Api::Responses => responses::whole(&self.name, &self.echo, &self.heard),
            Api::Messages => messages::whole(&self.name, &self.heard, self.only_stop.as_deref()),
        };
        body.to_string().into_bytes()
    }
}

/// Writes an answer as server-sent events.
#[derive(Debug)]
pub struct ResponseStream {
    writer: Writer,
    ending: Ending,
    calls: CallFilter,
}

#[derive(Debug)]
enum Writer {
    Chat(chat::EventWriter),
    Responses(responses::EventWriter),
    Messages(messages::EventWriter),
}

impl ResponseStream {
    /// What the event adds to the stream; often nothing.
    pub fn take(&mut self, event: ModelEvent) -> String {
        if self.ending.has_none() {
            return self.write(event);
        }
        let events = self.ending.take(event);
        events.into_iter().map(|event| self.write(event)).collect()
    }

    fn write(&mut self, event: ModelEvent) -> String {
        let Some(event) = self.calls.keep(event) else { return String::new() };
        match &mut self.writer {
            Writer::Chat(stream) => stream.take(event),
            Writer::Responses(stream) => stream.take(event),
            Writer::Messages(stream) => stream.take(event),
        }
    }
}
