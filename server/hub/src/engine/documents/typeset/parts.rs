//! PDF of blocks: what parts say, as what is set on pages.

use super::blocks::{Block, Item, Note, Span, Style, Table, link, one_line};
use super::{About, Around, Pictures, Sheet, Text, first_heading, given, image, set};
use crate::engine::documents::composed::Shown;
use crate::engine::documents::pictures::Prepared;
use crate::engine::job::Made;
use crate::engine::structure::{self, Align, Orientation, Page, PartsDraft, Spot, Words};
use pulldown_cmark::Alignment;

const PLAINER: &str = "A PDF of blocks has no underlines, colours, alignment of paragraphs, widths or merged cells: \
    what was to have them stands without. A DOCX has them.";

pub(in crate::engine::documents) fn typeset_parts(
    draft: &PartsDraft,
    blocks: &[structure::Block],
    page: &Page,
) -> Result<Made, String> {
    let mut shown = Shown::of(draft);
    let mut reader = Reader::default();
    for (at, block) in blocks.iter().enumerate() {
        reader.take(&format!("blocks[{at}]"), block, blocks, &mut shown)?;
    }
    let Reader { mut blocks, pictures, notes: footnotes, is_plainer } = reader;
    if !footnotes.is_empty() {
        blocks.push(Block::Notes(footnotes));
    }
    let mut notes = std::mem::take(&mut shown.notes);
    notes.extend(is_plainer.then(|| PLAINER.to_owned()));
    let title = given(draft.title.as_deref()).or_else(|| first_heading(&blocks));
    let upright = Sheet::of(draft.paper);
    let sheet = match page.orientation {
        Orientation::Portrait => upright,
        Orientation::Landscape => upright.turned(),
    };
    let text = Text {
        blocks: &blocks,
        pictures: &pictures,
        about: About { title, author: given(draft.author.as_deref()) },
        sheet,
        around: Around { header: page.header.clone(), footer: page.footer.clone() },
    };
    set(text, notes)
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    pictures: Pictures,
    notes: Vec<Note>,
    /// Whether something of it is set without what it was to have.
    is_plainer: bool,
}

impl Reader {
    fn take(
        &mut self,
        place: &str,
        block: &structure::Block,
        all: &[structure::Block],
        shown: &mut Shown<'_>,
    ) -> Result<(), String> {
        match block {
            structure::Block::Heading(heading) => {
                self.is_plainer |= is_moved(heading.align);
                let text = self.spans(&heading.text);
                self.blocks.push(Block::Heading { level: heading.level, text });
            }
            structure::Block::Paragraph(paragraph) => {
                self.is_plainer |= is_moved(paragraph.align);
                let text = self.spans(&paragraph.text);
                self.blocks.push(match paragraph.style {
                    structure::Style::Title => Block::Heading { level: 1, text },
                    structure::Style::Note => Block::Quote(vec![Block::Paragraph(text)]),
                    structure::Style::Subtitle | structure::Style::Caption => slanted(text),
                    structure::Style::Normal | structure::Style::Lead => Block::Paragraph(text),
                });
            }
            structure::Block::List(list) => {
                let items: Vec<(u8, Vec<Span>)> =
                    list.items.iter().map(|item| (item.level, self.spans(&item.text))).collect();
                self.blocks.push(nested(list.ordered.then_some(1), &items));
            }
            structure::Block::Table(table) => {
                let table_block =
                    self.table(table).ok_or_else(|| format!("{place}: its rows are no grid."))?;
                self.blocks.push(Block::Table(table_block));
                self.caption(table.caption.as_deref());
            }
            structure::Block::Picture(part) => {
                self.is_plainer |= part.width.is_some();
                let picture = shown.picture(place, &part.path)?;
                self.picture(place, &part.path, picture, part.alt.as_deref())?;
                self.caption(part.caption.as_deref());
            }
            structure::Block::Chart(part) => {
                self.is_plainer |= part.width.is_some();
                let drawn = shown.chart(place, part)?;
                let alt = part.alt.as_deref().or(part.title.as_deref());
                self.picture(place, place, &drawn, alt)?;
                self.caption(part.caption.as_deref());
            }
            structure::Block::Quote(quote) => {
                let mut said = vec![Block::Paragraph(self.spans(&quote.text))];
                said.extend(quote.by.as_deref().map(|by| slanted(vec![plain(&format!("— {by}"))])));
                self.blocks.push(Block::Quote(said));
            }
            structure::Block::Code(code) => self.blocks.push(Block::Code(code.text.clone())),
            structure::Block::PageBreak(_) => self.blocks.push(Block::PageBreak),
            structure::Block::Contents(contents) => self.contents(contents, all),
        }
        Ok(())
    }

