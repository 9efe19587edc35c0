//! In which order the cards stand, and which of them are shown.

use crate::prelude::t;
use crate::ui::{plain, steady};
use protocol::AgentId;
use protocol::view::AgentCard;
use std::cmp::Reverse;
use std::collections::HashSet;

/// What the cards are sorted by, once: what happens while the page is open moves none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    #[default]
    Active,
    Name,
    Cost,
    Unread,
}

impl Sort {
    pub(super) const ALL: [Self; 4] = [Self::Active, Self::Name, Self::Cost, Self::Unread];

    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Name => "name",
            Self::Cost => "cost",
            Self::Unread => "unread",
        }
    }

    pub(super) fn words(self) -> &'static str {
        t(match self {
            Self::Active => "Last active first",
            Self::Name => "By name",
            Self::Cost => "Most expensive first",
            Self::Unread => "New answers first",
        })
    }

    pub(super) fn named(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.value() == value)
    }

    /// `cards` come with the last active one first.
    fn of(self, cards: &[AgentCard]) -> Vec<AgentId> {
        let mut cards: Vec<&AgentCard> = cards.iter().collect();
        match self {
            Self::Active => {}
            Self::Name => cards.sort_by_key(|card| card.name.to_lowercase()),
            Self::Cost => cards.sort_by_key(|card| Reverse(card.spent.cost)),
            Self::Unread => cards.sort_by_key(|card| !card.unread),
        }
        cards.into_iter().map(|card| card.id.clone()).collect()
    }
}

/// The order in which cards stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    sort: Sort,
    pub(super) ids: Vec<AgentId>,
}

impl Order {
    /// With the same `sort` as `before` every card stays where it is; new ones go first. A pin is the person's own word,
    /// and moves its card.
    pub(super) fn after(before: Option<&Self>, sort: Sort, cards: &[AgentCard]) -> Self {
        let sorted = sort.of(cards);
        let mut ids = match before.filter(|before| before.sort == sort) {
            Some(before) => steady(&before.ids, &sorted),
            None => sorted,
        };
        let pinned: HashSet<&AgentId> =
            cards.iter().filter(|card| card.pinned).map(|card| &card.id).collect();
        ids.sort_by_key(|id| !pinned.contains(id));
        Self { sort, ids }
    }
}

/// Whether the card has all of these words, in whatever order.
pub(super) fn fits(card: &AgentCard, words: &str) -> bool {
    let line = card.last_line.as_deref().map(plain).unwrap_or_default();
    let own = format!("{} {line}", card.name).to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| own.contains(word))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use protocol::Micros;
    use protocol::agent::Home;
    use protocol::view::{Spent, Status};

    pub(in crate::wall) fn card(name: &str) -> AgentCard {
        AgentCard {
            id: AgentId::from(name),
            name: name.to_owned(),
            colour: "#3a7d44".to_owned(),
            home: Home::Hub,
            status: Status::Idle,
            paused: false,
            pinned: false,
            unread: false,
            last_line: None,
            last_at: 0,
            spent: Spent::default(),
            today: None,
            skin_version: 0,
            message_count: 0,
            seq: 0,
        }
    }

    fn cards(names: &[&str]) -> Vec<AgentCard> {
        names.iter().map(|name| card(name)).collect()
    }

    fn names(order: &Order) -> Vec<&str> {
        order.ids.iter().map(|id| id.0.as_str()).collect()
    }

    #[test]
    fn a_card_stays_where_it_is_whatever_its_agent_does() {
        let first = Order::after(None, Sort::Active, &cards(&["moss", "fern", "ivy"]));
        let then = Order::after(Some(&first), Sort::Active, &cards(&["ivy", "new", "moss"]));
        assert_eq!(names(&then), ["new", "moss", "ivy"]);
        let mut pinned = cards(&["ivy", "new", "moss"]);
        pinned[0].pinned = true;
        assert_eq!(names(&Order::after(Some(&then), Sort::Active, &pinned)), ["ivy", "new", "moss"]);
    }

    #[test]
    fn another_order_is_made_of_how_agents_are_at_that_moment() {
        let mut all = cards(&["moss", "Fern", "ivy"]);
        all[0].unread = true;
        all[1].spent.cost = Some(Micros(5));
        all[2].spent.cost = Some(Micros(7));
        let first = Order::after(None, Sort::Active, &cards(&["ivy", "Fern", "moss"]));
        for (sort, expected) in [
            (Sort::Active, ["ivy", "Fern", "moss"]),
            (Sort::Name, ["Fern", "ivy", "moss"]),
            (Sort::Cost, ["ivy", "Fern", "moss"]),
            (Sort::Unread, ["moss", "Fern", "ivy"]),
        ] {
            assert_eq!(names(&Order::after(Some(&first), sort, &all)), expected, "{sort:?}");
            assert_eq!(Sort::named(sort.value()), Some(sort));
        }
    }

    #[test]
    fn an_agent_is_found_by_words_of_its_name_and_its_last_line() {
        let fern = AgentCard { last_line: Some("Water the **moss**".to_owned()), ..card("Fern") };
        for (words, expected) in
            [("", true), ("fern", true), ("MOSS wat", true), ("fern ivy", false), ("**", false)]
        {
            assert_eq!(fits(&fern, words), expected, "{words}");
        }
    }
}
