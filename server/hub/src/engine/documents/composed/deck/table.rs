//! Tables of a slide.

use super::body::{Letters, alignment, runs};
use super::room::Room;
use super::slide::Canvas;
use crate::engine::structure::{Cell, Spot, Table};

/// "No Style, No Grid", as programs for slides have it: not all have the others, so the cells say what they look like.
const STYLE: &str = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}";
/// Below each row.
const LINE: &str = "<a:lnB w=\"6350\"><a:solidFill><a:schemeClr val=\"tx2\"/></a:solidFill></a:lnB>";
/// Hundredths of a point, by how many rows there are.
const LETTERS: [(usize, u32); 3] = [(8, 1_800), (12, 1_400), (usize::MAX, 1_200)];
/// EMU of a row for each point of its letters.
const ROW: u64 = 21_000;

pub(super) fn table(of: &Table, room: Room, canvas: &mut Canvas) -> String {
    // It was held against the rules before.
    let grid = of.grid().unwrap_or_default();
    let size = letters(grid.len());
    let columns: String = of
        .shares()
        .iter()
        .map(|share| format!("<a:gridCol w=\"{}\"/>", (share * room.wide as f64) as u64))
        .collect();
    let has_header = !of.header.is_empty();
    let mut rows = String::new();
    for (at, spots) in grid.iter().enumerate() {
        let cells: String = spots
            .iter()
            .enumerate()
            .map(|(column, spot)| match spot {
                Spot::Cell(cell) => {
                    let align = cell.align.or_else(|| of.align.get(column).copied());
                    let align =
                        align.map_or_else(String::new, |align| format!(" algn=\"{}\"", alignment(align)));
                    one(cell, &align, size, has_header && at == 0, canvas)
                }
                Spot::Covered { left, above } => {
                    let left = if *left { " hMerge=\"1\"" } else { "" };
                    let above = if *above { " vMerge=\"1\"" } else { "" };
                    format!(
                        "<a:tc{left}{above}><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr/></a:p>\
                         </a:txBody><a:tcPr>{LINE}</a:tcPr></a:tc>"
                    )
                }
            })
            .collect();
        rows.push_str(&format!("<a:tr h=\"{}\">{cells}</a:tr>", height(size)));
    }
    let head = if has_header { " firstRow=\"1\"" } else { "" };
    format!(
        "<a:tbl><a:tblPr{head}><a:tableStyleId>{STYLE}</a:tableStyleId></a:tblPr>\
         <a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl>"
    )
}

fn one(cell: &Cell, align: &str, size: u32, is_head: bool, canvas: &mut Canvas) -> String {
    let span = |name: &str, count: usize| match count {
        1 => String::new(),
        count => format!(" {name}=\"{count}\""),
    };
    let spans = format!("{}{}", span("rowSpan", cell.rowspan), span("gridSpan", cell.colspan));
    let colour = match cell.background {
        Some(fill) => canvas.palette.on(fill),
        None if is_head => canvas.palette.on_accent(0),
        None => "tx1",
    };
    let letters = Letters { size: Some(size), bold: is_head, colour: Some(colour) };
    let runs = runs(&cell.text, letters, canvas);
    let fill = match cell.background {
        Some(colour) => format!("<a:solidFill><a:srgbClr val=\"{colour}\"/></a:solidFill>"),
        None if is_head => "<a:solidFill><a:schemeClr val=\"accent1\"/></a:solidFill>".to_owned(),
        None => String::new(),
    };
    format!(
        "<a:tc{spans}><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:pPr{align}/>{runs}</a:p></a:txBody>\
         <a:tcPr>{LINE}{fill}</a:tcPr></a:tc>"
    )
}

fn letters(rows: usize) -> u32 {
    LETTERS.iter().find(|(most, _)| rows <= *most).map_or(LETTERS[0].1, |(_, size)| *size)
}

const fn height(size: u32) -> u64 {
    size as u64 / 100 * ROW
}

/// Says so where it has more rows than there is room for.
pub(super) fn note_overflow(place: &str, of: &Table, room: Room, notes: &mut Vec<String>) {
    let rows = of.all_rows().count();
    let most = room.high / height(letters(rows));
    if rows as u64 > most {
        notes.push(format!(
            "{place} has {rows} rows, and {most} have room on the slide. Take rows away, or make several slides of it."
        ));
    }
}
