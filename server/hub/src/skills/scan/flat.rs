//! A text without what keeps a rule from finding something in it: breaks of lines, hidden letters, and letters of
//! other scripts that look like those of ASCII.

use crate::skills::visible;
use unicode_normalization::UnicodeNormalization;

/// Letters that look like those of ASCII.
const ALIKE: [(char, char); 38] = [
    ('а', 'a'),
    ('в', 'b'),
    ('е', 'e'),
    ('к', 'k'),
    ('м', 'm'),
    ('н', 'h'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('т', 't'),
    ('у', 'y'),
    ('х', 'x'),
    ('і', 'i'),
    ('ј', 'j'),
    ('ѕ', 's'),
    ('ԁ', 'd'),
    ('ɡ', 'g'),
    ('һ', 'h'),
    ('ӏ', 'l'),
    ('ո', 'n'),
    ('ԛ', 'q'),
    ('ѵ', 'v'),
    ('ѡ', 'w'),
    ('α', 'a'),
    ('ε', 'e'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('τ', 't'),
    ('υ', 'u'),
    ('χ', 'x'),
    ('ı', 'i'),
    ('ⅼ', 'l'),
    ('օ', 'o'),
    ('ց', 'g'),
    ('ս', 'u'),
];

#[derive(Debug)]
pub(super) struct Flat {
    pub(super) text: String,
    /// Where in the text each line begins.
    starts: Vec<usize>,
    /// Words that mix scripts, with where they stand.
    pub(super) mixed: Vec<(usize, String)>,
}

impl Flat {
    pub(super) fn of(text: &str) -> Self {
        let mut flat =
            Self { text: String::with_capacity(text.len()), starts: Vec::new(), mixed: Vec::new() };
        for line in text.lines() {
            flat.starts.push(flat.text.len());
            for word in visible::for_models(line).split_whitespace() {
                if is_mixed(word) {
                    flat.mixed.push((flat.text.len(), word.to_owned()));
                }
                flat.text.extend(word.nfkc().map(|letter| plain(letter).unwrap_or(letter)));
                flat.text.push(' ');
            }
        }
        flat
    }

    /// Each line, with where it begins.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let ends = self.starts.iter().skip(1).copied().chain([self.text.len()]);
        self.starts.iter().copied().zip(ends).map(|(start, end)| (start, &self.text[start..end]))
    }

    /// The number of the line, counted from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).max(1)
    }
}

/// The small letter of ASCII that this one looks like.
fn plain(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return None;
    }
    let lower = letter.to_lowercase().next().unwrap_or(letter);
    ALIKE.iter().find(|(other, _)| *other == lower).map(|(_, plain)| *plain)
}

/// Whether letters of ASCII and letters that look like some stand in the word.
fn is_mixed(word: &str) -> bool {
    word.chars().any(|letter| letter.is_ascii_alphabetic())
        && word.chars().any(|letter| plain(letter).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_without_what_hides_in_it() {
        let flat = Flat::of("One  two\n\n cu\u{200b}rl\u{e0041} x\nі\u{ad}gnore ｆｕｌｌ\n");
        assert_eq!(flat.text, "One two curl x ignore full ");
        let lines: Vec<usize> =
            ["One", "two", "curl", "ignore"].map(|word| flat.line(flat.text.find(word).expect(word))).into();
        assert_eq!(lines, [1, 1, 3, 4]);
        assert_eq!(flat.mixed, [(15, "іgnore".to_owned())]);
        assert!(!is_mixed("привет") && !is_mixed("plain") && !is_mixed("β-moss"));
    }
}
