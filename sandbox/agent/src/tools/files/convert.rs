//! The tool that says the same in another format.

use super::path;
use super::risk::of_target;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{object, one_of, text};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

const FORMATS: [&str; 5] = ["json", "yaml", "csv", "markdown", "html"];
const RESULTS: [&str; 7] = ["json", "yaml", "csv", "markdown", "html", "pdf", "xlsx"];

pub const CONVERT: Tool = Tool {
    id: ToolId::Convert,
    name: "convert",
    summary: "Convert JSON, YAML, CSV, Markdown and HTML, also to PDF",
    description: "\
Converts `text`, or the file `path`: records between JSON, YAML, CSV and a Markdown table in either direction, a sheet of an XLSX, XLS or ODS into any of these, any other document into Markdown, and Markdown to HTML and back. Any of them becomes a PDF, and records an XLSX with numbers and dates, at `to`. Cells of a CSV are texts. With `to` it is written there, as all that is long should be.

Of a ZIP as `path` you are told which files are in it, or get the one that you name in `entry`, as it is.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: Some(of_target),
    page: PageTier::Blocked,
    uses: &[ResourceUse::reads(Resource::Files).at("path"), ResourceUse::writes(Resource::Files).at("to")],
    concurrency: Concurrency::Alone,
    per_second: 4,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("text", text("What is to be converted, if it is not in a file.")),
            ("path", path("The file to be converted, if it is in one")),
            ("sheet", text("Of a workbook. Default: the first.")),
            ("entry", text("The file in that ZIP.")),
            ("from", one_of(&FORMATS, "What it is, if the ending of the path does not say so.")),
            (
                "format",
                one_of(&RESULTS, "What it is to be. Default: what the ending of `to` says, else json."),
            ),
            ("to", path("The file to write, if it is to be kept")),
        ],
        &[],
    )
}
