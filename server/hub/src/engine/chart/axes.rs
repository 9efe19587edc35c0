//! Charts with axes: bars, lines and points.

use super::data::{Across, Series, Table};
use super::legend::{legend, title};
use super::letters::Letters;
use super::marks::{Drawing, HEIGHT, Ink, MARGIN, Mark, Stands, Text, WIDTH};
use super::scale::Scale;
use crate::engine::job::ChartKind;

const SIZE: f32 = 13.0;
/// Of an axis, and the room that a title of one takes.
const STEPS: f64 = 5.0;
const TITLE: f32 = 24.0;
/// Between two names below the axis.
const APART: f32 = 12.0;
/// Widest name below the axis.
const WIDEST: f32 = 120.0;
/// Of the room of a row, the part that its bars take.
const BARS: f32 = 0.72;
/// A line with more points has no dots.
const DOTTED: usize = 40;

/// Where what is drawn stands.
#[derive(Clone, Copy)]
struct Field {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
}

impl Field {
    fn width(self) -> f32 {
        self.right - self.left
    }

    fn y(self, scale: &Scale, value: f64) -> f32 {
        self.bottom - (self.bottom - self.top) * scale.part(value)
    }
}

pub(super) fn draw(kind: ChartKind, table: &Table, letters: &Letters) -> Drawing {
    let mut marks = Vec::new();
    let top = title(table, letters, &mut marks);
    let top = legend(table, letters, top, &mut marks) + 6.0;
    let up = upwards(kind, table);
    let ticks = up.ticks();
    let widest = ticks.iter().map(|(_, name)| letters.width(name, SIZE, false)).fold(0.0, f32::max);
    let beside = if table.y_title.is_some() { TITLE } else { 0.0 };
    let below = if table.x_title.is_some() { TITLE } else { 0.0 };
    let field = Field {
        left: MARGIN + beside + widest + 10.0,
        right: WIDTH - MARGIN - 6.0,
        top,
        bottom: HEIGHT - MARGIN - below - SIZE - 8.0,
    };
    for (at, name) in &ticks {
        let y = field.y(&up, *at);
        let ink = if *at == 0.0 { Ink::Soft } else { Ink::Grid };
        marks.push(Mark::Line { points: vec![(field.left, y), (field.right, y)], width: 1.0, ink });
        marks.push(Mark::Text(
            Text::new(name, field.left - 10.0, y + SIZE * 0.36, SIZE).standing(Stands::Ends),
        ));
    }
    titles(table, letters, field, &mut marks);
    let places = across(kind, table, letters, field, &mut marks);
    for (at, series) in table.series.iter().enumerate() {
        match kind {
            ChartKind::Bar => bars(table, at, field, &up, &mut marks),
            ChartKind::Line => line(series, Ink::Series(at), &places, field, &up, &mut marks),
            ChartKind::Scatter => dots(series, Ink::Series(at), 4.0, &places, field, &up, &mut marks),
            ChartKind::Pie => {}
        }
    }
    Drawing { title: table.title.clone().unwrap_or_default(), marks }
}

/// Bars stand on nothing; lines and points do so where that is not far below them.
fn upwards(kind: ChartKind, table: &Table) -> Scale {
    let low = table.values().fold(f64::INFINITY, f64::min);
    let high = table.values().fold(f64::NEG_INFINITY, f64::max);
    let is_near = low >= 0.0 && low <= high / 2.0;
    match kind {
        ChartKind::Bar => Scale::from_zero(low, high, STEPS),
        ChartKind::Line | ChartKind::Scatter | ChartKind::Pie if is_near => {
            Scale::from_zero(low, high, STEPS)
        }
        ChartKind::Line | ChartKind::Scatter | ChartKind::Pie => Scale::around(low, high, STEPS),
    }
}

fn titles(table: &Table, letters: &Letters, field: Field, marks: &mut Vec<Mark>) {
    if let Some(title) = &table.y_title {
        let middle = (field.top + field.bottom) / 2.0;
        let shown = letters.cut(title, SIZE, false, field.bottom - field.top);
        let text = Text::new(shown, MARGIN + SIZE - 3.0, middle, SIZE).standing(Stands::Middle);
        marks.push(Mark::Text(Text { turned: true, ..text }));
    }
    if let Some(title) = &table.x_title {
        let shown = letters.cut(title, SIZE, false, field.width());
        let text = Text::new(shown, (field.left + field.right) / 2.0, HEIGHT - MARGIN, SIZE);
        marks.push(Mark::Text(text.standing(Stands::Middle)));
    }
}

