//! The words that a text is found by. Scripts that put no space between words are found by each two letters that
//! follow each other.

use agent::words::fold;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most words that are looked for, and that one text is found by.
const MAX_WORDS: usize = 12;
const MAX_TEXT_WORDS: usize = 10_000;
/// Longest word, in characters: what is longer is found by its beginning.
const MAX_WORD: usize = 40;

/// What somebody looks for.
pub(super) struct Terms {
    /// Beginnings of words.
    words: Vec<String>,
    /// Letters that follow each other.
    runs: Vec<String>,
}

/// A word, or letters of a script without spaces.
struct Piece {
    range: Range<usize>,
    has_spaces: bool,
}

impl Terms {
    pub(super) fn of(text: &str) -> Self {
        let mut terms = Self { words: Vec::new(), runs: Vec::new() };
        for piece in pieces(text).take(MAX_WORDS) {
            let folded = fold(&text[piece.range]);
            // Nothing is left of an accent by itself.
            if folded.is_empty() {
                continue;
            }
            let list = if piece.has_spaces { &mut terms.words } else { &mut terms.runs };
            list.push(folded.chars().take(MAX_WORD).collect());
        }
        terms
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.runs.is_empty()
    }

    /// Beginnings of what stands in an index.
    fn beginnings(&self) -> impl Iterator<Item = String> {
        let pairs = self.runs.iter().flat_map(|run| match run.chars().count() {
            0 | 1 => vec![run.clone()],
            _ => pairs(run).collect(),
        });
        self.words.iter().cloned().chain(pairs)
    }

    /// As SQLite's FTS5 reads it.
    pub(super) fn for_sqlite(&self, owner: &str) -> String {
        let beginnings = self.beginnings().map(|word| format!(" AND \"{word}\" *"));
        format!("\"{owner}\"{}", beginnings.collect::<String>())
    }

    /// As PostgreSQL reads a `tsquery`.
    pub(super) fn for_postgres(&self, owner: &str) -> String {
        let beginnings = self.beginnings().map(|word| format!(" & '{word}':*"));
        format!("'{owner}'{}", beginnings.collect::<String>())
    }

    pub(super) fn are_in(&self, text: &str) -> bool {
        let is_there = |wanted: &String, has_spaces: bool| {
            pieces(text).any(|piece| {
                piece.has_spaces == has_spaces && found_in(&fold(&text[piece.range]), wanted, has_spaces)
            })
        };
        self.words.iter().all(|word| is_there(word, true)) && self.runs.iter().all(|run| is_there(run, false))
    }

    /// Where in the text something of it stands.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        for piece in pieces(text) {
            let folded = fold(&text[piece.range.clone()]);
            if piece.has_spaces {
                if self.words.iter().any(|word| folded.starts_with(word.as_str())) {
                    places.push(piece.range);
                }
                continue;
            }
            for run in &self.runs {
                // Folding leaves these letters one for one.
                let Some(at) = folded.find(run.as_str()) else { continue };
                let before = folded[..at].chars().count();
                let letters = text[piece.range.clone()].char_indices().map(|(at, _)| piece.range.start + at);
                let mut ends = letters.chain([piece.range.end]).skip(before);
                if let (Some(start), Some(end)) = (ends.next(), ends.nth(run.chars().count() - 1)) {
                    places.push(start..end);
                }
            }
        }
        places
    }
}

/// What a text is found by.
pub(crate) fn index_terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    for piece in pieces(text) {
        if terms.len() >= MAX_TEXT_WORDS {
            break;
        }
        let folded = fold(&text[piece.range]);
        if folded.is_empty() {
            continue;
        }
        if piece.has_spaces {
            terms.insert(folded.chars().take(MAX_WORD).collect());
        } else {
            terms.extend(pairs(&folded));
            terms.extend(folded.chars().last().map(String::from));
        }
    }
    terms
}

fn found_in(folded: &str, wanted: &str, has_spaces: bool) -> bool {
    if has_spaces { folded.starts_with(wanted) } else { folded.contains(wanted) }
}

fn pairs(run: &str) -> impl Iterator<Item = String> {
    run.chars().zip(run.chars().skip(1)).map(|(one, next)| String::from_iter([one, next]))
}

fn pieces(text: &str) -> impl Iterator<Item = Piece> {
    let mut letters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = letters.find(|(_, letter)| letter.is_alphanumeric())?;
        let has_spaces = has_spaces(first);
        let mut end = start + first.len_utf8();
        while let Some((at, letter)) = letters.next_if(|(_, letter)| {
            is_accent(*letter) || (letter.is_alphanumeric() && self::has_spaces(*letter) == has_spaces)
        }) {
            end = at + letter.len_utf8();
        }
        Some(Piece { range: start..end, has_spaces })
    })
}

fn is_accent(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

/// Whether the script of a letter has spaces between words: those of Thai, Lao, Burmese, Khmer, Chinese and
/// Japanese have not.
fn has_spaces(letter: char) -> bool {
    !matches!(letter,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_by_words_of_any_script() {
        for (text, wanted, found) in [
            ("The Fern's spores", "fern spore", true),
            ("Größe in Zürich", "grosse zuri", false),
            ("Größe in Zürich", "größ ZURICH", true),
            ("明日の天気予報です", "天気", true),
            ("明日の天気予報です", "気", true),
            ("明日の天気予報です", "です", true),
            ("明日の天気予報です", "天報", false),
            ("สวัสดีครับ", "สวัสดี", true),
            ("Ελληνικά κείμενα", "κείμ", true),
            ("v2 of gpt-4o", "gpt 4o", true),
            ("one two", "two three", false),
            ("GPT模型", "gpt 模型", true),
        ] {
            let terms = Terms::of(wanted);
            let index = index_terms(text);
            let by_index = terms.beginnings().all(|word| index.iter().any(|own| own.starts_with(&word)));
            assert_eq!(by_index, found, "{wanted} in {text}");
            assert_eq!(terms.are_in(text), found, "{wanted} in {text}");
            assert!(!found || !terms.places(text).is_empty(), "{wanted} in {text}");
        }
    }

    #[test]
    fn what_is_looked_for_is_words_to_the_database_and_nothing_else() {
        let terms = Terms::of("a\" OR b:* | !c' AND (d) NEAR -- 天\0気 * ^");
        let sqlite = terms.for_sqlite("o1");
        assert_eq!(
            sqlite,
            "\"o1\" AND \"a\" * AND \"or\" * AND \"b\" * AND \"c\" * AND \"and\" * AND \"d\" * AND \"near\" * AND \"天\" * AND \"気\" *"
        );
        assert!(Terms::of("\"'*()&|! -- \u{345} \u{363}\u{364}").is_empty());
        assert_eq!(index_terms("\u{345} \u{363}a \u{36f}"), BTreeSet::from(["a".to_owned()]));
    }

    #[test]
    fn places_are_whole_letters() {
        let text = "Nach Grün: 東京の天気、Gru\u{308}n.";
        let terms = Terms::of("grün 天気");
        let found: Vec<&str> = terms.places(text).into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, ["Grün", "天気", "Gru\u{308}n"]);
    }
}
