//! Which master key a backup needs, said before it is put anywhere.

use super::Result;
use super::format::{Part, Reader};
use crate::vault::SEALING;
use serde_json::Value;
use std::path::Path;

/// The name of the key with which what it holds is sealed. `None`: nothing is.
pub fn sealed_by(file: &Path) -> Result<Option<String>> {
    let mut reader = Reader::open(file)?;
    // Where name and value stand in a row of the settings.
    let mut columns_at: Option<(usize, usize)> = None;
    while let Some(part) = reader.next()? {
        match (part, columns_at) {
            (Part::Table { name, columns }, _) => {
                let at = |column: &str| columns.iter().position(|name| name == column);
                columns_at = at("key").zip(at("value")).filter(|_| name == "settings");
            }
            (Part::Row(values), Some((key, value))) => {
                let text = |index: usize| values.get(index).and_then(Value::as_str);
                if text(key) == Some(SEALING) {
                    return Ok(text(value).map(str::to_owned));
                }
            }
            (Part::Row(_), None) => {}
        }
    }
    Ok(None)
}
