//! Calls of endpoints that hear and speak: the most that one can cost is held before it is made, and what it used is
//! booked when the server has taken it. A minute of sound counts as a thousand tokens and a spoken text as one for each
//! character, so that the prices of these models are prices of tokens like all others.

use super::dispatch::Dispatch;
use super::lane::{Ticket, Traffic};
use super::{AtMost, CallTerms, Models, Searches, not_configured, redact, unreadable};
use crate::clock::random;
use crate::error::{Error, Result};
use crate::ledger::{Metered, ReservedAmount, Spender};
use crate::outbound::Answer;
use crate::providers::{Asker, Connection, Server};
use agent::providers::HttpRequest;
use agent::providers::speech::{Counted, Sound, Transcript, decode_transcript};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use protocol::ProviderId;
use protocol::model::{ModelFailure, ModelFailureKind, Usage};
use protocol::view::CallKind;
use protocol::{told, words};
use reqwest::header::CONTENT_TYPE;
use std::time::Duration;
use tokio::time::timeout;

/// Until a server has heard, or begins to speak: one of a person's own loads its model first.
const LONGEST: Duration = Duration::from_secs(120);
/// Until the next bytes of a sound.
const NEXT_BYTES: Duration = Duration::from_secs(30);
/// Bytes of what was heard, as JSON.
const TRANSCRIPT: usize = 512 * 1024;
/// Bytes of a spoken text.
const SPOKEN: usize = 16 * 1024 * 1024;
const TOKENS_A_MINUTE: u64 = 1_000;
/// Bytes of a second of speech, at least and at most. Browsers record with at least 6 and at most 1,536 kilobits.
const LEAST_A_SECOND: u64 = 750;
const MOST_A_SECOND: u64 = 192_000;
/// Tokens of the words of a second.
const WORDS_A_SECOND: u64 = 10;

/// Who asks whom.
#[derive(Clone, Debug)]
pub(crate) struct SpeechCall {
    pub(crate) asker: Asker,
    pub(crate) spender: Spender,
    pub(crate) provider: ProviderId,
    pub(crate) model: String,
}

/// What an endpoint is asked.
pub(crate) enum SpeechRequest {
    /// A sound, and its seconds as whoever recorded it says.
    Hear {
        sound: Sound,
        seconds: u64,
    },
    Speak {
        voice: String,
        text: String,
    },
}

/// Sound as it comes.
pub(crate) type SoundStream = BoxStream<'static, Result<Bytes>>;

/// A server that took the request.
struct Taken {
    answer: Answer,
    server: Server,
    ticket: Ticket,
}

impl SpeechRequest {
    /// The most that it can use.
    fn most(&self) -> Usage {
        match self {
            Self::Hear { sound, .. } => {
                let seconds = (sound.bytes.len() as u64).div_ceil(LEAST_A_SECOND);
                Usage {
                    input: tokens_of(seconds),
                    output: seconds * WORDS_A_SECOND + 100,
                    ..Usage::default()
                }
            }
            Self::Speak { text, .. } => Usage { input: text.chars().count() as u64, ..Usage::default() },
        }
    }

    /// What it used where the server does not say.
    fn about(&self) -> Usage {
        match self {
            Self::Hear { sound, seconds } => {
                let bytes = sound.bytes.len() as u64;
                let seconds = (*seconds).clamp(bytes / MOST_A_SECOND, bytes.div_ceil(LEAST_A_SECOND));
                Usage { input: tokens_of(seconds), ..Usage::default() }
            }
            Self::Speak { .. } => self.most(),
        }
    }

    /// What it used by the word of the server, as far as that can be.
    fn used(&self, counted: Counted) -> Usage {
        let most = self.most();
        let told = match counted {
            Counted::Tokens { input, output } => Usage { input, output, ..Usage::default() },
            // No sound is that long.
            Counted::Seconds(seconds) => {
                Usage { input: tokens_of(seconds.ceil().min(1e9) as u64), ..Usage::default() }
            }
            Counted::Nothing => return self.about(),
        };
        Usage { input: told.input.min(most.input), output: told.output.min(most.output), ..Usage::default() }
    }

    fn encode(&self, server: &Server, model: &str) -> Option<HttpRequest> {
        let base_url = server.base_url.as_deref();
        match self {
            Self::Hear { sound, .. } => {
                let boundary = format!("vivarium-{:032x}", u128::from_le_bytes(random()));
                server.wire.transcribe(base_url, model, sound, &boundary)
            }
            Self::Speak { voice, text } => server.wire.speak(base_url, model, voice, text),
        }
    }
}

