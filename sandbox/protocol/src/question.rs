//! What an agent asks its person, or a server that it calls, and what they say.

use crate::{Attachment, AttachmentId};
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A question to the person that a run waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The MCP server that asks, by the name its person gave it. Absent: the agent does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    pub text: String,
    pub wanted: Wanted,
    /// What holds if nobody answers in time. Absent: nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Answer>,
    pub wait_minutes: u32,
}

/// What kind of answer a question wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Wanted {
    /// One of these.
    Choice {
        options: Vec<QuestionOption>,
        /// Words of the person's own will do as well.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        other: bool,
    },
    /// Some of these.
    Several {
        options: Vec<QuestionOption>,
        #[serde(default, skip_serializing_if = "crate::is_false")]
        other: bool,
        least: u32,
        most: u32,
    },
    Text {
        /// Characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        least: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<TextFormat>,
    },
    Number {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        least: Option<Number>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<Number>,
        #[serde(default, skip_serializing_if = "crate::is_false")]
        whole: bool,
    },
    Date,
    File,
    /// What goes into the vault, and from there to one server in requests of the agent's. Nobody reads it again.
    Secret {
        /// By which the agent names it.
        name: String,
        /// Scheme, host and port of the server that it is for.
        place: String,
        /// The header in which it is sent.
        header: String,
        /// What stands before it there, like `Bearer`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scheme: Option<String>,
    },
    /// Several things at once; without any, a yes.
    Form {
        fields: Vec<Field>,
    },
    /// That the person opens an address themselves; a yes says that they did.
    Visit {
        /// All of it.
        url: String,
        host: String,
    },
}

/// What a text has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    Email,
    /// An address, with its scheme.
    Uri,
    /// A day and a time of it: `2026-11-24T09:30:00Z`.
    DateTime,
}

/// One of the things that a form wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// What tells it from the others.
    pub name: String,
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Anything but a file, a secret, a form or a visit.
    pub wanted: Wanted,
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub required: bool,
    /// What stands there before anything is entered. It holds only if the person sends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested: Option<Answer>,
}

/// One of the answers that a question offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionOption {
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// What a person says to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// These of the options, in their order, and perhaps words of the person's own.
    Chosen {
        labels: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        other: Option<String>,
    },
    Text {
        text: String,
    },
    Number {
        number: Number,
    },
    /// Year, month and day: `2026-11-24`.
    Date {
        date: String,
    },
    File {
        file: Attachment,
    },
    /// A secret was entered. It stands in the vault, and here only that it does.
    Kept,
    /// What was entered of a form, in its order.
    Form {
        fields: Vec<FieldAnswer>,
    },
    /// They would rather not say.
    Skipped,
}

/// What was entered for a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldAnswer {
    pub name: String,
    pub answer: Answer,
}

/// What a form says to a question, before anybody looked whether that fits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerDraft {
    /// Labels of options.
    #[serde(default)]
    pub chosen: Vec<String>,
    /// A text, a number, a date, a secret, or words beside the options.
    #[serde(default)]
    pub text: String,
    /// What `POST /attachments` made of a file.
    #[serde(default)]
    pub files: Vec<AttachmentId>,
    /// Of a form.
    #[serde(default)]
    pub fields: Vec<FieldDraft>,
    #[serde(default)]
    pub skip: bool,
}

/// What a form says for a field. Nothing at all is as if it were not named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldDraft {
    pub name: String,
    #[serde(default)]
    pub chosen: Vec<String>,
    #[serde(default)]
    pub text: String,
}
