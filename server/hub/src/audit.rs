//! The audit of sensitive events: who did what, to what, from where, and how it ended. Each line's
//! hash covers the line before, and a seal that needs the master key covers the end. What tools did
//! is recorded by the gateway, and looked up here.

mod calls;
mod chain;
mod read;
mod scrub;
mod verify;
mod write;

pub use calls::CallsQuery;
pub use read::AuditQuery;
pub(crate) use write::{Actor, KEPT_MS, Line};

use crate::Hub;
use crate::error::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Hub {
    /// What the seal over the audit is made with.
    fn audit_key(&self) -> [u8; 32] {
        self.vault.signing_key("audit")
    }
}

/// How a case of one of the audit's enums is stored: as on the wire.
fn word(case: impl Serialize) -> Result<String> {
    match serde_json::to_value(case)? {
        Value::String(word) => Ok(word),
        other => Err(Error::internal(format!("{other} is not a word"))),
    }
}

fn parse<T: DeserializeOwned>(word: String) -> Result<T> {
    Ok(serde_json::from_value(Value::String(word))?)
}
