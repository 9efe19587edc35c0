//! Footnotes, endnotes and comments as Markdown has them: a mark where each belongs, which its text begins with.

use office_oxide::docx::document::BlockElement;
use office_oxide::docx::paragraph::{FormField, Paragraph, ParagraphContent, Run, RunContent};
use office_oxide::docx::{DocxDocument, NoteBody};
use std::collections::BTreeMap;
use std::mem::take;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Footnote,
    Endnote,
    Comment,
}

impl Kind {
    fn letter(self) -> &'static str {
        match self {
            Self::Footnote => "",
            Self::Endnote => "e",
            Self::Comment => "c",
        }
    }
}

/// The numbers of notes by what their document calls them: they count in the order in which the text has them.
#[derive(Default)]
struct Marks {
    numbers: BTreeMap<(Kind, u32), usize>,
    last: [usize; 3],
}

pub(super) fn place(document: &mut DocxDocument) {
    let kinds = [
        (Kind::Footnote, take(&mut document.footnotes)),
        (Kind::Endnote, take(&mut document.endnotes)),
        (Kind::Comment, take(&mut document.comments)),
    ];
    if kinds.iter().all(|(_, notes)| notes.is_empty()) {
        return;
    }
    let mut marks = Marks::default();
    marks.blocks(&mut document.body.elements);
    // They are all one kind from here on: what is said of each is its beginning.
    for (kind, mut notes) in kinds {
        notes.iter_mut().for_each(|note| marks.blocks(&mut note.content));
        notes.sort_by_cached_key(|note| marks.number(kind, note.id));
        for mut note in notes {
            let mark = marks.mark(kind, note.id);
            begin(&mut note, &mark);
            document.footnotes.push(note);
        }
    }
}

/// Puts the mark before the first words of a note, with whoever made a comment.
fn begin(note: &mut NoteBody, mark: &str) {
    if !matches!(note.content.first(), Some(BlockElement::Paragraph(_))) {
        note.content.insert(0, BlockElement::Paragraph(Paragraph::default()));
    }
    let author = note.author.take().map(|author| Run {
        properties: None,
        content: vec![RunContent::Text(format!("Comment ({author}): "))],
    });
    if let Some(BlockElement::Paragraph(first)) = note.content.first_mut() {
        trim_start(first);
        let opening = std::iter::once(as_it_is(format!("{mark}: "))).chain(author);
        first.content.splice(0..0, opening.map(ParagraphContent::Run));
    }
}

/// Word writes a space between a note's number, which is no text, and its words.
fn trim_start(paragraph: &mut Paragraph) {
    for part in &mut paragraph.content {
        let ParagraphContent::Run(run) = part else { return };
        for part in &mut run.content {
            let RunContent::Text(text) = part else { return };
            *text = text.trim_start().to_owned();
            if !text.is_empty() {
                return;
            }
        }
    }
}

/// A run whose text is Markdown already: that of a field of a form is the one that is not escaped.
fn as_it_is(text: String) -> Run {
    let field = FormField { display_text: Some(text), ..FormField::default() };
    Run { properties: None, content: vec![RunContent::FormField(field)] }
}

impl Marks {
    fn number(&mut self, kind: Kind, id: u32) -> usize {
        let last = &mut self.last[kind as usize];
        *self.numbers.entry((kind, id)).or_insert_with(|| {
            *last += 1;
            *last
        })
    }

    fn mark(&mut self, kind: Kind, id: u32) -> String {
        format!("[^{}{}]", kind.letter(), self.number(kind, id))
    }

    fn blocks(&mut self, blocks: &mut [BlockElement]) {
        for block in blocks {
            match block {
                BlockElement::Paragraph(paragraph) => self.paragraph(paragraph),
                BlockElement::Table(table) => {
                    for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
                        self.blocks(&mut cell.content);
                    }
                }
            }
        }
    }

    fn paragraph(&mut self, paragraph: &mut Paragraph) {
        for part in take(&mut paragraph.content) {
            match part {
                ParagraphContent::Run(run) => {
                    paragraph.content.extend(self.run(run).into_iter().map(ParagraphContent::Run));
                }
                ParagraphContent::Hyperlink(mut link) => {
                    link.runs = link.runs.into_iter().flat_map(|run| self.run(run)).collect();
                    paragraph.content.push(ParagraphContent::Hyperlink(link));
                }
            }
        }
    }

    /// The run, parted where marks stand: they are raised in a document, and not here.
    fn run(&mut self, run: Run) -> Vec<Run> {
        let Run { properties, content } = run;
        let (mut runs, mut rest) = (Vec::new(), Vec::new());
        for mut part in content {
            let mark = match &mut part {
                RunContent::FootnoteRef(id, _) => Some(self.mark(Kind::Footnote, *id)),
                RunContent::EndnoteRef(id, _) => Some(self.mark(Kind::Endnote, *id)),
                RunContent::CommentRef(id) => Some(self.mark(Kind::Comment, *id)),
                RunContent::TextBox(blocks) => {
                    self.blocks(blocks);
                    None
                }
                _ => None,
            };
            let Some(mark) = mark else {
                rest.push(part);
                continue;
            };
            if !rest.is_empty() {
                runs.push(Run { properties: properties.clone(), content: take(&mut rest) });
            }
            runs.push(as_it_is(mark));
        }
        if !rest.is_empty() {
            runs.push(Run { properties, content: rest });
        }
        runs
    }
}
