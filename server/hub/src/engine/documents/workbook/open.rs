//! What lies on the sheets of an ODS beside their cells, which the reader of these passes over.

use super::super::sheet::letters;
use super::beside::listed;
use crate::zip;
use office_oxide::core::Result;
use office_oxide::core::xml::{make_fast_reader, optional_prefixed_attr_str, read_text_content_fast};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

const CONTENT: &str = "content.xml";
/// Bytes of it.
const LARGEST: u64 = 64 * 1024 * 1024;

/// By the names of the sheets, as Markdown. None: it cannot be read.
pub(super) fn beside(bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let mut found = zip::unpack_wanted(bytes, LARGEST, |name| name == CONTENT).ok()?;
    read(&found.remove(CONTENT)?).ok()
}

/// A sheet while it is read.
#[derive(Default)]
struct Sheet {
    name: String,
    /// From 0.
    row: u32,
    column: u32,
    /// How often the row and the cell are there that stand open.
    rows: u32,
    columns: u32,
    notes: Vec<String>,
    others: usize,
}

impl Sheet {
    fn told(&self) -> String {
        let notes = listed("Notes on cells", &self.notes);
        match self.others {
            0 => notes,
            count => format!(
                "{notes}\n[Charts, pictures and the like on this sheet: {count}. They are not read.]\n"
            ),
        }
    }
}

fn read(xml: &[u8]) -> Result<BTreeMap<String, String>> {
    let (mut sheets, mut sheet) = (BTreeMap::new(), Sheet::default());
    let mut reader = make_fast_reader(xml);
    loop {
        match reader.read_event()? {
            Event::Start(ref tag) => match tag.local_name().as_ref() {
                "table" => {
                    let name = optional_prefixed_attr_str(tag, "name")?.unwrap_or_default().into_owned();
                    sheet = Sheet { name, ..Sheet::default() };
                }
                "table-row" => {
                    sheet.rows = repeated(tag, "number-rows-repeated")?;
                    sheet.column = 0;
                }
                "table-cell" | "covered-table-cell" => {
                    sheet.columns = repeated(tag, "number-columns-repeated")?;
                }
                "annotation" => {
                    let said = note(&mut reader)?;
                    let cell = format!("{}{}", letters(sheet.column), sheet.row.saturating_add(1));
                    sheet.notes.push(format!("{cell}{said}"));
                }
                "frame" => sheet.others += 1,
                _ => {}
            },
            Event::Empty(ref tag) => match tag.local_name().as_ref() {
                "table-row" => {
                    sheet.row = sheet.row.saturating_add(repeated(tag, "number-rows-repeated")?);
                }
                "table-cell" | "covered-table-cell" => {
                    let columns = repeated(tag, "number-columns-repeated")?;
                    sheet.column = sheet.column.saturating_add(columns);
                }
                _ => {}
            },
            Event::End(ref tag) => match tag.local_name().as_ref() {
                "table-row" => sheet.row = sheet.row.saturating_add(sheet.rows),
                "table-cell" | "covered-table-cell" => {
                    sheet.column = sheet.column.saturating_add(sheet.columns);
                }
                "table" => {
                    sheets.insert(sheet.name.clone(), sheet.told());
                }
                _ => {}
            },
            Event::Eof => return Ok(sheets),
            _ => {}
        }
    }
}

fn repeated(tag: &BytesStart<'_>, name: &str) -> Result<u32> {
    Ok(optional_prefixed_attr_str(tag, name)?.and_then(|count| count.parse().ok()).unwrap_or(1))
}

/// Who wrote it and what, behind its cell.
fn note(reader: &mut Reader<&[u8]>) -> Result<String> {
    let (mut author, mut lines) = (String::new(), Vec::new());
    loop {
        match reader.read_event()? {
            Event::Start(ref tag) => match tag.local_name().as_ref() {
                "creator" => author = format!(" ({})", read_text_content_fast(reader)?),
                "p" => lines.push(read_text_content_fast(reader)?),
                _ => {}
            },
            Event::End(ref tag) if tag.local_name().as_ref() == "annotation" => break,
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(format!("{author}: {}", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_told_with_its_cell_wherever_rows_and_cells_are_said_to_repeat() {
        let note = |text: &str| {
            format!(
                "<office:annotation><dc:creator>Bea</dc:creator><dc:date>2026-03-01</dc:date>\
                 <text:p>{text}</text:p><text:p>in May.</text:p></office:annotation>"
            )
        };
        let xml = format!(
            "<office:spreadsheet><table:table table:name=\"Moss &amp; Co.\" table:style-name=\"x\">\
             <table:table-row table:number-rows-repeated=\"3\"><table:table-cell/></table:table-row>\
             <table:table-row table:number-rows-repeated=\"2\"/><table:table-row>\
             <table:table-cell table:number-columns-repeated=\"2\"/><table:table-cell>{}<text:p>3</text:p>\
             </table:table-cell><table:covered-table-cell>{}</table:covered-table-cell></table:table-row>\
             </table:table><table:table table:name=\"Bare\"><table:shapes><draw:frame/><draw:frame></draw:frame>\
             </table:shapes></table:table></office:spreadsheet>",
            note("Count again"),
            note("A &lt; B"),
        );
        let told = read(xml.as_bytes()).unwrap();
        let expected =
            "\nNotes on cells:\n- C6 (Bea): Count again\n  in May.\n- D6 (Bea): A < B\n  in May.\n";
        assert_eq!(told["Moss & Co."], expected);
        assert!(told["Bare"].contains("on this sheet: 1."), "{told:?}");
    }
}
