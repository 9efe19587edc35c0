//! What is known of a text that may become a call, so that nothing of it is read again when more comes.

use super::balance::{Balance, Brackets};
use super::effort;

#[derive(Debug, Default)]
pub(super) struct Progress {
    brackets: Brackets,
    /// Bytes of white space before the call's body, behind its end, and behind its closing mark.
    before: usize,
    behind: usize,
    beyond: usize,
    /// Bytes in which an end was looked for.
    searched: usize,
    line: usize,
}

impl Progress {
    /// How much white space the text begins with.
    pub(super) fn space_before(&mut self, text: &str) -> usize {
        skip(text, &mut self.before)
    }

    pub(super) fn space_behind(&mut self, text: &str) -> usize {
        skip(text, &mut self.behind)
    }

    pub(super) fn space_beyond(&mut self, text: &str) -> usize {
        skip(text, &mut self.beyond)
    }

    pub(super) fn balance(&mut self, text: &str) -> Balance {
        self.brackets.read(text)
    }

    /// The first of these marks in the text, and its length.
    pub(super) fn find(&mut self, text: &str, marks: &[&str]) -> Option<(usize, usize)> {
        let longest = marks.iter().map(|mark| mark.len()).max().unwrap_or(0);
        let from = text.floor_char_boundary(self.searched.saturating_sub(longest));
        let rest = &text[from..];
        effort::spend(rest.len() * marks.len());
        let found = marks.iter().filter_map(|mark| Some((from + rest.find(mark)?, mark.len()))).min();
        self.searched = text.len();
        found
    }

    /// Where the first line ends.
    pub(super) fn end_of_line(&mut self, text: &str) -> Option<usize> {
        let found = text[self.line..].find('\n').map(|at| self.line + at);
        let end = found.unwrap_or(text.len());
        effort::spend(end - self.line);
        self.line = end;
        found
    }
}

fn skip(text: &str, known: &mut usize) -> usize {
    let rest = &text[*known..];
    let space = rest.len() - rest.trim_start().len();
    effort::spend(space + 1);
    *known += space;
    *known
}
