//! Letters that nobody sees, or that turn around what is seen: found, spelled out for people, and taken out of what
//! a model reads.

use std::iter::Peekable;
use std::str::CharIndices;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// The letters of ASCII once more, which no font draws.
    Tag,
    /// It turns the order of what follows.
    Turn,
    Shapeless,
}

/// The hidden letters of a text, with where they stand.
pub(super) fn hidden(text: &str) -> impl Iterator<Item = (usize, char, Hidden)> {
    Neighbours { before: None, letters: text.char_indices().peekable() }
        .filter_map(|(at, letter, around)| Some((at, letter, kind(letter, around)?)))
}

/// The text as a model reads it.
pub(crate) fn for_models(text: &str) -> String {
    let mut left = hidden(text).map(|(at, ..)| at).peekable();
    let seen = text.char_indices().filter(|(at, _)| left.next_if_eq(at).is_none());
    seen.map(|(_, letter)| letter).collect()
}

/// The text as a person reads it, nothing of it hidden.
pub(super) fn spelled(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut tags = String::new();
    let mut marks = hidden(text).peekable();
    for (at, letter) in text.char_indices() {
        match marks.next_if(|(place, ..)| *place == at) {
            Some((_, _, Hidden::Tag)) => tags.push(untagged(letter)),
            Some((_, _, Hidden::Turn | Hidden::Shapeless)) => {
                close(&mut tags, &mut spelled);
                spelled.push_str(&format!("⟦U+{:04X}⟧", u32::from(letter)));
            }
            None => {
                close(&mut tags, &mut spelled);
                spelled.push(letter);
            }
        }
    }
    close(&mut tags, &mut spelled);
    spelled
}

/// The letter that a tag character stands for.
pub(super) fn untagged(tag: char) -> char {
    char::from_u32(u32::from(tag) - 0xE0000).filter(|letter| !letter.is_control()).unwrap_or('·')
}

fn close(tags: &mut String, spelled: &mut String) {
    if !tags.is_empty() {
        spelled.push_str(&format!("⟦hidden: {tags}⟧"));
        tags.clear();
    }
}

fn kind(letter: char, (before, after): (Option<char>, Option<char>)) -> Option<Hidden> {
    // Within words of some scripts and within pictures of people these have a meaning.
    let is_foreign = |near: Option<char>| near.is_some_and(|near| !near.is_ascii());
    match letter {
        '\u{e0000}'..='\u{e007f}' => Some(Hidden::Tag),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(Hidden::Turn)
        }
        '\u{200c}' | '\u{200d}' if is_foreign(before) && is_foreign(after) => None,
        '\u{fe00}'..='\u{fe0f}' => {
            let drawn =
                |near: char| !near.is_ascii_alphabetic() && !('\u{fe00}'..='\u{fe0f}').contains(&near);
            (!before.is_some_and(drawn)).then_some(Hidden::Shapeless)
        }
        '\n' | '\r' | '\t' => None,
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{e0100}'..='\u{e01ef}' => Some(Hidden::Shapeless),
        letter => letter.is_control().then_some(Hidden::Shapeless),
    }
}

/// Each letter with those around it.
struct Neighbours<'a> {
    before: Option<char>,
    letters: Peekable<CharIndices<'a>>,
}

impl Iterator for Neighbours<'_> {
    type Item = (usize, char, (Option<char>, Option<char>));

    fn next(&mut self) -> Option<Self::Item> {
        let (at, letter) = self.letters.next()?;
        let around = (self.before.replace(letter), self.letters.peek().map(|(_, after)| *after));
        Some((at, letter, around))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_letters_are_spelled_out_for_people_and_no_model_reads_them() {
        for (text, seen, read) in [
            ("plain äöü 漢字", "plain äöü 漢字", "plain äöü 漢字"),
            ("a\u{e0048}\u{e0069}b", "a⟦hidden: Hi⟧b", "ab"),
            ("a\u{e0001}b\u{e007f}", "a⟦hidden: ·⟧b⟦hidden: ·⟧", "ab"),
            ("a\u{202e}b\u{2066}c", "a⟦U+202E⟧b⟦U+2066⟧c", "abc"),
            ("cu\u{200b}rl\u{ad}", "cu⟦U+200B⟧rl⟦U+00AD⟧", "curl"),
            ("a\u{200d}b", "a⟦U+200D⟧b", "ab"),
            ("👩\u{200d}🔬 می\u{200c}خواهم", "👩\u{200d}🔬 می\u{200c}خواهم", "👩\u{200d}🔬 می\u{200c}خواهم"),
            ("☀\u{fe0f} 1\u{fe0f}", "☀\u{fe0f} 1\u{fe0f}", "☀\u{fe0f} 1\u{fe0f}"),
            ("☀\u{fe0f}\u{fe01}a\u{fe02}", "☀\u{fe0f}⟦U+FE01⟧a⟦U+FE02⟧", "☀\u{fe0f}a"),
            ("a\u{1b}[2J\tb\r\n", "a⟦U+001B⟧[2J\tb\r\n", "a[2J\tb\r\n"),
            ("😀\u{e0100}", "😀⟦U+E0100⟧", "😀"),
        ] {
            assert_eq!((spelled(text).as_str(), for_models(text).as_str()), (seen, read), "{text:?}");
        }
    }
}
