//! The workbook of a chart, which opens where somebody changes its numbers. It is a package of our own: what writes
//! workbooks otherwise begins threads, which this process may not.

use super::plot::GENERAL;
use super::{First, HEAD, Series, escaped};
use office_oxide::core::Result;
use office_oxide::core::opc::{OpcWriter, PartName};
use office_oxide::core::relationships::rel_types;
use std::io::Cursor;

const KIND: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.";
const NAMES: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
const SHEET: &str = "Sheet1";

/// Where the name of a column stands.
pub(super) fn head(column: usize) -> String {
    format!("{SHEET}!${}$1", letter(column))
}

/// Where its rows stand.
pub(super) fn below(column: usize, rows: usize) -> String {
    let letter = letter(column);
    format!("{SHEET}!${letter}$2:${letter}${}", rows + 1)
}

/// A chart has fewer columns than there are letters.
fn letter(column: usize) -> char {
    ('A'..='Z').nth(column).unwrap_or('Z')
}

pub(super) fn write(head: &str, first: &First<'_>, series: &[Series]) -> Result<Vec<u8>> {
    let mut package = OpcWriter::new(Cursor::new(Vec::new()))?;
    let book = PartName::new("/xl/workbook.xml")?;
    package.add_package_rel(rel_types::OFFICE_DOCUMENT, "xl/workbook.xml");
    let sheet = package.add_part_rel(&book, rel_types::WORKSHEET, "worksheets/sheet1.xml");
    package.add_part_rel(&book, rel_types::STYLES, "styles.xml");
    let sheets = format!("<sheets><sheet name=\"{SHEET}\" sheetId=\"1\" r:id=\"{sheet}\"/></sheets>");
    let format = match first {
        First::Words(_) => GENERAL,
        First::Numbers(_, format) => *format,
    };
    for (name, kind, xml) in [
        ("/xl/workbook.xml", "sheet.main+xml", format!("{HEAD}<workbook {NAMES}>{sheets}</workbook>")),
        ("/xl/worksheets/sheet1.xml", "worksheet+xml", cells(head, first, series)),
        ("/xl/styles.xml", "styles+xml", styles(format)),
    ] {
        package.add_part(&PartName::new(name)?, &format!("{KIND}{kind}"), xml.as_bytes())?;
    }
    Ok(package.finish()?.into_inner())
}

fn cells(head: &str, first: &First<'_>, series: &[Series]) -> String {
    let names = std::iter::once(head).chain(series.iter().map(|series| series.name.as_str()));
    let names: String = names.enumerate().map(|(column, name)| text(column, 1, name)).collect();
    let count = series.iter().map(|series| series.values.len()).max().unwrap_or_default();
    let rows = (0..count).map(|at| {
        let row = at + 2;
        let called = match first {
            First::Words(words) => text(0, row, words.get(at).map_or("", String::as_str)),
            First::Numbers(values, _) => number(0, row, values.get(at).copied().flatten(), " s=\"1\""),
        };
        let values = series.iter().zip(1..);
        let values: String = values
            .map(|(series, column)| number(column, row, series.values.get(at).copied().flatten(), ""))
            .collect();
        format!("<row r=\"{row}\">{called}{values}</row>")
    });
    let rows: String = rows.collect();
    format!("{HEAD}<worksheet {NAMES}><sheetData><row r=\"1\">{names}</row>{rows}</sheetData></worksheet>")
}

fn text(column: usize, row: usize, text: &str) -> String {
    let (letter, text) = (letter(column), escaped(text));
    format!("<c r=\"{letter}{row}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
}

fn number(column: usize, row: usize, value: Option<f64>, style: &str) -> String {
    let letter = letter(column);
    value.map_or_else(String::new, |value| format!("<c r=\"{letter}{row}\"{style}><v>{value}</v></c>"))
}

/// The second is that of the first column where it has numbers.
fn styles(format: &str) -> String {
    format!(
        "{HEAD}<styleSheet {NAMES}><numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"{format}\"/></numFmts>\
         <fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>\
         <fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"2\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>\
         <xf numFmtId=\"164\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/></cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>"
    )
}
