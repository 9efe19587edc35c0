//! Reading answers in JSON: what is not there, or is something else than it should be, is left out.

use super::failure::SourceError;
use serde_json::Value;

pub(super) fn json(body: &[u8]) -> Result<Value, SourceError> {
    serde_json::from_slice(body).map_err(|_| SourceError::NotThisKind)
}

/// The list at this place of the answer, which every answer of the kind has.
pub(super) fn list<'v>(answer: &'v Value, pointer: &str) -> Result<&'v [Value], SourceError> {
    answer.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).ok_or(SourceError::NotThisKind)
}

pub(super) fn text<'v>(item: &'v Value, name: &str) -> &'v str {
    item.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The first of these that is there and says something.
pub(super) fn first<'v>(item: &'v Value, names: &[&str]) -> Option<&'v str> {
    names.iter().map(|name| text(item, name)).find(|text| !text.is_empty())
}
