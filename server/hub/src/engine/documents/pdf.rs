//! PDF: the text of its pages, in the order in which it was written into them.

use super::{Unopened, Wanted, parts};
use crate::engine::job::{DocumentPart, DocumentText};
use pdf_extract::{Document, PlainTextOutput, output_doc_page};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) fn read(bytes: &[u8], wanted: &Wanted) -> Result<DocumentText, Unopened> {
    let mut document = Document::load_mem(bytes).map_err(|error| match error {
        pdf_extract::Error::Decryption(_) | pdf_extract::Error::InvalidPassword => Unopened::Encrypted,
        error => Unopened::Broken(error.to_string()),
    })?;
    // Many are encrypted with no password, so that they are opened but not changed.
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(Unopened::Encrypted);
    }
    let of = document.get_pages().len();
    if of == 0 {
        return Err(Unopened::Broken("it has no pages".to_owned()));
    }
    parts(of, wanted, |number| {
        let text = catch_unwind(AssertUnwindSafe(|| page(&document, number)));
        let text = match text {
            Ok(Some(text)) if text.is_empty() => {
                "[There is no text on this page. It may be a scan.]".to_owned()
            }
            Ok(Some(text)) => text,
            Ok(None) | Err(_) => "[This page cannot be read.]".to_owned(),
        };
        Ok(DocumentPart { number, title: format!("Page {number} of {of}"), text })
    })
}

fn page(document: &Document, number: usize) -> Option<String> {
    let mut text = String::new();
    let mut output = PlainTextOutput::new(&mut text);
    output_doc_page(document, &mut output, u32::try_from(number).ok()?).ok()?;
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    Some(lines.join("\n"))
}
