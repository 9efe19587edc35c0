//! Blocks on pages: where each of them stands, and what goes with it to the next page.

use super::blocks::{Block, Item, Note, Span, Style, link, one_line, plain};
use super::fonts::{Figures, Fonts};
use super::lines::{Line, Setting, lines};
use super::page::{Entry, Group, GroupId, Ink, Mark, Page, Place, Sheet, Structure};
use super::{MOST_PAGES, Pictures, TooLong};
use std::num::NonZeroU16;

pub(super) const SIZE: f32 = 10.0;
/// From one line to the next, of the size.
pub(super) const LEADING: f32 = 1.55;
/// Where letters stand in a line, of the size, below its middle.
const BASELINE: f32 = 0.36;
const PARAGRAPH_GAP: f32 = 8.5;
const ITEM_GAP: f32 = 3.5;
const INDENT: f32 = 19.0;
const CODE_SIZE: f32 = 8.6;
const CODE_INSET: f32 = 10.0;
const CAPTION_SIZE: f32 = 8.5;
/// Lines of a paragraph that stay together at its beginning and its end.
const TOGETHER: usize = 2;
/// A pixel of a picture.
const PIXEL: f32 = 0.75;
/// Of the height of a page, the highest picture.
const HIGHEST_PICTURE: f32 = 0.7;

/// Where blocks stand from left to right, and what they are part of.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) left: f32,
    pub(super) width: f32,
    pub(super) ink: Ink,
    pub(super) within: GroupId,
}

impl Column {
    fn indented(self, by: f32, within: GroupId) -> Self {
        Self { left: self.left + by, width: (self.width - by).max(SIZE * 4.0), within, ..self }
    }
}

pub(super) struct Layout<'a> {
    pub(super) sheet: Sheet,
    pub(super) fonts: &'a mut Fonts,
    pub(super) pictures: &'a Pictures,
    pub(super) pages: Vec<Page>,
    pub(super) structure: Structure,
    pub(super) entries: Vec<Entry>,
    /// Down from the top of the page.
    pub(super) y: f32,
    /// Left free before what comes next, unless that begins a page.
    gap: f32,
    /// Stand before the line that comes next.
    labels: Vec<Label>,
}

/// What stands before an item.
struct Label {
    mark: LabelMark,
    /// The left of the column that its list is in.
    left: f32,
    indent: f32,
    group: GroupId,
}

enum LabelMark {
    Number(u64),
    Dot,
    Task { is_done: bool },
}

impl<'a> Layout<'a> {
    pub(super) fn new(sheet: Sheet, fonts: &'a mut Fonts, pictures: &'a Pictures) -> Self {
        let (pages, structure) = (vec![Page::default()], Structure::new());
        Self {
            sheet,
            fonts,
            pictures,
            pages,
            structure,
            entries: Vec::new(),
            y: Sheet::TOP,
            gap: 0.0,
            labels: Vec::new(),
        }
    }

    pub(super) fn all(&mut self, blocks: &[Block], author: Option<&str>) -> Result<(), TooLong> {
        let column = Column {
            left: Sheet::SIDE,
            width: self.sheet.measure(),
            ink: Ink::Text,
            within: Structure::WHOLE,
        };
        let mut rest = blocks;
        // A heading that begins it all is the title.
        if let [Block::Heading { level: 1, text }, after @ ..] = blocks {
            self.heading(1, text, TITLE, column)?;
            rest = after;
        }
        if let Some(author) = author {
            let said = [quiet(author)];
            self.gap = self.gap.min(5.0);
            self.paragraph(&said, 9.5, Column { ink: Ink::Quiet, ..column }, Group::Paragraph)?;
            self.after(16.0);
        }
        self.blocks(rest, column, PARAGRAPH_GAP)
    }

    fn blocks(&mut self, blocks: &[Block], column: Column, gap: f32) -> Result<(), TooLong> {
        for block in blocks {
            self.block(block, column)?;
            self.after(gap);
        }
        Ok(())
    }

