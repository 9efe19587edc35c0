//! The body of a streamed reply, of whichever format, becomes model events.

use super::framing::{Frame, Framing};
use super::reply::Reply;
use super::{anthropic, bedrock, errors, gemini, in_browser, ollama, openai_chat, openai_responses};
use protocol::model::{Block, ModelEvent, ModelFailure, ModelMessage, ModelRequest};
use protocol::words;

/// How much of a body that is no event stream is kept, to say what it is.
const HEAD_LIMIT: usize = 64 * 1024;

/// Turns the body of one streamed reply into events. The last one is `Stopped` or `Failed`, and
/// nothing follows it.
#[derive(Debug)]
pub struct Decoder {
    framing: Framing,
    stream: Stream,
    reply: Reply,
    head: Vec<u8>,
    is_stream: bool,
}

#[derive(Debug)]
pub(super) enum Stream {
    Anthropic(anthropic::Stream),
    OpenAiChat(openai_chat::Stream),
    OpenAiResponses(openai_responses::Stream),
    Gemini(gemini::Stream),
    Ollama(ollama::Stream),
    Bedrock(bedrock::Stream),
    InBrowser(in_browser::Stream),
}

impl Decoder {
    pub(super) fn new(framing: Framing, stream: Stream) -> Self {
        Self { framing, stream, reply: Reply::default(), head: Vec::new(), is_stream: false }
    }

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
        for frame in self.framing.push(bytes) {
            self.take(frame);
            if self.reply.is_ended() {
                break;
            }
        }
        self.reply.take_events()
    }

    /// Takes the end of the body.
    pub fn finish(&mut self) -> Vec<ModelEvent> {
        if let Some(event) = self.framing.finish() {
            self.take(Frame::Event(event));
        }
        let reply = &mut self.reply;
        match &mut self.stream {
            Stream::Anthropic(stream) => stream.finish(reply),
            Stream::OpenAiChat(stream) => stream.finish(reply),
            Stream::OpenAiResponses(stream) => stream.finish(reply),
            Stream::Gemini(stream) => stream.finish(reply),
            Stream::Ollama(stream) => stream.finish(reply),
            Stream::Bedrock(stream) => stream.finish(reply),
            Stream::InBrowser(stream) => stream.finish(reply),
        }
        let failure = self.explain_end();
        self.reply.fail(failure);
        self.reply.take_events()
    }

    fn take(&mut self, frame: Frame) {
        let is_first = !self.is_stream;
        let event = match frame {
            Frame::Event(event) => event,
            // No white space is passed over here: what follows may not have come yet.
            Frame::TooLarge | Frame::Corrupt(_) if is_first && is_text(&self.head) => return,
            Frame::TooLarge => return self.reply.fail_malformed(words!("one event is larger than 8 MiB")),
            Frame::Corrupt(why) => return self.reply.fail_malformed(why),
        };
        let reply = &mut self.reply;
        match &mut self.stream {
            Stream::Anthropic(stream) => stream.read(&event, reply),
            Stream::OpenAiChat(stream) => stream.read(&event, reply),
            Stream::OpenAiResponses(stream) => stream.read(&event, reply),
            Stream::Gemini(stream) => stream.read(&event, reply),
            // Any body has lines.
            Stream::Ollama(_)
                if is_first && !ollama::is_line(&event) && is_text(self.head.trim_ascii_start()) =>
            {
                return;
            }
            Stream::Ollama(stream) => stream.read(&event, reply),
            Stream::Bedrock(stream) => stream.read(&event, reply),
            Stream::InBrowser(stream) => stream.read(&event, reply),
        }
        self.reply.end_event();
        self.is_stream = true;
    }

    /// What it means that the body ended here.
    fn explain_end(&self) -> ModelFailure {
        let head = self.head.trim_ascii_start();
        // The first line may have been a good one.
        let is_torso = matches!(self.framing, Framing::Lines(_))
            && head.first() == Some(&b'{')
            && serde_json::from_slice::<serde_json::Value>(head).is_err();
        if self.is_stream || is_torso || !is_text(head) {
            return errors::cut();
        }
        errors::of_unstreamed(head)
    }
}

/// Whether a body begins like a page or like JSON.
fn is_text(head: &[u8]) -> bool {
    matches!(head.first(), Some(b'<' | b'{' | b'['))
}