fn tokens_of(seconds: u64) -> u64 {
    (seconds * TOKENS_A_MINUTE).div_ceil(60)
}

impl Models<'_> {
    /// The words of a sound.
    pub(crate) async fn hear(
        self,
        call: &SpeechCall,
        request: SpeechRequest,
    ) -> std::result::Result<String, ModelFailure> {
        let terms = self.hold_speech(call, &request).await?;
        let dispatch = Dispatch::default();
        let heard = match timeout(LONGEST, self.hear_out(call, &request, &dispatch)).await {
            Ok(heard) => heard,
            Err(_) => Err(too_late()),
        };
        let used = match &heard {
            Ok(Transcript { counted, .. }) => Some(request.used(*counted)),
            // A server that took it and then failed, or is not done in time, may have it paid.
            Err(_) => dispatch.is_taken().then(|| request.about()),
        };
        self.settle_speech(call, &terms, used).await;
        heard.map(|heard| heard.text)
    }

    async fn hear_out(
        self,
        call: &SpeechCall,
        request: &SpeechRequest,
        dispatch: &Dispatch,
    ) -> std::result::Result<Transcript, ModelFailure> {
        let Taken { answer, server, ticket: _ticket } = self.ask_speech(call, request, dispatch).await?;
        let body = answer.start_of_body(TRANSCRIPT).await;
        let Transcript { text, counted } = decode_transcript(&body)?;
        Ok(Transcript { text: redact::text(text, server.key.as_ref()), counted })
    }

    /// The sound of words, which is booked once the server begins, or has the words and says nothing.
    pub(crate) async fn speak(
        self,
        call: &SpeechCall,
        request: SpeechRequest,
    ) -> std::result::Result<SoundStream, ModelFailure> {
        let terms = self.hold_speech(call, &request).await?;
        let dispatch = Dispatch::default();
        let begun = match timeout(LONGEST, self.ask_speech(call, &request, &dispatch)).await {
            Ok(taken) => taken,
            Err(_) => Err(too_late()),
        };
        let used = dispatch.is_taken().then(|| request.about());
        self.settle_speech(call, &terms, used).await;
        let taken = begun?;
        if !is_sound(&taken.answer) {
            return Err(failure(
                ModelFailureKind::Malformed,
                words!(
                    "What the server answered is no sound. Choose a model and a voice for reading aloud under Providers."
                ),
            ));
        }
        Ok(sound(taken))
    }

    async fn hold_speech(
        self,
        call: &SpeechCall,
        request: &SpeechRequest,
    ) -> std::result::Result<CallTerms, ModelFailure> {
        let Usage { input, output, .. } = request.most();
        let output = u32::try_from(output).unwrap_or(u32::MAX);
        let at_most = AtMost { model: &call.model, input, output, searches: Searches::NONE };
        let (terms, held) = self.hold(&call.asker, &call.spender, Some(&call.provider), &at_most).await;
        held.map(|()| terms)
    }

    async fn settle_speech(self, call: &SpeechCall, terms: &CallTerms, used: Option<Usage>) {
        let metered = used.map(|usage| Metered {
            owner: call.asker.person.clone(),
            provider: Some(call.provider.clone()),
            is_lent: terms.is_lent,
            is_servers: terms.is_servers,
            model: call.model.clone(),
            cost: self.cost(terms, &call.model, &usage),
            usage,
            kind: CallKind::Speech,
        });
        if metered.is_none() && terms.held == ReservedAmount::Nothing {
            return;
        }
        self.hub.ledger().settle(call.spender.clone(), metered, terms.held).await;
    }

    async fn ask_speech(
        self,
        call: &SpeechCall,
        request: &SpeechRequest,
        dispatch: &Dispatch,
    ) -> std::result::Result<Taken, ModelFailure> {
        let server = match self.hub.providers().connection(&call.asker, &call.provider).await {
            Ok(Some(Connection::Server(_, server))) => server,
            Ok(Some(Connection::Script | Connection::Device)) => return Err(no_endpoint()),
            Ok(Some(Connection::DeviceKey { name })) => {
                return Err(not_configured(&told!(
                    "The key of {name} is kept on your devices and not in the hub, so it is not used for speech. Choose another provider for it under Providers."
                )));
            }
            Ok(None) => {
                return Err(not_configured(words!(
                    "The provider that you use for speech is gone, or is not shared with you any more. Choose another one under Providers."
                )));
            }
            Err(error) => return Err(unreadable(error)),
        };
        if let Some(lent) = &server.lent
            && !lent.allows(&call.model)
        {
            return Err(not_configured(&told!(
                "{name} is shared with you, but not its model {model}. Choose another one under Providers.",
                name = server.name,
                model = call.model
            )));
        }
        let Some(encoded) = request.encode(&server, &call.model) else { return Err(no_endpoint()) };
        let lane = self.hub.lanes().to(&call.provider);
        let mut ticket = lane.enter(&call.asker.person, Traffic::of(&call.spender)).await?;
        match dispatch.send(self.hub.outbound(), &server, encoded, self.hub.now()).await {
            Ok(answer) => {
                ticket.report(None);
                Ok(Taken { answer, server, ticket })
            }
            Err(failure) => {
                ticket.report(Some(&failure));
                let failure = redact::failure(failure, server.key.as_ref());
                Err(of_no_agent(redact::address(failure, &server)))
            }
        }
    }
}

