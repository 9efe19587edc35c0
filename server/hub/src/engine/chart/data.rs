//! What is drawn: columns of a table as numbers, within what a picture can show.

use crate::engine::convert::{Decimals, rows_of_csv};
use crate::engine::job::{ChartDraft, ChartKind, ChartTable};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

/// Points of one chart, in all its columns, and rows of one with bars.
const MOST_POINTS: usize = 5_000;
const MOST_BARS: usize = 200;
/// Columns that are drawn: as many as there are colours.
pub(super) const MOST_SERIES: usize = 8;
/// Numbers beyond it leave no room to reckon.
const LARGEST: f64 = 1e100;
/// Characters of a text in a chart.
const LONGEST: usize = 200;
/// Cells that are named as no numbers.
const NAMED: usize = 3;

pub(in crate::engine) struct Chart {
    pub(in crate::engine) table: Table,
    /// What is not in it, in sentences.
    pub(in crate::engine) notes: Vec<String>,
}

pub(in crate::engine) struct Table {
    pub(in crate::engine) title: Option<String>,
    pub(in crate::engine) x_title: Option<String>,
    pub(in crate::engine) y_title: Option<String>,
    pub(in crate::engine) labels: Vec<String>,
    pub(in crate::engine) x: Across,
    pub(in crate::engine) series: Vec<Series>,
}

/// Where the rows stand from left to right.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::engine) enum Across {
    /// Side by side.
    Order,
    Numbers(Vec<f64>),
    /// Seconds.
    Times(Vec<f64>),
}

pub(in crate::engine) struct Series {
    pub(in crate::engine) name: String,
    pub(in crate::engine) values: Vec<Option<f64>>,
}

impl Table {
    pub(super) fn points(&self) -> usize {
        self.series.iter().flat_map(|series| &series.values).flatten().count()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|series| &series.values).flatten().copied()
    }
}

pub(super) fn read(draft: &ChartDraft) -> Result<Chart, String> {
    let (columns, rows) = cells(&draft.table)?;
    let find = |name: &str| {
        columns.iter().position(|column| column == name).ok_or_else(|| {
            if draft.untrusted {
                return format!("There is no column {name}. Read the table for those that there are.");
            }
            let there: Vec<String> = columns.iter().take(20).map(|column| short(column)).collect();
            format!("There is no column {name}. There are: {}.", there.join(", "))
        })
    };
    let x = draft.x.as_deref().map_or(Ok(0), find)?;
    let drawn: Vec<usize> = match draft.y.as_slice() {
        [] => (0..columns.len()).filter(|at| *at != x && has_numbers(&rows, *at)).collect(),
        named => named.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
    };
    let most = if draft.kind == ChartKind::Pie { 1 } else { MOST_SERIES };
    match drawn.len() {
        0 => return Err("There is no column of numbers beside the first. Name some in y.".to_owned()),
        count if count > most => {
            return Err(format!("It would have {count} columns in y, and can have {most}. Name those in y."));
        }
        _ => {}
    }
    if rows.len() * drawn.len() > MOST_POINTS {
        return Err(format!(
            "It has {} points, and a chart can have {MOST_POINTS}. Leave rows out, or sum them up first.",
            rows.len() * drawn.len()
        ));
    }
    if draft.kind == ChartKind::Bar && rows.len() > MOST_BARS {
        return Err(format!(
            "It has {} rows, and a chart with bars can have {MOST_BARS}. Draw a line, or sum rows up first.",
            rows.len()
        ));
    }
    let mut notes = Vec::new();
    let mut series: Vec<Series> = Vec::new();
    for at in drawn {
        let mut odd = Vec::new();
        let decimals = decimals(&rows, at);
        if decimals == Decimals::Comma {
            notes.push(format!("A comma stands before the decimals in {}.", short(&columns[at])));
        }
        let values = rows.iter().map(|row| {
            let cell = row.get(at).map_or("", |cell| cell.trim());
            let value = number(&decimals.with_point(cell));
            if value.is_none() && !cell.is_empty() {
                odd.push(cell);
            }
            value
        });
        series.push(Series { name: short(&columns[at]), values: values.collect() });
        notes.extend(not_numbers(&columns[at], &odd));
    }
    let labels = rows.iter().map(|row| short(row.get(x).map_or("", String::as_str))).collect();
    let text = |text: &Option<String>| text.as_deref().map(short).filter(|text| !text.is_empty());
    let mut table = Table {
        title: text(&draft.title),
        x_title: text(&draft.x_title),
        y_title: text(&draft.y_title),
        labels,
        x: Across::Order,
        series,
    };
    stand(&mut table, draft.kind, &mut notes)?;
    match table.points() {
        0 => Err("There is no number to draw in these columns.".to_owned()),
        _ => Ok(Chart { table, notes }),
    }
}

