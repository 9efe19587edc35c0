//! What people noted on a page after it was written.

use super::form::list;
use super::words;
use pdf_extract::{Dictionary, Document, Object, ObjectId};

/// Of one page.
const MOST_NOTES: usize = 1_000;

pub(super) fn of(document: &Document, page: ObjectId) -> Vec<String> {
    let Ok(page) = document.get_dictionary(page) else { return Vec::new() };
    let all = list(document, page, b"Annots");
    let (mut lines, mut silent) = (Vec::new(), 0);
    for object in all.iter().take(MOST_NOTES) {
        let Ok((_, Object::Dictionary(note))) = document.dereference(object) else { continue };
        let Some(kind) = note.get_deref(b"Subtype", document).ok().and_then(|kind| kind.as_name().ok())
        else {
            continue;
        };
        // Fields are read with their form, links lead elsewhere, and a window shows what another one says.
        if matches!(kind, b"Widget" | b"Link" | b"Popup") {
            continue;
        }
        match said(document, note, b"Contents") {
            Some(words) => lines.push(match said(document, note, b"T") {
                Some(who) => format!("- {who}: {words}"),
                None => format!("- {words}"),
            }),
            None => silent += 1,
        }
    }
    if silent > 0 {
        lines.push(format!(
            "[Marks, drawings, stamps or files on this page that have no words: {silent}. They are not read.]"
        ));
    }
    if all.len() > MOST_NOTES {
        lines.push(format!("[There are {} more, which are not read.]", all.len() - MOST_NOTES));
    }
    lines
}

fn said(document: &Document, note: &Dictionary, key: &[u8]) -> Option<String> {
    note.get_deref(key, document).ok().and_then(words)
}
