//! The tool that draws: a picture of numbers, of rows or of a CSV.

use super::path;
use super::risk::of_target;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{object, one_of, text, text_up_to};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

const KINDS: [&str; 4] = ["bar", "line", "pie", "scatter"];
const MOST_COLUMNS: usize = 50;
const MOST_ROWS: usize = 5_000;
/// Columns that are drawn at a time.
const MOST_SERIES: usize = 8;
const LONGEST_TITLE: usize = 200;

pub const CHART: Tool = Tool {
    id: ToolId::Chart,
    name: "chart",
    summary: "Draw charts of numbers as pictures",
    description: "\
Draws a chart as a picture at `to`, a PNG or an SVG by its ending: bars, lines, a pie or points. Its numbers come from the CSV at `path`, or from `columns` and `rows`. `x` names the column for the names, numbers or dates below (default: the first), `y` those that are drawn (default: all others with numbers; a pie has one). You see the picture with the result, and your person sees it in the conversation: look at it before you speak of it. In Markdown and documents it stands as `![What it shows](charts/moss.png)`. A file that is there has to be read first.",
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
    let list = |items: Value, most: usize, description: &str| json!({ "type": "array", "items": items, "maxItems": most, "description": description });
    let name = json!({ "type": "string", "minLength": 1 });
    let row = json!({ "type": "array", "items": { "type": ["string", "number", "null"] } });
    object(
        [
            ("kind", one_of(&KINDS, "What it looks like.")),
            ("to", path("The picture, with .png or .svg at its end")),
            ("title", text_up_to(LONGEST_TITLE, "What stands above it.")),
            ("x_title", text_up_to(LONGEST_TITLE, "What stands below.")),
            ("y_title", text_up_to(LONGEST_TITLE, "What stands beside it, as a unit.")),
            ("path", path("The CSV, if it is in a file")),
            ("columns", list(name.clone(), MOST_COLUMNS, "The names of the columns, if no file is drawn.")),
            ("rows", list(row, MOST_ROWS, "What is below them. Numbers are numbers: 3, not \"3\".")),
            ("x", text("The column below. Default: the first.")),
            ("y", list(name, MOST_SERIES, "The columns that are drawn. Default: all others with numbers.")),
        ],
        &["kind", "to"],
    )
}
