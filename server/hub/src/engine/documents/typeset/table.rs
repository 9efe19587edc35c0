//! Tables: how wide their columns are, and their rows over the pages, with the heads on each.

use super::TooLong;
use super::blocks::{Span, Style, Table};
use super::fonts::Figures;
use super::layout::{Column, LEADING, Layout};
use super::lines::{Line, Setting, lines, widths};
use super::page::{Group, GroupId, Ink, Sheet};
use pulldown_cmark::Alignment;

const SIZE: f32 = 9.0;
/// Of a table with more columns than fit well.
const SMALL: f32 = 7.5;
const MANY_COLUMNS: usize = 8;
const INSET: f32 = 6.0;
const ABOVE: f32 = 4.0;
/// The line below the heads.
const HEAD_LINE: f32 = 0.9;
/// Rows that say how wide columns are.
const MEASURED: usize = 300;

/// Rows of one table, as they are drawn.
struct Grid {
    left: f32,
    width: f32,
    columns: Vec<f32>,
    aligned: Vec<Alignment>,
    size: f32,
    /// How high the heads are that stand on each page. Zero: they are too high to stand there again.
    again: f32,
}

/// A row whose cells are lines, with the groups that these are in.
struct Row {
    cells: Vec<(Vec<Line>, Option<GroupId>)>,
    ink: Ink,
}

