//! A row as a line of JSON: text, number, null, or bytes in base64 under `b`.

use super::tables::{ColumnType, Table};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::error::BoxDynError;
use sqlx::{Arguments, Row};

/// What a row holds, in the order of the table's columns.
pub(super) fn read(table: &Table, row: &AnyRow) -> Result<Vec<Value>, sqlx::Error> {
    let mut values = Vec::with_capacity(table.columns.len());
    for (index, kind) in table.columns.values().enumerate() {
        values.push(match kind {
            ColumnType::Text => row.try_get::<Option<String>, _>(index)?.into(),
            ColumnType::Number => row.try_get::<Option<i64>, _>(index)?.into(),
            ColumnType::Bytes => row
                .try_get::<Option<Vec<u8>>, _>(index)?
                .map_or(Value::Null, |bytes| json!({ "b": STANDARD.encode(bytes) })),
        });
    }
    Ok(values)
}

/// The values as a statement takes them. Fails if they are not what the columns hold.
pub(super) fn bound(table: &Table, values: &[Value]) -> Result<AnyArguments, BoxDynError> {
    if values.len() != table.columns.len() {
        return Err(format!("a row of {} has {} values", table.name, values.len()).into());
    }
    let mut arguments = AnyArguments::default();
    for ((name, kind), value) in table.columns.iter().zip(values) {
        let other = || format!("{}.{name} holds something else", table.name);
        match kind {
            ColumnType::Text => {
                arguments.add(of(value, |value| value.as_str().map(str::to_owned)).ok_or_else(other)?)?
            }
            ColumnType::Number => arguments.add(of(value, Value::as_i64).ok_or_else(other)?)?,
            ColumnType::Bytes => arguments.add(of(value, bytes).ok_or_else(other)?)?,
        }
    }
    Ok(arguments)
}

/// `None`: it is something else. `Some(None)`: null.
fn of<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Option<T>> {
    if value.is_null() { Some(None) } else { read(value).map(Some) }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    STANDARD.decode(value.get("b")?.as_str()?).ok()
}
