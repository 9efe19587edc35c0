//! `read` of documents: whole pages, slides and sheets as text, in parts as long as a model is sent. Pages without text
//! are [`drawn`].

use super::drawn::{self, Drawn, Pages};
use super::lines::{self, Part};
use super::{number, text};
use crate::documents::{CHANGED, DocumentKind, FILES_WITHIN, MACROS, Wanted};
use crate::engine::DocumentText;
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use protocol::Attachment;
use protocol::approval::Asker;
use serde_json::{Value, json};

/// Bytes of a line, fewer than the characters that are shown of one.
const LINE: usize = 1800;

/// Pages without text that are named.
const SAID: usize = 20;

/// What a kind of document is made of.
const fn unit(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Pdf => "page",
        DocumentKind::Pptx | DocumentKind::Ppt | DocumentKind::Odp => "slide",
        DocumentKind::Epub => "chapter",
        DocumentKind::Xlsx | DocumentKind::Xls | DocumentKind::Ods => "sheet",
        DocumentKind::Docx
        | DocumentKind::Doc
        | DocumentKind::Odt
        | DocumentKind::Rtf
        | DocumentKind::Csv => "part",
    }
}

/// `bytes` come with whether strangers may have written them.
pub(super) async fn read(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    kind: DocumentKind,
    (bytes, untrusted): (&[u8], bool),
) -> Result<(Value, Vec<Attachment>), ToolError> {
    let path = text(call, "path");
    let wanted = wanted(call, kind)?;
    if text(call, "as") == drawn::PICTURE {
        return drawn::look(caller, path, kind, bytes, &wanted).await;
    }
    let is_range = wanted.range.is_some();
    let read = caller.hub.read_document(caller.owner, kind, bytes, wanted).await;
    let read =
        read.map_err(|why| ToolError(format!("{path} was not read. {}", why.for_a_model(untrusted))))?;
    let whole = joined(&read);
    let (offset, limit) = (number(call, "offset").unwrap_or(1), number(call, "limit").unwrap_or(usize::MAX));
    let Part { shown, from, to, of, .. } =
        lines::part(&whole, offset, limit, lines::plain).ok_or_else(|| {
            ToolError(format!(
                "What was asked for has {} lines. Read from an earlier one.",
                whole.lines().count()
            ))
        })?;
    let mut answer = json!({ "path": path, "lines": of, "text": shown });
    let unit = unit(kind);
    let ends = read.parts.first().zip(read.parts.last()).map(|(first, last)| (first.number, last.number));
    let (first, last) = ends.unwrap_or((1, read.of));
    if unit != "part" {
        answer[format!("{unit}s")] = read.of.into();
    }
    let notes = [(read.has_macros, MACROS), (read.has_changes, CHANGED), (read.has_files, FILES_WITHIN)];
    let mut notes: Vec<String> =
        notes.into_iter().filter(|(is_so, _)| *is_so).map(|(_, note)| note.to_owned()).collect();
    let mut pictures = Vec::new();
    if !read.wordless.is_empty() && offset == 1 && caller.asker() == Asker::Model {
        let (note, drawn) = wordless(caller, path, bytes, &read).await;
        notes.push(note);
        if !drawn.told.is_empty() {
            answer["pictures"] = drawn.told.into();
        }
        pictures = drawn.pictures;
    }
    if !notes.is_empty() {
        answer["note"] = notes.join(" ").into();
    }
    if to < of {
        let same = match (unit, is_range) {
            ("part", _) => String::new(),
            (_, true) => " of the same range".to_owned(),
            (_, false) => format!(" of pages {first}-{last}"),
        };
        answer["more"] =
            format!("These are the lines {from} to {to} of {of}. Read on from line {}{same}.", to + 1).into();
    } else if last < read.of && !is_range {
        let of = read.of;
        answer["more"] =
            format!("These are the {unit}s {first} to {last} of {of}. Read on with pages {}-{of}.", last + 1)
                .into();
    }
    Ok((answer, pictures))
}

