//! Providers and their models.

use super::{ModelPrice, ProviderOwnership};
use crate::agent::{Home, ProviderKind};
use crate::run::KeySlot;
use crate::{DeviceId, ProviderId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderView {
    pub id: ProviderId,
    pub name: String,
    pub kind: ProviderKind,
    /// Absent: the kind's own.
    pub base_url: Option<String>,
    pub has_key: bool,
    #[serde(default)]
    pub whose: ProviderOwnership,
    pub created_at: i64,
    #[serde(default)]
    pub reach: ProviderReach,
    /// Where the person's browser asks for the names of the models; absent when the hub asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models_at: Option<String>,
    /// Where the key goes that the person keeps on their devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_slot: Option<KeySlot>,
}

/// A device of the person's that keeps a key of theirs for a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptKey {
    pub provider: ProviderId,
    pub device: DeviceId,
    pub name: String,
    /// It is the one that asks.
    pub current: bool,
}

/// Who calls a provider's models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderReach {
    #[default]
    Hub,
    /// The browser in which the loop runs: the model is on that device, or near it.
    Device,
    /// That browser too, with a key that the person keeps there and the hub never gets.
    DeviceKey,
}

impl ProviderReach {
    /// Where alone a loop can use its models. `None`: anywhere.
    pub fn only_home(self) -> Option<Home> {
        match self {
            Self::Hub => None,
            Self::Device | Self::DeviceKey => Some(Home::Browser),
        }
    }
}

/// A server on this machine that answered like a model server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalEndpoint {
    pub name: String,
    pub kind: ProviderKind,
    pub base_url: String,
    pub models: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelList {
    pub models: Vec<String>,
    /// `false`: the provider did not answer and this is the shipped list.
    pub live: bool,
    /// What is known of each of them, in the same order; of a very long list of the first ones only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<ModelFacts>,
    /// Calls cost no money, whatever is known of a price.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub free: bool,
    /// Absent: at whoever provides them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<ModelPlace>,
}

/// Where models run that are nobody else's to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelPlace {
    /// On the person's device, or near it.
    Device,
    /// On the machine of the hub, or in the network around it.
    Hub,
}

/// What a connection test found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub ok: bool,
    /// In words: "Connected. 12 models.", "The key was refused."
    pub message: String,
    /// Whole milliseconds to the answer.
    pub millis: u64,
}

/// What is at an address that somebody entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundServers {
    /// The servers that answered with their models.
    pub found: Vec<LocalEndpoint>,
    /// What each attempt brought, a line each.
    pub summary: String,
}

/// What is known of a model, or taken for granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFacts {
    pub model: String,
    /// Tokens of a prompt and its reply together.
    pub context: u32,
    /// `false`: the context is a guess from the model's name.
    pub is_known: bool,
    /// Tokens of a reply.
    pub output: u32,
    pub images: bool,
    /// It looks at a PDF as it is, where the wire takes one.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub pdf: bool,
    /// Nothing tells which files it takes, and a picture is tried.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_media_unknown: bool,
    pub reasoning: bool,
    pub native_tools: bool,
    /// Absent: not known, which is not the same as free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<ModelPrice>,
}
