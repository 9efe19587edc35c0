//! How well memories fit to words. It is reckoned here and not by a database, so that it is the same with each.
//! Endings matter little, in whatever language: words that begin alike count as alike.

use protocol::MemoryId;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Letters that two words must share at their beginning to count as alike. A third of the longer one may differ.
const SHARED_LETTERS: usize = 3;
/// What a word counts that is only alike.
const ALIKE: f64 = 0.6;
/// How much the most important memory stands above the least, and one of today above an old one.
const OF_IMPORTANCE: f64 = 0.25;
const OF_AGE: f64 = 0.15;
const MONTH_MS: f64 = 30.0 * 24.0 * 60.0 * 60.0 * 1000.0;

/// A word that is looked for, and how much it counts.
pub(super) struct Wanted {
    pub(super) word: String,
    pub(super) weight: f64,
}

/// What of a memory its rank follows from.
pub(super) struct Ranked {
    pub(super) id: MemoryId,
    /// What it is found by, with spaces between.
    pub(super) words: String,
    pub(super) importance: u8,
    pub(super) changed_at: i64,
}

/// Those that have any of the words, the best fitting first, and of those that fit alike the one that changed last.
pub(super) fn best(wanted: &[Wanted], all: Vec<Ranked>, now: i64) -> Vec<Ranked> {
    let mut ranked: Vec<(f64, Ranked)> = Vec::new();
    for one in all {
        let score: f64 = wanted.iter().map(|wanted| fit(&wanted.word, &one.words) * wanted.weight).sum();
        if score > 0.0 {
            ranked.push((score * standing(&one, now), one));
        }
    }
    ranked.sort_by(|(score, one), (other_score, other)| {
        let by_age = || Reverse(one.changed_at).cmp(&Reverse(other.changed_at));
        other_score.total_cmp(score).then_with(by_age).then_with(|| one.id.cmp(&other.id))
    });
    ranked.into_iter().map(|(_, one)| one).collect()
}

/// How much of the words two texts share, from 0 to 1.
pub(super) fn likeness(one: &BTreeSet<String>, words: &str) -> f64 {
    let other = words.split(' ').count();
    let longer = one.len().max(other);
    if longer == 0 {
        return 0.0;
    }
    let shared: f64 = one.iter().map(|word| fit(word, words)).sum();
    shared / as_f64(longer)
}

fn fit(wanted: &str, words: &str) -> f64 {
    let mut best = 0.0;
    for word in words.split(' ') {
        if word == wanted {
            return 1.0;
        }
        if are_alike(wanted, word) {
            best = ALIKE;
        }
    }
    best
}

/// The letters that all words have in common which count as this one.
pub(super) fn beginning(word: &str) -> String {
    word.chars().take(SHARED_LETTERS).collect()
}

pub(super) fn counts_as(wanted: &str, word: &str) -> bool {
    wanted == word || are_alike(wanted, word)
}

fn are_alike(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let longer = one.chars().count().max(other.chars().count());
    shared >= SHARED_LETTERS && longer - shared <= (longer / 3).max(1)
}

/// What a word counts that so many of all have: rare ones count for more.
pub(super) fn weight(having: usize, all: usize) -> f64 {
    (1.0 + as_f64(all) / as_f64(having.max(1))).ln()
}

fn standing(one: &Ranked, now: i64) -> f64 {
    let age = as_f64(usize::try_from(now.saturating_sub(one.changed_at)).unwrap_or(0)) / MONTH_MS;
    1.0 + OF_IMPORTANCE * f64::from(one.importance) / 5.0 + OF_AGE / (1.0 + age)
}

#[expect(clippy::cast_precision_loss, reason = "a rank needs no more")]
fn as_f64(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> BTreeSet<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_best_fitting_comes_first() {
        let all = [
            ("ada drinks tea", 3),
            ("ada plays piano", 3),
            ("ada sings", 3),
            ("ihre schwester wohnt in lissabon", 3),
            ("tea every morning", 5),
        ];
        let weighed = |word: &str| {
            let having = all.iter().filter(|(words, _)| fit(word, words) > 0.0).count();
            Wanted { word: word.to_owned(), weight: weight(having, all.len()) }
        };
        for (wanted, expected) in [
            ("piano", &["1"][..]),
            ("ada piano", &["1", "0", "2"]),
            ("pianos", &["1"]),
            ("schwestern", &["3"]),
            ("tea", &["4", "0"]),
            ("teas", &["4", "0"]),
            ("pi", &[]),
            ("coffee", &[]),
        ] {
            let wanted: Vec<Wanted> = wanted.split(' ').map(weighed).collect();
            let ranked = all.iter().enumerate().map(|(at, (words, importance))| Ranked {
                id: MemoryId(at.to_string()),
                words: (*words).to_owned(),
                importance: *importance,
                changed_at: 0,
            });
            let found: Vec<String> =
                best(&wanted, ranked.collect(), 0).into_iter().map(|one| one.id.0).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_counts_as_a_word_begins_as_it_does() {
        for (wanted, word, counts) in [
            ("garden", "gardens", true),
            ("gardens", "garde", true),
            ("pi", "pi", true),
            ("pi", "piano", false),
            ("tea", "teas", true),
            ("tea", "team", true),
            ("tea", "teapot", false),
        ] {
            assert_eq!(counts_as(wanted, word), counts, "{wanted} {word}");
            assert!(!counts || beginning(wanted) == beginning(word), "{wanted} {word}");
        }
    }

    #[test]
    fn what_says_the_same_is_alike() {
        let one = words("ada likes green tea");
        assert!((likeness(&one, "ada likes green tea") - 1.0).abs() < 1e-9);
        assert!(likeness(&one, "ada liked green teas") > 0.6);
        assert!(likeness(&one, "mia lives in lisbon") < 0.1);
        assert!(likeness(&words("tea"), "ada likes green tea") < 0.3);
    }
}
