//! A row of what was spent, with the names of what spent it.

use super::super::spending::kind_from;
use crate::error::Result;
use crate::store::Row;
use protocol::Micros;
use protocol::view::{CallKind, UsageLine};
use sqlx::Row as _;

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

pub(super) fn read(row: &Row) -> Result<Read> {
    let count =
        |column: &str| Ok::<_, sqlx::Error>(u64::try_from(row.try_get::<i64, _>(column)?).unwrap_or(0));
    Ok(Read {
        day: row.try_get("day")?,
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        model: row.try_get("model")?,
        kind: kind_from(&row.try_get::<String, _>("kind")?)?,
        token_id: row.try_get("token_id")?,
        token: row.try_get("token")?,
        provider_id: row.try_get("provider_id")?,
        provider: row.try_get("provider")?,
        line: UsageLine {
            name: String::new(),
            calls: count("calls")?,
            unpriced: count("unpriced")?,
            input_tokens: count("input_tokens")?,
            output_tokens: count("output_tokens")?,
            cost: Micros(row.try_get("cost")?),
        },
    })
}
