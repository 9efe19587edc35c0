//! Which endpoints a person has for speech.

use crate::ProviderId;
use serde::{Deserialize, Serialize};

/// What an endpoint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeechPart {
    /// It writes what was said.
    Hearing,
    /// It says what was written.
    Speaking,
}

/// What a person chose for one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeechChoice {
    pub provider: ProviderId,
    pub model: String,
    /// Empty where it hears.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub voice: String,
}

/// A part that is absent is done by the device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeechChoices {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hearing: Option<SpeechChoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaking: Option<SpeechChoice>,
}

/// Which parts the hub does for a page, and not the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeechHere {
    #[serde(default)]
    pub hears: bool,
    #[serde(default)]
    pub speaks: bool,
}

impl SpeechPart {
    /// As forms, addresses and columns name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hearing => "hearing",
            Self::Speaking => "speaking",
        }
    }
}

impl SpeechChoices {
    pub fn of(&self, part: SpeechPart) -> Option<&SpeechChoice> {
        match part {
            SpeechPart::Hearing => self.hearing.as_ref(),
            SpeechPart::Speaking => self.speaking.as_ref(),
        }
    }

    pub fn here(&self) -> SpeechHere {
        SpeechHere { hears: self.hearing.is_some(), speaks: self.speaking.is_some() }
    }
}
