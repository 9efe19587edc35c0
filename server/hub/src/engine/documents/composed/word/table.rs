//! Tables of a DOCX.

use super::inline::{Notes, alignment, spans};
use crate::engine::structure::{Align, Cell, Spot, Table};
use office_oxide::ir;

const HEAD: [u8; 3] = [0xE7, 0xEC, 0xE8];
const LINE: [u8; 3] = [0xBF, 0xC7, 0xC1];
/// Eighths of a point.
const THIN: u32 = 4;
/// Twips within a cell.
const AIR: u32 = 80;

/// As wide as the text, in twips.
pub(super) fn table(of: &Table, width: u32, notes: &mut Notes) -> ir::Table {
    let has_header = !of.header.is_empty();
    // It was held against the rules before.
    let grid = of.grid().unwrap_or_default();
    let rows = grid.iter().enumerate().map(|(at, spots)| {
        let is_header = has_header && at == 0;
        let cells = spots.iter().enumerate().filter_map(|(column, spot)| match spot {
            Spot::Cell(one) => Some(cell(one, of.align.get(column).copied(), is_header, notes)),
            Spot::Covered { .. } => None,
        });
        let mut cells: Vec<ir::TableCell> = cells.collect();
        // The writer goes on with what reaches down only when another cell comes. This one finds no room.
        if matches!(spots.last(), Some(Spot::Covered { above: true, .. })) {
            cells.push(ir::TableCell::default());
        }
        ir::TableRow {
            cells,
            is_header,
            repeat_as_header: is_header,
            allow_break: false,
            ..ir::TableRow::default()
        }
    });
    let line = || {
        Some(ir::BorderLine {
            style: ir::BorderStyle::Single,
            color: Some(LINE),
            size: Some(THIN),
            space: None,
        })
    };
    ir::Table {
        rows: rows.collect(),
        column_widths_twips: of.shares().iter().map(|share| (share * f64::from(width)) as u32).collect(),
        width_twips: Some(width),
        border: Some(ir::TableBorder {
            top: line(),
            bottom: line(),
            left: line(),
            right: line(),
            inside_h: line(),
            inside_v: line(),
        }),
        cell_padding_twips: Some(AIR),
        ..ir::Table::default()
    }
}

fn cell(of: &Cell, align: Option<Align>, is_header: bool, notes: &mut Notes) -> ir::TableCell {
    let mut text = of.text.clone();
    text.0.iter_mut().for_each(|run| run.bold |= is_header);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    ir::TableCell {
        content: ir::inline_to_element_block(spans(&text, notes)),
        col_span: number(of.colspan),
        row_span: number(of.rowspan),
        background_color: of.background.map(|colour| colour.0).or(is_header.then_some(HEAD)),
        text_align: of.align.or(align).map(alignment),
        ..ir::TableCell::default()
    }
}
