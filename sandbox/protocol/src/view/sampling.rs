//! What an agent's person says of how its model chooses its words.

use crate::model::{Sampling, Verbosity};
use serde::{Deserialize, Serialize};

/// What is left out is the provider's to choose. A provider whose wire has no place for what is said fails the call in
/// words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SamplingSettings {
    /// From 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// From 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// From 1 to 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u32>,
    /// From -2 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    /// From -2 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency_penalty: Option<f64>,
    /// From 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<Verbosity>,
}

impl SamplingSettings {
    pub fn is_left_out(&self) -> bool {
        *self == Self::default()
    }
}

impl From<SamplingSettings> for Sampling {
    fn from(settings: SamplingSettings) -> Self {
        let SamplingSettings {
            temperature,
            top_p,
            top_k,
            presence_penalty,
            frequency_penalty,
            seed,
            verbosity,
        } = settings;
        Self {
            temperature,
            top_p,
            top_k,
            presence_penalty,
            frequency_penalty,
            seed,
            verbosity,
            ..Self::default()
        }
    }
}
