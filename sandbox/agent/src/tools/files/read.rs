//! The tool that reads a file: a text by its lines, a document by its pages, slides or sheets, and pages
//! of a PDF as they look.

use super::path;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object, one_of, text};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

/// How pages come.
const FORMS: [&str; 2] = ["text", "picture"];

pub const READ: Tool = Tool {
    id: ToolId::Read,
    name: "read",
    summary: "Read its files and what you attach",
    description: "\
Reads a text file by its lines, each with its number in front. Your own files are under /agent, and a path without a mount is there; what your person attached is under /uploads, and under /workspace, if you have one, is what you share with other agents of your person. /opfs is what the device that shows your page keeps for you, and /local has the folders on it that your person opened for you. /mcp is what MCP servers have to read.

Documents are read too: PDF, EPUB, RTF and all office formats come as Markdown, whole pages, chapters, slides or sheets at a time (`pages`), or a part of a sheet (`sheet`, `range`). Formulas stand behind cells: `6 [=SUM(B2:B4)]`. A picture (PNG, JPEG, WebP, GIF), or a PDF without text, comes with the result for you to look at if you can see.

A long file is given in parts: the answer says where to read on. A line of more than 2,000 characters is cut, and read on with `from_char`. Read a file before you change it.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Ask,
    uses: &[ResourceUse::reads(Resource::Files).at("path")],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("path", path("The file")),
            ("offset", integer(1, i64::from(u32::MAX), "The first line.")),
            (
                "from_char",
                integer(1, i64::from(u32::MAX), "Only the line `offset`, from this of its characters on."),
            ),
            ("pages", text("Pages, slides or sheets by number: 3, or 1-5.")),
            ("as", one_of(&FORMS, "Of a PDF: text, or 4 pages as they look.")),
            ("sheet", text("The name of one sheet of a workbook.")),
            ("range", text("Cells of that sheet, as A1:F200.")),
            ("limit", integer(1, 2000, "At most so many lines.")),
        ],
        &["path"],
    )
}
