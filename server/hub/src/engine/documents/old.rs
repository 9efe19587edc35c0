//! DOC and PPT, as Markdown: what Word and PowerPoint wrote before their files were archives.

use super::table::{row, rule};
use super::{Unopened, Wanted, broken, parts, whole};
use crate::engine::job::{DocumentPart, DocumentText};
use office_oxide::doc::{DocDocument, DocError};
use office_oxide::ppt::{PptDocument, PptError, SlideText, TableBlock, TextRun, TextType};
use std::io::Cursor;

pub(super) fn text(bytes: Vec<u8>) -> Result<DocumentText, Unopened> {
    let document = DocDocument::from_reader(Cursor::new(bytes)).map_err(|error| match error {
        DocError::Encrypted => Unopened::Encrypted,
        other => broken(other),
    })?;
    Ok(DocumentText { has_macros: document.has_macros(), ..whole(document.to_markdown())? })
}

pub(super) fn slides(bytes: Vec<u8>, wanted: &Wanted) -> Result<DocumentText, Unopened> {
    let deck = PptDocument::from_reader(Cursor::new(bytes)).map_err(|error| match error {
        PptError::Encrypted => Unopened::Encrypted,
        other => broken(other),
    })?;
    let of = deck.slides.len();
    let slides = parts(of, wanted, |number| {
        let slide = &deck.slides[number - 1];
        let title = format!("Slide {number} of {of}{}", if slide.hidden { " (hidden)" } else { "" });
        Ok(DocumentPart { number, title, text: shown(slide) })
    })?;
    Ok(DocumentText { has_macros: deck.has_macros(), ..slides })
}

fn shown(slide: &SlideText) -> String {
    let (notes, shown): (Vec<_>, Vec<_>) =
        slide.text_runs.iter().partition(|run| run.text_type == TextType::Notes);
    let mut blocks: Vec<String> = shown.into_iter().filter_map(block).collect();
    blocks.extend(slide.tables.iter().filter_map(table));
    let notes: Vec<String> = notes.into_iter().flat_map(lines).map(|line| format!("> {line}")).collect();
    if !notes.is_empty() {
        blocks.push(format!("> **Notes:**\n{}", notes.join("\n")));
    }
    blocks.join("\n\n")
}

fn block(run: &TextRun) -> Option<String> {
    let lines = lines(run);
    let text = match run.text_type {
        TextType::Title | TextType::CenterTitle => format!("### {}", lines.join(" ")),
        _ => lines.join("\n\n"),
    };
    (!lines.is_empty()).then_some(text)
}

/// Its paragraphs, each line of one by itself.
fn lines(run: &TextRun) -> Vec<String> {
    let lines = run.text.split(['\r', '\n', '\u{b}']).map(str::trim);
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn table(table: &TableBlock) -> Option<String> {
    let mut text = String::new();
    for (at, cells) in table.rows.iter().enumerate() {
        let cells: Vec<String> =
            cells.iter().map(|cell| cell.iter().flat_map(lines).collect::<Vec<_>>().join(" ")).collect();
        row(&mut text, cells.iter().map(String::as_str));
        if at == 0 {
            rule(&mut text, cells.len());
        }
    }
    (!text.is_empty()).then(|| text.trim_end().to_owned())
}
