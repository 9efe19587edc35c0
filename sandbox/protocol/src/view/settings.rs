//! Settings of a person's own, on their way to another hub.

use super::{OwnPrice, ProviderReach};
use crate::ProviderId;
use crate::agent::ProviderKind;
use crate::approval::{Asker, Verdict};
use crate::money::Caps;
use serde::{Deserialize, Serialize};

/// What moves. No key of the hub's is among it: the vault gives none out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub providers: Vec<CarriedProvider>,
    /// What the person says that models cost.
    pub prices: Vec<OwnPrice>,
    /// Their own limits for all their agents. Absent: there are none, and none are changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Caps>,
    /// Their lasting rules for all their agents.
    pub rules: Vec<CarriedRule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedProvider {
    pub name: String,
    pub kind: ProviderKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(default)]
    pub reach: ProviderReach,
    /// The hub that it comes from has a key for it, which has to be entered again.
    #[serde(default)]
    pub had_key: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedRule {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<Asker>,
    pub tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub verdict: Verdict,
}

/// What came of a parcel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenSettings {
    /// The providers as they are called here, in their order in the parcel.
    pub providers: Vec<ProviderId>,
    /// What was left as it is here, a sentence each.
    pub notes: Vec<String>,
}
