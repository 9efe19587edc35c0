//! Markdown as what is set on pages, block by block.

use super::fonts::is_unseen;
use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Quotes and lists within each other; what is deeper stands where the deepest of these does.
const DEEPEST: usize = 12;
/// Characters of a title, an entry of the outline or what is said of a picture.
const LONGEST: usize = 300;

#[derive(Debug)]
pub(super) enum Block {
    Heading { level: u8, text: Vec<Span> },
    Paragraph(Vec<Span>),
    Code(String),
    Quote(Vec<Block>),
    List { first: Option<u64>, items: Vec<Item> },
    Table(Table),
    Picture { path: String, alt: String },
    Rule,
    PageBreak,
    Notes(Vec<Note>),
}

#[derive(Debug, Default)]
pub(super) struct Item {
    /// Of a task: whether it is done.
    pub(super) task: Option<bool>,
    pub(super) blocks: Vec<Block>,
}

#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) aligned: Vec<Alignment>,
    pub(super) head: Vec<Vec<Span>>,
    pub(super) rows: Vec<Vec<Vec<Span>>>,
}

/// What stands at the foot of the text, by its number.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) number: usize,
    pub(super) blocks: Vec<Block>,
}

/// Text of one kind. A newline in it begins a new line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) style: Style,
    pub(super) link: Option<Rc<str>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) code: bool,
    pub(super) struck: bool,
    /// The number of a note.
    pub(super) raised: bool,
}

/// The text of spans, as an outline or a title has it.
pub(super) fn plain(spans: &[Span]) -> String {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    one_line(&text)
}

/// A text as readers of documents show it outside of the pages: on one line, and nothing in it that is not seen.
pub(super) fn one_line(text: &str) -> String {
    let seen: String = text.chars().filter(|letter| letter.is_whitespace() || !is_unseen(*letter)).collect();
    let mut line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().nth(LONGEST).is_some() {
        line = line.chars().take(LONGEST - 1).collect();
        line.push('…');
    }
    line
}

/// None: it leads nowhere from a document.
pub(super) fn link(address: &str) -> Option<Rc<str>> {
    let leads = ["https://", "http://", "mailto:"].iter().any(|kind| address.starts_with(kind));
    leads.then(|| address.into())
}

pub(super) fn read(markdown: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(markdown, options()) {
        reader.take(event);
    }
    reader.end()
}

/// The pictures that a text names, each once.
pub(in crate::engine) fn pictures(markdown: &str) -> Vec<String> {
    let mut named = Vec::new();
    for event in Parser::new_ext(markdown, options()) {
        if let Event::Start(Tag::Image { dest_url, .. }) = event
            && !named.iter().any(|known| *known == *dest_url)
        {
            named.push(dest_url.into_string());
        }
    }
    named
}

pub(in crate::engine::documents) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_SMART_PUNCTUATION
}

/// What is open around the place that is read.
enum Open {
    Quote(Vec<Block>),
    List {
        first: Option<u64>,
        items: Vec<Item>,
    },
    Item(Item),
    Note {
        number: usize,
        blocks: Vec<Block>,
    },
    /// A quote, list or item that is too deep to be one.
    TooDeep,
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    open: Vec<Open>,
    spans: Vec<Span>,
    /// How often each is open.
    bold: usize,
    italic: usize,
    struck: usize,
    /// None: it leads nowhere from a document.
    links: Vec<Option<Rc<str>>>,
    code: Option<String>,
    table: Option<Table>,
    picture: Option<(String, String)>,
    in_heading: bool,
    numbers: BTreeMap<String, usize>,
    notes: Vec<Note>,
}

