//! What goes into the engine's process and what comes out of it, as JSON.

use protocol::frame::{SkinCommand, SkinPage};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A command as a tab gets it, with what a tab would know already.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Job {
    pub(crate) command: SkinCommand,
    pub(crate) page: SkinPage,
    /// `flo.state`.
    pub(crate) state: BTreeMap<String, Value>,
}

/// What came of it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Done {
    pub(crate) result: Value,
    pub(crate) is_error: bool,
    pub(crate) page: SkinPage,
    /// The keys of `flo.state` that were set; `null`: removed.
    pub(crate) set: BTreeMap<String, Value>,
}