    fn block(&mut self, block: &Block, column: Column) -> Result<(), TooLong> {
        match block {
            Block::Heading { level, text } => self.heading(*level, text, heading(*level), column),
            Block::Paragraph(text) => self.paragraph(text, SIZE, column, Group::Paragraph),
            Block::Code(code) => self.code(code, column),
            Block::Quote(blocks) => self.quote(blocks, column),
            Block::List { first, items } => self.list(*first, items, column),
            Block::Table(table) => self.table(table, column),
            Block::Picture { path, alt } => self.picture(path, alt, column),
            Block::Rule => self.rule(column),
            Block::PageBreak if self.y > Sheet::TOP => self.next_page(),
            Block::PageBreak => Ok(()),
            Block::Notes(notes) => self.notes(notes, column),
        }
    }

    fn heading(&mut self, level: u8, text: &[Span], look: Heading, column: Column) -> Result<(), TooLong> {
        let bold: Vec<Span> = text
            .iter()
            .map(|span| Span { style: Style { bold: true, ..span.style }, ..span.clone() })
            .collect();
        let lines = self.lines(&bold, look.size, column.width);
        let step = look.size * look.leading;
        self.before(look.before);
        // It stays with what it is about.
        self.room(step * lines.len() as f32 + look.after + SIZE * LEADING * TOGETHER as f32)?;
        let level_of_group = NonZeroU16::new(level.into()).unwrap_or(NonZeroU16::MIN);
        let group = self.structure.begin(Group::Heading(level_of_group), column.within);
        let entry = Entry { level, text: plain(text), page: self.pages.len() - 1, y: self.y };
        self.entries.push(entry);
        for line in lines {
            self.line(line, step, look.size, column.left, look.ink, Some(group))?;
        }
        self.gap = look.after;
        Ok(())
    }

    fn paragraph(&mut self, text: &[Span], size: f32, column: Column, group: Group) -> Result<(), TooLong> {
        let lines = self.lines(text, size, column.width);
        let group = self.structure.begin(group, column.within);
        self.text(lines, size, column, group)
    }

    /// Lines, of which none stands alone at the end or the beginning of a page.
    fn text(&mut self, lines: Vec<Line>, size: f32, column: Column, group: GroupId) -> Result<(), TooLong> {
        let (step, count) = (size * LEADING, lines.len());
        for (at, line) in lines.into_iter().enumerate() {
            let is_held = at == 0 || at + TOGETHER == count;
            let held = if is_held { TOGETHER.min(count - at) } else { 1 };
            self.room(step * held as f32)?;
            self.line(line, step, size, column.left, column.ink, Some(group))?;
        }
        Ok(())
    }

    fn code(&mut self, code: &str, column: Column) -> Result<(), TooLong> {
        let code = code.trim_end_matches('\n').replace('\t', "    ");
        let span = Span { text: code, style: Style { code: true, ..Style::default() }, link: None };
        let setting = Setting {
            size: CODE_SIZE,
            width: column.width - 2.0 * CODE_INSET,
            figures: Figures::ByShape,
            is_code: true,
        };
        let lines = lines(self.fonts, &[span], setting);
        let group = self.structure.begin(Group::Code, column.within);
        let step = CODE_SIZE * LEADING;
        self.room(step * lines.len().min(3) as f32 + 2.0 * CODE_INSET)?;
        let begin = self.here();
        self.y += CODE_INSET;
        for line in lines {
            self.room(step + CODE_INSET)?;
            self.line(line, step, CODE_SIZE, column.left + CODE_INSET, Ink::Text, Some(group))?;
        }
        self.y += CODE_INSET;
        self.ground(begin, |top, bottom| Mark::Area {
            place: Place { x: column.left, y: top, width: column.width, height: bottom - top },
            radius: 4.0,
            ink: Ink::Ground,
        });
        self.gap = PARAGRAPH_GAP + 3.0;
        Ok(())
    }

