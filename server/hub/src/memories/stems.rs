//! Words as memories are found by them: without those that say nothing, each with its stems. A person's memories are
//! in more than one language, often within a sentence, so that every word has a stem in English and one in German.

use super::stop_words::says_nothing;
use crate::search::index_terms;
use rust_stemmers::{Algorithm, Stemmer};
use std::collections::BTreeSet;

/// What a word counts of which another form stands there.
const ALIKE: f64 = 0.9;
/// The first letter of other scripts.
const LATIN_ENDS: char = '\u{250}';
/// Stands between a word and its stems where that is written down; no word has it.
const BETWEEN: char = '|';

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stemmed {
    word: String,
    stems: [String; 2],
}

impl Stemmed {
    /// Of a text. One that has nothing else keeps the words that say nothing.
    pub(super) fn words_of(text: &str) -> BTreeSet<Self> {
        let all = index_terms(text);
        let has_content = all.iter().any(|word| !says_nothing(word));
        all.into_iter().filter(|word| !has_content || !says_nothing(word)).map(Self::new).collect()
    }

    fn new(word: String) -> Self {
        // Neither has a rule for what is no word, or in other letters.
        let stems = match word.chars().all(|letter| letter.is_alphabetic() && letter < LATIN_ENDS) {
            true => [Algorithm::English, Algorithm::German]
                .map(|language| Stemmer::create(language).stem(&word).into_owned()),
            false => [word.clone(), word.clone()],
        };
        Self { word, stems }
    }

    pub(super) fn stems(&self) -> [&str; 2] {
        let [english, german] = &self.stems;
        [english, german]
    }

    /// How much of this word stands there, of another one as it was [`noted`].
    pub(super) fn fit(&self, noted: &str) -> f64 {
        let word = noted.split(BETWEEN).next().unwrap_or_default();
        if word == self.word {
            return 1.0;
        }
        let is_alike = noted.split(BETWEEN).any(|stem| self.stems.iter().any(|own| own == stem));
        if is_alike { ALIKE } else { 0.0 }
    }
}

/// As a memory keeps them, in their order, with spaces between.
pub(super) fn noted(words: &BTreeSet<Stemmed>) -> String {
    let noted = words.iter().map(|Stemmed { word, stems: [english, german] }| {
        match english == word && german == word {
            true => word.clone(),
            false => format!("{word}{BETWEEN}{english}{BETWEEN}{german}"),
        }
    });
    noted.collect::<Vec<_>>().join(" ")
}

/// All stems of words that were noted, each once.
pub(super) fn stems_in(noted: &str) -> BTreeSet<&str> {
    let stems = noted.split(' ').map(|word| match word.split_once(BETWEEN) {
        Some((_, stems)) => stems,
        None => word,
    });
    stems.flat_map(|stems| stems.split(BETWEEN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(wanted: &str, there: &str) -> f64 {
        let (wanted, there) = (Stemmed::words_of(wanted), noted(&Stemmed::words_of(there)));
        wanted.iter().next().unwrap().fit(&there)
    }

    #[test]
    fn forms_of_a_word_are_found_by_each_other_in_both_languages() {
        for (one, other) in [
            ("garden", "gardens"),
            ("watering", "watered"),
            ("tea", "teas"),
            ("stories", "story"),
            ("Garten", "Gartens"),
            ("Schwester", "Schwestern"),
            ("wohnt", "wohnte"),
            ("Straße", "Straßen"),
        ] {
            assert!(fit(one, other) > 0.5 && fit(other, one) > 0.5, "{one} {other}");
            assert!(fit(one, one) > fit(one, other), "{one}");
        }
        for (one, other) in [("tea", "team"), ("pi", "piano"), ("Mia", "Mai"), ("3", "30")] {
            assert!(fit(one, other) < 0.1, "{one} {other}");
        }
    }

    #[test]
    fn what_says_nothing_is_left_out_unless_there_is_nothing_else() {
        for (text, expected) in [
            ("Where does Mia live?", &["live", "mia"][..]),
            ("Wo ist das Fahrrad von ihr?", &["fahrrad"]),
            ("Who is he?", &["he", "is", "who"]),
            ("我喜欢茶", &["喜欢", "我喜", "欢茶", "茶"]),
            ("?!", &[]),
        ] {
            let words: Vec<String> = Stemmed::words_of(text).into_iter().map(|one| one.word).collect();
            assert_eq!(words, expected, "{text}");
        }
    }

    #[test]
    fn each_stem_of_what_was_noted_is_there_once() {
        let noted = noted(&Stemmed::words_of("3 gardens"));
        assert_eq!(noted, "3 gardens|garden|gard");
        assert_eq!(stems_in(&noted), BTreeSet::from(["3", "gard", "garden"]));
    }
}
