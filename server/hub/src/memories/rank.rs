//! How well memories fit to words. It is reckoned here and not by a database, so that it is the same with each, and so
//! that what a word weighs follows from its person's memories alone.

use super::stems::Stemmed;
use protocol::MemoryId;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How much a text that is longer than others counts for less (the k1 and b of BM25; a memory has each word once, and
/// is a sentence like the others).
const SATURATION: f64 = 1.2;
const OF_LENGTH: f64 = 0.3;
/// How much the most important memory stands above the least, one of today above an old one, and one that agents
/// looked for and found above one that none did.
const OF_IMPORTANCE: f64 = 0.25;
const OF_AGE: f64 = 0.15;
const OF_USE: f64 = 0.1;
/// Uses that count for half of that; however many there are, they count for no more than all of it.
const HALF_USED: f64 = 5.0;
const MONTH_MS: f64 = 30.0 * 24.0 * 60.0 * 60.0 * 1000.0;

/// A word that is looked for, and how much it counts.
pub(super) struct Wanted {
    pub(super) word: Stemmed,
    pub(super) weight: f64,
}

/// What of a memory its rank follows from.
pub(super) struct Ranked {
    pub(super) id: MemoryId,
    /// What it is found by, as it is noted.
    pub(super) words: String,
    pub(super) importance: u8,
    pub(super) changed_at: i64,
    /// Searches of agents that it fitted best.
    pub(super) used: u32,
}

/// Those that have any of the words, the best fitting first, and of those that fit alike the one that changed last.
pub(super) fn best(wanted: &[Wanted], all: Vec<Ranked>, now: i64) -> Vec<Ranked> {
    let usual = as_f64(all.iter().map(|one| length(&one.words)).sum()) / as_f64(all.len().max(1));
    let mut ranked: Vec<(f64, Ranked)> = Vec::new();
    for one in all {
        let score: f64 = wanted.iter().map(|wanted| fit(&wanted.word, &one.words) * wanted.weight).sum();
        if score > 0.0 {
            ranked.push((score * by_length(length(&one.words), usual) * standing(&one, now), one));
        }
    }
    ranked.sort_by(|(score, one), (other_score, other)| {
        let by_age = || Reverse(one.changed_at).cmp(&Reverse(other.changed_at));
        other_score.total_cmp(score).then_with(by_age).then_with(|| one.id.cmp(&other.id))
    });
    ranked.into_iter().map(|(_, one)| one).collect()
}

/// How much of the words two texts share, from 0 to 1.
pub(super) fn likeness(one: &BTreeSet<Stemmed>, words: &str) -> f64 {
    let longer = one.len().max(length(words));
    if longer == 0 {
        return 0.0;
    }
    let shared: f64 = one.iter().map(|word| fit(word, words)).sum();
    shared / as_f64(longer)
}

fn fit(wanted: &Stemmed, words: &str) -> f64 {
    let mut best = 0.0;
    for word in words.split(' ') {
        let fit = wanted.fit(word);
        if fit >= 1.0 {
            return fit;
        }
        best = f64::max(best, fit);
    }
    best
}

fn length(words: &str) -> usize {
    words.split(' ').count()
}

fn by_length(length: usize, usual: f64) -> f64 {
    let longer = 1.0 - OF_LENGTH + OF_LENGTH * as_f64(length) / usual;
    (SATURATION + 1.0) / (1.0 + SATURATION * longer)
}

/// What a word counts that so many of all have: rare ones count for more.
pub(super) fn weight(having: usize, all: usize) -> f64 {
    (1.0 + as_f64(all) / as_f64(having.max(1))).ln()
}

fn standing(one: &Ranked, now: i64) -> f64 {
    let age = as_f64(usize::try_from(now.saturating_sub(one.changed_at)).unwrap_or(0)) / MONTH_MS;
    let used = f64::from(one.used);
    1.0 + OF_IMPORTANCE * f64::from(one.importance) / 5.0
        + OF_AGE / (1.0 + age)
        + OF_USE * used / (used + HALF_USED)
}

#[expect(clippy::cast_precision_loss, reason = "a rank needs no more")]
fn as_f64(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::super::stems::noted;
    use super::*;

    fn ranked(id: &str, text: &str, importance: u8) -> Ranked {
        let words = noted(&Stemmed::words_of(text));
        Ranked { id: MemoryId(id.to_owned()), words, importance, changed_at: 0, used: 0 }
    }

    fn found(wanted: &str, all: Vec<Ranked>) -> Vec<String> {
        let weighed = |word: Stemmed| {
            let having = all.iter().filter(|one| fit(&word, &one.words) > 0.0).count();
            Wanted { weight: weight(having, all.len()), word }
        };
        let wanted: Vec<Wanted> = Stemmed::words_of(wanted).into_iter().map(weighed).collect();
        best(&wanted, all, 0).into_iter().map(|one| one.id.0).collect()
    }

    #[test]
    fn the_best_fitting_comes_first() {
        let all = [
            ("0", "Ada drinks tea", 3),
            ("1", "Ada plays piano", 3),
            ("2", "Ada sings old songs in the kitchen of her aunt", 3),
            ("3", "Ihre Schwester wohnt in Lissabon", 3),
            ("4", "Tea every morning", 5),
        ];
        for (wanted, expected) in [
            ("piano", &["1"][..]),
            ("who is Ada with the piano?", &["1", "0", "2"]),
            ("pianos", &["1"]),
            ("schwestern", &["3"]),
            ("tea", &["4", "0"]),
            ("teas", &["4", "0"]),
            ("the song", &["2"]),
            ("pi", &[]),
            ("coffee", &[]),
        ] {
            let all = all.iter().map(|(id, text, importance)| ranked(id, text, *importance)).collect();
            assert_eq!(found(wanted, all), expected, "{wanted}");
        }
    }

    #[test]
    fn what_was_found_often_stands_higher_and_never_above_what_fits_better() {
        let often = |text: &str, used: u32| {
            vec![ranked("a", "Ada drinks tea", 3), Ranked { used, ..ranked("b", text, 3) }]
        };
        assert_eq!(found("tea", often("Ada likes tea", 0)), ["a", "b"]);
        assert_eq!(found("tea", often("Ada likes tea", 3)), ["b", "a"]);
        assert_eq!(found("drinks tea", often("Ada likes tea", u32::MAX)), ["a", "b"]);
    }

    #[test]
    fn what_says_the_same_is_alike() {
        let like =
            |one: &str, other: &str| likeness(&Stemmed::words_of(one), &noted(&Stemmed::words_of(other)));
        assert!((like("ada likes green tea", "ada likes green tea") - 1.0).abs() < 1e-9);
        assert!(like("ada likes green tea", "ada liked green teas") > 0.6);
        assert!(like("ada likes green tea", "mia lives in lisbon") < 0.1);
        assert!(like("tea", "ada likes green tea") < 0.3);
    }
}
