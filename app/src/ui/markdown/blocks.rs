//! Markdown cut into its top-level blocks, so that a text that grows at its end is not read from
//! its start each time.

use super::math::delimited;
use super::options;
use pulldown_cmark::{Event, Parser};
use std::sync::Arc;

/// A top-level block with the blank lines after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub index: usize,
    /// Differs whenever the text at this index differs.
    pub version: u64,
    pub text: Arc<str>,
}

/// The blocks of a text that mostly grows.
#[derive(Debug, Default)]
pub struct Blocks {
    blocks: Vec<Block>,
    last_version: u64,
}

impl Blocks {
    pub fn update(&mut self, source: &str) -> Vec<Block> {
        let (kept, settled) = self.settled(source);
        let rest = blocks(&source[settled..]);
        self.blocks.truncate(kept + rest.len());
        for (offset, text) in rest.into_iter().enumerate() {
            self.put(kept + offset, text);
        }
        self.blocks.clone()
    }

    /// How many blocks at the start cannot change any more, and their length. More text can make
    /// the last block part of the one before it ("2" becomes "2. item"), so the last two can.
    fn settled(&self, source: &str) -> (usize, usize) {
        let count = self.blocks.len().saturating_sub(2);
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
        self.last_version += 1;
        let block = Block { index, version: self.last_version, text: text.into() };
        match self.blocks.get_mut(index) {
            Some(old) => *old = block,
            None => self.blocks.push(block),
        }
    }
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
    let source = &*delimited(source);
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        let opens = match event {
            Event::Start(_) => {
                depth += 1;
                depth == 1
            }
            Event::End(_) => {
                depth -= 1;
                false
            }
            Event::Rule => depth == 0,
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
        if starts.last().is_none_or(|last| *last < line) {
            starts.push(line);
        }
    }
    starts
}
