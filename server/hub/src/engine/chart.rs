//! Charts of tables, as SVG and as PNG of the same marks: bars, lines, pies and clouds of points.

mod axes;
mod data;
mod legend;
mod letters;
mod marks;
mod pie;
mod raster;
mod scale;
mod svg;

use super::job::{ChartDraft, ChartKind, DrawnChart};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
pub(super) use data::{Across, Chart, Series, Table};
use letters::Letters;
use marks::Ink;

pub(super) fn draw(draft: &ChartDraft) -> Result<DrawnChart, String> {
    let Chart { table, mut notes } = data::read(draft)?;
    let letters = Letters::new().ok_or("The fonts of the hub cannot be read.")?;
    let drawing = match draft.kind {
        ChartKind::Pie => pie::draw(&table, &letters, &mut notes)?,
        ChartKind::Bar | ChartKind::Line | ChartKind::Scatter => axes::draw(draft.kind, &table, &letters),
    };
    notes.extend(letters.not_drawn(&drawing));
    let png = raster::png(&drawing, &letters).ok_or("It could not be painted.")?;
    Ok(DrawnChart { svg: svg::write(&drawing), png: STANDARD.encode(png), points: table.points(), notes })
}

/// What a chart shows, for who draws it otherwise.
pub(super) fn read(draft: &ChartDraft) -> Result<Chart, String> {
    let chart = data::read(draft)?;
    match draft.kind {
        ChartKind::Pie => pie::of_slices(chart),
        ChartKind::Bar | ChartKind::Line | ChartKind::Scatter => Ok(chart),
    }
}

/// Of a column, counted from 0, on light paper: red, green and blue.
pub(super) fn colour(column: usize) -> [u8; 3] {
    Ink::Series(column).light()
}