/// What codecs say of an agent's model, and what it is where the model is none's.
const OF_NO_AGENT: [(&str, &str); 2] = [
    (
        "The provider does not have this model. Choose another one in the agent's settings.",
        words!("The provider does not have this model. Choose another one under Providers."),
    ),
    (
        "The provider did not accept the request. Check the agent's model and settings.",
        words!("The provider did not accept the request. Check the model and the voice under Providers."),
    ),
];

fn of_no_agent(failure: ModelFailure) -> ModelFailure {
    let message =
        OF_NO_AGENT.iter().fold(failure.message, |said, (of_agent, own)| said.replace(of_agent, own));
    ModelFailure { message, ..failure }
}

/// Some servers do not say what they send.
fn is_sound(answer: &Answer) -> bool {
    let kind = answer.header(CONTENT_TYPE).unwrap_or("application/octet-stream").trim_start();
    let kind = kind.to_ascii_lowercase();
    kind.starts_with("audio/") || kind.starts_with("application/octet-stream")
}

/// The provider's place is kept until the sound is over, or nobody wants it any more.
fn sound(taken: Taken) -> SoundStream {
    let state = (Some(taken), 0);
    stream::unfold(state, |(taken, sent)| async move {
        let mut taken = taken?;
        let broken = |message: &str| Some((Err(Error::Upstream(message.to_owned())), (None, sent)));
        match timeout(NEXT_BYTES, taken.answer.next()).await {
            Ok(Ok(Some(bytes))) if sent + bytes.len() > SPOKEN => broken("The sound is too long."),
            Ok(Ok(Some(bytes))) => {
                let sent = sent + bytes.len();
                Some((Ok(bytes), (Some(taken), sent)))
            }
            Ok(Ok(None)) => None,
            Ok(Err(_)) | Err(_) => broken("The sound broke off."),
        }
    })
    .boxed()
}

fn no_endpoint() -> ModelFailure {
    not_configured(words!(
        "The provider that you use for speech has no endpoint for it. Choose one that speaks OpenAI's format under Providers."
    ))
}

fn too_late() -> ModelFailure {
    failure(ModelFailureKind::Timeout, words!("The server for speech took too long to answer. Try again."))
}

fn failure(kind: ModelFailureKind, message: &str) -> ModelFailure {
    ModelFailure { kind, message: message.to_owned(), retry_after_ms: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent::providers::speech::SoundKind;

    fn heard(bytes: usize, seconds: u64) -> SpeechRequest {
        SpeechRequest::Hear { sound: Sound { kind: SoundKind::Webm, bytes: vec![0; bytes] }, seconds }
    }

    #[test]
    fn a_sound_is_as_long_as_its_server_says_or_its_page_within_what_its_bytes_can_hold() {
        // 60 kB are 80 seconds of speech at most.
        for (seconds, counted, expected) in [
            (30, Counted::Nothing, (500, 0)),
            (3_000, Counted::Nothing, (1_334, 0)),
            (30, Counted::Seconds(6.0), (100, 0)),
            (30, Counted::Seconds(f64::MAX), (1_334, 0)),
            (30, Counted::Tokens { input: 70, output: 7 }, (70, 7)),
            (30, Counted::Tokens { input: u64::MAX, output: u64::MAX }, (1_334, 900)),
        ] {
            let used = heard(60_000, seconds).used(counted);
            assert_eq!((used.input, used.output), expected, "{seconds} {counted:?}");
        }
        assert_eq!(heard(1_920_000, 0).about().input, 167, "nothing is said in no time");
    }

    #[test]
    fn a_text_counts_by_its_characters() {
        let request = SpeechRequest::Speak { voice: "alloy".to_owned(), text: "Grün ist Moos.".to_owned() };
        assert_eq!((request.most().input, request.about().input), (14, 14));
    }
}
