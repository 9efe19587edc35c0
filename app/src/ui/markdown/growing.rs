//! A block of code or a table that grows at the end of a text. Either can be long, and what is added to it changes
//! nothing of what is there: so neither is read from its start again, nor drawn.

use super::blocks::{Links, Versions, links_of};
use super::options;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use std::sync::Arc;

/// Bytes of code from which on a part of it is left as it is, at the end of a line.
const PART_BYTES: usize = 4096;

/// What grows, and what can be added to it without anything else becoming of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Code { fence: &'static str },
    Table,
}

/// A block as it is drawn while it grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growing {
    pub kind: Kind,
    /// The version of the block when it began to grow.
    pub began: u64,
    /// What its parts stand under: the line that opens the code, or the first two of a table.
    pub head: Arc<str>,
    pub parts: Vec<Part>,
}

/// Some lines of code, or a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub index: usize,
    pub version: u64,
    pub text: Arc<str>,
    pub links: Links,
}

impl Kind {
    /// None: whatever is added to such a block can make something else of it.
    fn of(text: &str) -> Option<Self> {
        let fence = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence));
        let kind = match fence {
            Some(fence) => Self::Code { fence },
            None if text.starts_with('|') => Self::Table,
            None => return None,
        };
        let head = kind.head(text)?;
        let is_plain = fence.is_some() || !head.contains(['\\', '$']);
        if !is_plain || text.contains('\r') || !kind.is_all_of(&text[head.len()..]) {
            return None;
        }
        let is_such = match Parser::new_ext(head, options()).next()? {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => fence.is_some(),
            Event::Start(Tag::Table(_)) => fence.is_none(),
            _ => false,
        };
        is_such.then_some(kind)
    }

    /// The lines that its parts stand under, if they are whole.
    fn head(self, text: &str) -> Option<&str> {
        let lines = match self {
            Self::Code { .. } => 1,
            Self::Table => 2,
        };
        let end = text.match_indices('\n').nth(lines - 1)?.0;
        Some(&text[..=end])
    }

    /// Whether these lines stand in the block and do not end it. The last one may be yet to come.
    fn is_all_of(self, lines: &str) -> bool {
        let mut lines = lines.split('\n');
        match self {
            Self::Code { fence } => lines.all(|line| !line.trim_start_matches(' ').starts_with(fence)),
            Self::Table => {
                let last = lines.next_back().unwrap_or_default();
                lines.all(is_row) && (last.is_empty() || is_row_begun(last) || is_row(last))
            }
        }
    }

    /// Whether the block is what it was, with what stands from `from` on added to it.
    fn goes_on(self, text: &str, from: usize) -> bool {
        let line = text[..from].rfind('\n').map_or(0, |newline| newline + 1);
        !text[from..].contains('\r') && self.is_all_of(&text[line..])
    }

    fn part(self, index: usize, version: u64, text: &str) -> Part {
        let links = match self {
            Self::Code { .. } => Links::default(),
            Self::Table => links_of(text),
        };
        Part { index, version, text: text.into(), links }
    }

    /// How much of what comes last is a part that is not to change any more.
    fn first_part(self, rest: &str) -> Option<usize> {
        let from = match self {
            Self::Code { .. } => PART_BYTES,
            Self::Table => 0,
        };
        let tail = rest.as_bytes().get(from..)?;
        Some(from + tail.iter().position(|byte| *byte == b'\n')? + 1)
    }
}

/// A line that can be nothing but a row, and reads the same without the others. One without a cell ends a table.
fn is_row(line: &str) -> bool {
    line.starts_with('|') && !is_row_begun(line) && !line.contains(['\\', '$'])
}

/// Whether this is a row before its first cell, of which more is to come.
pub(super) fn is_row_begun(line: &str) -> bool {
    line.starts_with('|') && line.chars().all(|letter| matches!(letter, '|' | ' '))
}

impl Growing {
    /// The block `before`, of which this is drawn so far, as it is with what `text` has besides. None: it is to be read.
    pub(super) fn grown(
        before: &str,
        drawn: Option<&Self>,
        text: &str,
        versions: &mut Versions,
    ) -> Option<Self> {
        let kind = drawn.map_or_else(|| Kind::of(before), |drawn| Some(drawn.kind))?;
        if !kind.goes_on(text, before.len()) {
            return None;
        }
        let mut grown = match drawn {
            Some(drawn) => drawn.clone(),
            None => {
                let head = kind.head(text)?.into();
                Self { kind, began: versions.another(), head, parts: Vec::new() }
            }
        };
        grown.cut(text, versions);
        Some(grown)
    }

