//! Whether two memories say the same. One word makes another memory of it, in whatever language: a date, a name, a
//! "not".

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// The words of a memory in their order. Capitals do not matter, nor the marks between words.
pub(super) struct Said(Vec<String>);

impl Said {
    pub(super) fn in_text(text: &str) -> Self {
        let text: String = text.nfc().collect();
        let words =
            text.split_whitespace().map(|word| word.trim_end_matches(is_beside).trim_start_matches(is_quote));
        Self(words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect())
    }

    /// The same for two that say the same.
    pub(super) fn digest(&self) -> String {
        data_encoding::HEXLOWER.encode(&Sha256::digest(self.0.join(" ")))
    }
}

/// What may stand behind a word and says nothing about it. A sign may: C++, 5 %, 20°.
fn is_beside(letter: char) -> bool {
    is_quote(letter)
        || matches!(letter, '.' | ',' | ';' | ':' | '!' | '?' | '…' | '。' | '、' | '，' | '！' | '？')
}

fn is_quote(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\''
            | '`'
            | '('
            | ')'
            | '“'
            | '”'
            | '„'
            | '‟'
            | '‘'
            | '’'
            | '‚'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '「'
            | '」'
    )
}

#[cfg(test)]
mod tests {
    use super::Said;

    fn say_the_same(one: &str, other: &str) -> bool {
        Said::in_text(one).digest() == Said::in_text(other).digest()
    }

    #[test]
    fn one_word_makes_another_memory_of_it() {
        for (one, other) in [
            ("Ada's sister Mia lives in Lisbon.", "ada's sister Mia  lives in Lisbon"),
            ("\"Fern\" is the cat, of Ada!", "Fern is the cat of Ada"),
            ("Ada trinkt gern Kaffee.", "Ada trinkt gern Kaffee!"),
            ("Cafe\u{301}", "Café."),
            ("我喜欢茶。", "我喜欢茶"),
        ] {
            assert!(say_the_same(one, other), "{one} {other}");
        }
        for (one, other) in [
            (
                "The appointment with the dentist is on 3 May.",
                "The appointment with the dentist is on 17 May.",
            ),
            ("Ada wants to be called in the morning.", "Ada wants not to be called in the morning."),
            ("Ada isst gern Fisch und Fleisch.", "Ada isst nicht gern Fisch und Fleisch."),
            ("Ada ne mange jamais de poisson le soir.", "Ada mange de poisson le soir."),
            ("我喜欢茶", "我不喜欢茶"),
            ("Mia is older than Bo.", "Bo is older than Mia."),
            ("Ada writes C.", "Ada writes C++."),
            ("The shed is kept at 5 degrees.", "The shed is kept at -5 degrees."),
            ("The rent is 3.50.", "The rent is 350."),
            ("Her name is Müller.", "Her name is Muller."),
            ("Ada likes tea.", "Ada likes teas."),
        ] {
            assert!(!say_the_same(one, other), "{one} {other}");
        }
    }
}