    fn quote(&mut self, blocks: &[Block], column: Column) -> Result<(), TooLong> {
        let group = self.structure.begin(Group::Quote, column.within);
        self.room(SIZE * LEADING * TOGETHER as f32)?;
        let begin = self.here();
        self.blocks(blocks, Column { ink: Ink::Quiet, ..column.indented(15.0, group) }, PARAGRAPH_GAP)?;
        self.gap = PARAGRAPH_GAP + 2.0;
        self.ground(begin, |top, bottom| Mark::Area {
            place: Place { x: column.left, y: top, width: 2.5, height: bottom - top },
            radius: 1.25,
            ink: Ink::Mark,
        });
        Ok(())
    }

    fn list(&mut self, first: Option<u64>, items: &[Item], column: Column) -> Result<(), TooLong> {
        let group = self.structure.begin(Group::List { is_numbered: first.is_some() }, column.within);
        let last = first.map_or(0, |first| first.saturating_add(items.len() as u64));
        let indent = if last > 99 { INDENT + 9.0 } else { INDENT };
        let is_loose = items.iter().any(|item| {
            let paragraphs = item.blocks.iter().filter(|block| matches!(block, Block::Paragraph(_)));
            paragraphs.count() > 1
        });
        let gap = if is_loose { PARAGRAPH_GAP } else { ITEM_GAP };
        for (item, at) in items.iter().zip(0u64..) {
            let entry = self.structure.begin(Group::Item, group);
            let label = self.structure.begin(Group::Label, entry);
            let mark = match (item.task, first) {
                (Some(is_done), _) => LabelMark::Task { is_done },
                (None, Some(first)) => LabelMark::Number(first.saturating_add(at)),
                (None, None) => LabelMark::Dot,
            };
            self.labels.push(Label { mark, left: column.left, indent, group: label });
            let body = self.structure.begin(Group::Body, entry);
            self.blocks(&item.blocks, column.indented(indent, body), gap)?;
            self.label_alone()?;
            self.gap = gap;
        }
        self.gap = PARAGRAPH_GAP;
        Ok(())
    }

    /// A label of an item in which nothing stands.
    fn label_alone(&mut self) -> Result<(), TooLong> {
        if !self.labels.is_empty() {
            self.room(SIZE * LEADING)?;
            self.draw_labels();
            self.y += SIZE * LEADING;
        }
        Ok(())
    }

    /// Draws the labels that wait, before what stands where the page is now.
    pub(super) fn draw_labels(&mut self) {
        for Label { mark, left, indent, group } in std::mem::take(&mut self.labels) {
            let (text, right) = match mark {
                LabelMark::Task { is_done } => {
                    self.task(is_done, left, group);
                    continue;
                }
                LabelMark::Number(number) => (format!("{number}."), left + indent - 6.0),
                LabelMark::Dot => ("•".to_owned(), left + indent - 8.0),
            };
            let baseline = self.y + SIZE * (LEADING / 2.0 + BASELINE);
            self.beside(&text, Style::default(), SIZE, right, baseline, Ink::Quiet, group);
        }
    }

    /// A box, with its state in letters for those who do not see it.
    fn task(&mut self, is_done: bool, left: f32, group: GroupId) {
        let side = 8.6;
        let (x, y) = (left + 2.0, self.y + (SIZE * LEADING - side) / 2.0);
        let square = |inset: f32, ink| Mark::Area {
            place: Place {
                x: x + inset,
                y: y + inset,
                width: side - 2.0 * inset,
                height: side - 2.0 * inset,
            },
            radius: 2.0 - inset,
            ink,
        };
        let (edge, within) = if is_done { (Ink::Mark, Ink::Mark) } else { (Ink::Strong, Ink::Paper) };
        self.page().marks.extend([square(0.0, edge), square(0.8, within)]);
        let style = Style { bold: true, ..Style::default() };
        let text = if is_done { "✓" } else { "□" };
        self.beside(text, style, 7.0, x + side - 0.9, y + side / 2.0 + 2.5, Ink::Paper, group);
    }