/// The heads and what is below them, as texts.
fn cells(table: &ChartTable) -> Result<(Vec<String>, Vec<Vec<String>>), String> {
    match table {
        ChartTable::Csv(text) => {
            let mut rows = rows_of_csv(text)?.into_iter();
            let heads = rows.next().ok_or("The CSV is empty.")?;
            Ok((heads.iter().map(|head| head.trim().to_owned()).collect(), rows.collect()))
        }
        ChartTable::Rows { columns, rows } => {
            let cell = |cell: &Value| match cell {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
            };
            Ok((columns.clone(), rows.iter().map(|row| row.iter().map(cell).collect()).collect()))
        }
    }
}

fn has_numbers(rows: &[Vec<String>], at: usize) -> bool {
    let decimals = decimals(rows, at);
    rows.iter().any(|row| row.get(at).is_some_and(|cell| number(&decimals.with_point(cell.trim())).is_some()))
}

fn decimals(rows: &[Vec<String>], at: usize) -> Decimals {
    Decimals::of(rows.iter().filter_map(|row| row.get(at)).map(String::as_str))
}

fn number(cell: &str) -> Option<f64> {
    cell.trim().parse().ok().filter(|number: &f64| number.abs() <= LARGEST)
}

/// As a point of time, in seconds.
fn time(cell: &str) -> Option<f64> {
    let time: DateTime = cell.trim().parse().ok()?;
    TimeZone::UTC.to_timestamp(time).ok().map(|time| time.as_second() as f64)
}

fn not_numbers(column: &str, odd: &[&str]) -> Option<String> {
    let named: Vec<String> = odd.iter().take(NAMED).map(|cell| short(cell)).collect();
    let more = if odd.len() > NAMED { ", …" } else { "" };
    let count = odd.len();
    (count > 0).then(|| {
        format!(
            "Cells of {} that are no numbers are left out, {count} in number: {}{more}. Numbers are written as 1234.5.",
            short(column),
            named.join(", ")
        )
    })
}

/// Puts the rows where they stand, which for points means that each has a number there.
fn stand(table: &mut Table, kind: ChartKind, notes: &mut Vec<String>) -> Result<(), String> {
    let decimals = Decimals::of(table.labels.iter().map(String::as_str));
    let numbers: Vec<_> =
        table.labels.iter().map(|label| number(&decimals.with_point(label.trim()))).collect();
    let times: Vec<_> = table.labels.iter().map(|label| time(label)).collect();
    let whole = |values: &[Option<f64>]| values.iter().copied().collect::<Option<Vec<f64>>>();
    match kind {
        ChartKind::Bar | ChartKind::Pie => {}
        ChartKind::Line => {
            let found = whole(&numbers).map(Across::Numbers).or_else(|| whole(&times).map(Across::Times));
            if let Some(found) = found {
                let at = match &found {
                    Across::Numbers(at) | Across::Times(at) => at.clone(),
                    Across::Order => Vec::new(),
                };
                table.x = found;
                keep(table, &in_order(&at));
            }
        }
        ChartKind::Scatter => {
            let is_time = numbers.iter().all(Option::is_none);
            let values = if is_time { times } else { numbers };
            let kept: Vec<usize> = (0..values.len()).filter(|at| values[*at].is_some()).collect();
            if kept.is_empty() {
                return Err("The points of a scatter need numbers or dates in x.".to_owned());
            }
            if kept.len() < values.len() {
                let gone = values.len() - kept.len();
                notes.push(format!("Rows that have no number in x are left out, {gone} in number."));
            }
            let at = values.iter().map(|value| value.unwrap_or_default()).collect();
            table.x = if is_time { Across::Times(at) } else { Across::Numbers(at) };
            keep(table, &kept);
        }
    }
    Ok(())
}

fn in_order(at: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|a, b| at[*a].total_cmp(&at[*b]));
    order
}

