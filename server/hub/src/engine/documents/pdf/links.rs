//! Where a page leads.

use super::form::list;
use super::words;
use pdf_extract::{Document, Object, ObjectId};

/// Of one page, and of what is looked through for them.
const MOST_LINKS: usize = 200;
const MOST_LOOKED_AT: usize = 1_000;

/// Each address once, but for those that its text says.
pub(super) fn of(document: &Document, page: ObjectId, text: &str) -> Vec<String> {
    let Ok(page) = document.get_dictionary(page) else { return Vec::new() };
    let mut lines: Vec<String> = Vec::new();
    for object in list(document, page, b"Annots").iter().take(MOST_LOOKED_AT) {
        let Ok((_, Object::Dictionary(link))) = document.dereference(object) else { continue };
        let action = link.get_deref(b"A", document).and_then(Object::as_dict);
        let address = action.and_then(|action| action.get_deref(b"URI", document)).ok().and_then(words);
        let Some(address) = address.filter(|address| !text.contains(address)) else { continue };
        let line = format!("- {address}");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MOST_LINKS {
        let more = lines.split_off(MOST_LINKS).len();
        lines.push(format!("[There are {more} more, which are not read.]"));
    }
    lines
}
