//! ODT and ODP, as Markdown: the one as one part, since it has no pages before somebody prints it, the other slide by
//! slide with its notes.

mod styles;
mod walk;

use super::{Unopened, Wanted, broken, has, parts, whole};
use crate::engine::job::{DocumentPart, DocumentText};
use crate::zip;
use styles::Styles;
use walk::Walked;

const CONTENT: &str = "content.xml";
const STYLES: &str = "styles.xml";
const MANIFEST: &str = "META-INF/manifest.xml";
/// Bytes of these.
const LARGEST: u64 = 64 * 1024 * 1024;
/// What the manifest says of a file that a password locks.
const LOCKED: &[u8] = b"encryption-data";
/// The list of macros, as its name stands in that of an archive.
const MACROS: &[u8] = b"Basic/script-lc.xml";

pub(super) fn text(bytes: &[u8]) -> Result<DocumentText, Unopened> {
    let Walked { text, has_changes, .. } = walked(bytes)?;
    Ok(DocumentText { has_changes, has_macros: has(bytes, MACROS), ..whole(text)? })
}

pub(super) fn slides(bytes: &[u8], wanted: &Wanted) -> Result<DocumentText, Unopened> {
    let mut slides = walked(bytes)?.slides;
    let of = slides.len();
    let slides = parts(of, wanted, |number| {
        let text = std::mem::take(&mut slides[number - 1]);
        Ok(DocumentPart { number, title: format!("Slide {number} of {of}"), text })
    })?;
    Ok(DocumentText { has_macros: has(bytes, MACROS), ..slides })
}

fn walked(bytes: &[u8]) -> Result<Walked, Unopened> {
    let wanted = |name: &str| [CONTENT, STYLES, MANIFEST].contains(&name);
    let mut found = zip::unpack_wanted(bytes, LARGEST, wanted).map_err(broken)?;
    if found.get(MANIFEST).is_some_and(|manifest| has(manifest, LOCKED)) {
        return Err(Unopened::Encrypted);
    }
    let content = found.remove(CONTENT).ok_or_else(|| broken("there is no text in it"))?;
    let mut styles = Styles::default();
    if let Some(named) = found.remove(STYLES) {
        styles.take(&named)?;
    }
    styles.take(&content)?;
    walk::read(&content, &styles)
}
