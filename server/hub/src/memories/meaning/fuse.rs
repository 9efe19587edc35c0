//! Two ranks as one, by places alone: what fits to words and what is near in meaning are measured in nothing in common.

use protocol::MemoryId;
use std::collections::HashMap;

/// How little the first places are ahead of the next ones.
const EVEN: f64 = 60.0;

/// What stands far up in either, or in both. Of what is as far up the one that the first has.
pub(super) fn fused(ranks: [Vec<MemoryId>; 2]) -> Vec<MemoryId> {
    let mut scores: HashMap<MemoryId, (f64, usize)> = HashMap::new();
    for rank in ranks {
        for (place, id) in (0_u32..).zip(rank) {
            let order = scores.len();
            scores.entry(id).or_insert((0.0, order)).0 += 1.0 / (EVEN + f64::from(place));
        }
    }
    let mut all: Vec<(f64, usize, MemoryId)> =
        scores.into_iter().map(|(id, (score, order))| (score, order, id)).collect();
    all.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    all.into_iter().map(|(_, _, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_have_comes_before_what_one_has() {
        let rank = |ids: &str| -> Vec<MemoryId> { ids.chars().map(|id| MemoryId(id.to_string())).collect() };
        for (words, meaning, expected) in [
            ("abc", "", "abc"),
            ("", "abc", "abc"),
            ("abc", "cd", "cabd"),
            ("ab", "cd", "acbd"),
            ("ab", "ba", "ab"),
        ] {
            assert_eq!(fused([rank(words), rank(meaning)]), rank(expected), "{words} {meaning}");
        }
    }
}
