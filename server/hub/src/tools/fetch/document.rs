//! Documents that a server sends, as text: PDF, and what offices write.

use crate::documents::{DocumentKind, kind_of, mime_of};
use crate::engine::DocumentText;

/// Those that are told by their type, and how files of each are called.
const KINDS: [(DocumentKind, &str); 12] = [
    (DocumentKind::Pdf, "a.pdf"),
    (DocumentKind::Docx, "a.docx"),
    (DocumentKind::Doc, "a.doc"),
    (DocumentKind::Odt, "a.odt"),
    (DocumentKind::Rtf, "a.rtf"),
    (DocumentKind::Epub, "a.epub"),
    (DocumentKind::Pptx, "a.pptx"),
    (DocumentKind::Ppt, "a.ppt"),
    (DocumentKind::Odp, "a.odp"),
    (DocumentKind::Xlsx, "a.xlsx"),
    (DocumentKind::Xls, "a.xls"),
    (DocumentKind::Ods, "a.ods"),
];

/// What an answer of this type, under this path, would be called if it were a document. None: it is none.
pub(super) fn name_of(content_type: &str, path: &str) -> Option<String> {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let essence = if essence.eq_ignore_ascii_case("text/rtf") { mime_of(DocumentKind::Rtf) } else { essence };
    let by_type = KINDS.iter().find(|(kind, _)| mime_of(*kind).eq_ignore_ascii_case(essence));
    if let Some((_, name)) = by_type {
        return Some((*name).to_owned());
    }
    // What says that it is something else is that, whatever it is called.
    let says_nothing = essence.is_empty()
        || ["application/octet-stream", "application/zip", "binary/octet-stream"]
            .iter()
            .any(|unspecific| essence.eq_ignore_ascii_case(unspecific));
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let is_named = KINDS.iter().any(|(_, name)| name.ends_with(&format!(".{ending}")));
    (says_nothing && is_named).then(|| format!("a.{ending}"))
}

/// What kind of document these bytes are under that name.
pub(super) fn kind(name: Option<&str>, bytes: &[u8]) -> Option<DocumentKind> {
    name.and_then(|name| kind_of(name, bytes))
}

/// All parts with their titles.
pub(super) fn text(read: &DocumentText) -> String {
    let parts = read.parts.iter().map(|part| match part.title.as_str() {
        "" => part.text.clone(),
        title => format!("## {title}\n\n{}", part.text),
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_document_by_its_type_or_where_that_says_nothing_by_its_name() {
        for (content_type, path, expected) in [
            ("application/pdf", "/paper", Some("a.pdf")),
            ("Application/PDF; charset=binary", "/paper.html", Some("a.pdf")),
            (mime_of(DocumentKind::Docx), "/", Some("a.docx")),
            ("application/octet-stream", "/files/Plan.XLSX", Some("a.xlsx")),
            ("", "/plan.pptx", Some("a.pptx")),
            ("application/zip", "/plan.ods", Some("a.ods")),
            ("text/rtf", "/letter", Some("a.rtf")),
            ("application/epub+zip", "/book", Some("a.epub")),
            ("application/zip", "/plan.zip", None),
            ("text/html", "/paper.pdf", None),
            ("image/png", "/a.pdf", None),
            ("", "/", None),
            ("", "/pdf", None),
        ] {
            assert_eq!(name_of(content_type, path).as_deref(), expected, "{content_type} {path}");
        }
    }

    #[test]
    fn what_is_called_a_document_is_one_by_how_it_begins() {
        for (name, bytes, is_one) in [
            (Some("a.pdf"), &b"%PDF-1.7 ..."[..], true),
            (Some("a.pdf"), b"<html>Not found", false),
            (Some("a.docx"), b"PK\x03\x04...", true),
            (None, b"%PDF-1.7 ...", false),
        ] {
            assert_eq!(kind(name, bytes).is_some(), is_one, "{name:?}");
        }
    }
}
