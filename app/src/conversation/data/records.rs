//! Rows of records: a list of objects whose fields are single values.

use crate::prelude::*;
use serde_json::{Map, Value};

/// Columns of a table that a person still reads, and rows of which they look at more than a few.
const COLUMNS: usize = 8;
const ROWS: usize = 100;
/// Characters of a cell.
const CELL: usize = 120;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Rows beyond those that are shown.
    more: usize,
}

impl Records {
    /// The list itself, or the only one within an object. `None`: there is none, or it has other things in it.
    pub fn of(text: &str) -> Option<Self> {
        let list = match serde_json::from_str(text).ok()? {
            Value::Array(list) => list,
            Value::Object(fields) => {
                let mut lists = fields.into_iter().filter_map(|(_, value)| match value {
                    Value::Array(list) if !list.is_empty() => Some(list),
                    _ => None,
                });
                lists.next().filter(|_| lists.next().is_none())?
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
        if list.len() < 2 {
            return None;
        }
        let records: Vec<&Map<String, Value>> = list.iter().map(Value::as_object).collect::<Option<_>>()?;
        let mut columns: Vec<String> = Vec::new();
        for name in records.iter().flat_map(|record| record.keys()) {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
            if columns.len() > COLUMNS {
                return None;
            }
        }
        let rows = records
            .iter()
            .take(ROWS)
            .map(|record| columns.iter().map(|name| cell(record.get(name))).collect())
            .collect::<Option<Vec<Vec<String>>>>()?;
        (!columns.is_empty()).then(|| Self { columns, more: records.len().saturating_sub(ROWS), rows })
    }

    pub fn view(self) -> AnyView {
        let Self { columns, rows, more } = self;
        let row = |row: Vec<String>| {
            let cells = row.into_iter().map(|cell| view! { <td>{cell}</td> }).collect_view();
            view! { <tr>{cells}</tr> }
        };
        let head = columns.into_iter().map(|name| view! { <th scope="col">{name}</th> }).collect_view();
        let more = (more > 0).then(|| {
            let words = plural!(more, "and {more} more row", "and {more} more rows");
            view! { <p class="faint">{words}</p> }
        });
        view! {
            <div class="prose">
                <table tabindex="0">
                    <thead><tr>{head}</tr></thead>
                    <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
                </table>
                {more}
            </div>
        }
        .into_any()
    }
}

/// `None`: it holds more than one value.
fn cell(value: Option<&Value>) -> Option<String> {
    let text = match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::Bool(value)) => value.to_string(),
        Some(Value::Number(value)) => value.to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(_) | Value::Object(_)) => return None,
    };
    Some(match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_of_records_is_a_table_and_nothing_else_is() {
        let files = json!([{ "path": "a.md", "size": 3 }, { "path": "b.md", "is_new": true }]);
        let expected = Records {
            columns: vec!["path".to_owned(), "size".to_owned(), "is_new".to_owned()],
            rows: vec![
                vec!["a.md".to_owned(), "3".to_owned(), String::new()],
                vec!["b.md".to_owned(), String::new(), "true".to_owned()],
            ],
            more: 0,
        };
        assert_eq!(Records::of(&files.to_string()).as_ref(), Some(&expected));
        assert_eq!(Records::of(&json!({ "count": 2, "files": files }).to_string()), Some(expected));
        let many: Vec<Value> = (0..150).map(|number| json!({ "n": number })).collect();
        let many = Records::of(&json!(many).to_string()).unwrap();
        assert_eq!((many.rows.len(), many.more), (100, 50));
        for other in [
            json!([{ "a": 1 }]),
            json!([1, 2]),
            json!([{ "a": 1 }, 2]),
            json!([{ "a": [1] }, { "a": 2 }]),
            json!([{}, {}]),
            json!({ "a": [{ "b": 1 }, { "b": 2 }], "c": [1] }),
            json!([{ "a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9 }, { "a": 1 }]),
            json!("a"),
        ] {
            assert_eq!(Records::of(&other.to_string()), None, "{other}");
        }
    }
}
