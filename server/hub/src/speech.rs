//! Speech: which endpoints a person has for hearing and for speaking, and the calls of them that a conversation makes.
//! Without an endpoint the person's device does it, and the hub does not come to know.

mod rows;

use crate::access::{Scoped, Via};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::Spender;
use crate::models::{SoundStream, SpeechCall, SpeechRequest};
use crate::providers::Asker;
use agent::providers::speech::{Sound, SoundKind};
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::view::{ProviderReach, SpeechChoice, SpeechChoices, SpeechHere, SpeechPart};
use protocol::{AgentId, ProviderId, UserId};

/// Bytes of a sound: two minutes of it, as badly as any browser packs them.
pub const LARGEST_SOUND: usize = 4 * 1024 * 1024;
/// Characters that are spoken at a time, which is what OpenAI's servers take.
pub const LONGEST_SPOKEN: usize = 4096;
const LONGEST_MODEL: usize = 200;
const LONGEST_VOICE: usize = 200;

/// What the viewer has for speech.
#[derive(Clone, Copy, Debug)]
pub struct OwnSpeech<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn speech(&self) -> OwnSpeech<'a> {
        OwnSpeech { scoped: *self }
    }
}

impl OwnSpeech<'_> {
    pub async fn choices(self) -> Result<SpeechChoices> {
        rows::choices(self.scoped.hub.store().read(), self.person()).await
    }

    pub async fn here(self) -> Result<SpeechHere> {
        Ok(self.choices().await?.here())
    }

    /// Uses this provider for one part, in place of the one before. `None`: the device does it.
    pub async fn choose(
        self,
        part: SpeechPart,
        provider: Option<&ProviderId>,
        model: &str,
        voice: &str,
    ) -> Result<()> {
        let choice = match provider {
            Some(provider) => Some(self.checked(part, provider, model, voice).await?),
            None => None,
        };
        let mut tx = self.scoped.hub.store().write().await?;
        rows::put(&mut tx, self.person(), part, choice.as_ref()).await?;
        tx.commit().await
    }

    async fn checked(
        self,
        part: SpeechPart,
        provider: &ProviderId,
        model: &str,
        voice: &str,
    ) -> Result<SpeechChoice> {
        let usable = self.scoped.hub.providers().usable(self.person(), provider).await?;
        let usable = usable.ok_or(Error::NotFound("provider"))?;
        match usable.provider.reach {
            ProviderReach::Hub => {}
            ProviderReach::Device | ProviderReach::DeviceKey => {
                return Err(Error::invalid(
                    "Only the hub calls endpoints for speech, and it cannot call this provider. Choose one that the hub calls.",
                ));
            }
        }
        if !usable.provider.kind.has_speech() {
            return Err(Error::invalid(
                "This provider does not speak OpenAI's format. Choose one that does, or add your server as OpenAI with its address.",
            ));
        }
        let model = one_line(model, LONGEST_MODEL, "model")?;
        if let Some(lent) = &usable.lent
            && !lent.allows(&model)
        {
            return Err(Error::invalid(
                "This provider is shared with you, but not that model. Choose one that is.",
            ));
        }
        let voice = match part {
            SpeechPart::Hearing => String::new(),
            SpeechPart::Speaking => one_line(voice, LONGEST_VOICE, "voice")?,
        };
        Ok(SpeechChoice { provider: provider.clone(), model, voice })
    }

    /// What is said in a sound, for a conversation with this agent. `seconds` is how long it is by the word of whoever
    /// recorded it.
    pub async fn hear(self, agent: &AgentId, mime: &str, bytes: Vec<u8>, seconds: u64) -> Result<String> {
        if bytes.is_empty() {
            return Err(Error::invalid("There is no sound in it. Say it again."));
        }
        if bytes.len() > LARGEST_SOUND {
            return Err(Error::Limit(
                "A recording can have 4 MB, which is two minutes. Say it in parts.".to_owned(),
            ));
        }
        let kind = SoundKind::of(mime).ok_or_else(|| {
            Error::invalid("This is no sound that can be heard: send WebM, MP4, Ogg, WAV or MP3.")
        })?;
        let (call, _) = self.call(agent, SpeechPart::Hearing).await?;
        let request = SpeechRequest::Hear { sound: Sound { kind, bytes }, seconds };
        let hub = self.scoped.hub.clone();
        let heard = async move { hub.models().hear(&call, request).await };
        // What it used is booked, also if the page is gone by then.
        self.scoped.hub.tasks().complete(heard).await?.map_err(refused)
    }

    /// The sound of these words.
    pub async fn speak(self, agent: &AgentId, text: &str) -> Result<SoundStream> {
        let text = text.trim().to_owned();
        if text.is_empty() {
            return Err(Error::invalid("There is nothing to say."));
        }
        if text.chars().count() > LONGEST_SPOKEN {
            return Err(Error::Limit(format!(
                "At most {LONGEST_SPOKEN} characters are said at a time. Send the text in parts."
            )));
        }
        let (call, voice) = self.call(agent, SpeechPart::Speaking).await?;
        let request = SpeechRequest::Speak { voice, text };
        let hub = self.scoped.hub.clone();
        let begun = async move { hub.models().speak(&call, request).await };
        self.scoped.hub.tasks().complete(begun).await?.map_err(refused)
    }

    /// The call for one part, and the voice that was chosen. It is paid for as what this agent does, or what the program
    /// does that asks.
    async fn call(self, agent: &AgentId, part: SpeechPart) -> Result<(SpeechCall, String)> {
        let hub = self.scoped.hub;
        let payer = rows::payer(hub.store().read(), self.person(), agent).await?;
        let payer = payer.ok_or(Error::NotFound("agent"))?;
        let choices = self.choices().await?;
        let SpeechChoice { provider, model, voice } = choices.of(part).cloned().ok_or_else(|| {
            Error::Conflict(
                "You have no endpoint for this any more. Load the page anew, and your device does it."
                    .to_owned(),
            )
        })?;
        let asker = Asker { person: self.person().clone(), agent: None };
        let spender = match &self.scoped.viewer.via {
            Via::Device(_) | Via::Terminal => Spender::Speech { agent: payer, call: new_id() },
            Via::Token(token) => Spender::Program { token: token.clone(), call: new_id() },
        };
        Ok((SpeechCall { asker, spender, provider, model }, voice))
    }

    fn person(&self) -> &UserId {
        &self.scoped.viewer.me.id
    }
}

fn one_line(text: &str, most: usize, what: &str) -> Result<String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid(format!("Enter the name of a {what}, as its server calls it.")));
    }
    if text.chars().count() > most || text.contains(char::is_control) {
        return Err(Error::invalid(format!(
            "The name of a {what} is one line of at most {most} characters."
        )));
    }
    Ok(text.to_owned())
}

fn refused(failure: ModelFailure) -> Error {
    let ModelFailure { kind, message, .. } = failure;
    match kind {
        ModelFailureKind::OverBudget => Error::Limit(message),
        ModelFailureKind::NotConfigured => Error::Conflict(message),
        ModelFailureKind::RateLimited
        | ModelFailureKind::Overloaded
        | ModelFailureKind::Unreachable
        | ModelFailureKind::Timeout
        | ModelFailureKind::Server
        | ModelFailureKind::Cut
        | ModelFailureKind::NotThisKind
        | ModelFailureKind::BadKey
        | ModelFailureKind::UnknownModel
        | ModelFailureKind::ContextTooLong
        | ModelFailureKind::Refused
        | ModelFailureKind::BadRequest
        | ModelFailureKind::Malformed
        | ModelFailureKind::Aborted => Error::Upstream(message),
    }
}
