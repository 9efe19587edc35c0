//! PDF: the text of its pages, in the order in which it was written into them, and what stands on them besides. And
//! pages as they look.

mod drawn;
mod form;
mod links;
mod notes;

pub(super) use drawn::draw;

use super::{Unopened, Wanted, parts};
use crate::engine::job::{DocumentPart, DocumentText};
use form::Form;
use pdf_extract::{Document, Object, PlainTextOutput, decode_text_string, output_doc_page};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Characters of what is written into one field or note.
const LONGEST_WORDS: usize = 4_000;
/// How texts in UTF-16 and UTF-8 begin.
const UNICODE: [&[u8]; 2] = [b"\xfe\xff", b"\xef\xbb\xbf"];

pub(super) fn read(bytes: &[u8], wanted: &Wanted) -> Result<DocumentText, Unopened> {
    let mut document = Document::load_mem(bytes).map_err(|error| match error {
        pdf_extract::Error::Decryption(_) | pdf_extract::Error::InvalidPassword => Unopened::Encrypted,
        error => Unopened::Broken(error.to_string()),
    })?;
    // Many are encrypted with no password, so that they are opened but not changed.
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(Unopened::Encrypted);
    }
    without_pictures(&mut document);
    let pages = document.get_pages();
    let of = pages.len();
    if of == 0 {
        return Err(Unopened::Broken("it has no pages".to_owned()));
    }
    let form = Form::of(&document, &pages);
    let mut wordless = Vec::new();
    let read = parts(of, wanted, |number| {
        let text = catch_unwind(AssertUnwindSafe(|| page(&document, number)));
        let mut text = match text {
            Ok(Some(text)) if text.is_empty() => {
                wordless.push(number);
                "[There is no text on this page. It may be a scan.]".to_owned()
            }
            Ok(Some(text)) => text,
            Ok(None) | Err(_) => {
                wordless.push(number);
                "[This page cannot be read.]".to_owned()
            }
        };
        let id = u32::try_from(number).ok().and_then(|number| pages.get(&number));
        let noted = id.map(|id| notes::of(&document, *id)).unwrap_or_default();
        let leads = id.map(|id| links::of(&document, *id, &text)).unwrap_or_default();
        for (title, lines) in [
            ("Form fields", form.on(number)),
            ("Notes on this page", noted.as_slice()),
            ("Links on this page", leads.as_slice()),
        ] {
            if !lines.is_empty() {
                text.push_str(&format!("\n\n### {title}\n\n{}", lines.join("\n")));
            }
        }
        Ok(DocumentPart { number, title: format!("Page {number} of {of}"), text })
    })?;
    wordless.retain(|number| read.parts.iter().any(|part| part.number == *number));
    Ok(DocumentText { wordless, ..read })
}

/// The reader of texts takes what a picture is made of for something that is written, which a scan breaks it with.
fn without_pictures(document: &mut Document) {
    for object in document.objects.values_mut() {
        if let Object::Stream(stream) = object
            && stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Image")
        {
            stream.content.clear();
            stream.dict.remove(b"Filter");
        }
    }
}

fn page(document: &Document, number: usize) -> Option<String> {
    let mut text = String::new();
    let mut output = PlainTextOutput::new(&mut text);
    output_doc_page(document, &mut output, u32::try_from(number).ok()?).ok()?;
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    Some(lines.join("\n"))
}

fn decoded(bytes: &[u8]) -> String {
    decode_text_string(&Object::string_literal(bytes))
        .unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned())
}

/// A text that somebody wrote into a document, whose further lines stand below the first one as those of a list do.
/// None: there is no text.
fn words(object: &Object) -> Option<String> {
    let bytes = object.as_str().ok()?;
    let is_unicode = UNICODE.iter().any(|mark| bytes.starts_with(mark));
    // Ends of lines have no place in the encoding of the others.
    let lines = bytes.split(|byte| !is_unicode && matches!(byte, b'\r' | b'\n'));
    let text = lines.map(decoded).collect::<Vec<_>>().join("\n");
    let lines = text.split(['\r', '\n']).map(|line| {
        let shown: String = line.chars().filter(|char| !char.is_control() && *char != '\u{feff}').collect();
        shown.trim().to_owned()
    });
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n  ");
    if text.is_empty() {
        return None;
    }
    match text.char_indices().nth(LONGEST_WORDS) {
        Some((end, _)) => Some(format!("{} [It is longer than is read.]", &text[..end])),
        None => Some(text),
    }
}
