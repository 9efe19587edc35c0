//! Cells of texts with the types that they show: numbers, dates, and texts that stay as they are.

use super::draft::{Column, SheetDraft};
use super::workbook::date;
use crate::engine::Decimals;
use serde_json::{Number, Value};

/// Digits that a workbook keeps of a number.
const DIGITS: usize = 15;

/// A sheet of rows, the first with the names of the columns. What looks like a formula is a text, and in a column with
/// a number that begins with 0, as postal codes do, all are.
pub(crate) fn sheet(rows: Vec<Vec<String>>) -> SheetDraft {
    let mut rows = rows.into_iter();
    let names = rows.next().unwrap_or_default();
    let rows: Vec<Vec<String>> = rows.collect();
    let width = rows.iter().map(Vec::len).chain([names.len()]).max().unwrap_or_default();
    let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at)).map(|cell| cell.trim());
    let kinds: Vec<Kind> = (0..width).map(|at| kind_of(cells(at))).collect();
    let name = |at: usize| names.get(at).cloned().unwrap_or_default();
    let format = |kind: &Kind| (*kind != Kind::Dates).then(|| "text".to_owned());
    let columns = kinds.iter().enumerate();
    let columns =
        columns.map(|(at, kind)| Column { name: name(at), width: None, format: format(kind) }).collect();
    let typed = |row: Vec<String>| row.into_iter().zip(&kinds).map(|(cell, kind)| kind.value(cell)).collect();
    SheetDraft { columns, rows: rows.into_iter().map(typed).collect(), ..SheetDraft::default() }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Texts,
    Dates,
    /// And what is between them.
    Numbers(Decimals),
}

fn kind_of<'c>(cells: impl Iterator<Item = &'c str>) -> Kind {
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    if !cells.is_empty() && cells.iter().all(|cell| date(cell).is_some()) {
        Kind::Dates
    } else if cells.iter().any(|cell| is_padded(cell)) {
        Kind::Texts
    } else {
        Kind::Numbers(Decimals::of(cells.into_iter()))
    }
}

impl Kind {
    fn value(self, cell: String) -> Value {
        if cell.trim().is_empty() {
            return Value::Null;
        }
        match self {
            Self::Texts => Value::String(cell),
            Self::Dates => Value::String(cell.trim().to_owned()),
            Self::Numbers(decimals) => {
                let read = number(&decimals.with_point(cell.trim()));
                read.map_or(Value::String(cell), Value::Number)
            }
        }
    }
}

/// A number with zeros in front, which would be lost.
fn is_padded(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits, perhaps with a sign and a dot, as many as are kept.
fn number(cell: &str) -> Option<Number> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = are_digits(whole) && are_digits(part) && digits.len() <= DIGITS;
    let is_padded = whole.len() > 1 && whole.starts_with('0');
    let number = cell.parse::<f64>().ok().filter(|_| fits && !is_padded)?;
    Number::from_f64(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn column(cells: &[&str]) -> Vec<Value> {
        let head = vec!["head".to_owned()];
        let rows = std::iter::once(head).chain(cells.iter().map(|cell| vec![(*cell).to_owned()])).collect();
        sheet(rows).rows.into_iter().map(|mut row| row.remove(0)).collect()
    }

    #[test]
    fn cells_have_the_types_that_they_show() {
        for (cells, expected) in [
            (&["1", "-2.5", ""][..], json!([1.0, -2.5, null])),
            (&["1", "n/a"], json!([1.0, "n/a"])),
            (&["01234", "98765"], json!(["01234", "98765"])),
            (&["0", "0.5"], json!([0.0, 0.5])),
            (&["1234567890123456"], json!(["1234567890123456"])),
            (&["1e5", "+3", "1,500", "NaN", "."], json!(["1e5", "+3", "1,500", "NaN", "."])),
            (&["1.234,5", "-2,25", "3", "n/a"], json!([1234.5, -2.25, 3.0, "n/a"])),
            (&["2026-03-01", " 2026-03-02 "], json!(["2026-03-01", "2026-03-02"])),
            (&["=1+1", "@a", "a\nb"], json!(["=1+1", "@a", "a\nb"])),
        ] {
            assert_eq!(Value::from(column(cells)), expected, "{cells:?}");
        }
    }

    #[test]
    fn only_a_column_of_dates_has_dates_and_none_has_formulas() {
        let rows = [["day", "note", "more"], ["2026-03-01", "2026-03-01", "=1"], ["2026-03-02", "later", ""]];
        let rows = rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        let is_text: Vec<bool> = sheet(rows).columns.iter().map(Column::is_text).collect();
        assert_eq!(is_text, [false, true, true]);
    }
}
