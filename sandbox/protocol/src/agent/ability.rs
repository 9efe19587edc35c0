//! What devices can do.

use crate::words;
use serde::{Deserialize, Serialize};

/// What a device has that an agent may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    Screen,
    Touch,
    Camera,
    Microphone,
    Location,
    /// No page can use one, so none is asked for or told any more: it stands in what was logged.
    Clipboard,
    /// It understands speech.
    Listen,
    /// It reads text aloud.
    Speak,
}

impl Ability {
    /// Those that an agent can ask for.
    pub const ALL: [Self; 7] = [
        Self::Screen,
        Self::Touch,
        Self::Camera,
        Self::Microphone,
        Self::Location,
        Self::Listen,
        Self::Speak,
    ];

    /// As it is written on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Touch => "touch",
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Location => "location",
            Self::Clipboard => "clipboard",
            Self::Listen => "listen",
            Self::Speak => "speak",
        }
    }

    /// What a device has or does, after its name.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Screen => words!("with a screen"),
            Self::Touch => words!("that can be touched"),
            Self::Camera => words!("with a camera"),
            Self::Microphone => words!("with a microphone"),
            Self::Location => words!("that knows where it is"),
            Self::Clipboard => words!("with a clipboard"),
            Self::Listen => words!("that understands speech"),
            Self::Speak => words!("that speaks"),
        }
    }
}