impl Layout<'_> {
    pub(super) fn table(&mut self, table: &Table, column: Column) -> Result<(), TooLong> {
        let count = table.rows.iter().map(Vec::len).max().unwrap_or_default().max(table.head.len());
        if count == 0 {
            return Ok(());
        }
        let size = if count > MANY_COLUMNS { SMALL } else { SIZE };
        let columns = self.columns(table, count, size, column.width);
        let width = columns.iter().sum();
        let (left, aligned) = (column.left, table.aligned.clone());
        let mut grid = Grid { left, width, columns, aligned, size, again: 0.0 };
        let head: Vec<Vec<Span>> = table.head.iter().map(|cell| bold(cell)).collect();
        let group = self.structure.begin(Group::Table, column.within);
        let first = self.row(&head, &grid, group, Group::HeadCell);
        let high = height_of(&first, &grid);
        if high <= self.page_height() / 3.0 {
            grid.again = high + HEAD_LINE;
        }
        self.after(4.0);
        // The heads do not stand alone at the end of a page.
        self.room(high + 2.0 * (grid.size * LEADING + 2.0 * ABOVE))?;
        self.draw_labels();
        self.head(first, &grid)?;
        for cells in &table.rows {
            let row = self.row(cells, &grid, group, Group::Cell);
            self.body(row, &head, &grid)?;
        }
        self.after(14.0);
        Ok(())
    }

    fn columns(&mut self, table: &Table, count: usize, size: f32, width: f32) -> Vec<f32> {
        let mut natural = vec![(0.0f32, 0.0f32); count];
        let setting = Setting { size, width: f32::MAX, figures: Figures::Even, is_code: false };
        let heads: Vec<Vec<Span>> = table.head.iter().map(|cell| bold(cell)).collect();
        for row in std::iter::once(&heads).chain(table.rows.iter().take(MEASURED)) {
            for (cell, natural) in row.iter().zip(&mut natural) {
                let (whole, widest) = widths(self.fonts, cell, setting);
                natural.0 = natural.0.max(whole + 2.0 * INSET + 0.1);
                natural.1 = natural.1.max(widest + 2.0 * INSET + 0.1);
            }
        }
        shared(&natural, width)
    }

    fn row(&mut self, cells: &[Vec<Span>], grid: &Grid, table: GroupId, kind: Group) -> Row {
        let row = self.structure.begin(Group::Row, table);
        let ink = if matches!(kind, Group::HeadCell) { Ink::Quiet } else { Ink::Text };
        let cells = cells
            .iter()
            .zip(&grid.columns)
            .map(|(cell, width)| {
                let group = self.structure.begin(kind.clone(), row);
                (self.cell(cell, *width, grid.size), Some(group))
            })
            .collect();
        Row { cells, ink }
    }

    fn cell(&mut self, cell: &[Span], width: f32, size: f32) -> Vec<Line> {
        let width = (width - 2.0 * INSET).max(1.0);
        lines(self.fonts, cell, Setting { size, width, figures: Figures::Even, is_code: false })
    }

    fn head(&mut self, head: Row, grid: &Grid) -> Result<(), TooLong> {
        if self.y + height_of(&head, grid) > self.sheet.bottom() {
            self.split(head, &[], grid)?;
        } else {
            self.put(head, grid);
        }
        self.hairline(grid.left, grid.width, HEAD_LINE, Ink::Strong);
        self.y += HEAD_LINE;
        Ok(())
    }

    fn page_height(&self) -> f32 {
        self.sheet.bottom() - Sheet::TOP
    }

    /// A row stays on one page, if it is no longer than what the heads leave of that.
    fn body(&mut self, row: Row, head: &[Vec<Span>], grid: &Grid) -> Result<(), TooLong> {
        let height = height_of(&row, grid);
        let is_longer = height > self.page_height() - grid.again;
        let needed = if is_longer { grid.size * LEADING + 2.0 * ABOVE } else { height };
        if self.y + needed > self.sheet.bottom() {
            self.head_again(head, grid)?;
        }
        if is_longer {
            self.split(row, head, grid)?;
        } else {
            self.put(row, grid);
        }
        self.hairline(grid.left, grid.width, 0.5, Ink::Rule);
        self.y += 0.5;
        Ok(())
    }

    /// The heads at the top of the next page. Who has the pages read aloud has heard them.
    fn head_again(&mut self, head: &[Vec<Span>], grid: &Grid) -> Result<(), TooLong> {
        self.next_page()?;
        if grid.again == 0.0 {
            return Ok(());
        }
        let cells = head
            .iter()
            .zip(&grid.columns)
            .map(|(cell, width)| (self.cell(cell, *width, grid.size), None))
            .collect();
        self.head(Row { cells, ink: Ink::Quiet }, grid)
    }

    /// A row for which there is room.
    fn put(&mut self, row: Row, grid: &Grid) {
        let height = height_of(&row, grid);
        let top = self.y;
        let mut x = grid.left;
        for (at, (cell, group)) in row.cells.into_iter().enumerate() {
            self.y = top + ABOVE;
            for line in cell {
                self.aligned(line, x, at, row.ink, group, grid);
                self.y += grid.size * LEADING;
            }
            x += grid.columns[at];
        }
        self.y = top + height;
    }

    /// A row that is longer than a page, line by line.
    fn split(&mut self, row: Row, head: &[Vec<Span>], grid: &Grid) -> Result<(), TooLong> {
        let step = grid.size * LEADING;
        let mut cells: Vec<_> =
            row.cells.into_iter().map(|(lines, group)| (lines.into_iter(), group)).collect();
        self.y += ABOVE;
        loop {
            let line: Vec<Option<Line>> = cells.iter_mut().map(|(lines, _)| lines.next()).collect();
            if line.iter().all(Option::is_none) {
                break;
            }
            if self.y + step > self.sheet.bottom() {
                self.head_again(head, grid)?;
                self.y += ABOVE;
            }
            let mut x = grid.left;
            for (at, part) in line.into_iter().enumerate() {
                if let Some(part) = part {
                    self.aligned(part, x, at, row.ink, cells[at].1, grid);
                }
                x += grid.columns[at];
            }
            self.y += step;
        }
        self.y += ABOVE;
        Ok(())
    }

    fn aligned(&mut self, line: Line, x: f32, at: usize, ink: Ink, group: Option<GroupId>, grid: &Grid) {
        // What stands at the edges stands where the text around does.
        let left = if at == 0 { 0.0 } else { INSET };
        let right = if at + 1 == grid.columns.len() { 0.0 } else { INSET };
        let free = (grid.columns[at] - left - right - line.width).max(0.0);
        let by = match grid.aligned.get(at) {
            Some(Alignment::Right) => free,
            Some(Alignment::Center) => free / 2.0,
            Some(Alignment::Left | Alignment::None) | None => 0.0,
        };
        let baseline = self.y + grid.size * (LEADING / 2.0 + 0.36);
        self.draw(line, x + left + by, baseline, ink, group);
    }
}

