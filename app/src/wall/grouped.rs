//! The parts in which the cards stand, where their person wants some.

use crate::prelude::t;
use protocol::AgentId;
use protocol::agent::Home;
use protocol::view::{AgentCard, Status};

/// What the cards are put together by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Grouping {
    #[default]
    Nothing,
    State,
    Home,
}

impl Grouping {
    pub(super) const ALL: [Self; 3] = [Self::Nothing, Self::State, Self::Home];

    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::State => "state",
            Self::Home => "home",
        }
    }

    pub(super) fn words(self) -> &'static str {
        t(match self {
            Self::Nothing => "No groups",
            Self::State => "Groups by state",
            Self::Home => "Groups by where they run",
        })
    }

    pub(super) fn named(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grouping| grouping.value() == value)
    }
}

/// What stands under one heading; in the order in which the parts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Part {
    NeedsYou,
    AtWork,
    Resting,
    Hub,
    Browser,
}

impl Part {
    pub(super) fn words(self) -> &'static str {
        t(match self {
            Self::NeedsYou => "Needs you",
            Self::AtWork => "At work",
            Self::Resting => "Resting",
            Self::Hub => "On the hub",
            Self::Browser => "In the browser",
        })
    }

    fn of(card: &AgentCard, grouping: Grouping) -> Option<Self> {
        match grouping {
            Grouping::Nothing => None,
            Grouping::State => Some(match card.status {
                Status::Idle => Self::Resting,
                Status::Error if card.paused => Self::Resting,
                Status::Running => Self::AtWork,
                Status::Waiting | Status::Error => Self::NeedsYou,
            }),
            Grouping::Home => Some(match card.home {
                Home::Hub => Self::Hub,
                Home::Browser => Self::Browser,
            }),
        }
    }
}

/// Which card stands in which part; in none where there are no groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    grouping: Grouping,
    cards: Vec<(AgentId, Option<Part>)>,
}

impl Parts {
    /// A card that is under somebody's hand stays in the part in which it stood `before`.
    pub(super) fn after(
        before: Option<&Self>,
        grouping: Grouping,
        cards: &[&AgentCard],
        is_held: impl Fn(&AgentId) -> bool,
    ) -> Self {
        let before = before.filter(|before| before.grouping == grouping);
        let part = |card: &AgentCard| {
            let stood = before.filter(|_| is_held(&card.id)).and_then(|before| before.part_of(&card.id));
            stood.or_else(|| Part::of(card, grouping))
        };
        Self { grouping, cards: cards.iter().map(|card| (card.id.clone(), part(card))).collect() }
    }

    fn part_of(&self, id: &AgentId) -> Option<Part> {
        self.cards.iter().find(|(card, _)| card == id).and_then(|(_, part)| *part)
    }

    /// Those that have a card.
    pub(super) fn shown(&self) -> Vec<Option<Part>> {
        let mut parts: Vec<_> = self.cards.iter().map(|(_, part)| *part).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// The cards in one of them.
    pub(super) fn within(&self, part: Option<Part>) -> Vec<AgentId> {
        self.cards.iter().filter(|(_, own)| *own == part).map(|(id, _)| id.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::arranged::tests::card;
    use super::*;

    fn told(parts: &Parts) -> Vec<(Option<Part>, String)> {
        let ids = |part| parts.within(part).into_iter().map(|id| id.0).collect::<Vec<_>>().join(" ");
        parts.shown().into_iter().map(|part| (part, ids(part))).collect()
    }

    #[test]
    fn cards_stand_together_by_what_their_person_chose_each_part_in_their_order() {
        let mut all = ["moss", "fern", "ivy", "sage", "reed"].map(card);
        all[0].status = Status::Running;
        all[1].status = Status::Error;
        all[2].home = Home::Browser;
        (all[3].status, all[3].paused) = (Status::Error, true);
        all[4].status = Status::Waiting;
        let cards: Vec<_> = all.iter().collect();
        for (grouping, expected) in [
            (Grouping::Nothing, vec![(None, "moss fern ivy sage reed")]),
            (
                Grouping::State,
                vec![
                    (Some(Part::NeedsYou), "fern reed"),
                    (Some(Part::AtWork), "moss"),
                    (Some(Part::Resting), "ivy sage"),
                ],
            ),
            (Grouping::Home, vec![(Some(Part::Hub), "moss fern sage reed"), (Some(Part::Browser), "ivy")]),
        ] {
            let parts = told(&Parts::after(None, grouping, &cards, |_| false));
            let parts: Vec<_> = parts.iter().map(|(part, ids)| (*part, ids.as_str())).collect();
            assert_eq!(parts, expected, "{grouping:?}");
            assert_eq!(Grouping::named(grouping.value()), Some(grouping));
        }
    }

    #[test]
    fn a_card_under_the_hand_stays_in_its_part_until_it_is_let_go() {
        let mut moss = card("moss");
        let first = Parts::after(None, Grouping::State, &[&moss], |_| false);
        moss.status = Status::Running;
        let held = Parts::after(Some(&first), Grouping::State, &[&moss], |_| true);
        assert_eq!(held.shown(), [Some(Part::Resting)]);
        let free = Parts::after(Some(&held), Grouping::State, &[&moss], |_| false);
        assert_eq!(free.shown(), [Some(Part::AtWork)]);
        let other = Parts::after(Some(&free), Grouping::Home, &[&moss], |_| true);
        assert_eq!(other.shown(), [Some(Part::Hub)]);
    }
}
