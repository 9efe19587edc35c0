//! What a page wants of the shell by `flo`, and what it gets. Pictures and sound are no text: they
//! follow as objects of their own, `docs/protocol.md` says how.

use crate::Permission;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Want {
    /// Tell the person something.
    NotifyUser {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        text: String,
    },
    /// Show more or less of the agent.
    ViewState {
        view: ViewState,
    },
    Permission {
        name: Permission,
    },
    Position {
        #[serde(default)]
        options: PositionOptions,
    },
    /// Each position is an event, until the page withdraws.
    WatchPosition {
        #[serde(default)]
        options: PositionOptions,
    },
    Speak {
        #[serde(flatten)]
        speech: Speech,
    },
    /// The voices that can speak.
    Voices,
    /// What the person says, as text. Without `interim` only the whole is told.
    Listen {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lang: Option<String>,
        #[serde(default)]
        interim: bool,
    },
    Camera {
        #[serde(default)]
        options: VideoOptions,
    },
    Microphone,
    Screen {
        #[serde(default)]
        options: VideoOptions,
    },
    /// The person pressed a link.
    OpenLink {
        url: String,
    },
}

/// How much of an agent is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewState {
    /// Its page in small.
    Min,
    /// Page and conversation.
    Max,
    UiOnly,
    ChatOnly,
}

/// As the web's `PositionOptions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionOptions {
    #[serde(default)]
    pub high_accuracy: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum_age_ms: Option<u32>,
}

/// Something to be said aloud. What is left out is as the browser has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speech {
    pub text: String,
    /// A language tag, `en-GB` for instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The name of a voice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f32>,
}

/// What the page would like of a picture. The camera decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoOptions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_rate: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<Facing>,
}

/// Which way a camera looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Facing {
    /// At the person.
    User,
    /// Away from them.
    Environment,
}

/// What came of a [`Want`]. `Done` and `Failed` are the last of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    Done {
        value: Value,
    },
    Event {
        value: Value,
    },
    Failed {
        /// As a `DOMException` has it: `NotAllowedError` for instance.
        name: String,
        message: String,
    },
}
