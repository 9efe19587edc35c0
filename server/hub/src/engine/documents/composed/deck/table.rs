//! Tables of a slide.

use super::body::{alignment, runs};
use super::room::Room;
use super::slide::Canvas;
use crate::engine::structure::{Cell, Spot, Table};

/// "Medium Style 2 - Accent 1", as every program for slides has it.
const STYLE: &str = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}";
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
                         </a:txBody><a:tcPr/></a:tc>"
                    )
                }
            })
            .collect();
        rows.push_str(&format!("<a:tr h=\"{}\">{cells}</a:tr>", height(size)));
    }
    let head = if has_header { " firstRow=\"1\"" } else { "" };
    format!(
        "<a:tbl><a:tblPr{head} bandRow=\"1\"><a:tableStyleId>{STYLE}</a:tableStyleId></a:tblPr>\
         <a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl>"
    )
}

fn one(cell: &Cell, align: &str, size: u32, is_head: bool, canvas: &mut Canvas) -> String {
    let span = |name: &str, count: usize| match count {
        1 => String::new(),
        count => format!(" {name}=\"{count}\""),
    };
    let spans = format!("{}{}", span("rowSpan", cell.rowspan), span("gridSpan", cell.colspan));
    let bold = if is_head { " b=\"1\"" } else { "" };
    let runs = runs(&cell.text, &format!(" sz=\"{size}\"{bold}"), canvas);
    let fill = cell.background.map_or_else(String::new, |colour| {
        format!("<a:solidFill><a:srgbClr val=\"{colour}\"/></a:solidFill>")
    });
    format!(
        "<a:tc{spans}><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:pPr{align}/>{runs}</a:p></a:txBody>\
         <a:tcPr>{fill}</a:tcPr></a:tc>"
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