impl Reader {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.begin(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(text) => self.text(text),
            Event::Code(text) => self.span(&text, |style| style.code = true),
            Event::InlineHtml(tag) if is_break(&tag) => self.span("\n", |_| ()),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(text),
            // Tags that stand in the text stay text.
            Event::Html(tag) | Event::InlineHtml(tag) => self.text(tag),
            Event::FootnoteReference(label) => {
                let number = self.number(&label);
                self.span(&number.to_string(), |style| style.raised = true);
            }
            Event::SoftBreak => self.span(" ", |_| ()),
            Event::HardBreak => self.span("\n", |_| ()),
            Event::Rule => {
                self.paragraph();
                self.push(Block::Rule);
            }
            Event::TaskListMarker(is_done) => {
                if let Some(Open::Item(item)) = self.open.last_mut() {
                    item.task = Some(is_done);
                }
            }
        }
    }

    fn begin(&mut self, tag: Tag) {
        let is_too_deep = match tag {
            Tag::BlockQuote(_) | Tag::List(_) => self.is_deepest(),
            Tag::Item => matches!(self.open.last(), Some(Open::TooDeep)),
            _ => false,
        };
        match tag {
            _ if is_too_deep => {
                self.paragraph();
                self.open.push(Open::TooDeep);
            }
            Tag::BlockQuote(_) => {
                self.paragraph();
                self.open.push(Open::Quote(Vec::new()));
            }
            Tag::List(first) => {
                self.paragraph();
                self.open.push(Open::List { first, items: Vec::new() });
            }
            Tag::Item => self.open.push(Open::Item(Item::default())),
            Tag::FootnoteDefinition(label) => {
                self.paragraph();
                let number = self.number(&label);
                self.open.push(Open::Note { number, blocks: Vec::new() });
            }
            Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => {
                self.paragraph();
                self.code = Some(String::new());
            }
            Tag::Table(aligned) => {
                self.paragraph();
                self.table = Some(Table { aligned, ..Table::default() });
            }
            Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::Strong => self.bold += 1,
            Tag::Emphasis => self.italic += 1,
            Tag::Strikethrough => self.struck += 1,
            Tag::Link { dest_url, .. } => self.links.push(link(&dest_url)),
            Tag::Image { dest_url, .. } => self.picture = Some((dest_url.into_string(), String::new())),
            Tag::Heading { .. } => {
                self.paragraph();
                self.in_heading = true;
            }
            Tag::Paragraph | Tag::HtmlBlock => self.paragraph(),
            Tag::TableHead
            | Tag::TableCell
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.paragraph(),
            TagEnd::Heading(level) => {
                self.in_heading = false;
                let text = std::mem::take(&mut self.spans);
                if !plain(&text).is_empty() {
                    self.push(Block::Heading { level: number_of(level), text });
                }
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.paragraph();
                self.close_one();
            }
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take() {
                    self.push(Block::Code(code));
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.spans);
                if let Some(table) = &mut self.table {
                    table.rows.last_mut().unwrap_or(&mut table.head).push(cell);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.push(Block::Table(table));
                }
            }
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link => {
                self.links.pop();
            }
            TagEnd::Image => self.picture_ends(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn is_deepest(&self) -> bool {
        let levels = self.open.iter().filter(|open| matches!(open, Open::Quote(_) | Open::List { .. }));
        levels.take(DEEPEST).count() == DEEPEST
    }

    fn close_one(&mut self) {
        match self.open.pop() {
            Some(Open::Quote(blocks)) => self.push(Block::Quote(blocks)),
            Some(Open::List { first, items }) => self.push(Block::List { first, items }),
            Some(Open::Item(item)) => match self.open.last_mut() {
                Some(Open::List { items, .. }) => items.push(item),
                Some(Open::Quote(_) | Open::Item(_) | Open::Note { .. } | Open::TooDeep) | None => {
                    item.blocks.into_iter().for_each(|block| self.push(block));
                }
            },
            Some(Open::Note { number, blocks }) => self.notes.push(Note { number, blocks }),
            Some(Open::TooDeep) | None => {}
        }
    }

    /// A picture stands by itself, but in a cell, where its words do.
    fn picture_ends(&mut self) {
        let Some((path, alt)) = self.picture.take() else { return };
        if self.table.is_some() || self.in_heading {
            let words = if alt.is_empty() { path } else { alt };
            self.span(&format!("[{words}]"), |_| ());
            return;
        }
        self.paragraph();
        self.push(Block::Picture { path, alt });
    }

    fn text(&mut self, text: CowStr) {
        if let Some(code) = &mut self.code {
            code.push_str(&text);
        } else if let Some((_, alt)) = &mut self.picture {
            alt.push_str(&text);
        } else {
            self.span(&text, |_| ());
        }
    }

    fn span(&mut self, text: &str, styled: impl FnOnce(&mut Style)) {
        if let Some((_, alt)) = &mut self.picture {
            alt.push_str(text);
            return;
        }
        let mut style = Style {
            bold: self.bold > 0,
            italic: self.italic > 0,
            struck: self.struck > 0,
            ..Style::default()
        };
        styled(&mut style);
        let link = self.links.last().cloned().flatten();
        match self.spans.last_mut() {
            Some(last) if last.style == style && last.link == link => last.text.push_str(text),
            _ => self.spans.push(Span { text: text.to_owned(), style, link }),
        }
    }

    fn number(&mut self, label: &str) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(label.to_owned()).or_insert(next)
    }

    /// What was said since the last block is a paragraph.
    fn paragraph(&mut self) {
        if self.table.is_some() {
            return;
        }
        let spans = std::mem::take(&mut self.spans);
        if !plain(&spans).is_empty() {
            self.push(Block::Paragraph(spans));
        }
    }

    fn push(&mut self, block: Block) {
        let around = self.open.iter_mut().rev().find_map(|open| match open {
            Open::Quote(blocks) | Open::Note { blocks, .. } => Some(blocks),
            Open::Item(item) => Some(&mut item.blocks),
            Open::List { .. } | Open::TooDeep => None,
        });
        around.unwrap_or(&mut self.blocks).push(block);
    }

    fn end(mut self) -> Vec<Block> {
        self.paragraph();
        if !self.notes.is_empty() {
            self.notes.sort_by_key(|note| note.number);
            self.blocks.push(Block::Notes(self.notes));
        }
        self.blocks
    }
}