    /// One line that ends at the right that is given.
    fn beside(
        &mut self,
        text: &str,
        style: Style,
        size: f32,
        right: f32,
        baseline: f32,
        ink: Ink,
        group: GroupId,
    ) {
        let setting = Setting { size, width: f32::MAX, figures: Figures::Even, is_code: false };
        for line in lines(self.fonts, &[Span { text: text.to_owned(), style, link: None }], setting) {
            let left = right - line.width;
            self.draw(line, left, baseline, ink, Some(group));
        }
    }

    fn picture(&mut self, path: &str, alt: &str, column: Column) -> Result<(), TooLong> {
        let Some((picture, (width, height))) = self.pictures.find(path) else {
            let words = if alt.is_empty() { path } else { alt };
            let said =
                Span { text: format!("[Picture: {words}]"), style: Style::default(), link: link(path) };
            return self.paragraph(&[said], SIZE, Column { ink: Ink::Quiet, ..column }, Group::Paragraph);
        };
        let (width, height) = (width as f32 * PIXEL, height as f32 * PIXEL);
        let most = (self.sheet.bottom() - Sheet::TOP) * HIGHEST_PICTURE;
        let scale = (column.width / width).min(most / height).min(1.0);
        let (width, height) = (width * scale, height * scale);
        self.before(PARAGRAPH_GAP + 3.0);
        let caption =
            if alt.is_empty() { Vec::new() } else { self.lines(&[quiet(alt)], CAPTION_SIZE, column.width) };
        let step = CAPTION_SIZE * LEADING;
        self.room(height + 5.0 + step * caption.len().min(3) as f32)?;
        let group = self.structure.begin(Group::Figure(one_line(alt)), column.within);
        self.draw_labels();
        let place = Place { x: column.left, y: self.y, width, height };
        self.page().marks.push(Mark::Picture { picture, place, group });
        self.y += height + 5.0;
        for line in caption {
            self.room(step)?;
            self.line(line, step, CAPTION_SIZE, column.left, Ink::Quiet, Some(group))?;
        }
        self.gap = PARAGRAPH_GAP + 4.0;
        Ok(())
    }

    fn rule(&mut self, column: Column) -> Result<(), TooLong> {
        self.before(PARAGRAPH_GAP + 6.0);
        self.room(1.0)?;
        self.hairline(column.left, column.width, 0.7, Ink::Rule);
        self.gap = PARAGRAPH_GAP + 6.0;
        Ok(())
    }

    fn notes(&mut self, notes: &[Note], column: Column) -> Result<(), TooLong> {
        self.before(26.0);
        self.room(SIZE * LEADING * 2.0)?;
        self.hairline(column.left, 90.0, 0.7, Ink::Strong);
        self.y += 8.0;
        for note in notes {
            let group = self.structure.begin(Group::Note, column.within);
            let label = self.structure.begin(Group::Label, group);
            let mark = LabelMark::Number(note.number as u64);
            self.labels.push(Label { mark, left: column.left, indent: INDENT, group: label });
            let body = self.structure.begin(Group::Body, group);
            self.blocks(&note.blocks, Column { ink: Ink::Quiet, ..column.indented(INDENT, body) }, ITEM_GAP)?;
            self.label_alone()?;
        }
        Ok(())
    }

    pub(super) fn lines(&mut self, text: &[Span], size: f32, width: f32) -> Vec<Line> {
        lines(self.fonts, text, Setting { size, width, figures: Figures::ByShape, is_code: false })
    }

    pub(super) fn line(
        &mut self,
        line: Line,
        step: f32,
        size: f32,
        left: f32,
        ink: Ink,
        group: Option<GroupId>,
    ) -> Result<(), TooLong> {
        self.room(step)?;
        self.draw_labels();
        let baseline = self.y + step / 2.0 + size * BASELINE;
        self.draw(line, left, baseline, ink, group);
        self.y += step;
        Ok(())
    }

