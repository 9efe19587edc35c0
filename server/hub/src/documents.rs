//! Documents of other programs, as text for models and people: PDF, also as pictures, and what offices write. And
//! those that agents make for people.

mod csv;
mod draft;
mod make;
mod structure;
mod typed;
mod workbook;

pub(crate) use draft::{Draft, Format, SheetDraft};
pub(crate) use make::{Document, SheetQueue};
pub(crate) use structure::{Named, blocks, names, slides};
pub(crate) use typed::sheet as typed_sheet;

use crate::Hub;
pub(crate) use crate::engine::structure::{NamedTable, Parts, PartsDraft};
use crate::engine::{DocumentFile, DocumentText, EngineError, PageOf, SheetOf, SheetRecords, Unopened};
pub(crate) use crate::engine::{DocumentKind, DrawnPage, NamedPicture, Paper, TextDraft, TextKind, Wanted};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::UserId;
use std::time::Duration;

/// The processor time of the process ends it long before, unless the machine has none to spare for it.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
const PDF: &[u8] = b"%PDF-";
/// Where that stands at the latest.
const PDF_START: usize = 1024;
const ARCHIVE: &[u8] = b"PK\x03\x04";
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0";
const RTF: &[u8] = b"{\\rtf";

/// What is said of a document that shows what was changed in it.
pub(crate) const CHANGED: &str = "It has tracked changes. This is its text with all of them accepted.";
/// What is said of one that has macros.
pub(crate) const MACROS: &str = "It has macros. They were not read, and nothing of them ran.";

/// What is said of one that has others within.
pub(crate) const FILES_WITHIN: &str = "It has other files within it. They were not read.";

/// Why a document was not read, in words for whoever asked for it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    #[error("It could not be read: {0}.")]
    Engine(#[from] EngineError),
    #[error("It is encrypted. Ask for it without a password.")]
    Encrypted,
    #[error("It is broken, or not what its name says: {0}.")]
    Broken(String),
    #[error("One page of it alone is longer than 3 MB of text, which is more than is read.")]
    TooLong,
    #[error("It has {of} pages, slides or sheets. Ask for those.")]
    NoSuchPart { of: usize },
    #[error("There is no such sheet. It has: {}.", .0.join(", "))]
    NoSuchSheet(Vec<String>),
    #[error("{0} is no range. Write it as B2:D20.")]
    NoRange(String),
}

impl Unread {
    /// The same for a model, to which an error stands outside of every fence: of a file that strangers may have written
    /// it has none of their words.
    pub(crate) fn for_a_model(&self, untrusted: bool) -> String {
        match self {
            Self::NoSuchSheet(_) if untrusted => {
                "There is no such sheet. Read it without one, and see which it has.".to_owned()
            }
            Self::Broken(_) if untrusted => "It is broken, or not what its name says.".to_owned(),
            other => other.to_string(),
        }
    }
}

impl From<Unopened> for Unread {
    fn from(why: Unopened) -> Self {
        match why {
            Unopened::Encrypted => Self::Encrypted,
            Unopened::Broken(why) => Self::Broken(why.trim_end_matches('.').to_owned()),
            Unopened::TooLong => Self::TooLong,
            Unopened::NoSuchPart { of } => Self::NoSuchPart { of },
            Unopened::NoSuchSheet(names) => Self::NoSuchSheet(names),
            Unopened::NoRange(text) => Self::NoRange(text),
        }
    }
}

/// What kind of document it is, by how it begins and what it is called. None: it is none that is read here.
pub(crate) fn kind_of(path: &str, bytes: &[u8]) -> Option<DocumentKind> {
    if bytes.trim_ascii_start().starts_with(PDF) {
        return Some(DocumentKind::Pdf);
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, ending) = name.rsplit_once('.')?;
    let head = &bytes[..bytes.len().min(PDF_START)];
    let is_archive = bytes.starts_with(ARCHIVE);
    // With a password, the newer ones are put into the container of the older ones.
    let is_one = is_archive || bytes.starts_with(COMPOUND);
    match ending.to_ascii_lowercase().as_str() {
        "pdf" if head.windows(PDF.len()).any(|part| part == PDF) => Some(DocumentKind::Pdf),
        "docx" | "docm" | "dotx" if is_one => Some(DocumentKind::Docx),
        "doc" | "dot" if is_archive => Some(DocumentKind::Docx),
        "doc" | "dot" if is_one => Some(DocumentKind::Doc),
        // Word opens it under either name.
        "rtf" | "doc" if bytes.starts_with(RTF) => Some(DocumentKind::Rtf),
        "odt" | "ott" if is_archive => Some(DocumentKind::Odt),
        "epub" if is_archive => Some(DocumentKind::Epub),
        "pptx" | "pptm" | "ppsx" if is_one => Some(DocumentKind::Pptx),
        "ppt" | "pps" if is_archive => Some(DocumentKind::Pptx),
        "ppt" | "pps" if is_one => Some(DocumentKind::Ppt),
        "odp" | "otp" if is_archive => Some(DocumentKind::Odp),
        "xlsx" | "xlsm" | "xltx" if is_one => Some(DocumentKind::Xlsx),
        "ods" if is_archive => Some(DocumentKind::Ods),
        "xls" if is_archive => Some(DocumentKind::Xlsx),
        "xls" if is_one => Some(DocumentKind::Xls),
        _ => None,
    }
}

