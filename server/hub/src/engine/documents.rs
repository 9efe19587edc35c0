//! Documents of other programs, as text: by pages, slides or sheets, whole ones as far as they fit. A reader that
//! breaks on one ends that page, or the process. And those that are made of Markdown, or of
//! parts. And pages as they look.

mod composed;
mod epub;
mod make;
mod odf;
mod old;
mod pdf;
mod pictures;
mod records;
mod rtf;
mod sheet;
mod slides;
mod table;
mod typeset;
mod word;
mod workbook;

pub(super) use composed::make as make_of_parts;
pub(super) use make::make;
pub(super) use typeset::pictures_of;

use super::job::{
    DocumentFile, DocumentKind, DocumentPart, DocumentText, DrawnPage, PageOf, SheetOf, SheetRecords,
    Unopened, Wanted,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use office_oxide::core::opc::OpcReader;
use office_oxide::core::relationships::rel_types;
use office_oxide::core::xml::optional_prefixed_attr_str;
use office_oxide::limits::Limits;
use quick_xml::events::BytesStart;
use std::any::Any;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes of text after which no further page, slide or sheet is begun.
const TEXT: usize = 256 * 1024;
/// Bytes of one text that is given at all.
const LONGEST: usize = 3 * 1024 * 1024;
/// What a document that is made may have, in bytes, so that it comes out of the process in base64.
const LARGEST: usize = 5_900_000;
/// What is in place of an archive in the older formats of Office, and in the newer ones when there is a password.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0";
/// What holds the archive then, as its name stands in that.
const ENCRYPTED: &str = "EncryptedPackage";
/// The name of the part that holds macros, as it stands in the list of an archive.
const MACROS: &[u8] = b"vbaProject.bin";
/// Folders of what is packed within, and of charts, as the names of parts have them.
const EMBEDDED: &str = "/embeddings/";
const CHARTS: &str = "/charts/";

pub(super) fn read(file: &DocumentFile) -> Result<DocumentText, Unopened> {
    let bytes = opened(file.kind, &file.bytes)?;
    let has_macros = is_office_xml(file.kind) && has(&bytes, MACROS);
    let read = AssertUnwindSafe(|| {
        let has_files = is_office_xml(file.kind) && has_files(&bytes);
        of_kind(file.kind, bytes, &file.wanted)
            .map(|text| DocumentText { has_files: has_files || text.has_files, ..text })
    });
    let text = catch_unwind(read).unwrap_or_else(|why| Err(Unopened::Broken(said(&*why))))?;
    Ok(DocumentText { has_macros: has_macros || text.has_macros, ..text })
}

/// One sheet of a workbook.
pub(super) fn records(of: &SheetOf) -> Result<SheetRecords, Unopened> {
    let bytes = opened(of.kind, &of.bytes)?;
    let read = AssertUnwindSafe(|| workbook::records(of.kind, bytes, of.sheet.as_deref()));
    catch_unwind(read).unwrap_or_else(|why| Err(Unopened::Broken(said(&*why))))
}

/// One page of a PDF.
pub(super) fn draw(of: &PageOf) -> Result<DrawnPage, Unopened> {
    let bytes = opened(DocumentKind::Pdf, &of.bytes)?;
    let draw = AssertUnwindSafe(|| pdf::draw(bytes, of.number));
    catch_unwind(draw).unwrap_or_else(|why| Err(Unopened::Broken(said(&*why))))
}

/// Of an archive as Microsoft's programs write it.
const fn is_office_xml(kind: DocumentKind) -> bool {
    matches!(kind, DocumentKind::Docx | DocumentKind::Pptx | DocumentKind::Xlsx)
}

/// What its reader works on, within bounds from here on.
fn opened(kind: DocumentKind, bytes: &str) -> Result<Vec<u8>, Unopened> {
    let bytes = STANDARD.decode(bytes).map_err(|error| Unopened::Broken(error.to_string()))?;
    if is_office_xml(kind) && bytes.starts_with(COMPOUND) {
        let name: Vec<u8> = ENCRYPTED.encode_utf16().flat_map(u16::to_le_bytes).collect();
        return Err(match has(&bytes, &name) {
            true => Unopened::Encrypted,
            false => Unopened::Broken("it is of an older kind than its name says".to_owned()),
        });
    }
    limits().apply();
    Ok(bytes)
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Whether there is more packed within it than the workbooks of its charts.
fn has_files(bytes: &[u8]) -> bool {
    // Most say that there is none without being opened.
    has(bytes, EMBEDDED.as_bytes()) && are_others_embedded(bytes).unwrap_or(true)
}

fn are_others_embedded(bytes: &[u8]) -> office_oxide::core::Result<bool> {
    let mut package = OpcReader::new(Cursor::new(bytes))?;
    let names = package.part_names();
    let mut workbooks = HashSet::new();
    for chart in names.iter().filter(|name| name.as_str().contains(CHARTS)) {
        let leads = package.read_rels_for(chart)?;
        let targets = leads.get_by_type(rel_types::PACKAGE).into_iter();
        workbooks.extend(targets.filter_map(|lead| chart.resolve_relative(&lead.target).ok()));
    }
    Ok(names.iter().any(|name| name.as_str().contains(EMBEDDED) && !workbooks.contains(name)))
}

fn of_kind(kind: DocumentKind, bytes: Vec<u8>, wanted: &Wanted) -> Result<DocumentText, Unopened> {
    match kind {
        DocumentKind::Pdf => pdf::read(&bytes, wanted),
        DocumentKind::Docx => word::read(bytes),
        DocumentKind::Doc => old::text(bytes),
        DocumentKind::Odt => odf::text(&bytes),
        DocumentKind::Rtf => rtf::read(&bytes),
        DocumentKind::Epub => epub::read(&bytes, wanted),
        DocumentKind::Pptx => slides::read(bytes, wanted),
        DocumentKind::Ppt => old::slides(bytes, wanted),
        DocumentKind::Odp => odf::slides(&bytes, wanted),
        DocumentKind::Xlsx | DocumentKind::Xls | DocumentKind::Ods => workbook::read(kind, bytes, wanted),
        DocumentKind::Csv => table::read(&bytes),
    }
}

/// Far less than the process has: a fifth of what is unpacked is what it becomes. No thread can be begun here,
/// which what is packed within would need.
fn limits() -> Limits {
    let mut limits = Limits::strict();
    limits.package_bytes = 128 * 1024 * 1024;
    limits.text_chars = 8 * 1024 * 1024;
    limits.embedded_depth = 0;
    limits
}

/// What a reader said when it gave up.
fn said(why: &(dyn Any + Send)) -> String {
    let text = why.downcast_ref::<String>().map(String::as_str).or(why.downcast_ref::<&str>().copied());
    text.unwrap_or("its reader gave up").chars().take(200).collect()
}

/// A document that has no parts.
fn whole(text: String) -> Result<DocumentText, Unopened> {
    let wanted = Wanted::default();
    parts(1, &wanted, |number| {
        Ok(DocumentPart { number, title: String::new(), text: text.trim().to_owned() })
    })
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, Unopened> {
    Ok(optional_prefixed_attr_str(tag, name).map_err(broken)?.map(Cow::into_owned))
}

fn broken(why: impl Display) -> Unopened {
    Unopened::Broken(why.to_string())
}

/// The parts from the first that is wanted on, until there are enough.
fn parts(
    of: usize,
    wanted: &Wanted,
    mut part: impl FnMut(usize) -> Result<DocumentPart, Unopened>,
) -> Result<DocumentText, Unopened> {
    let from = wanted.from.max(1);
    if of > 0 && from > of {
        return Err(Unopened::NoSuchPart { of });
    }
    let (mut parts, mut size) = (Vec::new(), 0);
    for number in from..=wanted.to.min(of) {
        let part = part(number)?;
        size += part.text.len();
        if size > TEXT && !parts.is_empty() {
            break;
        }
        if size > LONGEST {
            return Err(Unopened::TooLong);
        }
        parts.push(part);
    }
    Ok(DocumentText {
        parts,
        of,
        has_macros: false,
        has_changes: false,
        has_files: false,
        wordless: Vec::new(),
    })
}
