//! `convert`: what a text or a file says, in another format.

use super::change;
use super::document;
use super::mounts::{Content, Mounted, content_of, require_readable};
use super::{ROOM, mark, not_text, text, unpack};
use crate::documents::{DocumentKind, Draft, Format, Unread, Wanted, kind_of, typed_sheet};
use crate::engine::{Conversion, TextFormat, TextKind};
use crate::files::decoded;
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use serde_json::json;
use std::time::Duration;

const CONVERT_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of what is converted.
const LONGEST: usize = 4 * 1024 * 1024;

pub(in crate::tools) async fn convert(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let (path, to) = (text(call, "path"), text(call, "to"));
    if !to.is_empty() {
        // What cannot be written there is not made.
        Mounted::writable(to)?;
    }
    if unpack::is_asked_for(call) {
        return unpack::unpack(caller, call).await;
    }
    let Source { text: source, from, untrusted } = source(caller, call, path).await?;
    if source.len() > LONGEST {
        return Err(ToolError("It is larger than 4 MB. Convert it in parts.".to_owned()));
    }
    let from = match from {
        Some(from) => from,
        None => format(call, "from", path)?.ok_or_else(|| ToolError("Say in from what it is.".to_owned()))?,
    };
    if is_of(call, to, "pdf") {
        return pdf(caller, call, to, source, from, untrusted).await;
    }
    if is_of(call, to, "xlsx") {
        return workbook(caller, call, to, source, from, untrusted).await;
    }
    let format = match format(call, "format", to)?.unwrap_or(TextFormat::Json) {
        TextFormat::Csv if !to.is_empty() => TextFormat::CsvFile,
        format => format,
    };
    let converted = match (from, format) {
        // As a document was read it is said.
        (TextFormat::Markdown, TextFormat::Markdown) => source,
        (from, format) => converted(caller, source, from, format).await?,
    };
    if !to.is_empty() {
        let bytes = converted.into_bytes();
        let put = change::put(caller, call, to, untrusted, move |_, _| Ok(bytes.clone())).await?;
        return Ok(put.answer(to).to_string());
    }
    if converted.len() > ROOM {
        let long = format!("The result has {} bytes, more than fits here. ", converted.len());
        return Err(ToolError(long + "Give a file in `to`, and read from that."));
    }
    let mut answer = json!({ "format": format.name(), "text": converted });
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

async fn converted(
    caller: &Caller<'_>,
    text: String,
    from: TextFormat,
    to: TextFormat,
) -> Result<String, ToolError> {
    let converted =
        caller.hub.engine().perform(caller.owner, Conversion { text, from, to }, CONVERT_TIMEOUT).await;
    let converted = converted.map_err(|error| ToolError(format!("It could not be converted: {error}.")))?;
    converted.map_err(|why| ToolError(format!("It cannot be converted: {why}.")))
}

/// By the argument, or else by the ending of the path.
fn is_of(call: &ResolvedCall, to: &str, kind: &str) -> bool {
    match text(call, "format") {
        "" => ends_in(to, kind),
        format => format == kind,
    }
}

fn ends_in(path: &str, ending: &str) -> bool {
    path.to_ascii_lowercase().ends_with(&format!(".{ending}"))
}

/// Its records as cells, with the types that they show.
async fn workbook(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    to: &str,
    text: String,
    from: TextFormat,
    untrusted: bool,
) -> Result<String, ToolError> {
    if !ends_in(to, "xlsx") {
        return Err(ToolError(
            "A workbook is kept as a file: give a path that ends in .xlsx in `to`.".to_owned(),
        ));
    }
    let rows: Vec<Vec<String>> =
        serde_json::from_str(&converted(caller, text, from, TextFormat::Rows).await?)?;
    let draft = Draft::Sheets { format: Format::Xlsx, sheets: vec![typed_sheet(rows)] };
    let made = caller.hub.make_document(caller.owner, draft).await;
    let made = made.map_err(|why| ToolError(format!("{to} was not made. {why}")))?;
    document::put(caller, call, to, made, Vec::new(), untrusted).await
}

/// What it says as Markdown, on pages.
async fn pdf(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    to: &str,
    text: String,
    from: TextFormat,
    untrusted: bool,
) -> Result<String, ToolError> {
    if !ends_in(to, "pdf") {
        return Err(ToolError("A PDF is kept as a file: give a path that ends in .pdf in `to`.".to_owned()));
    }
    let markdown = match from {
        TextFormat::Markdown => text,
        TextFormat::Json
        | TextFormat::Yaml
        | TextFormat::Csv
        | TextFormat::CsvFile
        | TextFormat::Html
        | TextFormat::Rows => converted(caller, text, from, TextFormat::Markdown).await?,
    };
    let asked = document::text_of(caller, call, TextKind::Pdf, markdown).await?;
    let made = caller.hub.make_document(caller.owner, asked.draft).await;
    let made = made.map_err(|why| ToolError(format!("{to} was not made. {why}")))?;
    document::put(caller, call, to, made, asked.notes, untrusted || asked.untrusted).await
}

/// What is to be converted.
struct Source {
    text: String,
    /// What it is, where that is known already.
    from: Option<TextFormat>,
    /// Whether strangers may have written it.
    untrusted: bool,
}

async fn source(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<Source, ToolError> {
    match (text(call, "text"), path) {
        ("", "") => {
            Err(ToolError("Give what is to be converted in text, or the path of its file.".to_owned()))
        }
        (given, "") => Ok(Source { text: given.to_owned(), from: None, untrusted: false }),
        ("", path) => {
            require_readable(caller, path).await?;
            let Content { bytes, untrusted } = content_of(caller, path).await?;
            if let Some(kind) = kind_of(path, &bytes) {
                let (text, from) = of_document(caller, call, kind, (&bytes, untrusted)).await?;
                return Ok(Source { text, from: Some(from), untrusted });
            }
            let text = decoded(&bytes).ok_or_else(|| not_text(path, &bytes))?.text.into_owned();
            Ok(Source { text, from: None, untrusted })
        }
        (_, _) => Err(ToolError("Give either text or path.".to_owned())),
    }
}

/// A sheet of a workbook as records, and any other document as Markdown.
async fn of_document(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    kind: DocumentKind,
    (bytes, untrusted): (&[u8], bool),
) -> Result<(String, TextFormat), ToolError> {
    let path = text(call, "path");
    let unread = |why: Unread| ToolError(format!("{path} was not converted. {}", why.for_a_model(untrusted)));
    let too_long = || ToolError(format!("{path} is too long to be converted at once. Read it in parts."));
    if matches!(kind, DocumentKind::Xlsx | DocumentKind::Xls | DocumentKind::Ods) {
        let sheet = Some(text(call, "sheet")).filter(|sheet| !sheet.is_empty()).map(str::to_owned);
        let records = caller.hub.read_records(caller.owner, kind, bytes, sheet).await.map_err(unread)?;
        return match records.is_cut {
            true => Err(too_long()),
            false => Ok((records.json, TextFormat::Json)),
        };
    }
    let read = caller.hub.read_document(caller.owner, kind, bytes, Wanted::default()).await;
    let read = read.map_err(unread)?;
    if read.parts.len() < read.of {
        return Err(too_long());
    }
    let parts = read.parts.into_iter().map(|part| match part.title.as_str() {
        "" => part.text,
        title => format!("## {title}\n\n{}", part.text),
    });
    Ok((parts.collect::<Vec<_>>().join("\n\n"), TextFormat::Markdown))
}

/// What the argument says, or else the ending of the path.
fn format(call: &ResolvedCall, argument: &str, path: &str) -> Result<Option<TextFormat>, ToolError> {
    let name = match text(call, argument) {
        "" => path.rsplit_once('.').map_or("", |(_, ending)| ending),
        name => name,
    };
    match TextFormat::named(&name.to_ascii_lowercase()) {
        None if !name.is_empty() => {
            Err(ToolError(format!("{name} is no format here. Say which it is in {argument}.")))
        }
        found => Ok(found),
    }
}
