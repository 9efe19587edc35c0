//! What an agent asks its person, and what they say.

use crate::{Attachment, AttachmentId};
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A question to the person that a run waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
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
    Text,
    Number {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        least: Option<Number>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<Number>,
    },
    Date,
    File,
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
    /// They would rather not say.
    Skipped,
}

/// What a form says to a question, before anybody looked whether that fits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerDraft {
    /// Labels of options.
    #[serde(default)]
    pub chosen: Vec<String>,
    /// A text, a number, a date, or words beside the options.
    #[serde(default)]
    pub text: String,
    /// What `POST /attachments` made of a file.
    #[serde(default)]
    pub files: Vec<AttachmentId>,
    #[serde(default)]
    pub skip: bool,
}