    pub(super) fn draw(&mut self, line: Line, left: f32, baseline: f32, ink: Ink, group: Option<GroupId>) {
        for run in line.runs {
            let ink = if run.link.is_some() { Ink::Link } else { ink };
            self.page().marks.push(Mark::Text { run, left, baseline, ink, group });
        }
    }

    /// Draws what belongs to a page and not to the text.
    pub(super) fn draw_on(&mut self, page: usize, line: Line, left: f32, baseline: f32, ink: Ink) {
        let marks = line.runs.into_iter().map(|run| Mark::Text { run, left, baseline, ink, group: None });
        self.pages[page].marks.extend(marks);
    }

    pub(super) fn hairline(&mut self, x: f32, width: f32, height: f32, ink: Ink) {
        let place = Place { x, y: self.y, width, height };
        self.page().marks.push(Mark::Area { place, radius: 0.0, ink });
    }

    pub(super) fn page(&mut self) -> &mut Page {
        self.pages.last_mut().expect("there is always one")
    }

    fn before(&mut self, gap: f32) {
        self.gap = self.gap.max(gap);
    }

    pub(super) fn after(&mut self, gap: f32) {
        self.gap = self.gap.max(gap);
    }

    /// So much room without the end of a page, behind what is left free.
    pub(super) fn room(&mut self, height: f32) -> Result<(), TooLong> {
        let begins = self.y <= Sheet::TOP;
        let gap = std::mem::take(&mut self.gap);
        if !begins {
            self.y += gap;
        }
        if self.y + height > self.sheet.bottom() && self.y > Sheet::TOP {
            self.next_page()?;
        }
        Ok(())
    }

    pub(super) fn next_page(&mut self) -> Result<(), TooLong> {
        if self.pages.len() == MOST_PAGES {
            return Err(TooLong);
        }
        self.pages.push(Page::default());
        self.y = Sheet::TOP;
        self.gap = 0.0;
        Ok(())
    }

    fn here(&self) -> Begun {
        let page = self.pages.len() - 1;
        Begun { page, y: self.y, marks: self.pages[page].marks.len() }
    }

    /// Lays something below what was drawn since, on each page of it.
    fn ground(&mut self, begun: Begun, mark: impl Fn(f32, f32) -> Mark) {
        let last = self.pages.len() - 1;
        for at in begun.page..=last {
            let is_first = at == begun.page;
            if is_first && at < last && self.pages[at].marks.len() == begun.marks {
                continue;
            }
            let from = if is_first { begun.y } else { Sheet::TOP - 4.0 };
            let to = if at == last { self.y } else { self.sheet.bottom() + 4.0 };
            self.pages[at].ground.push(mark(from, to));
        }
    }
}

/// Where something begins that has a ground, and how much was drawn on that page before.
struct Begun {
    page: usize,
    y: f32,
    marks: usize,
}

/// How a heading looks, in points; its leading is of the size.
struct Heading {
    size: f32,
    leading: f32,
    before: f32,
    after: f32,
    ink: Ink,
}

const TITLE: Heading = Heading { size: 25.0, leading: 1.2, before: 0.0, after: 15.0, ink: Ink::Text };

fn heading(level: u8) -> Heading {
    match level {
        1 => Heading { size: 19.0, leading: 1.25, before: 30.0, after: 10.0, ink: Ink::Text },
        2 => Heading { size: 14.5, leading: 1.3, before: 23.0, after: 7.0, ink: Ink::Text },
        3 => Heading { size: 11.5, leading: 1.35, before: 17.0, after: 4.5, ink: Ink::Text },
        _ => Heading { size: 10.0, leading: 1.4, before: 13.0, after: 3.0, ink: Ink::Quiet },
    }
}

fn quiet(text: &str) -> Span {
    Span { text: text.to_owned(), ..Span::default() }
}
