//! What stands above a chart: its title, and which colour is which column.

use super::data::Table;
use super::letters::Letters;
use super::marks::{Ink, MARGIN, Mark, Text, WIDTH};

const TITLE: f32 = 18.0;
const SIZE: f32 = 13.0;
const LINE: f32 = 22.0;
const SWATCH: f32 = 11.0;
/// Between a colour and its name, and between two names.
const GAP: f32 = 7.0;
const APART: f32 = 20.0;
/// One name.
const WIDEST: f32 = 240.0;

/// Draws the title, and gives where what is below it begins.
pub(super) fn title(table: &Table, letters: &Letters, marks: &mut Vec<Mark>) -> f32 {
    let Some(title) = &table.title else { return MARGIN };
    let shown = letters.cut(title, TITLE, true, WIDTH - 2.0 * MARGIN);
    marks.push(Mark::Text(Text::new(shown, MARGIN, MARGIN + TITLE - 2.0, TITLE).bold()));
    MARGIN + TITLE + 14.0
}

/// Draws which colour is which, in lines as needed.
pub(super) fn legend(table: &Table, letters: &Letters, top: f32, marks: &mut Vec<Mark>) -> f32 {
    if table.series.len() < 2 {
        return top;
    }
    let (mut x, mut y) = (MARGIN, top);
    for (at, series) in table.series.iter().enumerate() {
        let name = letters.cut(&series.name, SIZE, false, WIDEST);
        let width = SWATCH + GAP + letters.width(&name, SIZE, false);
        if x > MARGIN && x + width > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LINE);
        }
        swatch(x, y, Ink::Series(at), marks);
        marks.push(Mark::Text(Text::new(name, x + SWATCH + GAP, y + SWATCH, SIZE)));
        x += width + APART;
    }
    y + LINE + 4.0
}

pub(super) fn swatch(x: f32, y: f32, ink: Ink, marks: &mut Vec<Mark>) {
    marks.push(Mark::Bar { x, y, width: SWATCH, height: SWATCH, ink });
}
