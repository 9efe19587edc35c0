//! The content of such a document, element by element. Nothing here calls itself, however deep they lie in one another.

use super::super::table::{row, rule};
use super::super::{LONGEST, Unopened, attribute, broken};
use super::styles::Styles;
use office_oxide::core::xml::resolve_general_ref;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::mem::take;

/// Elements within one another.
const DEEPEST: usize = 256;
/// Cells of a row, and spaces in a row.
const WIDEST: usize = 1024;

pub(super) struct Walked {
    pub(super) text: String,
    pub(super) slides: Vec<String>,
    pub(super) has_changes: bool,
}

/// What an element that stands open is to what is in it.
enum Open {
    Other,
    /// Nothing in it is read.
    Skipped,
    /// Of a heading of that level; 0: of none.
    Paragraph {
        level: usize,
        text: String,
    },
    Span {
        mark: &'static str,
        text: String,
    },
    Link {
        to: String,
        text: String,
    },
    List {
        style: String,
        counts: bool,
        number: usize,
    },
    Item {
        has_begun: bool,
    },
    Table {
        rows: usize,
    },
    Row {
        cells: Vec<String>,
    },
    Cell {
        columns: usize,
        text: String,
    },
    /// A footnote, an endnote, or what somebody noted on a passage.
    Note {
        text: String,
    },
    /// Who noted it.
    Author {
        text: String,
    },
    Slide,
    /// The frame of a slide's title.
    Title,
    /// What whoever shows a slide says.
    Spoken {
        text: String,
    },
}

struct Walk<'s> {
    styles: &'s Styles,
    stack: Vec<Open>,
    text: String,
    /// What was written last belongs to a list.
    ends_in_item: bool,
    notes: Vec<String>,
    /// How many there were before these.
    notes_before: usize,
    slides: Vec<String>,
    has_changes: bool,
    /// Bytes of all words.
    said: usize,
}

pub(super) fn read(xml: &[u8], styles: &Styles) -> Result<Walked, Unopened> {
    let mut walk = Walk {
        styles,
        stack: Vec::new(),
        text: String::new(),
        ends_in_item: false,
        notes: Vec::new(),
        notes_before: 0,
        slides: Vec::new(),
        has_changes: false,
        said: 0,
    };
    let mut reader = Reader::from_reader(xml);
    reader.config_mut().expand_empty_elements = true;
    loop {
        match reader.read_event().map_err(broken)? {
            Event::Start(ref tag) => walk.begin(tag)?,
            Event::End(_) => walk.end(),
            Event::Text(ref text) => walk.say(text),
            Event::CData(ref text) => walk.say(text),
            Event::GeneralRef(ref entity) => walk.put(&resolve_general_ref(entity).map_err(broken)?),
            Event::Eof => break,
            _ => {}
        }
        if walk.said > LONGEST || walk.text.len() > LONGEST {
            return Err(Unopened::TooLong);
        }
    }
    walk.write_notes();
    Ok(Walked { text: walk.text, slides: walk.slides, has_changes: walk.has_changes })
}