pub(crate) const fn mime_of(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Pdf => "application/pdf",
        DocumentKind::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        DocumentKind::Doc => "application/msword",
        DocumentKind::Odt => "application/vnd.oasis.opendocument.text",
        DocumentKind::Rtf => "application/rtf",
        DocumentKind::Epub => "application/epub+zip",
        DocumentKind::Pptx => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        DocumentKind::Ppt => "application/vnd.ms-powerpoint",
        DocumentKind::Odp => "application/vnd.oasis.opendocument.presentation",
        DocumentKind::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        DocumentKind::Xls => "application/vnd.ms-excel",
        DocumentKind::Ods => "application/vnd.oasis.opendocument.spreadsheet",
        DocumentKind::Csv => "text/csv",
    }
}

/// The kind that is kept under this type.
pub(crate) fn kind_of_mime(mime: &str) -> Option<DocumentKind> {
    use DocumentKind::{Docx, Ods, Pdf, Pptx, Xls, Xlsx};
    [Pdf, Docx, Pptx, Xlsx, Xls, Ods].into_iter().find(|kind| mime_of(*kind) == mime)
}

impl Hub {
    /// Reads a document for somebody, in a process without rights.
    pub(crate) async fn read_document(
        &self,
        person: &UserId,
        kind: DocumentKind,
        bytes: &[u8],
        wanted: Wanted,
    ) -> Result<DocumentText, Unread> {
        let file = DocumentFile { kind, bytes: STANDARD.encode(bytes), wanted };
        Ok(self.engine().perform(person, file, READ_TIMEOUT).await??)
    }

    /// A page of a PDF as it looks, counted from 1.
    pub(crate) async fn draw_page(
        &self,
        person: &UserId,
        bytes: &[u8],
        number: usize,
    ) -> Result<DrawnPage, Unread> {
        let of = PageOf { bytes: STANDARD.encode(bytes), number };
        Ok(self.engine().perform(person, of, READ_TIMEOUT).await??)
    }

    /// The sheet of a workbook with this name, or the first, as records.
    pub(crate) async fn read_records(
        &self,
        person: &UserId,
        kind: DocumentKind,
        bytes: &[u8],
        sheet: Option<String>,
    ) -> Result<SheetRecords, Unread> {
        let of = SheetOf { kind, bytes: STANDARD.encode(bytes), sheet };
        Ok(self.engine().perform(person, of, READ_TIMEOUT).await??)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_known_by_how_it_begins_and_what_it_is_called() {
        for (path, bytes, kind) in [
            ("a.docx", ARCHIVE, Some(DocumentKind::Docx)),
            ("/agent/b/A.XLSM", ARCHIVE, Some(DocumentKind::Xlsx)),
            ("a.pptx", COMPOUND, Some(DocumentKind::Pptx)),
            ("a.xls", COMPOUND, Some(DocumentKind::Xls)),
            ("a.xls", ARCHIVE, Some(DocumentKind::Xlsx)),
            ("a.ods", ARCHIVE, Some(DocumentKind::Ods)),
            ("a.odt", ARCHIVE, Some(DocumentKind::Odt)),
            ("a.odp", ARCHIVE, Some(DocumentKind::Odp)),
            ("a.epub", ARCHIVE, Some(DocumentKind::Epub)),
            ("a.doc", COMPOUND, Some(DocumentKind::Doc)),
            ("a.doc", ARCHIVE, Some(DocumentKind::Docx)),
            ("a.doc", b"{\\rtf1 moss}", Some(DocumentKind::Rtf)),
            ("a.rtf", b"{\\rtf1 moss}", Some(DocumentKind::Rtf)),
            ("a.ppt", COMPOUND, Some(DocumentKind::Ppt)),
            ("a.rtf", b"moss", None),
            ("a.txt", b"{\\rtf1 moss}", None),
            ("a.odt", COMPOUND, None),
            ("whatever", b"\n%PDF-1.7", Some(DocumentKind::Pdf)),
            ("a.pdf", b"junk\n%PDF-1.7", Some(DocumentKind::Pdf)),
            ("a.md", b"It begins with %PDF-1.7.", None),
            ("a.pdf", b"moss", None),
            ("a.docx", b"moss", None),
            ("a.zip", ARCHIVE, None),
            ("docx", ARCHIVE, None),
            ("a.docx", b"", None),
        ] {
            assert_eq!(kind_of(path, bytes), kind, "{path}");
        }
    }
}
