//! A row of what was spent, with the names of what spent it.

use crate::error::Result;
use crate::store::{FromRow, Row};
use protocol::view::{CallKind, UsageLine};

pub(super) struct Read {
    pub(super) day: String,
    /// The agent's; for an administrator, the person's.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) model: String,
    pub(super) kind: CallKind,
    pub(super) token_id: String,
    pub(super) token: String,
    pub(super) provider_id: String,
    pub(super) provider: String,
    pub(super) line: UsageLine,
}

impl FromRow for Read {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            day: row.get("day")?,
            id: row.get("id")?,
            name: row.get("name")?,
            model: row.get("model")?,
            kind: row.get("kind")?,
            token_id: row.get("token_id")?,
            token: row.get("token")?,
            provider_id: row.get("provider_id")?,
            provider: row.get("provider")?,
            line: UsageLine {
                name: String::new(),
                calls: row.get("calls")?,
                unpriced: row.get("unpriced")?,
                input_tokens: row.get("input_tokens")?,
                output_tokens: row.get("output_tokens")?,
                cost: row.get("cost")?,
            },
        })
    }
}
