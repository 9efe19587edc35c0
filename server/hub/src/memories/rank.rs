//! How well memories fit to words. It is reckoned here and not by a database, so that it is the same with each: a
//! person has few enough of them. Endings matter little, in whatever language: words that begin alike count as alike.

use std::collections::BTreeSet;

/// Letters that two words must share at their beginning to count as alike. A third of the longer one may differ.
const SHARED_LETTERS: usize = 3;
/// What a word counts that is only alike.
const ALIKE: f64 = 0.6;
/// How much the most important memory stands above the least, and one of today above an old one.
const OF_IMPORTANCE: f64 = 0.25;
const OF_AGE: f64 = 0.15;
const MONTH_MS: f64 = 30.0 * 24.0 * 60.0 * 60.0 * 1000.0;

/// What of a memory its rank follows from.
pub(super) struct Ranked<'a> {
    /// What it is found by, with spaces between.
    pub(super) words: &'a str,
    pub(super) importance: u8,
    pub(super) changed_at: i64,
}

/// The numbers of those that have any of the words, the best fitting first. Rare words count for more.
pub(super) fn best(wanted: &BTreeSet<String>, all: &[Ranked<'_>], now: i64) -> Vec<usize> {
    let fits: Vec<Vec<f64>> =
        all.iter().map(|one| wanted.iter().map(|word| fit(word, one.words)).collect()).collect();
    let weights: Vec<f64> = (0..wanted.len()).map(|word| weight(&fits, word)).collect();
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (number, (fits, one)) in fits.iter().zip(all).enumerate() {
        let score: f64 = fits.iter().zip(&weights).map(|(fit, weight)| fit * weight).sum();
        if score > 0.0 {
            ranked.push((score * standing(one, now), number));
        }
    }
    ranked.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
    ranked.into_iter().map(|(_, number)| number).collect()
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

fn are_alike(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let longer = one.chars().count().max(other.chars().count());
    shared >= SHARED_LETTERS && longer - shared <= (longer / 3).max(1)
}

fn weight(fits: &[Vec<f64>], word: usize) -> f64 {
    let having = fits.iter().filter(|fits| fits.get(word).is_some_and(|fit| *fit > 0.0)).count();
    (1.0 + as_f64(fits.len()) / as_f64(having.max(1))).ln()
}

fn standing(one: &Ranked<'_>, now: i64) -> f64 {
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
        let memory = |words, importance, changed_at| Ranked { words, importance, changed_at };
        let all = [
            memory("ada drinks tea", 3, 0),
            memory("ada plays piano", 3, 0),
            memory("ada sings", 3, 0),
            memory("ihre schwester wohnt in lissabon", 3, 0),
            memory("tea every morning", 5, 0),
        ];
        for (wanted, expected) in [
            ("piano", &[1][..]),
            ("ada piano", &[1, 0, 2]),
            ("pianos", &[1]),
            ("schwestern", &[3]),
            ("tea", &[4, 0]),
            ("teas", &[4, 0]),
            ("pi", &[]),
            ("coffee", &[]),
        ] {
            assert_eq!(best(&words(wanted), &all, 0), expected, "{wanted}");
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
