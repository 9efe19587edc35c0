//! Records as rows and columns. A cell of CSV is a text, whatever it looks like: 007 stays 007.

use super::data::Data;
use super::spreadsheet::{MARK, guarded};
use csv::{QuoteStyle, ReaderBuilder, WriterBuilder};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;

const DELIMITERS: [u8; 4] = *b",;\t|";
/// Lines by which the delimiter is told.
const LOOKED_AT: usize = 20;
/// The column of what has no members.
const ONLY: &str = "value";

struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

pub(super) fn of_csv(text: &str) -> Result<Data, String> {
    records(rows_of_csv(text)?).ok_or_else(|| "it is empty".to_owned())
}

pub(in crate::engine) fn rows_of_csv(text: &str) -> Result<Vec<Vec<String>>, String> {
    let (delimiter, text) = separated(text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| format!("it is no CSV: {error}"))?;
        rows.push(record.iter().map(str::to_owned).collect());
    }
    Ok(rows)
}

/// What separates the cells, and the lines that have some.
pub(in crate::engine) fn separated(text: &str) -> (u8, &str) {
    let text = text.trim_start_matches('\u{feff}');
    said(text).unwrap_or_else(|| (delimiter(text), text))
}

/// What the first line says in Excel's way: `sep=;`.
fn said(text: &str) -> Option<(u8, &str)> {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r');
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    match *line.as_bytes() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter]
            if delimiter != b'"' && (delimiter.is_ascii_punctuation() || delimiter == b'\t') =>
        {
            Some((delimiter, rest))
        }
        _ => None,
    }
}

/// What separates the same number of cells in most lines, outside of quotes, then in most lines one after the other,
/// then the most cells. A title may stand above the heads.
fn delimiter(text: &str) -> u8 {
    let lines = separators(text);
    let fit = |at: usize| {
        let counts: Vec<usize> = lines.iter().map(|line| line[at]).collect();
        let alike = |count: &usize| {
            let runs = counts.split(|other| other != count).map(<[usize]>::len);
            (counts.iter().filter(|other| *other == count).count(), runs.max(), *count)
        };
        counts.iter().filter(|count| **count > 0).map(alike).max()
    };
    let best = (0..DELIMITERS.len()).rev().max_by_key(|at| fit(*at));
    best.map_or(b',', |at| DELIMITERS[at])
}

/// How many of each delimiter the first lines have outside of quotes.
fn separators(text: &str) -> Vec<[usize; DELIMITERS.len()]> {
    let (mut lines, mut line, mut quoted) = (Vec::new(), None, false);
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => lines.extend(line.take()),
            _ => {}
        }
        if lines.len() == LOOKED_AT {
            return lines;
        }
        if !matches!(byte, b'\n' | b'\r') {
            let counts = line.get_or_insert([0; DELIMITERS.len()]);
            if let Some(at) = DELIMITERS.iter().position(|delimiter| *delimiter == byte && !quoted) {
                counts[at] += 1;
            }
        }
    }
    lines.extend(line);
    lines
}

/// The first table of a text.
pub(super) fn of_markdown(text: &str) -> Result<Data, String> {
    let (mut rows, mut row, mut cell): (Vec<Vec<String>>, Vec<String>, Option<String>) = Default::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => row.extend(cell.take()),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => rows.push(std::mem::take(&mut row)),
            Event::End(TagEnd::Table) => break,
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                if let Some(cell) = &mut cell {
                    cell.push_str(&text);
                }
            }
            _ => {}
        }
    }
    records(rows).ok_or_else(|| "it has no table".to_owned())
}

/// The first row has the names of the members.
fn records(rows: Vec<Vec<String>>) -> Option<Data> {
    let mut rows = rows.into_iter();
    let mut names: Vec<String> = Vec::new();
    for (at, name) in rows.next()?.into_iter().enumerate() {
        let name = if name.is_empty() { nameless(at) } else { name };
        let again = (2..).map(|number| format!("{name} {number}"));
        let name = std::iter::once(name.clone()).chain(again).find(|name| !names.contains(name));
        names.extend(name);
    }
    let record = |row: Vec<String>| {
        let member = |(at, cell)| (names.get(at).cloned().unwrap_or_else(|| nameless(at)), Data::Text(cell));
        Data::Map(row.into_iter().enumerate().map(member).collect())
    };
    Some(Data::List(rows.map(record).collect()))
}

fn nameless(at: usize) -> String {
    format!("column {}", at + 1)
}

pub(super) fn to_csv(data: &Data) -> Result<String, String> {
    let Table { columns, rows } = table(data)?;
    csv_of(std::iter::once(columns).chain(rows))
}

/// As programs with sheets open it: with its encoding, and texts of which none is a formula.
pub(super) fn to_csv_file(data: &Data) -> Result<String, String> {
    let Table { columns, rows } = table(data)?;
    let rows = std::iter::once(columns).chain(rows);
    let csv = csv_of(rows.map(|row| row.iter().map(|cell| guarded(cell)).collect::<Vec<_>>()))?;
    Ok(format!("{MARK}{csv}"))
}

