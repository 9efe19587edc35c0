//! XLSX of columns and rows: formulas, dates, number formats, a head that stays in sight, charts, and how it looks.

mod area;
mod look;

use super::draft::{ChartDraft, ChartKind, Column, SheetDraft};
use area::Area;
use look::{Looks, put_conditions, put_pictures};
use rust_xlsxwriter::{
    Chart, ChartType, Color, DocProperties, ExcelDateTime, Format, Formula, Workbook, Worksheet, XlsxError,
};
use serde_json::Value;

/// Cells of all sheets.
const MOST_CELLS: usize = 200_000;
/// Cells that can be one.
const MOST_MERGED: u64 = 10_000;
const DATE: &str = "yyyy-mm-dd";
const DATE_AND_TIME: &str = "yyyy-mm-dd hh:mm";
const HEAD: Color = Color::RGB(0x00E7_ECE8);
/// Characters of a column that nobody gave a width, and of what is not known before somebody reckons it.
const NARROWEST: usize = 8;
const WIDEST: usize = 60;
const RECKONED: usize = 10;
/// Rows from the beginning of one chart to that of the next below it.
const ROWS_OF_CHART: u32 = 16;
/// Characters of air in a column.
const AIR: usize = 2;

pub(super) fn write(sheets: &[SheetDraft], now_ms: i64) -> Result<Vec<u8>, String> {
    let cells: usize = sheets.iter().flat_map(|sheet| &sheet.rows).map(Vec::len).sum();
    if cells > MOST_CELLS {
        return Err(format!("It has {cells} cells. A workbook has {MOST_CELLS} at most."));
    }
    book_of(sheets, now_ms).map_err(|error| match error {
        XlsxError::ParameterError(why) => why,
        error => format!("{error}."),
    })
}

fn book_of(sheets: &[SheetDraft], now_ms: i64) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let created = ExcelDateTime::from_timestamp(now_ms.div_euclid(1000))?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&created));
    for (draft, number) in sheets.iter().zip(1..) {
        let name = draft.name.clone().unwrap_or_else(|| format!("Sheet {number}"));
        let sheet = book.add_worksheet();
        sheet.set_name(&name)?;
        merge(sheet, draft)?;
        let looks = Looks::of(draft)?;
        fill(sheet, draft, &looks)?;
        looks.put_besides(sheet, draft)?;
        put_conditions(sheet, draft)?;
        put_pictures(sheet, &draft.look.pictures)?;
        for (chart, place) in draft.chart.iter().chain(&draft.charts).zip(0..) {
            insert(sheet, &name, draft, chart, place)?;
        }
    }
    book.save_to_buffer()
}

/// Makes several cells one. It shows what stands in the first of them.
fn merge(sheet: &mut Worksheet, draft: &SheetDraft) -> Result<(), XlsxError> {
    for text in &draft.merge {
        let wrong = |why: &str| XlsxError::ParameterError(format!("{text} cannot be one cell: {why}."));
        let area = Area::parse(text).filter(|area| text.contains(':') && !area.has_whole_columns());
        let area = area.ok_or_else(|| {
            wrong("write it like A5:C5, from its upper left to its lower right, within a sheet")
        })?;
        if area.cells() > MOST_MERGED {
            return Err(wrong("it has more than 10,000 cells"));
        }
        let Area { top, left, bottom, right } = area;
        let hides = (top..=bottom)
            .flat_map(|row| (left..=right).map(move |column| (row, column)))
            .skip(1)
            .any(|(row, column)| {
                let row = usize::try_from(row).ok().and_then(|row| draft.rows.get(row.checked_sub(1)?));
                row.and_then(|row| row.get(usize::from(column))).is_some_and(|value| !value.is_null())
            });
        if hides {
            return Err(wrong("more than its first cell holds something"));
        }
        sheet.merge_range(top, left, bottom, right, "", &Format::new())?;
    }
    Ok(())
}