    /// The headings, without the pages that they are on, which the outline has.
    fn contents(&mut self, contents: &structure::Contents, all: &[structure::Block]) {
        let headings: Vec<(u8, Vec<Span>)> = all
            .iter()
            .filter_map(|block| match block {
                structure::Block::Heading(heading) if heading.level <= contents.levels => {
                    Some((heading.level, vec![plain(&heading.text.plain())]))
                }
                _ => None,
            })
            .collect();
        if let Some(title) = &contents.title {
            let bold = Style { bold: true, ..Style::default() };
            self.blocks.push(Block::Paragraph(vec![Span { style: bold, ..plain(title) }]));
        }
        if !headings.is_empty() {
            self.blocks.push(nested(None, &headings));
        }
    }

    fn spans(&mut self, words: &Words) -> Vec<Span> {
        let mut spans = Vec::new();
        for run in &words.0 {
            self.is_plainer |= run.underline || run.color.is_some();
            spans.push(Span {
                text: run.text.clone(),
                style: Style {
                    bold: run.bold,
                    italic: run.italic,
                    code: run.code,
                    struck: run.strike,
                    raised: false,
                },
                link: run.link.as_ref().and_then(|address| link(&address.0)),
            });
            if let Some(footnote) = &run.footnote {
                let number = self.notes.len() + 1;
                self.notes.push(Note { number, blocks: vec![Block::Paragraph(vec![plain(footnote)])] });
                let raised = Style { raised: true, ..Style::default() };
                spans.push(Span { style: raised, ..plain(&number.to_string()) });
            }
        }
        spans
    }

    fn table(&mut self, table: &structure::Table) -> Option<Table> {
        self.is_plainer |= !table.widths.is_empty();
        let grid = table.grid().ok()?;
        let columns = table.columns();
        let mut rows: Vec<Vec<Vec<Span>>> = Vec::new();
        for row in grid {
            let cells = row.into_iter().map(|spot| match spot {
                Spot::Cell(cell) => {
                    self.is_plainer |= cell.colspan > 1 || cell.rowspan > 1 || cell.background.is_some();
                    self.spans(&cell.text)
                }
                Spot::Covered { .. } => Vec::new(),
            });
            rows.push(cells.collect());
        }
        let head = match table.header.is_empty() {
            true => vec![Vec::new(); columns],
            false => rows.remove(0),
        };
        let aligned = (0..columns).map(|at| match table.align.get(at) {
            Some(Align::Left | Align::Justify) => Alignment::Left,
            Some(Align::Center) => Alignment::Center,
            Some(Align::Right) => Alignment::Right,
            None => Alignment::None,
        });
        Some(Table { aligned: aligned.collect(), head, rows })
    }

    fn picture(
        &mut self,
        place: &str,
        name: &str,
        picture: &Prepared,
        alt: Option<&str>,
    ) -> Result<(), String> {
        if self.pictures.find(name).is_none() {
            let image =
                image(picture.bytes.clone(), picture.is_png).map_err(|why| format!("{place}: {why}."))?;
            self.pictures.0.push((name.to_owned(), image));
        }
        self.blocks.push(Block::Picture { path: name.to_owned(), alt: one_line(alt.unwrap_or_default()) });
        Ok(())
    }

    fn caption(&mut self, caption: Option<&str>) {
        self.blocks.extend(caption.map(|caption| slanted(vec![plain(caption)])));
    }
}

/// Whether a paragraph is to begin elsewhere than all others.
fn is_moved(align: Option<Align>) -> bool {
    matches!(align, Some(Align::Center | Align::Right | Align::Justify))
}

fn plain(text: &str) -> Span {
    Span { text: text.to_owned(), ..Span::default() }
}

fn slanted(text: Vec<Span>) -> Block {
    let slanted = |span: Span| Span { style: Style { italic: true, ..span.style }, ..span };
    Block::Paragraph(text.into_iter().map(slanted).collect())
}

/// Items with their levels as lists within each other.
fn nested(first: Option<u64>, items: &[(u8, Vec<Span>)]) -> Block {
    let mut made = Vec::new();
    let mut rest = items;
    while let [(level, text), after @ ..] = rest {
        let deeper = after.iter().take_while(|(other, _)| other > level).count();
        let mut blocks = vec![Block::Paragraph(text.clone())];
        if deeper > 0 {
            blocks.push(nested(first, &after[..deeper]));
        }
        made.push(Item { task: None, blocks });
        rest = &after[deeper..];
    }
    Block::List { first, items: made }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_within_those_above_them() {
        let items: Vec<(u8, Vec<Span>)> =
            [(1, "a"), (3, "b"), (2, "c"), (1, "d")].map(|(level, text)| (level, vec![plain(text)])).to_vec();
        let Block::List { first: Some(1), items } = nested(Some(1), &items) else { panic!("a list") };
        let within = |item: &Item| match &item.blocks[..] {
            [Block::Paragraph(_)] => 0,
            [Block::Paragraph(_), Block::List { items, .. }] => items.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(items.iter().map(within).collect::<Vec<_>>(), [2, 0]);
    }
}
