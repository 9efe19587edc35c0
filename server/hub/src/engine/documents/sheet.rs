//! The cells of one sheet: those that are wanted, kept within bounds and written as a table.

use super::Unopened;
use super::table::{row, rule};
use calamine::{Data, Dimensions, ExcelDateTime};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Cells that are kept of a sheet.
const CELLS: usize = 20_000;
/// The same of one that becomes records.
const RECORDED: usize = 200_000;
/// Places of a table that is written as one: what lies further apart becomes a list.
const PLACES: usize = 100_000;
/// Merged ranges that are named, links that are told, and characters of one.
const MERGED: usize = 50;
const LINKS: usize = 200;
const LONGEST_LINK: usize = 2_000;
/// The last row and the last column that a sheet can have, counted from 1.
const LAST_ROW: u32 = 1_048_576;
const LAST_COLUMN: u32 = 16_384;
/// From here on a number is written with a power of ten.
const LARGE: f64 = 1e15;

/// Row and column, from 0.
type Place = (u32, u32);

/// A rectangle of cells, its ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    from: Place,
    to: Place,
}

impl Area {
    /// `B2:D20`, `B2`, `B:D` or `2:20`.
    pub(super) fn parse(text: &str) -> Result<Self, Unopened> {
        let text = text.trim().replace('$', "");
        let (from, to) = text.split_once(':').unwrap_or((&text, &text));
        let read = || -> Option<Self> {
            let ((top, left), (bottom, right)) = (place(from)?, place(to)?);
            let from = (top.unwrap_or(0), left.unwrap_or(0));
            Some(Self { from, to: (bottom.unwrap_or(u32::MAX), right.unwrap_or(u32::MAX)) })
        };
        read().ok_or_else(|| Unopened::NoRange(text.clone()))
    }

    fn holds(self, (row, column): Place) -> bool {
        (self.from.0..=self.to.0).contains(&row) && (self.from.1..=self.to.1).contains(&column)
    }
}

/// The row and the column of `B2`, `B` or `2`.
fn place(text: &str) -> Option<(Option<u32>, Option<u32>)> {
    let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let (letters, number) = text.split_at(digits);
    let row = match number {
        "" => None,
        number => Some(number.parse::<u32>().ok()?.checked_sub(1)?),
    };
    let column = letters.bytes().try_fold(0_u32, |column, letter| {
        let digit = u32::from(letter.to_ascii_uppercase().checked_sub(b'A')?);
        (digit < 26).then_some(())?;
        column.checked_mul(26)?.checked_add(digit + 1)
    })?;
    let is_place =
        (row.is_some() || column > 0) && column <= LAST_COLUMN && row.is_none_or(|row| row < LAST_ROW);
    is_place.then_some((row, column.checked_sub(1)))
}

#[derive(Debug, Default)]
pub(super) struct Cells {
    area: Option<Area>,
    kept: BTreeMap<Place, String>,
    formulas: BTreeMap<Place, String>,
    /// The same cells with their types, where these are wanted.
    values: Option<BTreeMap<Place, Value>>,
    /// Cells that are kept at most.
    most: usize,
    pub(super) merged: Vec<Dimensions>,
    /// Cells that lead somewhere.
    pub(super) links: Vec<(Dimensions, String)>,
    /// The first one that was wanted and not kept.
    next: Option<Place>,
}

impl Cells {
    pub(super) fn within(area: Option<Area>) -> Self {
        Self { area, most: CELLS, ..Self::default() }
    }

    /// All of them, with their types.
    pub(super) fn typed() -> Self {
        Self { values: Some(BTreeMap::new()), most: RECORDED, ..Self::default() }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.next.is_some()
    }

    pub(super) fn into_values(self) -> BTreeMap<Place, Value> {
        self.values.unwrap_or_default()
    }

    /// Whether there is room for more.
    pub(super) fn add(&mut self, at: Place, value: &Data) -> bool {
        let text = written(value);
        if text.is_empty() || !self.wants(at) {
            return true;
        }
        let kept = self.values.as_ref().map_or(self.kept.len(), BTreeMap::len);
        if kept >= self.most {
            self.next = Some(at);
            return false;
        }
        match &mut self.values {
            Some(values) => {
                values.insert(at, typed(value, text));
            }
            None => {
                self.kept.insert(at, text);
            }
        }
        true
    }

