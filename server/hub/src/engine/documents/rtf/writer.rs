//! The words of an RTF, as they become Markdown.

use super::super::table::{row, rule};
use std::mem::take;

/// What was written, and what stands open.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    line: String,
    /// Lines that go on when what stands open within them has ended.
    around: Vec<String>,
    /// Links that stand open, with where they lead.
    links: Vec<Option<String>>,
    notes: Vec<String>,
    cells: Vec<String>,
    bullet: Option<String>,
    /// Of a heading; 0: of none.
    level: usize,
    is_in_table: bool,
    last: Last,
    said: usize,
}

/// What was written last.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Paragraph,
    Item,
    Row,
}

impl Writer {
    pub(super) fn say(&mut self, text: &str) {
        self.line.push_str(text);
        self.said += text.len();
    }

    /// Bytes of all that was said, and of the signs between it.
    pub(super) fn said(&self) -> usize {
        self.said.max(self.text.len())
    }

    pub(super) fn command(&mut self, word: &str, number: Option<i32>) {
        match word {
            "par" | "sect" | "page" => self.paragraph(),
            "line" | "softline" => self.say("\n"),
            "tab" | "nestcell" | "enspace" | "emspace" => self.say(" "),
            "emdash" => self.say("—"),
            "endash" => self.say("–"),
            "bullet" => self.say("•"),
            "lquote" => self.say("‘"),
            "rquote" => self.say("’"),
            "ldblquote" => self.say("“"),
            "rdblquote" => self.say("”"),
            "pard" => (self.level, self.is_in_table) = (0, false),
            "intbl" => self.is_in_table = true,
            "outlinelevel" => {
                let level = number.and_then(|level| usize::try_from(level).ok()).filter(|level| *level < 9);
                self.level = level.map_or(0, |level| (level + 1).min(6));
            }
            "cell" => {
                let cell = take(&mut self.line);
                self.cells.push(cell.trim().to_owned());
                self.said += 1;
            }
            "row" => self.row(),
            _ => {}
        }
    }

    pub(super) fn begin_link(&mut self, to: Option<String>) {
        self.begin();
        self.links.push(to);
    }

    pub(super) fn end_link(&mut self) {
        let words = self.ended();
        match (self.links.pop().flatten(), words.trim()) {
            (Some(to), shown) if !shown.is_empty() => self.say(&format!("[{shown}]({to})")),
            _ => self.line.push_str(&words),
        }
    }

    pub(super) fn begin_bullet(&mut self) {
        self.begin();
    }

    pub(super) fn end_bullet(&mut self) {
        let words = self.ended();
        let words = words.trim();
        let counts = words.starts_with(|letter: char| letter.is_ascii_digit());
        self.bullet = Some(if counts { format!("{words} ") } else { "- ".to_owned() });
    }

    pub(super) fn begin_note(&mut self) {
        self.begin();
    }

    pub(super) fn end_note(&mut self) {
        let words = self.ended();
        self.notes.push(words.split_whitespace().collect::<Vec<_>>().join(" "));
        let mark = format!("[^{}]", self.notes.len());
        self.say(&mark);
    }

    pub(super) fn into_text(mut self) -> String {
        while !self.around.is_empty() {
            let words = self.ended();
            self.line.push_str(&words);
        }
        self.row();
        self.is_in_table = false;
        self.paragraph();
        for (note, number) in take(&mut self.notes).iter().zip(1..) {
            self.write(&format!("[^{number}]: {note}"), Last::Paragraph);
        }
        self.text
    }

    fn begin(&mut self) {
        self.around.push(take(&mut self.line));
    }

    fn ended(&mut self) -> String {
        let around = self.around.pop().unwrap_or_default();
        std::mem::replace(&mut self.line, around)
    }

    fn paragraph(&mut self) {
        // A cell can have several, and so can a note.
        if self.is_in_table || !self.around.is_empty() {
            return self.say(" ");
        }
        let bullet = self.bullet.take();
        let line = take(&mut self.line);
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        match (bullet, self.level) {
            (Some(bullet), 0) => self.write(&format!("{bullet}{line}"), Last::Item),
            (_, 0) => self.write(line, Last::Paragraph),
            (_, level) => self.write(&format!("{} {line}", "#".repeat(level)), Last::Paragraph),
        }
    }

    fn row(&mut self) {
        let cells = take(&mut self.cells);
        if cells.iter().all(String::is_empty) {
            return;
        }
        let mut line = String::new();
        row(&mut line, cells.iter().map(String::as_str));
        if self.last != Last::Row {
            rule(&mut line, cells.len());
        }
        self.write(line.trim_end(), Last::Row);
    }

    fn write(&mut self, text: &str, kind: Last) {
        if !self.text.is_empty() {
            let goes_on = kind == self.last && kind != Last::Paragraph;
            self.text.push_str(if goes_on { "\n" } else { "\n\n" });
        }
        self.text.push_str(text);
        self.last = kind;
    }
}
