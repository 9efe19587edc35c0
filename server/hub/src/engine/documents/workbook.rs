//! Workbooks: XLSX cell by cell, XLS and ODS as their readers have them at once.

mod beside;
mod open;

use super::records::json_of;
use super::sheet::{Area, Cells};
use super::{TEXT, Unopened, Wanted, parts};
use crate::engine::job::{DocumentKind, DocumentPart, DocumentText, SheetRecords};
use beside::Beside;
use calamine::{Data, Ods, Reader, Sheet, SheetType, SheetVisible, Xls, Xlsx};
use std::fmt::Display;
use std::io::Cursor;

type Bytes = Cursor<Vec<u8>>;

/// Stands for what a cell of an XLS is reckoned by, where its reader does not know it.
const UNKNOWN: &str = "Unrecognised formula";
/// Of an XLS.
const LEFT_OUT: &str = "\n[Notes, charts and pictures of this kind of workbook are not read.]\n";
const UNREAD: &str = "\n[Notes, charts and pictures of this sheet, if it has some, could not be read.]\n";

/// What is read of a sheet.
type SheetReader<'r> = dyn FnMut(&str, &mut Cells) -> Result<(), Unopened> + 'r;

/// What is made of the sheets, each of which can be read.
type Making<'m, T> = dyn FnMut(&[Sheet], &mut SheetReader<'_>) -> Result<T, Unopened> + 'm;

pub(super) fn read(kind: DocumentKind, bytes: Vec<u8>, wanted: &Wanted) -> Result<DocumentText, Unopened> {
    let mut beside = (kind == DocumentKind::Xlsx).then(|| Beside::of(bytes.clone()));
    let open = (kind == DocumentKind::Ods).then(|| open::beside(&bytes));
    opened(kind, bytes, &mut |sheets: &[Sheet], read: &mut SheetReader<'_>| {
        let mut beside = |sheet: &str| match (&mut beside, &open) {
            (Some(Ok(beside)), _) => beside.on(sheet).unwrap_or_else(|_| UNREAD.to_owned()),
            (None, Some(Some(sheets))) => sheets.get(sheet).cloned().unwrap_or_default(),
            (Some(Err(_)), _) | (None, Some(None)) => UNREAD.to_owned(),
            (None, None) => LEFT_OUT.to_owned(),
        };
        sheets_of(sheets, wanted, read, &mut beside)
    })
}

/// The sheet of this name as records, or the first.
pub(super) fn records(
    kind: DocumentKind,
    bytes: Vec<u8>,
    name: Option<&str>,
) -> Result<SheetRecords, Unopened> {
    opened(kind, bytes, &mut |sheets: &[Sheet], read: &mut SheetReader<'_>| {
        let at = match name {
            Some(name) => sheet_named(sheets, name)?,
            None => 0,
        };
        let mut cells = Cells::typed();
        if let Some(sheet) = sheets.get(at).filter(|sheet| sheet.typ == SheetType::WorkSheet) {
            read(&sheet.name, &mut cells)?;
        }
        let is_cut = cells.is_cut();
        Ok(SheetRecords { json: json_of(&cells.into_values())?, is_cut })
    })
}

fn opened<T>(kind: DocumentKind, bytes: Vec<u8>, make: &mut Making<'_, T>) -> Result<T, Unopened> {
    let bytes = Cursor::new(bytes);
    match kind {
        DocumentKind::Xls => {
            let mut book: Xls<Bytes> = Xls::new(bytes).map_err(broken)?;
            let sheets = book.sheets_metadata().to_vec();
            make(&sheets, &mut |name: &str, cells: &mut Cells| {
                cells.merged = book.merge_cells_by_sheet_name(name).unwrap_or_default();
                of_range(&mut book, name, cells, &of_xls)
            })
        }
        DocumentKind::Ods => {
            let mut book: Ods<Bytes> = Ods::new(bytes).map_err(broken)?;
            let sheets = book.sheets_metadata().to_vec();
            make(&sheets, &mut |name: &str, cells: &mut Cells| of_range(&mut book, name, cells, &of_ods))
        }
        DocumentKind::Xlsx
        | DocumentKind::Pdf
        | DocumentKind::Docx
        | DocumentKind::Doc
        | DocumentKind::Odt
        | DocumentKind::Rtf
        | DocumentKind::Epub
        | DocumentKind::Pptx
        | DocumentKind::Ppt
        | DocumentKind::Odp
        | DocumentKind::Csv => {
            let mut book: Xlsx<Bytes> = Xlsx::new(bytes).map_err(broken)?;
            let sheets = book.sheets_metadata().to_vec();
            make(&sheets, &mut |name: &str, cells: &mut Cells| of_xlsx(&mut book, name, cells))
        }
    }
}

fn sheet_named(sheets: &[Sheet], name: &str) -> Result<usize, Unopened> {
    let at = sheets.iter().position(|sheet| sheet.name.eq_ignore_ascii_case(name));
    at.ok_or_else(|| Unopened::NoSuchSheet(sheets.iter().map(|sheet| sheet.name.clone()).collect()))
}

