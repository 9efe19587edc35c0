//! DOCX, PPTX and PDF of Markdown.

use super::{limits, typeset};
use crate::engine::job::{Made, TextDraft, TextKind};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use office_oxide::create::create_from_ir_to_writer;
use office_oxide::ir::{Element, InlineContent, Section};
use office_oxide::{DocumentFormat, DocumentIR};
use std::io::Cursor;

/// Slides of a deck: beyond them the writer would join some.
const MOST_SLIDES: usize = 250;

pub(in crate::engine) fn make(draft: &TextDraft) -> Result<Made, String> {
    limits().apply();
    match draft.kind {
        TextKind::Pdf => typeset::typeset(draft),
        TextKind::Docx => {
            office(&DocumentIR::from_markdown(&draft.markdown, DocumentFormat::Docx), DocumentFormat::Docx)
        }
        TextKind::Pptx => office(&deck(&draft.markdown)?, DocumentFormat::Pptx),
    }
}

fn office(document: &DocumentIR, format: DocumentFormat) -> Result<Made, String> {
    if document.metadata.text_truncated {
        return Err("It is too long for one document. Make several.".to_owned());
    }
    let mut bytes = Cursor::new(Vec::new());
    create_from_ir_to_writer(document, format, &mut bytes).map_err(|error| format!("{error}."))?;
    Ok(Made { bytes: STANDARD.encode(bytes.into_inner()), pages: None, notes: Vec::new() })
}

fn deck(markdown: &str) -> Result<DocumentIR, String> {
    let slides = slides(markdown);
    if slides.len() > MOST_SLIDES {
        return Err(format!("It has {} slides. A deck has {MOST_SLIDES} at most.", slides.len()));
    }
    let mut deck = DocumentIR::from_markdown("", DocumentFormat::Pptx);
    deck.sections = slides.iter().map(|slide| section(slide, &mut deck.metadata.text_truncated)).collect();
    Ok(deck)
}

/// A slide, whose first heading is its title.
fn section(markdown: &str, is_cut: &mut bool) -> Section {
    let read = DocumentIR::from_markdown(markdown, DocumentFormat::Pptx);
    *is_cut |= read.metadata.text_truncated;
    // A heading of the first level is the title of a section already.
    let mut title = read.sections.iter().find_map(|section| section.title.clone());
    let mut elements: Vec<Element> = read.sections.into_iter().flat_map(|section| section.elements).collect();
    if title.is_none()
        && let Some(Element::Heading(heading)) = elements.first()
    {
        title = Some(heading.content.iter().map(words).collect());
        elements.remove(0);
    }
    Section { title, elements, ..Section::default() }
}

fn words(content: &InlineContent) -> &str {
    match content {
        InlineContent::Text(span) => &span.text,
        _ => "",
    }
}

/// What stands between lines of `---` and from one heading of the first level to the next.
fn slides(markdown: &str) -> Vec<String> {
    let (mut slides, mut slide) = (Vec::new(), String::new());
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let marker = ["```", "~~~"].into_iter().find(|marker| line.trim_start().starts_with(marker));
        let is_code = fence.is_some();
        fence = match (fence, marker) {
            (Some(open), Some(marker)) if open == marker => None,
            (None, marker) => marker,
            (open, _) => open,
        };
        let is_rule = !is_code && line.len() >= 3 && line.trim_end().bytes().all(|byte| byte == b'-');
        let begins = is_rule || !is_code && line.starts_with("# ");
        if begins && !slide.trim().is_empty() {
            slides.push(std::mem::take(&mut slide));
        }
        if !is_rule {
            slide.push_str(line);
            slide.push('\n');
        }
    }
    if !slide.trim().is_empty() {
        slides.push(slide);
    }
    slides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slides_begin_with_headings_and_behind_rules() {
        for (markdown, expected) in [
            ("# A\na\n# B\nb\n", vec!["# A\na\n", "# B\nb\n"]),
            ("---\n# A\n---\nb\n---\n", vec!["# A\n", "b\n"]),
            ("# A\n\n```\n# no\n---\n```\n## C\n", vec!["# A\n\n```\n# no\n---\n```\n## C\n"]),
            ("", vec![]),
        ] {
            assert_eq!(slides(markdown), expected, "{markdown:?}");
        }
    }
}
