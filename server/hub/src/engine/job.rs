//! What goes into the engine's process and what comes out of it, as JSON.

mod calendar;
mod chart;
mod documents;
mod feed;
mod mail;
mod symbols;
mod syntax;
mod web_page;

pub(crate) use calendar::{CalendarEntries, CalendarEntry, CalendarFile};
pub(crate) use chart::{ChartDraft, ChartKind, ChartTable, DrawnChart};
pub(crate) use documents::{
    DocumentFile, DocumentKind, DocumentPart, DocumentText, DrawnPage, Made, NamedPicture, PageOf, Paper,
    PicturesOf, SheetOf, SheetRecords, TextDraft, TextKind, Unopened, Wanted,
};
pub(crate) use feed::{FeedEntries, FeedEntry, FeedFile};
pub(crate) use mail::{MailFile, MailText};
pub(crate) use symbols::{CodeLanguage, FoundSymbols, SymbolPlace, SymbolSearch, SymbolsWanted};
pub(crate) use syntax::{DataFormat, SyntaxCheck, SyntaxFault};
pub(crate) use web_page::{HtmlPage, LinksOf, MetadataOf, PageLink, PagePart, PartOf, Readable};

use super::dom::document::{Document, Reading, Unread};
use super::structure::PartsDraft;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::Dimensions;
use protocol::page::{SkinCommand, SkinPage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Of what is kept of a picture, in bytes.
const LARGEST_PICTURE: usize = 3 * 1024 * 1024;

/// Anything that the process does.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum Work {
    Command(Job),
    Read(Reading),
    Servers(Servers),
    Still(Still),
    Fit(Fit),
    Picture(PictureFile),
    Readable(HtmlPage),
    Links(LinksOf),
    Metadata(MetadataOf),
    Part(PartOf),
    Document(DocumentFile),
    Sheet(SheetOf),
    Draw(PageOf),
    Make(TextDraft),
    MakeOfParts(PartsDraft),
    PicturesOf(PicturesOf),
    Calculate(Expression),
    Convert(Conversion),
    Archive(ArchiveFile),
    Chart(ChartDraft),
    CheckSyntax(SyntaxCheck),
    Symbols(SymbolSearch),
    Mail(MailFile),
    Feed(FeedFile),
    Calendar(CalendarFile),
}

/// One kind of work, and what comes of it.
pub(crate) trait Task: Into<Work> {
    type Done: DeserializeOwned;
}

/// A command as a tab gets it, with what a tab would know already.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Job {
    pub(crate) command: SkinCommand,
    pub(crate) page: SkinPage,
    /// `flo.state`.
    pub(crate) state: BTreeMap<String, Value>,
}

/// What came of it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Done {
    pub(crate) result: Value,
    pub(crate) is_error: bool,
    pub(crate) page: SkinPage,
    /// The keys of `flo.state` that were set; `null`: removed.
    pub(crate) set: BTreeMap<String, Value>,
}

/// Where a page wants scripts, styles, pictures and the like from.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Servers {
    pub(crate) page: SkinPage,
}

/// A page as a document in which nothing runs and which fetches nothing.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Still {
    pub(crate) page: SkinPage,
}

/// Whether a schema that an agent wrote is one, and whether an input fits it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Fit {
    pub(crate) schema: Value,
    pub(crate) input: Option<Value>,
}

/// What is wrong, in words for whoever wrote it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum Unfit {
    Schema(String),
    Input(String),
}

/// A picture as somebody brought it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PictureFile {
    /// Base64 with padding, as are those of what comes of it.
    pub(crate) bytes: String,
}

/// A picture as it is kept: turned upright, as large as models look at, written anew.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Picture {
    /// `image/jpeg` or `image/png`, of the thumbnail too.
    pub(crate) mime: String,
    pub(crate) bytes: String,
    pub(crate) thumbnail: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// What a picture is, once it was looked at on this side of the process.
pub(crate) struct SoundPicture {
    pub(crate) mime: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) thumbnail: Vec<u8>,
    pub(crate) dimensions: Dimensions,
}