fn fill(sheet: &mut Worksheet, draft: &SheetDraft, looks: &Looks<'_>) -> Result<(), XlsxError> {
    let head = Format::new().set_bold().set_background_color(HEAD);
    // Whoever opens it reckons; until then nothing is known of the results.
    sheet.set_formula_result_default("");
    for (column, number) in draft.columns.iter().zip(0..) {
        let head = looks.of_cell(0, number, head.clone());
        sheet.write_string_with_format(0, number, &column.name, &head)?;
    }
    for (row, number) in draft.rows.iter().zip(1..) {
        for (value, at) in row.iter().zip(0..) {
            write_cell(sheet, (number, at), value, draft.columns.get(usize::from(at)), looks)?;
        }
    }
    if let Some(last) = u16::try_from(draft.columns.len()).ok().and_then(|columns| columns.checked_sub(1))
        && draft.look.autofilter
    {
        sheet.autofilter(0, 0, u32::try_from(draft.rows.len()).unwrap_or(u32::MAX), last)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    for (column, number) in draft.columns.iter().zip(0..) {
        let width = column.width.unwrap_or_else(|| width(draft, column, usize::from(number)));
        sheet.set_column_width(number, width)?;
    }
    Ok(())
}

/// Of the longest cell, within bounds.
fn width(draft: &SheetDraft, column: &Column, number: usize) -> f64 {
    let cells = draft.rows.iter().filter_map(|row| row.get(number));
    let longest = cells.map(|cell| match cell {
        Value::String(text) if text.starts_with('=') && !column.is_text() => RECKONED,
        Value::String(text) => text.chars().count(),
        Value::Null => 0,
        Value::Number(_) if column.format.is_some() => RECKONED,
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => cell.to_string().len(),
    });
    let longest = longest.max().unwrap_or_default().max(column.name.chars().count());
    let width = (longest + AIR).clamp(NARROWEST, WIDEST);
    u32::try_from(width).map_or(0.0, f64::from)
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    value: &Value,
    head: Option<&Column>,
    looks: &Looks<'_>,
) -> Result<(), XlsxError> {
    let is_text = head.is_some_and(Column::is_text);
    let format = head.and_then(|head| head.format.as_deref()).filter(|_| !is_text);
    let format = format.map(|format| Format::new().set_num_format(format));
    let shown = looks.of_cell(row, column, format.clone().unwrap_or_default());
    match value {
        Value::Null => {}
        Value::Bool(value) => {
            sheet.write_boolean_with_format(row, column, *value, &shown)?;
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            sheet.write_number_with_format(row, column, number, &shown)?;
        }
        Value::String(text) if !is_text && text.len() > 1 && text.starts_with('=') => {
            sheet.write_formula_with_format(row, column, Formula::new(text), &shown)?;
        }
        Value::String(text) => match date(text).filter(|_| !is_text) {
            Some((date, usual)) => {
                let shown = format.unwrap_or_else(|| Format::new().set_num_format(usual));
                let shown = looks.of_cell(row, column, shown);
                sheet.write_datetime_with_format(row, column, &date, &shown)?;
            }
            None => {
                sheet.write_string_with_format(row, column, text, &shown)?;
            }
        },
        Value::Array(_) | Value::Object(_) => {
            return Err(XlsxError::ParameterError(
                "A cell holds a text, a number, true, false or null.".to_owned(),
            ));
        }
    }
    Ok(())
}

/// `2026-03-01`, or with a time, and how that is shown.
pub(super) fn date(text: &str) -> Option<(ExcelDateTime, &'static str)> {
    let bytes = text.as_bytes();
    let is_date = bytes.len() >= 10 && bytes[4] == b'-' && bytes[7] == b'-';
    let usual = match bytes.len() {
        10 => DATE,
        16 | 19 if matches!(bytes[10], b' ' | b'T') => DATE_AND_TIME,
        _ => return None,
    };
    let date = ExcelDateTime::parse_from_str(&text.replace('T', " ")).ok();
    date.filter(|_| is_date).map(|date| (date, usual))
}

fn insert(
    sheet: &mut Worksheet,
    name: &str,
    draft: &SheetDraft,
    wanted: &ChartDraft,
    place: u32,
) -> Result<(), XlsxError> {
    let last = u32::try_from(draft.rows.len()).unwrap_or(u32::MAX);
    let column = |wanted: &str| -> Result<u16, XlsxError> {
        let at = draft.columns.iter().zip(0..).find(|(column, _)| column.name == wanted);
        at.map(|(_, number)| number).ok_or_else(|| {
            XlsxError::ParameterError(format!("The chart's column {wanted:?} is none of the sheet's."))
        })
    };
    let mut chart = Chart::new(match wanted.kind {
        ChartKind::Column => ChartType::Column,
        ChartKind::Bar => ChartType::Bar,
        ChartKind::Line => ChartType::Line,
        ChartKind::Area => ChartType::Area,
        ChartKind::Pie => ChartType::Pie,
    });
    if let Some(title) = &wanted.title {
        chart.title().set_name(title);
    }
    for values in &wanted.values {
        let at = column(values)?;
        let series = chart.add_series().set_name((name, 0, at)).set_values((name, 1, at, last, at));
        if let Some(categories) = &wanted.categories {
            let at = column(categories)?;
            series.set_categories((name, 1, at, last, at));
        }
    }
    let beside = u16::try_from(draft.columns.len()).unwrap_or(u16::MAX).saturating_add(1);
    sheet.insert_chart(1 + place * ROWS_OF_CHART, beside, &chart)?;
    Ok(())
}
