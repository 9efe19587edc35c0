//! What goes into the engine's process and what comes out of it, as JSON.

use super::dom::document::{Document, Reading, Unread};
use super::structure::PartsDraft;
use protocol::page::{SkinCommand, SkinPage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

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

/// Texts that are to be in order, each in its format.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SyntaxCheck {
    pub(crate) texts: Vec<(DataFormat, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) enum DataFormat {
    Json,
    Yaml,
    Toml,
}

/// Where a text is not in order. Lines and columns count from 1.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct SyntaxFault {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) message: String,
}

/// Code in which names are looked for.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SymbolSearch {
    pub(crate) texts: Vec<(CodeLanguage, String)>,
    pub(crate) wanted: SymbolsWanted,
    /// Places that are told at most, the first ones.
    pub(crate) most: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum CodeLanguage {
    /// And C++.
    C,
    Go,
    Java,
    /// And TypeScript.
    JavaScript,
    Python,
    Rust,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) enum SymbolsWanted {
    /// All that is defined.
    Outline,
    /// Where this name is defined.
    Definitions(String),
    /// Where it stands, its definitions among them.
    References(String),
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FoundSymbols {
    pub(crate) places: Vec<SymbolPlace>,
    pub(crate) more: bool,
}

/// Where a name stands. Lines and columns count from 1.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SymbolPlace {
    /// Which of the texts.
    pub(crate) text: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// What is defined there: its kind and its name. None: it is only named.
    pub(crate) defines: Option<String>,
    /// The last line of what is defined.
    pub(crate) to: u32,
    /// How its line begins.
    pub(crate) shown: String,
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

/// A picture of numbers that is to be drawn.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct ChartDraft {
    pub(crate) kind: ChartKind,
    pub(crate) title: Option<String>,
    pub(crate) x_title: Option<String>,
    pub(crate) y_title: Option<String>,
    pub(crate) table: ChartTable,
    /// The column below. Default: the first.
    pub(crate) x: Option<String>,
    /// Those that are drawn. None: all others with numbers.
    pub(crate) y: Vec<String>,
    /// Whether strangers may have written the table: what is wrong with it is said without its words.
    pub(crate) untrusted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChartKind {
    Bar,
    Line,
    Pie,
    Scatter,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum ChartTable {
    /// With its heads in the first line.
    Csv(String),
    Rows {
        columns: Vec<String>,
        rows: Vec<Vec<Value>>,
    },
}

/// A chart, twice.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct DrawnChart {
    pub(crate) svg: String,
    /// Base64 with padding.
    pub(crate) png: String,
    /// Numbers that it shows.
    pub(crate) points: usize,
    /// What of the table is not in it, in sentences for whoever wrote it.
    pub(crate) notes: Vec<String>,
}

/// A page of the web as it came.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct HtmlPage {
    pub(crate) html: String,
    pub(crate) url: String,
}

/// What it says.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Readable {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    /// As the page has it.
    pub(crate) published: Option<String>,
    pub(crate) site: Option<String>,
    pub(crate) markdown: String,
}

/// Where it leads is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct LinksOf(pub(crate) HtmlPage);

/// A link of a page.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PageLink {
    /// Whole, of the web.
    pub(crate) url: String,
    /// Empty: nothing stands there to be read.
    pub(crate) text: String,
}

/// What it says of itself is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct MetadataOf(pub(crate) HtmlPage);

/// What a selector of CSS picks out of it is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PartOf {
    pub(crate) page: HtmlPage,
    pub(crate) selector: String,
}

/// All that was picked, in the order of the page.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PagePart {
    pub(crate) title: Option<String>,
    pub(crate) html: String,
    pub(crate) markdown: String,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum DocumentKind {
    Pdf,
    Docx,
    Pptx,
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

/// A mail as its server has it, or the beginning of it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct MailFile {
    /// Base64 with padding.
    pub(crate) bytes: String,
}

/// What it says. What is not there is empty.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct MailText {
    /// Addresses in small letters. Whoever wrote the mail wrote these as well.
    pub(crate) senders: Vec<String>,
    pub(crate) from: String,
    pub(crate) subject: String,
    /// As mails write it.
    pub(crate) date: Option<String>,
    /// The link of `List-Unsubscribe`.
    pub(crate) ends_at: Option<String>,
    pub(crate) text: String,
    /// There is more of it.
    pub(crate) is_cut: bool,
    /// Their names.
    pub(crate) attachments: Vec<String>,
}

/// A feed as it came.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FeedFile {
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// Where it is, for links that are not whole.
    pub(crate) url: String,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FeedEntries {
    /// Empty: it has none.
    pub(crate) title: String,
    /// As the feed has them, which is mostly the newest first.
    pub(crate) entries: Vec<FeedEntry>,
}

/// One entry in a few words. What is not there is empty.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct FeedEntry {
    /// By which it is known again.
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) link: String,
    pub(crate) date: String,
    /// How it begins.
    pub(crate) text: String,
}

/// A calendar as it came, and what of it is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct CalendarFile {
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// Of the IANA database: of days, and of times that name none. Empty: the calendar's own.
    pub(crate) zone: String,
    /// In Unix seconds: what ends after the one and begins before the other.
    pub(crate) from: i64,
    pub(crate) until: i64,
    /// So many entries at most, the first ones.
    pub(crate) most: usize,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct CalendarEntries {
    /// The zone that it was read in.
    pub(crate) zone: String,
    /// By their times.
    pub(crate) entries: Vec<CalendarEntry>,
    /// Those that begin before are all there, in Unix seconds.
    pub(crate) until: i64,
    /// Some of the calendar could not be read.
    pub(crate) incomplete: bool,
}

/// One time of something that is in a calendar. In Unix seconds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct CalendarEntry {
    pub(crate) start: i64,
    pub(crate) end: i64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) all_day: bool,
    pub(crate) title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) place: String,
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
task!(TextDraft as Make, Result<Made, String>);
task!(PartsDraft as MakeOfParts, Result<Made, String>);
task!(PicturesOf as PicturesOf, Vec<String>);
task!(MailFile as Mail, Result<MailText, String>);
task!(FeedFile as Feed, Result<FeedEntries, String>);
task!(CalendarFile as Calendar, Result<CalendarEntries, String>);
task!(Fit as Fit, Result<(), Unfit>);
