//! How the interface looks, and which language it speaks.

use crate::Language;
use serde::{Deserialize, Serialize};

/// The language is the person's on all their devices; the rest is this device's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appearance {
    /// Absent: what the browser asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    pub theme: Theme,
    pub contrast: Contrast,
    pub text_size: TextSize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the device is set.
    #[default]
    System,
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contrast {
    /// As the device is set.
    #[default]
    System,
    More,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextSize {
    Small,
    #[default]
    Medium,
    Large,
    Largest,
}