fn height_of(row: &Row, grid: &Grid) -> f32 {
    let most = row.cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or_default().max(1);
    most as f32 * grid.size * LEADING + 2.0 * ABOVE
}

fn bold(cell: &[Span]) -> Vec<Span> {
    cell.iter().map(|span| Span { style: Style { bold: true, ..span.style }, ..span.clone() }).collect()
}

/// What each column gets of the width, by how wide it would be and how wide its widest word is.
fn shared(natural: &[(f32, f32)], width: f32) -> Vec<f32> {
    let whole: f32 = natural.iter().map(|(whole, _)| whole).sum();
    let widest: f32 = natural.iter().map(|(_, widest)| widest).sum();
    if whole <= width {
        let each = (width - whole) / natural.len() as f32;
        return natural.iter().map(|(whole, _)| whole + each).collect();
    }
    if widest >= width {
        // Words come apart. No column is left without a letter.
        let least = (width / natural.len() as f32).min(30.0);
        let free = width - least * natural.len() as f32;
        return natural.iter().map(|(_, one)| least + free * one / widest).collect();
    }
    let share = (width - widest) / (whole - widest);
    natural.iter().map(|(whole, widest)| widest + (whole - widest) * share).collect()
}

#[cfg(test)]
mod tests {
    use super::super::blocks::{self, Block};
    use super::super::{Pictures, fonts::Fonts, page::Mark};
    use super::*;

    #[test]
    fn nothing_of_a_table_is_left_out_or_stands_below_the_text() {
        // Lines of the heads and of each of two rows; 48 fill a page.
        for (heads, lines) in [(1, 44), (1, 46), (1, 120), (14, 31), (14, 33), (20, 44), (47, 2), (150, 3)] {
            let cell = |word: &str, lines: usize| vec![word; lines].join("<br>");
            let row = format!("| {} | b |\n", cell("row", lines));
            let markdown = format!("Before.\n\n| {} | a |\n| - | - |\n{row}{row}", cell("head", heads));
            let blocks = blocks::read(&markdown);
            assert!(matches!(blocks[..], [Block::Paragraph(_), Block::Table(_)]), "{blocks:?}");
            let (mut fonts, pictures) = (Fonts::new().unwrap(), Pictures::default());
            let mut layout = Layout::new(Sheet::A4, &mut fonts, &pictures);
            assert!(layout.all(&blocks, None).is_ok());
            let (mut rows, mut tops) = (0, 0);
            for mark in layout.pages.iter().flat_map(|page| &page.marks) {
                let Mark::Text { run, baseline, .. } = mark else { continue };
                assert!(*baseline <= Sheet::A4.bottom(), "{heads} and {lines}: {baseline}");
                rows += usize::from(run.run.text == "row");
                tops += usize::from(run.run.text == "head");
            }
            assert_eq!(rows, 2 * lines, "{heads} and {lines}");
            assert!(tops >= heads && tops % heads == 0, "{heads} and {lines}: {tops}");
        }
    }

    #[test]
    fn columns_share_the_width_by_what_they_hold() {
        for (natural, expected) in [
            ([(50.0, 20.0), (30.0, 30.0)], [60.0, 40.0]),
            ([(140.0, 20.0), (40.0, 40.0)], [60.0, 40.0]),
            ([(900.0, 300.0), (100.0, 100.0)], [60.0, 40.0]),
        ] {
            let shared = shared(&natural, 100.0);
            assert!((shared.iter().sum::<f32>() - 100.0).abs() < 0.01, "{natural:?}: {shared:?}");
            assert!((shared[0] - expected[0]).abs() < 0.01, "{natural:?}: {shared:?}");
        }
    }
}