/// These rows alone, in this order.
fn keep(table: &mut Table, rows: &[usize]) {
    table.labels = rows.iter().map(|at| table.labels[*at].clone()).collect();
    match &mut table.x {
        Across::Order => {}
        Across::Numbers(at) | Across::Times(at) => *at = rows.iter().map(|row| at[*row]).collect(),
    }
    for series in &mut table.series {
        series.values = rows.iter().map(|at| series.values[*at]).collect();
    }
}

/// On one line, without what does not show, and not too long.
fn short(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(kind: ChartKind, text: &str) -> ChartDraft {
        let table = ChartTable::Csv(text.to_owned());
        ChartDraft {
            kind,
            table,
            title: None,
            x_title: None,
            y_title: None,
            x: None,
            y: Vec::new(),
            untrusted: false,
        }
    }

    #[test]
    fn rows_stand_by_numbers_or_dates_where_all_of_them_are_such() {
        for (kind, text, x, labels) in [
            (ChartKind::Line, "m,n\nMay,1\nJune,2\n", Across::Order, "May June"),
            (ChartKind::Line, "m,n\n3,1\n1,2\n", Across::Numbers(vec![1.0, 3.0]), "1 3"),
            (
                ChartKind::Line,
                "m;n\n2026-03-02;1\n2026-03-01;2\n",
                Across::Times(vec![1_772_323_200.0, 1_772_409_600.0]),
                "2026-03-01 2026-03-02",
            ),
            (ChartKind::Bar, "m,n\n3,1\n1,2\n", Across::Order, "3 1"),
            (ChartKind::Scatter, "m,n\n3,1\nx,2\n", Across::Numbers(vec![3.0]), "3"),
        ] {
            let Chart { table, notes } = read(&csv(kind, text)).unwrap();
            assert_eq!((table.x, table.labels.join(" ").as_str()), (x, labels), "{text}");
            assert_eq!(notes.len(), usize::from(kind == ChartKind::Scatter), "{text}");
        }
    }

    #[test]
    fn a_comma_may_stand_before_the_decimals() {
        let text = "Temperatur;Menge\n0,5;1.234,5\n1,5;2\n";
        let Chart { table, notes } = read(&csv(ChartKind::Line, text)).unwrap();
        assert_eq!(table.x, Across::Numbers(vec![0.5, 1.5]));
        assert_eq!(table.series[0].values, [Some(1234.5), Some(2.0)]);
        assert_eq!(notes, ["A comma stands before the decimals in Menge."]);
    }

    #[test]
    fn what_cannot_be_drawn_is_said_in_words() {
        let many = (0..5_001).fold("m,n\n".to_owned(), |all, n| all + &format!("{n},1\n"));
        let wide = format!("m,{}\na,{}\n", ["n"; 9].join(","), ["1"; 9].join(","));
        let long = format!("m,{}\na,1\n", "n".repeat(LONGEST + 1));
        let cut = format!("There is no column Sold. There are: m, {}.", "n".repeat(LONGEST));
        let sold = |text: &str, untrusted: bool| ChartDraft {
            y: vec!["Sold".to_owned()],
            untrusted,
            ..csv(ChartKind::Bar, text)
        };
        for (draft, expected) in [
            (sold("m,n\na,1\n", false), "There is no column Sold. There are: m, n."),
            (sold("m,n\na,1\n", true), "There is no column Sold. Read the table"),
            (sold(&long, false), cut.as_str()),
            (csv(ChartKind::Bar, ""), "The CSV is empty."),
            (csv(ChartKind::Bar, "m,n\na,b\n"), "There is no column of numbers"),
            (csv(ChartKind::Bar, "m,n\na,NaN\nb,inf\nc,1e300\n"), "There is no column of numbers"),
            (csv(ChartKind::Line, &many), "It has 5001 points, and a chart can have 5000."),
            (csv(ChartKind::Bar, &many[..many.len() / 2]), "a chart with bars can have 200"),
            (csv(ChartKind::Bar, &wide), "It would have 9 columns in y, and can have 8."),
            (csv(ChartKind::Scatter, "m,n\na,1\n"), "need numbers or dates in x"),
        ] {
            let why = read(&draft).map(|_| ()).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
        let Chart { notes, .. } = read(&csv(ChartKind::Bar, "m,n\na,1\nb,\"2,500\"\nc,\n")).unwrap();
        assert_eq!(
            notes,
            [
                "Cells of n that are no numbers are left out, 1 in number: 2,500. Numbers are written as 1234.5."
            ]
        );
    }
}