/// Draws the names below, and gives where each row stands.
fn across(
    kind: ChartKind,
    table: &Table,
    letters: &Letters,
    field: Field,
    marks: &mut Vec<Mark>,
) -> Vec<f32> {
    let ends = |at: &[f64]| {
        (
            at.iter().copied().fold(f64::INFINITY, f64::min),
            at.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    match &table.x {
        Across::Order => {
            let slot = field.width() / table.labels.len().max(1) as f32;
            let places: Vec<f32> =
                (0..table.labels.len()).map(|at| field.left + slot * (at as f32 + 0.5)).collect();
            let named: Vec<(f32, &str)> =
                places.iter().copied().zip(table.labels.iter().map(String::as_str)).collect();
            names(&named, slot, letters, field, marks);
            places
        }
        Across::Numbers(at) => {
            let (low, high) = ends(at);
            let scale = Scale::around(low, high, STEPS + 2.0);
            let inner = field.width() - 2.0 * MARGIN;
            let place = |value: f64| field.left + MARGIN + inner * scale.part(value);
            for (value, name) in scale.ticks() {
                let x = place(value);
                if kind == ChartKind::Scatter {
                    let points = vec![(x, field.top), (x, field.bottom)];
                    marks.push(Mark::Line { points, width: 1.0, ink: Ink::Grid });
                }
                below(name, x, field, marks);
            }
            at.iter().map(|value| place(*value)).collect()
        }
        Across::Times(at) => {
            let (low, high) = ends(at);
            let inner = field.width() - 4.0 * MARGIN;
            let part = |value: f64| if high > low { ((value - low) / (high - low)) as f32 } else { 0.5 };
            let places: Vec<f32> =
                at.iter().map(|value| field.left + 2.0 * MARGIN + inner * part(*value)).collect();
            let named =
                places.iter().copied().zip(table.labels.iter().map(String::as_str)).collect::<Vec<_>>();
            let mut free = f32::NEG_INFINITY;
            for (x, name) in named {
                let half = letters.width(name, SIZE, false).min(WIDEST) / 2.0;
                if x - half >= free {
                    below(letters.cut(name, SIZE, false, WIDEST), x, field, marks);
                    free = x + half + APART;
                }
            }
            places
        }
    }
}

/// As many names as there is room for, at even distances.
fn names(named: &[(f32, &str)], slot: f32, letters: &Letters, field: Field, marks: &mut Vec<Mark>) {
    let widest =
        named.iter().map(|(_, name)| letters.width(name, SIZE, false)).fold(0.0, f32::max).min(WIDEST);
    let every = ((widest + APART) / slot).ceil().max(1.0);
    let room = (every * slot - APART).max(SIZE);
    for (x, name) in named.iter().step_by(every as usize) {
        below(letters.cut(name, SIZE, false, room), *x, field, marks);
    }
}

fn below(name: String, x: f32, field: Field, marks: &mut Vec<Mark>) {
    marks.push(Mark::Text(Text::new(name, x, field.bottom + SIZE + 7.0, SIZE).standing(Stands::Middle)));
}

fn bars(table: &Table, at: usize, field: Field, up: &Scale, marks: &mut Vec<Mark>) {
    let slot = field.width() / table.labels.len().max(1) as f32;
    let width = slot * BARS / table.series.len() as f32;
    let foot = field.y(up, 0.0);
    for (row, value) in table.series[at].values.iter().enumerate() {
        let Some(value) = value else { continue };
        let y = field.y(up, *value);
        let x = field.left + slot * (row as f32 + (1.0 - BARS) / 2.0) + width * at as f32;
        // Two beside each other do not touch.
        let gap = if width > 6.0 { 1.0 } else { 0.0 };
        marks.push(Mark::Bar {
            x,
            y: y.min(foot),
            width: width - gap,
            height: (y - foot).abs().max(0.5),
            ink: Ink::Series(at),
        });
    }
}

/// A line that breaks off where there is no number.
fn line(series: &Series, ink: Ink, places: &[f32], field: Field, up: &Scale, marks: &mut Vec<Mark>) {
    let points: Vec<Option<(f32, f32)>> = places
        .iter()
        .zip(&series.values)
        .map(|(x, value)| value.map(|value| (*x, field.y(up, value))))
        .collect();
    for part in points.split(Option::is_none).filter(|part| part.len() > 1) {
        marks.push(Mark::Line { points: part.iter().flatten().copied().collect(), width: 2.25, ink });
    }
    let is_alone = points.split(Option::is_none).any(|part| part.len() == 1);
    if points.len() <= DOTTED || is_alone {
        dots(series, ink, 3.0, places, field, up, marks);
    }
}

fn dots(
    series: &Series,
    ink: Ink,
    radius: f32,
    places: &[f32],
    field: Field,
    up: &Scale,
    marks: &mut Vec<Mark>,
) {
    for (x, value) in places.iter().zip(&series.values) {
        if let Some(value) = value {
            marks.push(Mark::Dot { x: *x, y: field.y(up, *value), radius, ink });
        }
    }
}