    /// The same for what a cell is reckoned by.
    pub(super) fn add_formula(&mut self, at: Place, formula: &str) -> bool {
        if self.next.is_some_and(|next| at >= next) || self.formulas.len() >= CELLS {
            return false;
        }
        if !formula.is_empty() && self.wants(at) {
            self.formulas.insert(at, formula.to_owned());
        }
        true
    }

    fn wants(&self, at: Place) -> bool {
        self.area.is_none_or(|area| area.holds(at))
    }

    /// As Markdown, of about so many bytes, with where to read on.
    pub(super) fn written(mut self, longest: usize) -> String {
        for (at, formula) in std::mem::take(&mut self.formulas) {
            let cell = self.kept.entry(at).or_default();
            let gap = if cell.is_empty() { "" } else { " " };
            write!(cell, "{gap}[={formula}]").expect("it is a text");
        }
        if self.kept.is_empty() {
            return "[It is empty.]".to_owned();
        }
        let rows: BTreeSet<u32> = self.kept.keys().map(|at| at.0).collect();
        let columns: BTreeSet<u32> = self.kept.keys().map(|at| at.1).collect();
        let mut text = String::new();
        if rows.len() * columns.len() > PLACES {
            self.as_list(&mut text, longest);
        } else {
            self.as_table(&mut text, &rows, &columns, longest);
        }
        if !self.merged.is_empty() {
            let named: Vec<String> = self.merged.iter().take(MERGED).map(range).collect();
            let more = if self.merged.len() > MERGED { " and more" } else { "" };
            write!(text, "\nMerged: {}{more}.\n", named.join(", ")).expect("it is a text");
        }
        text.push_str(&self.links_told());
        if let Some((row, _)) = self.next {
            let from = row + 1;
            write!(text, "\n[The sheet goes on. Read on with its range {from}:{LAST_ROW}.]\n")
                .expect("it is a text");
        }
        text
    }

    fn links_told(&self) -> String {
        let wanted: Vec<_> = self.links.iter().filter(|(cells, _)| self.wants(cells.start)).collect();
        if wanted.is_empty() {
            return String::new();
        }
        let told = wanted.iter().take(LINKS).map(|(cells, to)| {
            let to: String = to.chars().filter(|letter| !letter.is_control()).take(LONGEST_LINK).collect();
            format!("- {}: {to}\n", range(cells))
        });
        let more = if wanted.len() > LINKS { "- [and more]\n" } else { "" };
        format!("\nLinks:\n{}{more}", told.collect::<String>())
    }

    fn as_table(&mut self, text: &mut String, rows: &BTreeSet<u32>, columns: &BTreeSet<u32>, longest: usize) {
        let head: Vec<String> = columns.iter().map(|column| letters(*column)).collect();
        row(text, std::iter::once("Row").chain(head.iter().map(String::as_str)));
        rule(text, head.len() + 1);
        for number in rows {
            if text.len() > longest {
                self.next = Some((*number, 0));
                break;
            }
            let name = (number + 1).to_string();
            let cells = columns.iter().map(|column| self.kept.get(&(*number, *column)));
            row(
                text,
                std::iter::once(name.as_str()).chain(cells.map(|cell| cell.map_or("", String::as_str))),
            );
        }
    }

    fn as_list(&mut self, text: &mut String, longest: usize) {
        for ((number, column), value) in &self.kept {
            if text.len() > longest {
                self.next = Some((*number, 0));
                break;
            }
            writeln!(text, "- {}{}: {value}", letters(*column), number + 1).expect("it is a text");
        }
    }
}

/// `A`, `Z`, `AA`.
pub(super) fn letters(column: u32) -> String {
    let (mut left, mut name) = (column + 1, Vec::new());
    while left > 0 {
        let digit = u8::try_from((left - 1) % 26).unwrap_or_default();
        name.push(char::from(b'A' + digit));
        left = (left - 1) / 26;
    }
    name.iter().rev().collect()
}