impl Walk<'_> {
    fn begin(&mut self, tag: &BytesStart<'_>) -> Result<(), Unopened> {
        if self.stack.len() >= DEEPEST {
            return Err(broken("its parts lie too deep in one another"));
        }
        let open = match self.stack.last() {
            Some(Open::Skipped) => {
                let name = tag.local_name();
                let name: &str = name.as_ref();
                self.has_changes |= name == "changed-region";
                Open::Skipped
            }
            _ => self.opened(tag)?,
        };
        self.stack.push(open);
        Ok(())
    }

    fn opened(&mut self, tag: &BytesStart<'_>) -> Result<Open, Unopened> {
        let name = tag.name();
        let name: &str = name.as_ref();
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        Ok(match (prefix, local) {
            ("svg" | "meta", _)
            | ("dc", "date")
            | (_, "tracked-changes" | "note-citation" | "forms" | "scripts" | "font-face-decls")
            | (_, "automatic-styles" | "styles" | "master-styles" | "settings" | "sequence-decls") => {
                Open::Skipped
            }
            ("text", "p") => {
                let is_title = self.stack.iter().any(|open| matches!(open, Open::Title));
                Open::Paragraph { level: if is_title { 3 } else { 0 }, text: String::new() }
            }
            ("text", "h") => {
                let level = attribute(tag, "outline-level")?.and_then(|level| level.parse::<usize>().ok());
                Open::Paragraph { level: level.unwrap_or(1).clamp(1, 6), text: String::new() }
            }
            ("text", "span") => {
                let style = attribute(tag, "style-name")?.unwrap_or_default();
                Open::Span { mark: self.styles.mark(&style), text: String::new() }
            }
            ("text", "a") => {
                Open::Link { to: attribute(tag, "href")?.unwrap_or_default(), text: String::new() }
            }
            ("text", "s") => {
                let count = attribute(tag, "c")?.and_then(|count| count.parse().ok()).unwrap_or(1);
                self.put(&" ".repeat(WIDEST.min(count)));
                Open::Other
            }
            ("text", "tab") => {
                self.put(" ");
                Open::Other
            }
            ("text", "line-break") => {
                self.put("\n");
                Open::Other
            }
            ("text", "list") => self.list(attribute(tag, "style-name")?),
            ("text", "list-item") => {
                let list = self.stack.iter_mut().rev().find_map(|open| match open {
                    Open::List { number, .. } => Some(number),
                    _ => None,
                });
                if let Some(number) = list {
                    *number += 1;
                }
                Open::Item { has_begun: false }
            }
            ("text", "list-header") => Open::Item { has_begun: true },
            ("table", "table") => Open::Table { rows: 0 },
            ("table", "table-row") => Open::Row { cells: Vec::new() },
            ("table", "table-cell" | "covered-table-cell") => {
                let columns = attribute(tag, "number-columns-repeated")?;
                let columns = columns.and_then(|count| count.parse().ok()).unwrap_or(1);
                Open::Cell { columns: WIDEST.min(columns), text: String::new() }
            }
            ("text", "note") | ("office", "annotation") => Open::Note { text: String::new() },
            ("dc", "creator") if matches!(self.stack.last(), Some(Open::Note { .. })) => {
                Open::Author { text: String::new() }
            }
            ("draw", "page") => Open::Slide,
            ("draw", "frame") if attribute(tag, "class")?.as_deref() == Some("title") => Open::Title,
            ("presentation", "notes") => Open::Spoken { text: String::new() },
            _ => Open::Other,
        })
    }

    /// One within another one is of its style, if it says none.
    fn list(&self, style: Option<String>) -> Open {
        let mut around = self.stack.iter().filter_map(|open| match open {
            Open::List { style, .. } => Some(style),
            _ => None,
        });
        let level = around.clone().count() + 1;
        let style = style.or_else(|| around.next_back().cloned()).unwrap_or_default();
        Open::List { counts: self.styles.counts(&style, level), style, number: 0 }
    }

    fn end(&mut self) {
        let Some(open) = self.stack.pop() else { return };
        match open {
            Open::Other | Open::Skipped | Open::Item { .. } | Open::Title | Open::Table { .. } => {}
            Open::Paragraph { level, text } => self.block(text.trim(), level),
            Open::Span { mark, text } => self.put(&marked(mark, &text)),
            Open::Link { to, text } => match (to.is_empty(), text.trim()) {
                (false, words) if !words.is_empty() => self.put(&format!("[{words}]({to})")),
                _ => self.put(&text),
            },
            Open::List { .. } => {
                self.ends_in_item &= self.stack.iter().any(|open| matches!(open, Open::List { .. }));
            }
            Open::Row { cells } => self.row(cells),
            Open::Cell { columns, text } => {
                if let Some(Open::Row { cells }) = self.stack.last_mut() {
                    let columns = columns.min(WIDEST.saturating_sub(cells.len()));
                    self.said += text.len() * columns.saturating_sub(1);
                    if self.said <= LONGEST {
                        cells.extend(std::iter::repeat_n(text, columns));
                    }
                }
            }
            Open::Note { text } => {
                self.notes.push(text);
                self.put(&format!("[^{}]", self.notes_before + self.notes.len()));
            }
            Open::Author { text } => {
                if let Some(Open::Note { text: note }) = self.stack.last_mut() {
                    *note = format!("({})", text.trim());
                }
            }
            Open::Spoken { text } => {
                if !text.is_empty() {
                    self.write(&format!("> **Notes:**\n> {}", text.replace('\n', "\n> ")), false);
                }
            }
            Open::Slide => {
                self.write_notes();
                self.slides.push(take(&mut self.text));
                self.ends_in_item = false;
            }
        }
    }

    /// Words, with the spaces between them that count.
    fn say(&mut self, text: &str) {
        let Some(words) = self.words() else { return };
        let before = words.len();
        for letter in text.chars() {
            match letter.is_ascii_whitespace() {
                true if words.ends_with([' ', '\n']) => {}
                true => words.push(' '),
                false => words.push(letter),
            }
        }
        let grown = words.len() - before;
        self.said += grown;
    }

    /// Something as it is.
    fn put(&mut self, text: &str) {
        if let Some(words) = self.words() {
            words.push_str(text);
            self.said += text.len();
        }
    }

    /// Where words go.
    fn words(&mut self) -> Option<&mut String> {
        for open in self.stack.iter_mut().rev() {
            match open {
                Open::Paragraph { text, .. }
                | Open::Span { text, .. }
                | Open::Link { text, .. }
                | Open::Author { text } => return Some(text),
                Open::Other | Open::Title => {}
                Open::Skipped
                | Open::List { .. }
                | Open::Item { .. }
                | Open::Table { .. }
                | Open::Row { .. }
                | Open::Cell { .. }
                | Open::Note { .. }
                | Open::Slide
                | Open::Spoken { .. } => return None,
            }
        }
        None
    }

    /// A paragraph, or a heading, to where it belongs.
    fn block(&mut self, text: &str, level: usize) {
        if text.is_empty() {
            return;
        }
        if let Some((aside, gap)) = self.aside() {
            if !aside.is_empty() {
                aside.push(gap);
            }
            aside.push_str(text);
            return;
        }
        let lists = self.stack.iter().filter(|open| matches!(open, Open::List { .. })).count();
        if level > 0 || lists == 0 {
            let mark = if level > 0 { format!("{} ", "#".repeat(level)) } else { String::new() };
            return self.write(&format!("{mark}{text}"), false);
        }
        let begins = self.stack.iter_mut().rev().find_map(|open| match open {
            Open::Item { has_begun } => Some(!std::mem::replace(has_begun, true)),
            _ => None,
        });
        let counted = self.stack.iter().rev().find_map(|open| match open {
            Open::List { counts, number, .. } => Some(counts.then_some(*number)),
            _ => None,
        });
        let mark = match (begins, counted.flatten()) {
            (Some(true), Some(number)) => format!("{number}. "),
            (Some(true), None) => "- ".to_owned(),
            (Some(false) | None, _) => "  ".to_owned(),
        };
        let indent = "  ".repeat(lists - 1);
        self.write(&format!("{indent}{mark}{text}"), true);
    }

    /// What stands apart from the text around it, and what is between its paragraphs.
    fn aside(&mut self) -> Option<(&mut String, char)> {
        self.stack.iter_mut().rev().find_map(|open| match open {
            Open::Cell { text, .. } | Open::Note { text } => Some((text, ' ')),
            Open::Spoken { text } => Some((text, '\n')),
            _ => None,
        })
    }

    fn row(&mut self, mut cells: Vec<String>) {
        if cells.iter().all(String::is_empty) {
            return;
        }
        if let Some((aside, gap)) = self.aside() {
            cells.retain(|cell| !cell.is_empty());
            if !aside.is_empty() {
                aside.push(gap);
            }
            aside.push_str(&cells.join(", "));
            return;
        }
        let rows = self.stack.iter_mut().rev().find_map(|open| match open {
            Open::Table { rows } => Some(rows),
            _ => None,
        });
        let is_first = rows.is_none_or(|rows| std::mem::replace(rows, 1) == 0);
        let mut line = String::new();
        row(&mut line, cells.iter().map(String::as_str));
        if is_first {
            rule(&mut line, cells.len());
            return self.write(line.trim_end(), false);
        }
        self.text.push('\n');
        self.text.push_str(line.trim_end());
    }

    fn write(&mut self, text: &str, is_item: bool) {
        if !self.text.is_empty() {
            self.text.push_str(if is_item && self.ends_in_item { "\n" } else { "\n\n" });
        }
        self.text.push_str(text);
        self.ends_in_item = is_item;
    }

    fn write_notes(&mut self) {
        for note in take(&mut self.notes) {
            self.notes_before += 1;
            self.write(&format!("[^{}]: {note}", self.notes_before), false);
        }
    }
}

/// With the mark before and behind its words, not its spaces.
fn marked(mark: &str, text: &str) -> String {
    let words = text.trim();
    match text.find(words).filter(|_| !mark.is_empty() && !words.is_empty()) {
        Some(at) => format!("{}{mark}{words}{mark}{}", &text[..at], &text[at + words.len()..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