    /// Cuts anew what stands behind the last part that is left as it is.
    fn cut(&mut self, text: &str, versions: &mut Versions) {
        let mut last = self.parts.pop();
        let mut at = self.head.len() + self.parts.iter().map(|part| part.text.len()).sum::<usize>();
        while at < text.len() {
            let rest = &text[at..];
            let part = &rest[..self.kind.first_part(rest).unwrap_or(rest.len())];
            let index = self.parts.len();
            match last.take().filter(|last| *last.text == *part) {
                Some(last) => self.parts.push(last),
                None => self.parts.push(self.kind.part(index, versions.another(), part)),
            }
            at += part.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::{Block, Blocks, blocks};
    use super::super::cite::Cited;
    use super::super::render::{growing_code, growing_row, growing_table, render};
    use super::*;
    use crate::prelude::*;
    use std::collections::BTreeSet;

    const CODE: (&str, &str, &str) = ("```rust\n", "let fern = water(0.2); // | ` é\n", "```\n\n");
    const TABLE: (&str, &str, &str) =
        ("| a | b |\n|---|--:|\n", "| *fern* | [1](https://moss.example/) |\n", "\n");

    #[test]
    fn what_is_added_to_a_long_block_is_read_and_drawn_without_what_is_there() {
        for (head, line, end) in [CODE, TABLE] {
            let mut growing = Blocks::default();
            let mut source = format!("Before.\n\n{head}");
            growing.update(&source);
            let read = growing.read;
            let (mut drawn, mut parts, mut bytes, mut updates) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
            for character in line.repeat(1_000).chars() {
                source.push(character);
                updates += 1;
                for block in growing.update(&source) {
                    drawn.insert((block.index, block.drawn()));
                    for part in block.growing.into_iter().flat_map(|growing| growing.parts) {
                        if parts.insert((part.index, part.version)) {
                            bytes += part.text.len();
                        }
                    }
                }
            }
            assert_eq!(growing.read, read, "{head:?}: nothing is read again");
            assert_eq!(drawn.len(), 2, "{head:?}: no block is drawn again");
            assert!(bytes <= updates * (PART_BYTES + line.len()), "{head:?}: {bytes} bytes are drawn");

            source.push_str(&format!("{end}After."));
            growing.update(&source);
            let read = growing.read;
            for _ in 0..100 {
                source.push_str(" word");
                growing.update(&source);
            }
            assert!(growing.read - read <= 100 * 600, "{head:?}: it is not read with what follows it");
        }
    }

    #[test]
    fn a_block_that_grew_is_the_one_that_is_read_at_once_and_looks_the_same() {
        for (head, line, end) in [CODE, TABLE] {
            let mut growing = Blocks::default();
            let mut source = "Before.\n\n".to_owned();
            let many = line.repeat(150);
            for piece in [head, line, line, many.as_str(), line, end, "After"] {
                for character in piece.chars() {
                    source.push(character);
                    let texts: Vec<String> = growing.update(&source).into_iter().map(text_of).collect();
                    if character == '\n' || piece.len() < 100 {
                        assert_eq!(texts, blocks(&source), "{source:?}");
                    }
                }
                let last = growing.update(&source).pop().unwrap();
                let is_drawn_in_parts = piece.contains(line);
                assert_eq!(last.growing.is_some(), is_drawn_in_parts, "{piece:?}");
                if let Some(growing) = &last.growing {
                    assert_eq!(html(in_parts(growing)), html(render(&last.text, &Cited::default())));
                }
            }
        }
    }

    #[test]
    fn what_may_end_a_block_or_make_another_of_it_is_read() {
        for (before, added, goes_on) in [
            ("```\na\n", "b", true),
            ("```\na\n", "``", true),
            ("```\na\n``", "`", false),
            ("```\na\n  ", "```", false),
            ("```\na\n```\n", "b", false),
            ("```\na", "\r\n", false),
            ("```js", "\n", false),
            ("``` a`b\n", "c", false),
            ("~~~\n```\n", "b", true),
            ("| a |\n|---|\n", "| 1", true),
            ("| a |\n|---|\n| 1 |\n", "\n", false),
            ("| a |\n|---|\n| 1 |\n", "- b", false),
            ("| a |\n|---|\n", "| \\(x\\) |", false),
            ("| a |\n|---", "|\n", false),
            ("| a |\n| b |\n", "| c |", false),
            ("a\n", "b", false),
        ] {
            let text = format!("{before}{added}");
            let grown = Growing::grown(before, None, &text, &mut Versions::default());
            assert_eq!(grown.is_some(), goes_on, "{text:?}");
        }
    }

    fn text_of(block: Block) -> String {
        match block.growing {
            Some(Growing { head, parts, .. }) => {
                parts.iter().fold(head.to_string(), |text, part| text + &*part.text)
            }
            None => block.text.to_string(),
        }
    }

    fn in_parts(growing: &Growing) -> AnyView {
        let (head, cited) = (&growing.head, Cited::default());
        let texts = growing.parts.iter().map(|part| &*part.text);
        match growing.kind {
            Kind::Code { .. } => growing_code(head, texts.collect::<String>().into_any()),
            Kind::Table => {
                let rows: Vec<AnyView> = texts.map(|row| growing_row(head, row, &cited)).collect();
                growing_table(head, rows.into_any(), &cited)
            }
        }
    }

    fn html(view: AnyView) -> String {
        view.to_html().replace("<!>", "").replace("<!---->", "")
    }
}