fn sheets_of(
    sheets: &[Sheet],
    wanted: &Wanted,
    read: &mut SheetReader<'_>,
    beside: &mut dyn FnMut(&str) -> String,
) -> Result<DocumentText, Unopened> {
    let area = wanted.range.as_deref().map(Area::parse).transpose()?;
    let named = wanted.sheet.as_deref().map(|name| sheet_named(sheets, name));
    let wanted = match named.transpose()? {
        Some(at) => Wanted { from: at + 1, to: at + 1, ..Wanted::default() },
        None if area.is_some() => Wanted { from: wanted.from, to: wanted.from, ..Wanted::default() },
        None => wanted.clone(),
    };
    let of = sheets.len();
    parts(of, &wanted, |number| {
        let sheet = &sheets[number - 1];
        let hidden = if sheet.visible == SheetVisible::Visible { "" } else { " (hidden)" };
        let title = format!("Sheet {number} of {of}: {}{hidden}", sheet.name);
        let mut text = match sheet.typ {
            SheetType::WorkSheet => {
                let mut cells = Cells::within(area);
                read(&sheet.name, &mut cells)?;
                cells.written(TEXT)
            }
            _ => "[It holds no cells.]\n".to_owned(),
        };
        // Who asks for a range asks for cells.
        if area.is_none() {
            text.push_str(&beside(&sheet.name));
        }
        let text = text.trim_end().to_owned();
        Ok(DocumentPart { number, title, text })
    })
}

/// Cells in their order, with no more of them in memory than are kept.
fn of_xlsx(book: &mut Xlsx<Bytes>, name: &str, cells: &mut Cells) -> Result<(), Unopened> {
    cells.merged = book.merge_cells_by_sheet_name(name).unwrap_or_default();
    let links = book.hyperlinks_by_sheet_name(name).unwrap_or_default().into_iter();
    let links = links.filter_map(|link| {
        let to = link.target.or_else(|| Some(format!("#{}", link.location?)))?;
        Some((link.range, to))
    });
    cells.links = links.collect();
    let mut reader = book.worksheet_cells_reader(name).map_err(broken)?;
    while let Some(cell) = reader.next_cell().map_err(broken)? {
        if !cells.add(cell.get_position(), &Data::from(cell.get_value().clone())) {
            break;
        }
    }
    drop(reader);
    let mut reader = book.worksheet_cells_reader(name).map_err(broken)?;
    while let Some(cell) = reader.next_formula().map_err(broken)? {
        if !cells.add_formula(cell.get_position(), cell.get_value()) {
            break;
        }
    }
    Ok(())
}

/// These readers hold every sheet as a whole from the beginning. What a cell is reckoned by they have as their format
/// spells it.
fn of_range<R>(
    book: &mut R,
    name: &str,
    cells: &mut Cells,
    spelled: &dyn Fn(&str) -> String,
) -> Result<(), Unopened>
where
    R: Reader<Bytes>,
    R::Error: Display,
{
    let range = book.worksheet_range(name).map_err(broken)?;
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, value) in range.used_cells() {
        let at = (top.saturating_add(small(row)), left.saturating_add(small(column)));
        if !cells.add(at, value) {
            break;
        }
    }
    let formulas = book.worksheet_formula(name).map_err(broken)?;
    let (top, left) = formulas.start().unwrap_or_default();
    for (row, column, formula) in formulas.used_cells() {
        let at = (top.saturating_add(small(row)), left.saturating_add(small(column)));
        if !cells.add_formula(at, &spelled(formula)) {
            break;
        }
    }
    Ok(())
}

/// One that its reader does not know is none.
fn of_xls(formula: &str) -> String {
    if formula.starts_with(UNKNOWN) { String::new() } else { formula.to_owned() }
}

/// `of:=SUM([.D2:.D3])` as `SUM(D2:D3)`: what stands in quotes is a text, or the name of a sheet.
fn of_ods(formula: &str) -> String {
    let formula = formula.split_once(":=").map_or(formula, |(_, formula)| formula).trim_start_matches('=');
    let (mut spelled, mut is_place, mut before) = (String::new(), false, ' ');
    let mut quote: Option<char> = None;
    for letter in formula.chars() {
        match (letter, quote) {
            (_, Some(open)) => {
                quote = (letter != open).then_some(open);
                spelled.push(letter);
            }
            ('"' | '\'', None) => {
                quote = Some(letter);
                spelled.push(letter);
            }
            ('[' | ']', None) => is_place = letter == '[',
            ('.', None) if is_place => spelled.extend((!matches!(before, '[' | ':')).then_some('!')),
            (_, None) => spelled.push(letter),
        }
        before = letter;
    }
    spelled
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn broken(error: impl Display) -> Unopened {
    let why = error.to_string();
    if why.to_ascii_lowercase().contains("password") { Unopened::Encrypted } else { Unopened::Broken(why) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_cell_of_an_ods_is_reckoned_by_is_spelled_as_in_other_workbooks() {
        for (written, expected) in [
            ("of:=SUM([.D2:.D3])", "SUM(D2:D3)"),
            ("of:=[.A1]*2.5+[.$B$2]", "A1*2.5+$B$2"),
            ("of:=[$Ferns.B2]", "$Ferns!B2"),
            ("of:=[$'Moss & Co.'.A1]", "$'Moss & Co.'!A1"),
            ("of:=IF([.A1]=\"[.x]\";\"a.b\";1)", "IF(A1=\"[.x]\";\"a.b\";1)"),
            ("msoxl:=A1+1", "A1+1"),
            ("", ""),
        ] {
            assert_eq!(of_ods(written), expected, "{written}");
        }
    }
}
