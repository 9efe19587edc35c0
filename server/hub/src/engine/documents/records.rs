//! The cells of a sheet as records: its first row names what stands below.

use super::{LONGEST, Unopened};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Places of a table that becomes records.
const PLACES: usize = 400_000;

/// By row and column. A list of objects as JSON, with the members in the order of the columns.
pub(super) fn json_of(cells: &BTreeMap<(u32, u32), Value>) -> Result<String, Unopened> {
    let mut rows = BTreeMap::<u32, BTreeMap<u32, &Value>>::new();
    let mut columns = BTreeSet::new();
    for ((row, column), value) in cells {
        rows.entry(*row).or_default().insert(*column, value);
        columns.insert(*column);
    }
    if rows.len() * columns.len() > PLACES {
        return Err(Unopened::TooLong);
    }
    let heads = rows.pop_first().map(|(_, heads)| heads).unwrap_or_default();
    let names = named(&heads, &columns);
    let mut json = String::from("[");
    for (number, row) in rows.values().enumerate() {
        json += if number == 0 { "\n{" } else { ",\n{" };
        for (place, (column, name)) in names.iter().enumerate() {
            let gap = if place == 0 { "" } else { ", " };
            let value = row.get(column).copied().unwrap_or(&Value::Null);
            write!(json, "{gap}{}: {value}", Value::from(name.as_str())).expect("it is a text");
        }
        json.push('}');
        if json.len() > LONGEST {
            return Err(Unopened::TooLong);
        }
    }
    json += "\n]";
    Ok(json)
}

/// What each column is called: no two the same.
fn named(heads: &BTreeMap<u32, &Value>, columns: &BTreeSet<u32>) -> Vec<(u32, String)> {
    let (mut names, mut taken) = (Vec::new(), BTreeSet::new());
    for (place, column) in columns.iter().enumerate() {
        let name = match heads.get(column) {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => format!("column {}", place + 1),
        };
        let mut unique = name.clone();
        let mut number = 2;
        while !taken.insert(unique.clone()) {
            unique = format!("{name} {number}");
            number += 1;
        }
        names.push((*column, unique));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_row_names_what_is_below_and_nothing_is_lost() {
        let cells = [
            ((1, 0), json!("b")),
            ((1, 1), json!("a")),
            ((1, 3), json!("b")),
            ((2, 0), json!(1)),
            ((2, 2), json!("x \"y\"")),
            ((4, 1), json!(2.5)),
            ((4, 3), json!(true)),
        ];
        let json = json_of(&cells.into_iter().collect()).unwrap();
        let expected = r#"[
{"b": 1, "a": null, "column 3": "x \"y\"", "b 2": null},
{"b": null, "a": 2.5, "column 3": null, "b 2": true}
]"#;
        assert_eq!(json, expected);
        assert_eq!(json_of(&BTreeMap::new()).unwrap(), "[\n]");
    }
}
