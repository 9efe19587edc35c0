//! DOCX, PPTX and PDF of Markdown.

use super::pictures::{Prepared, in_room, prepared, set_apart, words};
use super::{LARGEST, limits, typeset};
use crate::engine::job::{Made, TextDraft, TextKind};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use office_oxide::create::create_from_ir_to_writer;
use office_oxide::ir::{Element, Section, TextBox};
use office_oxide::{DocumentFormat, DocumentIR};
use std::io::Cursor;

/// Slides of a deck: beyond them the writer would join some.
const MOST_SLIDES: usize = 250;
/// Below the title of a slide, in EMU: where it begins, and its size.
const BELOW: (u64, u64, u64, u64) = (838_200, 1_825_625, 10_515_600, 4_351_338);
/// Between two pictures.
const GAP: u64 = 200_000;

pub(in crate::engine) fn make(draft: &TextDraft) -> Result<Made, String> {
    limits().apply();
    match draft.kind {
        TextKind::Pdf => typeset::typeset(draft),
        TextKind::Docx => {
            let mut notes = Vec::new();
            let pictures = prepared(&draft.pictures, &mut notes);
            office(read(&draft.markdown, DocumentFormat::Docx, &pictures), draft, DocumentFormat::Docx, notes)
        }
        TextKind::Pptx => {
            let mut notes = Vec::new();
            let pictures = prepared(&draft.pictures, &mut notes);
            office(deck(&draft.markdown, &pictures)?, draft, DocumentFormat::Pptx, notes)
        }
    }
}

fn read(markdown: &str, format: DocumentFormat, pictures: &[Prepared]) -> DocumentIR {
    let apart = set_apart(markdown, pictures);
    let mut document = DocumentIR::from_markdown(&apart.markdown, format);
    apart.put_back(&mut document.sections, pictures);
    document
}

fn office(
    mut document: DocumentIR,
    draft: &TextDraft,
    format: DocumentFormat,
    notes: Vec<String>,
) -> Result<Made, String> {
    if document.metadata.text_truncated {
        return Err("It is too long for one document. Make several.".to_owned());
    }
    (document.metadata.title, document.metadata.author) = (draft.title.clone(), draft.author.clone());
    let mut bytes = Cursor::new(Vec::new());
    create_from_ir_to_writer(&document, format, &mut bytes).map_err(|error| format!("{error}."))?;
    let bytes = bytes.into_inner();
    if bytes.len() > LARGEST {
        return Err("It would be larger than 5.9 MB. Use fewer or smaller pictures.".to_owned());
    }
    Ok(Made { bytes: STANDARD.encode(bytes), pages: None, notes })
}

fn deck(markdown: &str, pictures: &[Prepared]) -> Result<DocumentIR, String> {
    let slides = slides(markdown);
    let too_many = |count: usize| format!("It has {count} slides. A deck has {MOST_SLIDES} at most.");
    if slides.len() > MOST_SLIDES {
        return Err(too_many(slides.len()));
    }
    let mut deck = DocumentIR::from_markdown("", DocumentFormat::Pptx);
    deck.sections.clear();
    for slide in &slides {
        let whole = section(slide, pictures, &mut deck.metadata.text_truncated);
        deck.sections.extend(with_room_for_pictures(whole));
    }
    // Those that pictures have for themselves count like others.
    if deck.sections.len() > MOST_SLIDES {
        return Err(too_many(deck.sections.len()));
    }
    Ok(deck)
}

/// A slide, whose first heading is its title.
fn section(markdown: &str, pictures: &[Prepared], is_cut: &mut bool) -> Section {
    let read = read(markdown, DocumentFormat::Pptx, pictures);
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

/// Pictures stand below the title side by side. Where a slide says more than that, they have one of their own after it.
fn with_room_for_pictures(slide: Section) -> Vec<Section> {
    let (images, others): (Vec<Element>, Vec<Element>) =
        slide.elements.into_iter().partition(|element| matches!(element, Element::Image(_)));
    if images.is_empty() {
        return vec![Section { title: slide.title, elements: others, ..Section::default() }];
    }
    let (x, y, wide, high) = BELOW;
    let each = wide / images.len() as u64;
    let placed = images.into_iter().zip(0..).map(|(mut element, at)| {
        let Element::Image(image) = &mut element else { return element };
        let (x, y, wide, high) = in_room(image, (x + each * at, y, each.saturating_sub(GAP).max(1), high));
        (image.display_width_emu, image.display_height_emu) = (Some(wide), Some(high));
        Element::TextBox(TextBox {
            content: vec![element],
            width_emu: Some(wide),
            height_emu: Some(high),
            x_emu: i64::try_from(x).ok(),
            y_emu: i64::try_from(y).ok(),
            ..TextBox::default()
        })
    });
    let pictures = Section { title: slide.title.clone(), elements: placed.collect(), ..Section::default() };
    match others.is_empty() {
        true => vec![pictures],
        false => vec![Section { title: slide.title, elements: others, ..Section::default() }, pictures],
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
