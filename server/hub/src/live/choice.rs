//! Which of the tabs that show a page performs a call: one that can, then the one that was active
//! last, then one that a person sees.

use protocol::agent::Ability;
use std::cmp::Reverse;

pub(super) struct Candidate<T> {
    pub(super) tab: T,
    pub(super) abilities: Vec<Ability>,
    /// Larger is later.
    pub(super) active_at: u64,
    pub(super) visible: bool,
}

/// Those that have what is needed, the best first.
pub(super) fn in_order<T>(
    candidates: impl IntoIterator<Item = Candidate<T>>,
    needs: Option<Ability>,
) -> Vec<T> {
    let is_able = |one: &Candidate<T>| needs.is_none_or(|needed| one.abilities.contains(&needed));
    let mut able: Vec<Candidate<T>> = candidates.into_iter().filter(is_able).collect();
    able.sort_by_key(|one| Reverse((one.active_at, one.visible)));
    able.into_iter().map(|one| one.tab).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ability_comes_before_activity_and_activity_before_being_seen() {
        let tab = |tab, abilities: &[Ability], active_at, visible| Candidate {
            tab,
            abilities: abilities.to_vec(),
            active_at,
            visible,
        };
        let camera = [Ability::Screen, Ability::Camera];
        for (needs, expected) in [
            (None, vec!["phone", "seen", "hidden", "old"]),
            (Some(Ability::Screen), vec!["seen", "hidden", "old"]),
            (Some(Ability::Camera), vec!["old"]),
            (Some(Ability::Speak), vec![]),
        ] {
            let tabs = [
                tab("hidden", &[Ability::Screen], 5, false),
                tab("old", &camera, 1, true),
                tab("phone", &[Ability::Touch], 9, false),
                tab("seen", &[Ability::Screen], 5, true),
            ];
            assert_eq!(in_order(tabs, needs), expected, "{needs:?}");
        }
    }
}
