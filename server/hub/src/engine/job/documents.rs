//! Documents that are read and made.

use super::Picture;
use serde::{Deserialize, Serialize};

/// A document as somebody made it, and what of it is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct DocumentFile {
    pub(crate) kind: DocumentKind,
    /// Base64 with padding.
    pub(crate) bytes: String,
    pub(crate) wanted: Wanted,
}

/// A workbook of which one sheet is wanted, as records.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SheetOf {
    pub(crate) kind: DocumentKind,
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// Its name. None: the first.
    pub(crate) sheet: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SheetRecords {
    /// A list of objects, whose members are called by the first row.
    pub(crate) json: String,
    /// There are more cells, which are not in it.
    pub(crate) is_cut: bool,
}

/// A PDF of which one page is wanted as it looks.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PageOf {
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// Counted from 1.
    pub(crate) number: usize,
}

/// A page as it looks.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct DrawnPage {
    pub(crate) picture: Picture,
    /// How many pages there are.
    pub(crate) of: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum DocumentKind {
    Pdf,
    Docx,
    Doc,
    Odt,
    Rtf,
    Epub,
    Pptx,
    Ppt,
    Odp,
    Xlsx,
    Xls,
    Ods,
    Csv,
}

/// Pages, slides or sheets, or a part of one sheet.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Wanted {
    /// The first, counted from 1.
    pub(crate) from: usize,
    /// The last.
    pub(crate) to: usize,
    /// By its name, in place of its number.
    pub(crate) sheet: Option<String>,
    /// As `B2:D20`.
    pub(crate) range: Option<String>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { from: 1, to: usize::MAX, sheet: None, range: None }
    }
}

/// What it says, as far as that fits.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct DocumentText {
    pub(crate) parts: Vec<DocumentPart>,
    /// How many pages, slides or sheets it has.
    pub(crate) of: usize,
    /// Nothing of them is read, and none of them runs.
    pub(crate) has_macros: bool,
    /// It shows what was changed in it, and is read as if all of that were accepted.
    pub(crate) has_changes: bool,
    /// Files are packed within it, none of which is read.
    pub(crate) has_files: bool,
    /// Pages, of those that were read, that gave no text.
    pub(crate) wordless: Vec<usize>,
}

/// A page, a slide, a sheet, or all of a document that has none of these.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct DocumentPart {
    pub(crate) number: usize,
    /// Empty: there is only this one.
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Why a document says nothing.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum Unopened {
    Encrypted,
    Broken(String),
    /// One page, slide or sheet alone is.
    TooLong,
    NoSuchPart {
        of: usize,
    },
    /// With the names of those that there are.
    NoSuchSheet(Vec<String>),
    NoRange(String),
}

/// A document that is to be made of Markdown.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct TextDraft {
    pub(crate) kind: TextKind,
    pub(crate) markdown: String,
    /// What it says of itself. Default of a PDF: its first heading.
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    /// Of a PDF.
    pub(crate) paper: Paper,
    pub(crate) pictures: Vec<NamedPicture>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum TextKind {
    Docx,
    Pptx,
    Pdf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum Paper {
    #[default]
    A4,
    Letter,
}

/// A picture, by what a text calls it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct NamedPicture {
    pub(crate) name: String,
    /// Base64 with padding.
    pub(crate) bytes: String,
}

/// What came of a draft.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Made {
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// How many it has, where that is known.
    pub(crate) pages: Option<usize>,
    /// What of the draft is not in it as it was meant, in sentences for whoever wrote it.
    pub(crate) notes: Vec<String>,
}

/// Which pictures a text in Markdown shows is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PicturesOf {
    pub(crate) markdown: String,
}
