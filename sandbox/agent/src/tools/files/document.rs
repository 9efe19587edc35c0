//! The tool that makes documents for people: what they open in their office programs.

use super::path;
use super::risk::risk;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{object, one_of, text};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

/// What a document can be.
const FORMATS: [&str; 5] = ["docx", "pptx", "pdf", "xlsx", "csv"];
const PAPERS: [&str; 2] = ["a4", "letter"];
const CHARTS: [&str; 5] = ["column", "bar", "line", "area", "pie"];
const MOST_BLOCKS: usize = 2_000;
const MOST_SLIDES: usize = 250;
/// Sheets of a workbook.
const MOST_SHEETS: usize = 50;
const MOST_COLUMNS: usize = 200;
const MOST_ROWS: usize = 100_000;
const MOST_CHARTS: usize = 20;
const MOST_MERGED: usize = 200;
/// What is drawn in one chart.
const MOST_SERIES: usize = 20;

pub const DOCUMENT: Tool = Tool {
    id: ToolId::Document,
    name: "document",
    summary: "Make Word, PowerPoint, PDF and Excel files",
    description: "\
Makes a real document at `path`: DOCX, PPTX or PDF from Markdown in `content`, a DOCX or PDF from `blocks` or a PPTX from `slides` for more than Markdown says (fields: skill documents), XLSX or CSV from `sheets`. The ending of the path says which, or `format`. Read a file that is there first.

DOCX, PPTX and PDF show pictures of your files: `![What it shows](charts/moss.png)`, in a DOCX below the paragraph, list or table that has it, in a PPTX on a slide of their own if theirs says more. What could not be put in is in `notes` of the answer.

Slides begin with `# ` headings or after lines of `---`. In a workbook, a text that begins with = is a formula (`=SUM(B2:B4)`, names of functions in English, the first row below the heads is row 2), and 2026-03-01 or 2026-03-01 09:30 is a date, unless the column's format is text. Its numbers are numbers: 3, not \"3\".",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: Some(risk),
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Files).at("path")],
    concurrency: Concurrency::Alone,
    per_second: 4,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("path", path("The file, with its ending")),
            ("format", one_of(&FORMATS, "What it is, if the path does not say so.")),
            ("content", text("The text of a DOCX, PPTX or PDF, in Markdown.")),
            (
                "blocks",
                parts(
                    MOST_BLOCKS,
                    "By type: heading, paragraph, list, table, picture, chart, quote, code, page_break, contents.",
                ),
            ),
            (
                "slides",
                parts(MOST_SLIDES, "Each: layout, title, text, bullets, table, picture, chart, notes."),
            ),
            ("layout", json!({ "type": "object", "description": "Of the whole." })),
            ("title", text("Default of a PDF: its first heading.")),
            ("author", text("In a PDF it stands below the title.")),
            ("paper", one_of(&PAPERS, "Of a PDF or blocks. Default: a4.")),
            ("sheets", list(sheet(), MOST_SHEETS, "The sheets of an XLSX, or the one of a CSV.")),
        ],
        &["path"],
    )
}

fn sheet() -> Value {
    let column = object(
        [
            ("name", json!({ "type": "string", "description": "What stands at its head." })),
            (
                "width",
                json!({ "type": "number", "minimum": 1, "maximum": 255, "description": "In characters. Default: as its cells need." }),
            ),
            (
                "format",
                text(
                    "How its cells are shown: a number format, as #,##0.00 or 0 %, or text. Default: by the value.",
                ),
            ),
        ],
        &["name"],
    );
    let cell = json!({ "description": "A text, a number, true, false or null." });
    let row = json!({ "type": "array", "items": cell });
    let chart = object(
        [
            ("kind", one_of(&CHARTS, "What it looks like.")),
            ("title", text("What stands above it.")),
            ("categories", text("The name of the column whose cells name the points.")),
            (
                "values",
                list(json!({ "type": "string" }), MOST_SERIES, "The names of the columns that are drawn."),
            ),
        ],
        &["kind", "values"],
    );
    object(
        [
            ("name", text("What stands on its tab.")),
            ("columns", list(column, MOST_COLUMNS, "The first row, and how what is below is shown.")),
            ("rows", list(row, MOST_ROWS, "What is below the heads, row by row.")),
            ("chart", chart),
            ("charts", list(json!({ "description": "Like chart." }), MOST_CHARTS, "Several.")),
            (
                "merge",
                list(
                    json!({ "type": "string" }),
                    MOST_MERGED,
                    "Cells that are one, as A5:C5; all but the first hold null.",
                ),
            ),
            (
                "look",
                json!({
                    "type": "object",
                    "description": "styles, conditional, pictures, autofilter: skill documents.",
                }),
            ),
        ],
        &["columns", "rows"],
    )
}

/// Objects that the hub itself looks through.
fn parts(most: usize, description: &str) -> Value {
    list(json!({ "type": "object" }), most, description)
}

fn list(items: Value, most: usize, description: &str) -> Value {
    json!({ "type": "array", "items": items, "maxItems": most, "description": description })
}
