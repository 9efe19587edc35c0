//! `document`: a file for office programs, made of what a model writes.

use super::change;
use super::mounts::Mounted;
use super::text;
use crate::documents::{Draft, Format, SheetDraft};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use serde_json::Value;

pub(in crate::tools) async fn document(
    caller: &Caller<'_>,
    call: &ResolvedCall,
) -> Result<String, ToolError> {
    let path = text(call, "path");
    // What cannot be written there is not made.
    Mounted::writable(path)?;
    let draft = draft(call, path)?;
    let made = caller.hub.make_document(caller.owner, draft).await;
    let bytes = made.map_err(|why| ToolError(format!("{path} was not made. {why}")))?;
    let put = change::put(caller, call, path, false, |_, _| Ok(bytes)).await?;
    Ok(put.answer(path).to_string())
}

fn draft(call: &ResolvedCall, path: &str) -> Result<Draft, ToolError> {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let format = match text(call, "format") {
        "" => ending.as_str(),
        format if path.ends_with(&format!(".{format}")) => format,
        format => {
            return Err(ToolError(format!(
                "A file of the format {format} has a path that ends in .{format}."
            )));
        }
    };
    let format = Format::named(format).ok_or_else(|| {
        ToolError(
            "Documents are made as .docx, .pptx, .xlsx and .csv. Write other files with write.".to_owned(),
        )
    })?;
    let sheets = call.input().get("sheets").filter(|sheets| !sheets.is_null());
    match (format, text(call, "content"), sheets) {
        (Format::Docx | Format::Pptx, markdown, None) if !markdown.is_empty() => {
            Ok(Draft::Text { format, markdown: markdown.to_owned() })
        }
        (Format::Docx | Format::Pptx, ..) => {
            Err(ToolError("Give what it says as Markdown in content, and no sheets.".to_owned()))
        }
        (Format::Xlsx | Format::Csv, "", Some(sheets)) => {
            let sheets: Vec<SheetDraft> = serde_json::from_value(Value::clone(sheets))?;
            Ok(Draft::Sheets { format, sheets })
        }
        (Format::Xlsx | Format::Csv, ..) => {
            Err(ToolError("Give its columns and rows in sheets, and no content.".to_owned()))
        }
    }
}
