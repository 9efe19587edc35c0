//! What an agent's person says of how its model chooses its words.

use crate::model::{Sampling, Verbosity};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
    /// An object of fields of the provider's own, which go into the body of each request. In a draft a text may
    /// stand for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Value>,
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
            extra,
        } = settings;
        Self {
            temperature,
            top_p,
            top_k,
            presence_penalty,
            frequency_penalty,
            seed,
            verbosity,
            extra: match extra {
                Some(Value::Object(fields)) => fields,
                Some(_) | None => Map::new(),
            },
            ..Self::default()
        }
    }
}
