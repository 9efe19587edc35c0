//! `document`: a file for office programs or for printing, made of what a model writes.

use super::change;
use super::composed::{self, parts_of};
use super::mounts::Mounted;
use super::pictures::{self, Allowance, Pictures, pictures};
use super::{mark, text};
use crate::documents::{Document, Draft, Format, NamedPicture, Paper, SheetDraft, TextDraft, TextKind};
use crate::engine::{PictureFile, Unreadable};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::time::Duration;

/// Pictures of one workbook.
const MOST_PICTURES: usize = 40;
const PICTURE_TIMEOUT: Duration = Duration::from_secs(10);

pub(in crate::tools) async fn document(
    caller: &Caller<'_>,
    call: &ResolvedCall,
) -> Result<String, ToolError> {
    let path = text(call, "path");
    // What cannot be written there is not made.
    Mounted::writable(path)?;
    let Asked { draft, notes, untrusted } = asked(caller, call, path).await?;
    let made = caller.hub.make_document(caller.owner, draft).await;
    let made = made.map_err(|why| ToolError(format!("{path} was not made. {why}")))?;
    put(caller, call, path, made, notes, untrusted).await
}

/// Keeps a document that was made, and says what of it is not as it was meant.
pub(super) async fn put(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    path: &str,
    made: Document,
    mut notes: Vec<String>,
    untrusted: bool,
) -> Result<String, ToolError> {
    let Document { bytes, pages, notes: others } = made;
    let mut answer =
        change::put(caller, call, path, untrusted, move |_, _| Ok(bytes.clone())).await?.answer(path);
    if let Some(pages) = pages {
        answer["pages"] = pages.into();
    }
    notes.extend(others);
    if !notes.is_empty() {
        answer["notes"] = notes.into();
        // They may quote what it is made of.
        mark(&mut answer, untrusted);
    }
    Ok(answer.to_string())
}

pub(super) struct Asked {
    pub(super) draft: Draft,
    /// What will not be in it, in sentences.
    pub(super) notes: Vec<String>,
    /// Whether strangers may have made a part of it.
    pub(super) untrusted: bool,
}

/// A document of Markdown, with the pictures that it shows.
pub(super) async fn text_of(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    kind: TextKind,
    markdown: String,
) -> Result<Asked, ToolError> {
    let Pictures { named, notes, untrusted } = pictures(caller, &markdown).await?;
    let (title, author) = (given(call, "title"), given(call, "author"));
    let draft = TextDraft { kind, markdown, title, author, paper: paper(call), pictures: named };
    Ok(Asked { draft: Draft::Text(draft), notes, untrusted })
}

pub(super) fn given(call: &ResolvedCall, argument: &str) -> Option<String> {
    Some(text(call, argument)).filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

pub(super) fn paper(call: &ResolvedCall) -> Paper {
    match text(call, "paper") {
        "letter" => Paper::Letter,
        _ => Paper::A4,
    }
}

async fn asked(caller: &Caller<'_>, call: &ResolvedCall, path: &str) -> Result<Asked, ToolError> {
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
            "Documents are made as .docx, .pptx, .pdf, .xlsx and .csv. Write other files with write."
                .to_owned(),
        )
    })?;
    if let Some(parts) = parts_of(call, format)? {
        return composed::asked(caller, call, parts, format).await;
    }
    let sheets = call.input().get("sheets").filter(|sheets| !sheets.is_null());
    let kind = match format {
        Format::Docx => Some(TextKind::Docx),
        Format::Pptx => Some(TextKind::Pptx),
        Format::Pdf => Some(TextKind::Pdf),
        Format::Xlsx | Format::Csv => None,
    };
    match (kind, text(call, "content"), sheets) {
        (Some(_), "", _) | (Some(_), _, Some(_)) => Err(ToolError(
            "Give what it says as Markdown in content, or its parts: blocks of a DOCX or PDF, slides of a PPTX. Sheets belong to XLSX and CSV."
                .to_owned(),
        )),
        (Some(kind), markdown, None) => text_of(caller, call, kind, markdown.to_owned()).await,
        (None, "", Some(sheets)) => {
            sheets_of(caller, format, serde_json::from_value(Value::clone(sheets))?).await
        }
        (None, ..) => Err(ToolError("Give its columns and rows in sheets, and no content.".to_owned())),
    }
}

/// Sheets with the pictures that lie on them. They are written anew before: what is in a file anybody may have made.
async fn sheets_of(
    caller: &Caller<'_>,
    format: Format,
    mut sheets: Vec<SheetDraft>,
) -> Result<Asked, ToolError> {
    if format == Format::Csv && sheets.iter().any(|sheet| !sheet.look.is_plain()) {
        return Err(ToolError("A CSV has no look. Leave `look` out, or make an XLSX.".to_owned()));
    }
    let count: usize = sheets.iter().map(|sheet| sheet.look.pictures.len()).sum();
    if count > MOST_PICTURES {
        return Err(ToolError(format!("It has {count} pictures. A workbook has {MOST_PICTURES} at most.")));
    }
    let (mut allowance, mut untrusted) = (Allowance::whole(), false);
    for (sheet, number) in sheets.iter_mut().zip(0..) {
        for (picture, at) in sheet.look.pictures.iter_mut().zip(0..) {
            let place = format!("sheets[{number}].look.pictures[{at}]");
            let names = [(place.clone(), picture.path.clone())];
            let read = pictures::named(caller, &names, &mut allowance).await?;
            untrusted |= read.untrusted;
            for NamedPicture { bytes, .. } in read.named {
                let file = PictureFile { bytes };
                let prepared = caller.hub.engine().perform(caller.owner, file, PICTURE_TIMEOUT).await;
                let prepared = prepared.map_err(|error| ToolError(format!("{place}: {error}.")))?;
                let prepared = prepared.map_err(|why| match why {
                    Unreadable::TooLarge { width, height } => {
                        ToolError(format!("{place}: {width} by {height} pixels are too many."))
                    }
                    Unreadable::Broken(why) => ToolError(format!("{place}: it is no picture: {why}.")),
                })?;
                let bytes = STANDARD.decode(prepared.bytes);
                picture.bytes = bytes.map_err(|error| ToolError(format!("{place}: {error}.")))?;
            }
        }
    }
    Ok(Asked { draft: Draft::Sheets { format, sheets }, notes: Vec::new(), untrusted })
}