fn is_break(tag: &str) -> bool {
    matches!(tag.trim_end_matches('>').trim_end_matches('/').trim_end(), "<br" | "<BR")
}

fn number_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many quotes and lists stand within each other at most.
    fn depth(blocks: &[Block]) -> usize {
        let within = |block: &Block| match block {
            Block::Quote(blocks) => 1 + depth(blocks),
            Block::List { items, .. } => {
                1 + items.iter().map(|item| depth(&item.blocks)).max().unwrap_or_default()
            }
            _ => 0,
        };
        blocks.iter().map(within).max().unwrap_or_default()
    }

    #[test]
    fn quotes_and_lists_stand_twelve_deep_and_what_is_deeper_with_the_deepest() {
        let lists: String = (0..30).map(|at| format!("{}- level {at}\n", "  ".repeat(at))).collect();
        for (markdown, last) in [
            (format!("{} deep\n", ">".repeat(30)), "deep"),
            (lists, "level 29"),
            (format!("{} deep\n", "> - ".repeat(15)), "deep"),
        ] {
            let blocks = read(&markdown);
            assert_eq!(depth(&blocks), DEEPEST, "{markdown}");
            assert!(format!("{blocks:?}").contains(last), "{markdown}");
        }
    }

    #[test]
    fn a_link_leads_to_the_web_or_to_a_mailbox() {
        for (address, leads) in [
            ("https://moss.example/", true),
            ("http://moss.example/", true),
            ("mailto:fern@moss.example", true),
            ("javascript://moss.example/%0aalert(1)", false),
            ("file:///etc/passwd", false),
            ("smb://moss.example/x", false),
            ("pictures/wall.jpg", false),
        ] {
            assert_eq!(link(address).is_some(), leads, "{address}");
        }
    }

    #[test]
    fn a_title_is_one_line_of_what_is_seen() {
        for (text, expected) in [
            (" On\n\tmoss ", "On moss"),
            ("On\u{202e} moss\u{0}\u{1b}\u{200b}", "On moss"),
            ("\u{202e}\u{2066}\u{feff}", ""),
        ] {
            assert_eq!(one_line(text), expected, "{text:?}");
        }
        let long = one_line(&"ä".repeat(LONGEST + 1));
        assert!(long.chars().count() == LONGEST && long.ends_with('…'), "{long}");
        assert_eq!(one_line(&"ä".repeat(LONGEST)), "ä".repeat(LONGEST));
    }
}
