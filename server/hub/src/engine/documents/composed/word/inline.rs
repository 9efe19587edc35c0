//! Runs of text as the writer has them, and the notes that they lead to.

use crate::engine::structure::{Align, Run, Words};
use office_oxide::docx::write::Run as DocxRun;
use office_oxide::ir::{FootnoteRef, InlineContent, ParagraphAlignment, TextSpan, UnderlineStyle};

const CODE: &str = "Courier New";
const LINK: [u8; 3] = [0x05, 0x63, 0xC1];
/// What the writer takes for a field where it is all of a run.
const FIELDS: [&str; 2] = ["{PAGE}", "{NUMPAGES}"];

/// What stands at the foot of pages, counted from 1.
#[derive(Default)]
pub(super) struct Notes(Vec<String>);

impl Notes {
    fn add(&mut self, text: &str) -> u32 {
        self.0.push(text.to_owned());
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (u32, &str)> {
        (1..).zip(self.0.iter().map(String::as_str))
    }
}

pub(super) fn alignment(align: Align) -> ParagraphAlignment {
    match align {
        Align::Left => ParagraphAlignment::Left,
        Align::Center => ParagraphAlignment::Center,
        Align::Right => ParagraphAlignment::Right,
        Align::Justify => ParagraphAlignment::Justify,
    }
}

pub(super) fn spans(words: &Words, notes: &mut Notes) -> Vec<InlineContent> {
    let mut all = Vec::new();
    for run in &words.0 {
        for (at, line) in run.text.split('\n').enumerate() {
            if at > 0 {
                all.push(InlineContent::LineBreak);
            }
            let (first, rest) = line.split_at(if FIELDS.contains(&line) { 1 } else { 0 });
            let parts = [first, rest].into_iter().filter(|part| !part.is_empty());
            all.extend(parts.map(|part| InlineContent::Text(span(run, part))));
        }
        if let Some(note) = &run.footnote {
            all.push(InlineContent::FootnoteRef(FootnoteRef { note_id: notes.add(note), marker: None }));
        }
    }
    all
}

fn span(run: &Run, text: &str) -> TextSpan {
    TextSpan {
        text: text.to_owned(),
        bold: run.bold,
        italic: run.italic,
        strikethrough: run.strike,
        underline: (run.underline || run.link.is_some()).then_some(UnderlineStyle::Single),
        hyperlink: run.link.as_ref().map(|link| link.0.clone()),
        color: run.color.map(|colour| colour.0).or(run.link.as_ref().map(|_| LINK)),
        font_name: run.code.then(|| CODE.to_owned()),
        ..TextSpan::default()
    }
}

pub(super) fn runs(words: &Words, notes: &mut Notes) -> Vec<DocxRun> {
    let run = |inline: InlineContent| match inline {
        InlineContent::Text(span) => {
            let mut run = DocxRun::new(span.text);
            (run.bold, run.italic, run.strikethrough) = (span.bold, span.italic, span.strikethrough);
            (run.underline_style, run.color_rgb) = (span.underline, span.color);
            (run.hyperlink, run.font_name) = (span.hyperlink, span.font_name);
            run
        }
        InlineContent::FootnoteRef(to) => {
            let mut run = DocxRun::new("");
            run.footnote_ref = Some(to.note_id);
            run
        }
        _ => DocxRun::new("\n"),
    };
    spans(words, notes).into_iter().map(run).collect()
}
