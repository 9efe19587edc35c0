//! `chart`: a picture of numbers, kept as a file and shown.

use super::mounts::{Content, Mounted, content_of, require_readable};
use super::{change, mark, not_text, shown, text};
use crate::engine::{ChartDraft, ChartKind, ChartTable, DrawnChart};
use crate::files::decoded;
use crate::gateway::Caller;
use crate::tools::{ToolAnswer, ToolError};
use agent::tools::ResolvedCall;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

const DRAW_TIMEOUT: Duration = Duration::from_secs(15);
/// Bytes of a CSV that is drawn.
const LONGEST: usize = 2 * 1024 * 1024;

#[derive(Deserialize)]
struct Input {
    kind: ChartKind,
    title: Option<String>,
    x_title: Option<String>,
    y_title: Option<String>,
    columns: Option<Vec<String>>,
    rows: Option<Vec<Vec<Value>>>,
    x: Option<String>,
    #[serde(default)]
    y: Vec<String>,
}

pub(in crate::tools) async fn chart(
    caller: &Caller<'_>,
    call: &ResolvedCall,
) -> Result<ToolAnswer, ToolError> {
    let to = text(call, "to");
    // What cannot be written there is not drawn.
    Mounted::writable(to)?;
    let is_svg = match to.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("svg") => true,
        Some("png") => false,
        _ => return Err(ToolError("A chart is a PNG or an SVG: let `to` end in .png or .svg.".to_owned())),
    };
    let input: Input = serde_json::from_value(call.input().clone())?;
    let (table, untrusted) = table(caller, text(call, "path"), input.columns, input.rows).await?;
    let draft = ChartDraft {
        kind: input.kind,
        title: input.title,
        x_title: input.x_title,
        y_title: input.y_title,
        table,
        x: input.x,
        y: input.y,
        untrusted,
    };
    let drawn = caller.hub.engine().perform(caller.owner, draft, DRAW_TIMEOUT).await;
    let drawn = drawn.map_err(|error| ToolError(format!("{to} was not drawn: {error}.")))?;
    let DrawnChart { svg, png, points, notes } =
        drawn.map_err(|why| ToolError(format!("{to} was not drawn. {why}")))?;
    let png = STANDARD.decode(png).map_err(|error| ToolError(error.to_string()))?;
    let bytes = if is_svg { svg.into_bytes() } else { png.clone() };
    // First, for a call that failed is to have written nothing.
    let picture = shown::taken_in(caller, None, to, png).await?;
    let mut answer =
        change::put(caller, call, to, untrusted, move |_, _| Ok(bytes.clone())).await?.answer(to);
    answer["points"] = points.into();
    if !notes.is_empty() {
        answer["notes"] = notes.into();
    }
    answer["picture"] = shown::told(&picture);
    // Names in the picture are words of whoever wrote the table.
    mark(&mut answer, untrusted);
    Ok(ToolAnswer { content: answer.to_string(), files: vec![picture] })
}

/// What is drawn, and whether strangers may have written it.
async fn table(
    caller: &Caller<'_>,
    path: &str,
    columns: Option<Vec<String>>,
    rows: Option<Vec<Vec<Value>>>,
) -> Result<(ChartTable, bool), ToolError> {
    match (path, columns, rows) {
        ("", Some(columns), Some(rows)) => Ok((ChartTable::Rows { columns, rows }, false)),
        ("", _, _) => {
            Err(ToolError("Give what is drawn: the path of a CSV, or columns and rows.".to_owned()))
        }
        (path, None, None) => {
            let (csv, untrusted) = csv(caller, path).await?;
            Ok((ChartTable::Csv(csv), untrusted))
        }
        (_, _, _) => Err(ToolError("Give either the path of a CSV, or columns and rows.".to_owned())),
    }
}

/// The text of a CSV, and whether strangers may have written it.
pub(super) async fn csv(caller: &Caller<'_>, path: &str) -> Result<(String, bool), ToolError> {
    require_readable(caller, path).await?;
    let Content { bytes, untrusted } = content_of(caller, path).await?;
    if bytes.len() > LONGEST {
        return Err(ToolError(format!("{path} is larger than 2 MB. Sum it up first.")));
    }
    let csv = decoded(&bytes).ok_or_else(|| not_text(path, &bytes))?.text.into_owned();
    Ok((csv, untrusted))
}
