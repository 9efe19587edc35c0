//! Hearing and speaking.

use crate::golden::{Section, every, section};
use protocol::view::{SpeechChoice, SpeechChoices, SpeechPart};

pub fn sections() -> Vec<Section> {
    vec![
        every!(SpeechPart {
            SpeechPart::Hearing => [SpeechPart::Hearing],
            SpeechPart::Speaking => [SpeechPart::Speaking],
        }),
        section(
            "SpeechChoices",
            &[SpeechChoices {
                hearing: Some(speech_choice("whisper-1", "")),
                speaking: Some(speech_choice("tts-1", "alloy")),
            }],
        ),
    ]
}

pub fn speech_choice(model: &str, voice: &str) -> SpeechChoice {
    SpeechChoice { provider: "provider-1".into(), model: model.to_owned(), voice: voice.to_owned() }
}
