//! The order of a list under somebody's hand: what is there keeps its place, whatever happens meanwhile.

use std::collections::HashSet;
use std::hash::Hash;

/// `fresh` in the order in which they stood `before`; new ones go first.
pub fn steady<T: Clone + Eq + Hash>(before: &[T], fresh: &[T]) -> Vec<T> {
    let known: HashSet<&T> = before.iter().collect();
    let there: HashSet<&T> = fresh.iter().collect();
    let new = fresh.iter().filter(|one| !known.contains(one));
    let kept = before.iter().filter(|one| there.contains(one));
    new.chain(kept).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_keeps_its_place_and_what_is_new_goes_first() {
        for (before, fresh, expected) in [
            ("", "abc", "abc"),
            ("abc", "cab", "abc"),
            ("abc", "cb", "bc"),
            ("abc", "cdba", "dabc"),
            ("abc", "", ""),
        ] {
            let [before, fresh] = [before, fresh].map(|ids| ids.chars().collect::<Vec<_>>());
            assert_eq!(steady(&before, &fresh).into_iter().collect::<String>(), expected);
        }
    }
}