fn csv_of(rows: impl Iterator<Item = Vec<String>>) -> Result<String, String> {
    // Cells come as they are to be written: a style of the writer has all of them quoted or none.
    let mut writer =
        WriterBuilder::new().flexible(true).quote_style(QuoteStyle::Never).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.into_iter().map(quoted)).map_err(|error| error.to_string())?;
    }
    let written = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(written).map_err(|error| error.to_string())
}

/// Whoever reads it tells the delimiter by what stands outside of quotes, so each that there is
/// stands within. So does what is empty: a line of nothing is no row.
fn quoted(cell: String) -> String {
    match cell.bytes().any(|byte| DELIMITERS.contains(&byte) || b"\"\r\n".contains(&byte)) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}

pub(super) fn to_markdown(data: &Data) -> Result<String, String> {
    let Table { columns, rows } = table(data)?;
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| in_a_line(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = line(&vec!["---".to_owned(); columns.len()]);
    let rows: String = rows.iter().map(|row| line(row)).collect();
    Ok(format!("{}{rule}{rows}", line(&columns)))
}

/// Lines of a cell become one, and what would end it is escaped.
fn in_a_line(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "\\\\").replace('|', "\\|")
}

/// As JSON, the names of the columns first.
pub(super) fn to_rows(data: &Data) -> Result<String, String> {
    let Table { columns, rows } = table(data)?;
    let rows: Vec<Vec<String>> = std::iter::once(columns).chain(rows).collect();
    serde_json::to_string(&rows).map_err(|error| error.to_string())
}

fn table(data: &Data) -> Result<Table, String> {
    let rows = match data {
        Data::List(rows) => rows.as_slice(),
        Data::Map(_) => std::slice::from_ref(data),
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) => {
            return Err("only a list of records makes a table".to_owned());
        }
    };
    if let Some(lists) =
        rows.iter().map(as_list).collect::<Option<Vec<_>>>().filter(|lists| !lists.is_empty())
    {
        let mut rows = lists.into_iter().map(|list| list.iter().map(cell).collect());
        return Ok(Table { columns: rows.next().unwrap_or_default(), rows: rows.collect() });
    }
    let mut columns = Columns::default();
    let mut filled = Vec::new();
    for row in rows {
        let mut cells = Vec::new();
        let mut fill = |name, value| {
            let at = columns.place(name);
            cells.resize(cells.len().max(at + 1), String::new());
            cells[at] = cell(value);
        };
        match row {
            Data::Map(members) => members.iter().for_each(|(name, value)| fill(name, value)),
            value => fill(ONLY, value),
        }
        filled.push(cells);
    }
    for cells in &mut filled {
        cells.resize(columns.names.len(), String::new());
    }
    Ok(Table { columns: columns.names.into_iter().map(str::to_owned).collect(), rows: filled })
}

/// The names of members, in the order in which they are met.
#[derive(Default)]
struct Columns<'d> {
    names: Vec<&'d str>,
    places: BTreeMap<&'d str, usize>,
}

impl<'d> Columns<'d> {
    fn place(&mut self, name: &'d str) -> usize {
        let Self { names, places } = self;
        *places.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() - 1
        })
    }
}

fn as_list(data: &Data) -> Option<&Vec<Data>> {
    match data {
        Data::List(list) => Some(list),
        _ => None,
    }
}

/// What is nested stands there as JSON.
fn cell(value: &Data) -> String {
    match value {
        Data::Null => String::new(),
        Data::Text(text) => text.clone(),
        Data::Bool(_) | Data::Number(_) | Data::List(_) | Data::Map(_) => {
            serde_json::to_string(value).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_is_what_does_so_in_each_line() {
        for (text, expected) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2\n", b';'),
            ("name;net, gross, tax\nmoss;1,5\nfern;2\n", b';'),
            ("\"a, b\";c\n\"d\n,,,\";e\n", b';'),
            ("a\tb, c\n1\t2\n", b'\t'),
            ("a|b\r\n1|2\r\n", b'|'),
            ("Mosses\nname;net\nmoss;1,5\nfern;2,5\n", b';'),
            ("Mosses, of May\nname;net\nmoss;1,5\n", b';'),
            ("Mosses, of May\n\nname;net;tax\nmoss;1,5;2\n", b';'),
            ("Mosses\nname,net\nmoss,1.5\n", b','),
            ("a, b\n", b','),
            ("a\n", b','),
            ("", b','),
        ] {
            assert_eq!(delimiter(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_first_line_that_says_what_separates_is_obeyed_and_no_row() {
        for (text, expected) in [
            ("sep=;\r\na,b;c\r\n1,5;2\r\n", vec![vec!["a,b", "c"], vec!["1,5", "2"]]),
            ("\u{feff}\"sep=|\"\na,b|c\n", vec![vec!["a,b", "c"]]),
            ("SEP=\t\na,b\tc\n", vec![vec!["a,b", "c"]]),
            ("sep=,", vec![]),
            ("sep=none,b\n1,2\n", vec![vec!["sep=none", "b"], vec!["1", "2"]]),
        ] {
            assert_eq!(rows_of_csv(text).unwrap(), expected, "{text:?}");
        }
    }
}
