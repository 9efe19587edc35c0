//! PPTX: its slides with their tables and notes, as Markdown.

use super::{Unopened, Wanted, parts};
use crate::engine::job::{DocumentPart, DocumentText};
use office_oxide::pptx::PptxDocument;
use std::io::Cursor;

pub(super) fn read(bytes: Vec<u8>, wanted: &Wanted) -> Result<DocumentText, Unopened> {
    let deck =
        PptxDocument::from_reader(Cursor::new(bytes)).map_err(|error| Unopened::Broken(error.to_string()))?;
    let of = deck.slides.len();
    parts(of, wanted, |number| {
        let text = deck.slide_to_markdown(number - 1).unwrap_or_default();
        let hidden = deck.slides.get(number - 1).is_some_and(|slide| slide.hidden);
        let title = format!("Slide {number} of {of}{}", if hidden { " (hidden)" } else { "" });
        Ok(DocumentPart { number, title, text: below_title(text.trim(), number) })
    })
}

/// The slide's heading stands below the one that says which slide it is. One without a title gets its number as one.
fn below_title(text: &str, number: usize) -> String {
    match text.strip_prefix(&format!("## Slide {number}")) {
        Some(rest) if rest.is_empty() || rest.starts_with('\n') => rest.trim_start().to_owned(),
        Some(_) | None if text.starts_with("## ") => format!("#{text}"),
        Some(_) | None => text.to_owned(),
    }
}
