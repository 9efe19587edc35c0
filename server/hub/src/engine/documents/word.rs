//! DOCX, as Markdown. It has no pages before somebody prints it, so it is one part.

mod notes;

use super::{LONGEST, Unopened};
use crate::engine::job::{DocumentPart, DocumentText};
use memchr::memmem;
use office_oxide::core::opc::OpcReader;
use office_oxide::docx::DocxDocument;
use std::io::Cursor;

/// What begins a passage that somebody put in, took out or moved, as Word and others write it.
const CHANGES: [&[u8]; 3] = [b"<w:ins ", b"<w:del ", b"<w:moveFrom "];

pub(super) fn read(bytes: Vec<u8>) -> Result<DocumentText, Unopened> {
    let has_changes = has_changes(&bytes);
    let mut document =
        DocxDocument::from_reader(Cursor::new(bytes)).map_err(|error| Unopened::Broken(error.to_string()))?;
    for style in document.styles.iter_mut().flat_map(|sheet| sheet.styles.values_mut()) {
        if let Some(level) = style.name.as_deref().and_then(heading) {
            style.paragraph_properties.get_or_insert_default().outline_level.get_or_insert(level);
        }
    }
    notes::place(&mut document);
    let text = document.to_markdown();
    if text.len() > LONGEST {
        return Err(Unopened::TooLong);
    }
    let part = DocumentPart { number: 1, title: String::new(), text: text.trim().to_owned() };
    Ok(DocumentText {
        parts: vec![part],
        of: 1,
        has_macros: false,
        has_changes,
        has_files: false,
        wordless: Vec::new(),
    })
}

/// Whether it shows what was changed, which its text has as if all of it were accepted.
fn has_changes(bytes: &[u8]) -> bool {
    let text = OpcReader::new(Cursor::new(bytes)).and_then(|mut package| {
        let main = package.main_document_part()?;
        package.read_part(&main)
    });
    text.is_ok_and(|text| CHANGES.iter().any(|begin| memmem::find(&text, begin).is_some()))
}

/// The level of the style that Word calls so, from 0 on: LibreOffice leaves it to the name, and writes that in its own
/// spelling.
fn heading(name: &str) -> Option<u8> {
    let (word, number) = name.split_once(' ')?;
    let level: u8 = number.parse().ok()?;
    (word.eq_ignore_ascii_case("heading") && (1..=9).contains(&level)).then(|| level - 1)
}