fn range(merged: &Dimensions) -> String {
    let end = |(row, column): Place| format!("{}{}", letters(column), row + 1);
    match merged.start == merged.end {
        true => end(merged.start),
        false => format!("{}:{}", end(merged.start), end(merged.end)),
    }
}

/// As JSON has it, with the text for what JSON has no type for.
fn typed(value: &Data, text: String) -> Value {
    match value {
        Data::Bool(value) => Value::Bool(*value),
        Data::Int(_) | Data::Float(_) => {
            let whole = text.parse::<i64>().map(Value::from);
            whole.or_else(|_| text.parse::<f64>().map(Value::from)).unwrap_or(Value::String(text))
        }
        Data::String(_)
        | Data::DurationIso(_)
        | Data::DateTimeIso(_)
        | Data::DateTime(_)
        | Data::Error(_)
        | Data::Empty => Value::String(text),
    }
}

fn written(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => decimal(*number),
        Data::String(text) | Data::DurationIso(text) => text.trim().to_owned(),
        Data::DateTimeIso(text) => text.trim().replace('T', " "),
        Data::Bool(value) => if *value { "TRUE" } else { "FALSE" }.to_owned(),
        Data::DateTime(time) => moment(time),
        Data::Error(error) => error.to_string(),
        Data::Empty => String::new(),
    }
}

/// With the fifteen digits that a sheet has: what is beyond them is how a computer writes the number.
fn decimal(number: f64) -> String {
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    if rounded != 0.0 && !(1e-6..LARGE).contains(&rounded.abs()) {
        return format!("{rounded:e}");
    }
    rounded.to_string()
}

/// A date, with the time if there is one; a time alone where there is no date.
fn moment(time: &ExcelDateTime) -> String {
    let value = time.as_f64();
    if time.is_duration() {
        let seconds = (value * 86_400.0).round();
        let (hours, rest) = ((seconds / 3600.0).trunc(), seconds % 3600.0);
        return format!("{hours}:{:02}:{:02}", (rest / 60.0).trunc().abs(), (rest % 60.0).abs());
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    // What is a hair below a second is one.
    let second = second + u8::from(milli >= 500 && second < 59);
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    match (value.trunc() == 0.0, value.fract() == 0.0) {
        (true, _) => clock,
        (false, true) => date,
        (false, false) => format!("{date} {clock}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_as_sheets_write_it() {
        let area = |from, to| Some(Area { from, to });
        let all = u32::MAX;
        for (text, expected) in [
            ("B2:D20", area((1, 1), (19, 3))),
            ("$b$2", area((1, 1), (1, 1))),
            ("B:AA", area((0, 1), (all, 26))),
            ("2:20", area((1, 0), (19, all))),
            ("A0", None),
            ("", None),
            ("moss:", None),
            ("moss", None),
            ("A1048577", None),
        ] {
            assert_eq!(Area::parse(text).ok(), expected, "{text}");
        }
        for (column, name) in [(0, "A"), (25, "Z"), (26, "AA"), (16_383, "XFD")] {
            assert_eq!(letters(column), name);
        }
    }

    #[test]
    fn what_lies_far_apart_is_written_as_near_and_what_is_too_much_says_where_to_read_on() {
        let mut sparse = Cells::within(None);
        sparse.add((0, 0), &Data::Float(0.1 + 0.2));
        sparse.add((1_048_575, 16_383), &Data::String("a|b".to_owned()));
        let text = sparse.written(10_000);
        assert_eq!(text, "| Row | A | XFD |\n| --- | --- | --- |\n| 1 | 0.3 |  |\n| 1048576 |  | a\\|b |\n");
        let mut diagonal = Cells::within(None);
        (0..400).for_each(|n| assert!(diagonal.add((n, n), &Data::Int(n.into()))));
        assert!(diagonal.written(usize::MAX).starts_with("- A1: 0\n- B2: 1\n"));
        let mut long = Cells::within(None);
        let mut row = 0;
        while long.add((row, 0), &Data::Int(1)) {
            row += 1;
        }
        assert!(long.written(usize::MAX).contains("Read on with its range 20001:"));
    }
}
