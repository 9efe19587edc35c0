//! DOCX, as Markdown. It has no pages before somebody prints it, so it is one part.

use super::{LONGEST, Unopened};
use crate::engine::job::{DocumentPart, DocumentText};
use office_oxide::docx::DocxDocument;
use std::io::Cursor;

pub(super) fn read(bytes: Vec<u8>) -> Result<DocumentText, Unopened> {
    let document =
        DocxDocument::from_reader(Cursor::new(bytes)).map_err(|error| Unopened::Broken(error.to_string()))?;
    let text = document.to_markdown();
    if text.len() > LONGEST {
        return Err(Unopened::TooLong);
    }
    let part = DocumentPart { number: 1, title: String::new(), text: text.trim().to_owned() };
    Ok(DocumentText { parts: vec![part], of: 1, has_macros: false })
}