impl Picture {
    /// None: it is none, for the process that made it had hostile bytes to read.
    pub(crate) fn sound(self) -> Option<SoundPicture> {
        let bytes = STANDARD.decode(self.bytes).ok()?;
        let thumbnail = STANDARD.decode(self.thumbnail).ok()?;
        let (mime, start) = match self.mime.as_str() {
            "image/png" => ("image/png", b"\x89PNG\r\n\x1a\n".as_slice()),
            "image/jpeg" => ("image/jpeg", b"\xff\xd8\xff".as_slice()),
            _ => return None,
        };
        let is_sound = bytes.starts_with(start)
            && thumbnail.starts_with(start)
            && bytes.len() + thumbnail.len() <= LARGEST_PICTURE;
        let dimensions = Dimensions { width: self.width, height: self.height };
        is_sound.then_some(SoundPicture { mime, bytes, thumbnail, dimensions })
    }
}

/// Why there is no picture.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum Unreadable {
    /// More pixels than anything here is made for.
    TooLarge {
        width: u32,
        height: u32,
    },
    Broken(String),
}

/// Something to reckon.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Expression {
    pub(crate) text: String,
}

/// A text to be said in another format.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Conversion {
    pub(crate) text: String,
    pub(crate) from: TextFormat,
    pub(crate) to: TextFormat,
}

/// A ZIP, and what of it is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct ArchiveFile {
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// The file that is to be taken out. None: what is in it.
    pub(crate) entry: Option<String>,
    /// Bytes that the file may have.
    pub(crate) most: u64,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum Unpacked {
    Listed {
        /// Each with its bytes.
        files: Vec<(String, u64)>,
        /// So many more are there.
        more: usize,
    },
    /// Base64 with padding.
    Taken(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum TextFormat {
    Json,
    Yaml,
    Csv,
    /// CSV as programs with sheets open it.
    CsvFile,
    Markdown,
    Html,
    /// A list of lists of texts as JSON, for whoever makes cells of them.
    Rows,
}

impl TextFormat {
    /// By its name or the ending of its files.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            "csv" | "tsv" => Some(Self::Csv),
            "markdown" | "md" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Csv | Self::CsvFile => "csv",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Rows => "rows",
        }
    }
}

macro_rules! task {
    ($task:ty as $work:ident, $done:ty) => {
        impl From<$task> for Work {
            fn from(task: $task) -> Self {
                Self::$work(task)
            }
        }

        impl Task for $task {
            type Done = $done;
        }
    };
}

task!(Job as Command, Done);
task!(Reading as Read, Result<Document, Unread>);
task!(Servers as Servers, BTreeSet<String>);
task!(Still as Still, Option<String>);
task!(PictureFile as Picture, Result<Picture, Unreadable>);
task!(Expression as Calculate, Result<String, String>);
task!(Conversion as Convert, Result<String, String>);
task!(ArchiveFile as Archive, Result<Unpacked, String>);
task!(ChartDraft as Chart, Result<DrawnChart, String>);
task!(SyntaxCheck as CheckSyntax, Vec<Option<SyntaxFault>>);
task!(SymbolSearch as Symbols, FoundSymbols);
task!(HtmlPage as Readable, Readable);
task!(LinksOf as Links, Vec<PageLink>);
task!(MetadataOf as Metadata, Map<String, Value>);
task!(PartOf as Part, Result<PagePart, String>);
task!(DocumentFile as Document, Result<DocumentText, Unopened>);
task!(SheetOf as Sheet, Result<SheetRecords, Unopened>);
task!(PageOf as Draw, Result<DrawnPage, Unopened>);
task!(TextDraft as Make, Result<Made, String>);
task!(PartsDraft as MakeOfParts, Result<Made, String>);
task!(PicturesOf as PicturesOf, Vec<String>);
task!(MailFile as Mail, Result<MailText, String>);
task!(FeedFile as Feed, Result<FeedEntries, String>);
task!(CalendarFile as Calendar, Result<CalendarEntries, String>);
task!(Fit as Fit, Result<(), Unfit>);
