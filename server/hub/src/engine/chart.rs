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
use data::Chart;
use letters::Letters;

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
