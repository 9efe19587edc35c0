//! A pie: parts of a whole, the largest first, with their shares beside it.

use super::data::{Chart, Table};
use super::legend::{swatch, title};
use super::letters::Letters;
use super::marks::{Drawing, HEIGHT, Ink, MARGIN, Mark, Stands, Text, WIDTH};
use super::scale::written;
use std::f32::consts::TAU;

/// Slices, the last of which may be what is left.
const MOST_SLICES: usize = 8;
const REST: &str = "Other";
/// Where the names begin, and how far they are apart.
const NAMES: f32 = 430.0;
const LINE: f32 = 30.0;
const SIZE: f32 = 14.0;
/// Corners of a whole circle.
const CORNERS: f32 = 240.0;

pub(super) fn draw(table: &Table, letters: &Letters, notes: &mut Vec<String>) -> Result<Drawing, String> {
    let slices = slices(table, notes)?;
    let whole: f64 = slices.iter().map(|(_, value)| value).sum();
    let mut marks = Vec::new();
    let top = title(table, letters, &mut marks);
    let room = HEIGHT - MARGIN - top;
    let (radius, centre) = (room.min(NAMES - 3.0 * MARGIN) / 2.0, (NAMES / 2.0, top + room / 2.0));
    let list = slices.len() as f32 * LINE;
    let (mut from, mut y) = (0.0, centre.1 - list / 2.0);
    for (at, (name, value)) in slices.iter().enumerate() {
        let (share, ink) = ((value / whole) as f32, Ink::Series(at));
        marks.push(Mark::Area { points: wedge(centre, radius, from, from + share), ink });
        from += share;
        swatch(NAMES, y + 9.0, ink, &mut marks);
        let told = format!("{} ({} %)", short(*value), written(f64::from(share) * 100.0, 1));
        let width = letters.width(&told, SIZE, false);
        let name = letters.cut(name, SIZE, false, WIDTH - MARGIN - NAMES - 36.0 - width);
        marks.push(Mark::Text(Text { ink: Ink::Text, ..Text::new(name, NAMES + 20.0, y + 20.0, SIZE) }));
        marks.push(Mark::Text(Text::new(told, WIDTH - MARGIN, y + 20.0, SIZE).standing(Stands::Ends)));
        y += LINE;
    }
    // A line of paper between two of them.
    let mut from = 0.0;
    for (_, value) in slices.iter().filter(|_| slices.len() > 1) {
        let points = vec![centre, on_circle(centre, radius + 1.0, from)];
        marks.push(Mark::Line { points, width: 1.5, ink: Ink::Paper });
        from += (value / whole) as f32;
    }
    Ok(Drawing { title: table.title.clone().unwrap_or_default(), marks })
}

/// The same with its slices as the rows.
pub(super) fn of_slices(chart: Chart) -> Result<Chart, String> {
    let Chart { mut table, mut notes } = chart;
    let slices = slices(&table, &mut notes)?;
    table.labels = slices.iter().map(|(name, _)| name.clone()).collect();
    for series in &mut table.series {
        series.values = slices.iter().map(|(_, value)| Some(*value)).collect();
    }
    Ok(Chart { table, notes })
}

fn slices(table: &Table, notes: &mut Vec<String>) -> Result<Vec<(String, f64)>, String> {
    let named = table.labels.iter().zip(table.series.iter().flat_map(|series| &series.values));
    let mut slices: Vec<(String, f64)> = named
        .filter_map(|(name, value)| Some((name.clone(), (*value)?)))
        .filter(|(_, value)| *value != 0.0)
        .collect();
    if slices.iter().any(|(_, value)| *value < 0.0) {
        return Err(
            "A pie shows parts of a whole, and one of these is less than nothing. Draw bars.".to_owned()
        );
    }
    if slices.is_empty() {
        return Err("All parts of this pie are nothing.".to_owned());
    }
    slices.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    if slices.len() > MOST_SLICES {
        let rest = slices.split_off(MOST_SLICES - 1);
        notes.push(format!("The {} smallest parts stand together as {REST}.", rest.len()));
        slices.push((REST.to_owned(), rest.iter().map(|(_, value)| value).sum()));
    }
    Ok(slices)
}

fn short(value: f64) -> String {
    match value {
        value if !(1e-3..1e12).contains(&value) => format!("{value:.2e}"),
        value if (value - value.round()).abs() < 1e-9 => written(value, 0),
        value if value < 1.0 => written(value, 3),
        value => written(value, 1),
    }
}

/// From one part of the circle to another, both from the top and with the clock.
fn wedge(centre: (f32, f32), radius: f32, from: f32, to: f32) -> Vec<(f32, f32)> {
    let steps = ((to - from) * CORNERS).ceil().max(1.0);
    let rim = (0..=steps as usize).map(|at| from + (to - from) * at as f32 / steps);
    std::iter::once(centre).chain(rim.map(|part| on_circle(centre, radius, part))).collect()
}

fn on_circle((x, y): (f32, f32), radius: f32, part: f32) -> (f32, f32) {
    let angle = part * TAU;
    (x + radius * angle.sin(), y - radius * angle.cos())
}