/// What is said of pages without text, and the first of them as they look if there is no text at all.
async fn wordless(caller: &Caller<'_>, path: &str, bytes: &[u8], read: &DocumentText) -> (String, Drawn) {
    let numbers = &read.wordless;
    let how = "Look at such pages with `as` picture and their numbers in `pages`.";
    if numbers.len() < read.parts.len() {
        let which: Vec<String> = numbers.iter().take(SAID).map(usize::to_string).collect();
        let others = if numbers.len() > SAID { " and others" } else { "" };
        let note = format!("No text was found on these pages: {}{others}. {how}", which.join(", "));
        return (note, Drawn::default());
    }
    let pages = Pages { path, bytes, from: numbers[0], to: numbers[numbers.len() - 1] };
    let scan = "No text was found on these pages: it may be a scan.";
    match drawn::pages(caller, &pages).await {
        Ok(drawn) => {
            let mut said = vec![scan.to_owned(), "The first come with this result as they look.".to_owned()];
            if drawn.pictures.len() < numbers.len() {
                said.push(how.to_owned());
            }
            said.extend(drawn.notes.iter().cloned());
            (said.join(" "), drawn)
        }
        Err(ToolError(why)) => (format!("{scan} {why}"), Drawn::default()),
    }
}

/// All parts with their titles, in lines none of which is cut when it is shown.
fn joined(read: &DocumentText) -> String {
    let parts = read.parts.iter().map(|part| match part.title.as_str() {
        "" => wrapped(&part.text),
        title => format!("## {title}\n\n{}", wrapped(&part.text)),
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// What is longer than a line can be goes on in the next one: a paragraph is one line of its document.
fn wrapped(text: &str) -> String {
    let mut lines = Vec::new();
    for mut line in text.lines() {
        while line.len() > LINE {
            let head = &line[..line.floor_char_boundary(LINE)];
            let end = head.rfind(' ').filter(|end| *end > 0).unwrap_or(head.len());
            lines.push(&line[..end]);
            line = line[end..].trim_start();
        }
        lines.push(line);
    }
    lines.join("\n")
}

fn wanted(call: &ResolvedCall, kind: DocumentKind) -> Result<Wanted, ToolError> {
    let given = |name| Some(text(call, name)).filter(|text| !text.is_empty());
    let (pages, sheet, range) = (given("pages"), given("sheet"), given("range"));
    let is_workbook = matches!(kind, DocumentKind::Xlsx | DocumentKind::Xls | DocumentKind::Ods);
    if !is_workbook && (sheet.is_some() || range.is_some()) {
        return Err(ToolError("Only workbooks have sheets and ranges.".to_owned()));
    }
    if pages.is_some() && unit(kind) == "part" {
        return Err(ToolError(
            "This kind of document has no pages of its own. Read it by its lines.".to_owned(),
        ));
    }
    let (from, to) = match pages {
        Some(pages) => span(pages).ok_or_else(|| {
            ToolError(format!("{pages} says no pages. Write one, as 3, or the first and the last, as 1-5."))
        })?,
        None => (1, usize::MAX),
    };
    Ok(Wanted { from, to, sheet: sheet.map(str::to_owned), range: range.map(str::to_owned) })
}

/// `3`, `1-5` or `4-`.
fn span(pages: &str) -> Option<(usize, usize)> {
    let (from, to) = pages.split_once('-').unwrap_or((pages, pages));
    let from = from.trim().parse().ok()?;
    let to = match to.trim() {
        "" => usize::MAX,
        to => to.parse().ok()?,
    };
    (1 <= from && from <= to).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_paragraph_loses_nothing() {
        let paragraph = "Moss grows slowly. ".repeat(500);
        let text = wrapped(&format!("{paragraph}\n{}", "ä".repeat(2000)));
        assert!(text.lines().all(|line| line.len() <= LINE));
        let (words, rest) = text.rsplit_once('.').unwrap();
        assert_eq!(words.split_whitespace().count(), 1500);
        assert_eq!(rest.matches('ä').count(), 2000);
    }

    #[test]
    fn pages_are_one_or_some_in_a_row() {
        for (pages, expected) in [
            ("3", Some((3, 3))),
            ("1-5", Some((1, 5))),
            (" 2 - 4 ", Some((2, 4))),
            ("4-", Some((4, usize::MAX))),
            ("0", None),
            ("5-1", None),
            ("-3", None),
            ("all", None),
        ] {
            assert_eq!(span(pages), expected, "{pages}");
        }
    }
}
