//! Tables of a model: whether their rows are a grid.

use super::block::words;
use super::limits::{Limits, MOST_COLUMNS};
use crate::engine::structure::{Cell, Misfit, Table};

pub(super) fn check(place: &str, table: &Table, limits: &mut Limits) -> Result<(), String> {
    let has_header = !table.header.is_empty();
    let named = |row: usize| match (has_header, row) {
        (true, 0) => format!("{place}.header"),
        (true, row) => format!("{place}.rows[{}]", row - 1),
        (false, row) => format!("{place}.rows[{row}]"),
    };
    let columns = table.columns();
    if columns == 0 {
        return Err(format!("{place} has no cells. Give header, rows or both."));
    }
    if columns > MOST_COLUMNS {
        return Err(format!("{place} has {columns} columns. A table has {MOST_COLUMNS} at most."));
    }
    for (at, row) in table.all_rows().enumerate() {
        limits.cells(&named(at), row.len().max(columns))?;
        for (number, cell) in row.iter().enumerate() {
            let place = format!("{}[{number}]", named(at));
            words(&place, &cell.text, limits)?;
            if !(1..=MOST_COLUMNS).contains(&cell.colspan) || cell.rowspan == 0 {
                return Err(format!("{place}: colspan is from 1 to {MOST_COLUMNS}, and rowspan 1 or more."));
            }
        }
    }
    let cells = |count: usize| format!("{count} cell{}", if count == 1 { "" } else { "s" });
    let first = if has_header { "the header" } else { "the first row" };
    table.grid().map_err(|misfit| match misfit {
        Misfit::Width { row, has } => {
            let merged = table.all_rows().flatten().any(|cell| cell.colspan > 1 || cell.rowspan > 1);
            let counted = if merged { ", those counted that others cover" } else { "" };
            format!("{} has {}, {first} has {columns}{counted}.", named(row), cells(has))
        }
        Misfit::Span { row, cell } => format!(
            "{}[{cell}] reaches below the last row, or across a cell that another covers. Mend its colspan or rowspan.",
            named(row)
        ),
    })?;
    check_spans(place, table)?;
    for (name, count) in [("widths", table.widths.len()), ("align", table.align.len())] {
        if count > 0 && count != columns {
            return Err(format!("{place}.{name} has {count} entries, the table has {columns} columns."));
        }
    }
    if let Some(at) = table.widths.iter().position(|width| !(0.01..=1000.0).contains(width)) {
        return Err(format!(
            "{place}.widths[{at}] is a number from 0.01 to 1000: how wide it is to the others."
        ));
    }
    if let Some(caption) = &table.caption {
        limits.text(&format!("{place}.caption"), caption.len(), 1)?;
    }
    Ok(())
}

/// The writer of texts has no cells that span both ways, and programs for slides do not agree on what those cover.
fn check_spans(place: &str, table: &Table) -> Result<(), String> {
    let spans_both = |cells: &[Cell]| cells.iter().position(|cell| cell.colspan > 1 && cell.rowspan > 1);
    let found = table.rows.iter().enumerate().find_map(|(row, cells)| Some((row, spans_both(cells)?)));
    let at = match (spans_both(&table.header), found) {
        (Some(cell), _) => format!("header[{cell}]"),
        (None, Some((row, cell))) => format!("rows[{row}][{cell}]"),
        (None, None) => return Ok(()),
    };
    Err(format!("{place}.{at} spans columns and rows. A cell can do one of them."))
}
