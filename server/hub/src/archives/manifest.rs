//! `manifest.yaml`: who made an archive, and the definition of its agent.

use super::lenient;
use crate::error::{Error, Result};
use crate::zip::against;
use protocol::agent::Home;
use protocol::view::{CarriedRule, LoopSettings, Network};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(super) const FILE: &str = "manifest.yaml";
/// What an agent is called whose manifest does not say.
const UNNAMED: &str = "Unnamed";
/// Longest manifest, in bytes.
const MAX_MANIFEST_BYTES: usize = 256 * 1024;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Manifest {
    pub(super) name: String,
    /// Some write a number.
    pub(super) version: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    pub(super) config: Config,
    #[serde(skip_serializing_if = "Dependencies::is_empty")]
    pub(super) dependencies: Dependencies,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) license: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) icon: Option<String>,
    pub(super) entry_points: EntryPoints,
    /// What only this product knows of an agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) vivarium: Option<OwnFields>,
    #[serde(flatten)]
    pub(super) unknown: Map<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Config {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token_budget: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost_budget_usd: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) network_policy: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tools: Option<Vec<String>>,
    #[serde(flatten)]
    pub(super) unknown: Map<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Dependencies {
    pub(super) skills: Vec<Dependency>,
    pub(super) extensions: Vec<Dependency>,
}

impl Dependencies {
    fn is_empty(&self) -> bool {
        self.skills.is_empty() && self.extensions.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Dependency {
    #[serde(alias = "id")]
    pub(super) name: String,
    pub(super) required: bool,
}

impl Default for Dependency {
    fn default() -> Self {
        Self { name: String::new(), required: true }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct EntryPoints {
    pub(super) srcdoc: String,
    pub(super) files: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) storage: Option<String>,
}

impl Default for EntryPoints {
    fn default() -> Self {
        Self { srcdoc: "srcdoc.html".to_owned(), files: "files/".to_owned(), storage: None }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct OwnFields {
    pub(super) colour: String,
    pub(super) home: Home,
    pub(super) r#loop: LoopSettings,
    /// What it had been allowed of the web, and the rules about its calls. The person says whether it is here.
    #[serde(skip_serializing_if = "Network::is_off")]
    pub(super) network: Network,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) follows_robots: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) rules: Vec<CarriedRule>,
}

impl Manifest {
    /// The manifest, and the places of what in it cannot be read.
    pub(super) fn read(text: &str) -> Result<(Self, Vec<String>)> {
        if text.len() > MAX_MANIFEST_BYTES {
            return Err(against(FILE, "it is larger than 256 KB"));
        }
        let fault = |error: &dyn std::fmt::Display| {
            let words = error.to_string();
            Error::invalid(format!("{FILE} cannot be read: {}.", words.lines().next().unwrap_or_default()))
        };
        // An anchor that is repeated inside others grows without an end: none of a manifest's fields needs one.
        let options = serde_saphyr::options! {
            budget: serde_saphyr::budget! { max_depth: 16, max_nodes: 10_000, max_anchors: 0, max_aliases: 0 },
            with_snippet: false,
        };
        let value: Value =
            serde_saphyr::from_str_with_options(text, options).map_err(|error| fault(&error))?;
        if !value.is_object() {
            return Err(fault(&"it is no list of fields"));
        }
        let (mut manifest, mut left_out) = lenient::read::<Self>(value);
        if manifest.name.trim().is_empty() {
            manifest.name = UNNAMED.to_owned();
            left_out.push("name".to_owned());
        }
        left_out.sort();
        left_out.dedup();
        let folder = &mut manifest.entry_points.files;
        if !folder.is_empty() && !folder.ends_with('/') {
            folder.push('/');
        }
        Ok((manifest, left_out))
    }

    pub(super) fn write(&self) -> Result<String> {
        serde_saphyr::to_string(self).map_err(Error::internal)
    }

    pub(super) fn version(&self) -> String {
        match &self.version {
            Value::String(version) => version.trim().to_owned(),
            Value::Number(version) => version.to_string(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
        }
    }
}
