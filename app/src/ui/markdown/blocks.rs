//! Markdown cut into its top-level blocks, so that a text that grows at its end is not read from
//! its start each time.

use super::cite::titled_links;
use super::growing::{Growing, is_row_begun};
use super::math::delimited;
use super::options;
use pulldown_cmark::{Event, Parser, Tag};
use std::sync::Arc;

/// Where a text leads to, with the words of its links.
pub type Links = Arc<[(String, String)]>;

/// A top-level block with the blank lines after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub index: usize,
    /// Differs whenever the text at this index differs.
    pub version: u64,
    pub text: Arc<str>,
    /// Those of a block that grows are with its parts.
    pub links: Links,
    /// How it is drawn while only more is added to it.
    pub growing: Option<Growing>,
}

impl Block {
    /// Differs whenever all of it is to be drawn anew.
    pub fn drawn(&self) -> u64 {
        self.growing.as_ref().map_or(self.version, |growing| growing.began)
    }

    fn all_links(&self) -> impl Iterator<Item = &(String, String)> {
        let parts = self.growing.iter().flat_map(|growing| &growing.parts);
        self.links.iter().chain(parts.flat_map(|part| part.links.iter()))
    }
}

/// Counts what was drawn.
#[derive(Debug, Default)]
pub struct Versions(u64);

impl Versions {
    pub(super) fn another(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

/// The blocks of a text that mostly grows.
#[derive(Debug, Default)]
pub struct Blocks {
    blocks: Vec<Block>,
    versions: Versions,
    /// Bytes read so far, for a test.
    #[cfg(test)]
    pub(super) read: usize,
}

/// Where a text that mostly grows leads to, link by link.
#[derive(Debug, Default)]
pub struct GrowingLinks(Blocks);

impl GrowingLinks {
    pub fn update(&mut self, source: &str) -> Vec<String> {
        let blocks = self.0.update(source);
        blocks.iter().flat_map(Block::all_links).map(|(address, _)| address.clone()).collect()
    }
}

impl Blocks {
    pub fn update(&mut self, source: &str) -> Vec<Block> {
        if !self.grow_last(source) {
            self.read_rest(source);
        }
        self.blocks.clone()
    }

    fn read_rest(&mut self, source: &str) {
        let (kept, settled) = self.settled(source);
        let rest = blocks(&source[settled..]);
        #[cfg(test)]
        {
            self.read += source.len() - settled;
        }
        self.blocks.truncate(kept + rest.len());
        for (offset, text) in rest.into_iter().enumerate() {
            self.put(kept + offset, text);
        }
    }

    /// Adds to the last block what the text has besides, if the block is the same with it.
    fn grow_last(&mut self, source: &str) -> bool {
        let Some(begin) = self.begin_of_last(source) else { return false };
        let Some(last) = self.blocks.last_mut() else { return false };
        let text = &source[begin..];
        if text.len() == last.text.len() {
            return true;
        }
        let grown = Growing::grown(&last.text, last.growing.as_ref(), text, &mut self.versions);
        let Some(growing) = grown else { return false };
        last.version = self.versions.another();
        last.text = text.into();
        last.links = Links::default();
        last.growing = Some(growing);
        true
    }

    /// Where the last block begins, if the text begins with all that is known of it.
    fn begin_of_last(&self, source: &str) -> Option<usize> {
        let mut begin = 0;
        let mut end = 0;
        for block in &self.blocks {
            begin = end;
            end += block.text.len();
            if !source.as_bytes()[begin..].starts_with(block.text.as_bytes()) {
                return None;
            }
        }
        Some(begin)
    }

    /// How many blocks at the start cannot change any more, and their length. More text can make
    /// the last block part of the one before it ("2" becomes "2. item"), so the last two can, unless that one is closed.
    fn settled(&self, source: &str) -> (usize, usize) {
        let most = self.blocks.len().saturating_sub(1);
        let is_open = |block: &Block| !is_closed(&block.text);
        let count = most - usize::from(most > 0 && self.blocks.get(most - 1).is_some_and(is_open));
        let mut settled = 0;
        let mut length = 0;
        for (index, block) in self.blocks.iter().enumerate() {
            if !source.as_bytes()[length..].starts_with(block.text.as_bytes()) {
                return (0, 0);
            }
            length += block.text.len();
            if index < count {
                settled = length;
            }
        }
        (count, settled)
    }

    fn put(&mut self, index: usize, text: String) {
        if self.blocks.get(index).is_some_and(|old| *old.text == *text) {
            return;
        }
        let links = links_of(&text);
        let version = self.versions.another();
        let block = Block { index, version, text: text.into(), links, growing: None };
        match self.blocks.get_mut(index) {
            Some(old) => *old = block,
            None => self.blocks.push(block),
        }
    }
}

pub(super) fn links_of(text: &str) -> Links {
    // Looking is faster than reading.
    let may_lead = ["](", "]:", "<http"].iter().any(|sign| text.contains(sign));
    if may_lead { titled_links(text).into() } else { Links::default() }
}

/// Whether a block that others follow is one which they cannot become part of.
fn is_closed(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let is_code = ["```", "~~~"].iter().any(|fence| {
        first.strip_prefix(fence).is_some_and(|info| !info.trim_start_matches('`').contains('`'))
    });
    is_code || text.starts_with('|') && text.ends_with("\n\n")
}

/// The top-level blocks of a text, which make up all of it.
pub fn blocks(source: &str) -> Vec<String> {
    let mut starts = starts(source);
    let Some(first) = starts.first_mut() else {
        return if source.is_empty() { Vec::new() } else { vec![source.to_owned()] };
    };
    *first = 0;
    let ends = starts[1..].iter().copied().chain([source.len()]);
    starts.iter().zip(ends).map(|(start, end)| source[*start..end].to_owned()).collect()
}

/// Where the lines start on which top-level blocks start.
fn starts(source: &str) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    let mut depth = 0usize;
    let mut follows_table = false;
    let mut is_table = false;
    let source = &*delimited(source);
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        let opens = match event {
            Event::Start(tag) => {
                depth += 1;
                if depth == 1 {
                    follows_table = std::mem::replace(&mut is_table, matches!(tag, Tag::Table(_)));
                }
                depth == 1
            }
            Event::End(_) => {
                depth -= 1;
                false
            }
            Event::Rule => {
                is_table &= depth > 0;
                depth == 0
            }
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::TaskListMarker(_) => false,
        };
        if !opens {
            continue;
        }
        let line = source[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
        // Until a cell comes, the row of a table that has only begun is read as a text of its own.
        if follows_table && !source[..line].ends_with("\n\n") && is_row_begun(&source[line..]) {
            continue;
        }
        if starts.last().is_none_or(|last| *last < line) {
            starts.push(line);
        }
    }
    starts
}
