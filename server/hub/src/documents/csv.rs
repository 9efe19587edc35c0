//! CSV as spreadsheets open it.

use super::draft::SheetDraft;
use crate::engine::spreadsheet::{MARK, guarded};
use ::csv::WriterBuilder;
use serde_json::Value;

pub(super) fn write(sheets: &[SheetDraft]) -> Result<Vec<u8>, String> {
    let [sheet] = sheets else {
        return Err("A CSV has one sheet. Make an XLSX, or one CSV for each.".to_owned());
    };
    if sheet.chart.is_some() {
        return Err("A CSV has no charts. Make an XLSX.".to_owned());
    }
    let mut writer = WriterBuilder::new().flexible(true).from_writer(MARK.as_bytes().to_vec());
    let head = sheet.columns.iter().map(|column| guarded(&column.name));
    writer.write_record(head).map_err(|error| error.to_string())?;
    for row in &sheet.rows {
        writer.write_record(row.iter().map(cell)).map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => guarded(text),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}
