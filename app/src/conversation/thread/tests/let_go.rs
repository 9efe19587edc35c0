//! What a page lets go of, and what comes back of it.

use super::super::let_go::{KEPT, MOST_ITEMS};
use super::super::{Body, Key, Thread};
use super::hub::{Hub, all_at_once};
use proptest::prelude::*;
use protocol::agent::Home;
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::model::{Block, StopReason};
use protocol::view::BranchPoint;
use protocol::{ConversationId, RunId};
use std::collections::BTreeSet;

/// A conversation in which so much was said and answered.
fn long(times: usize) -> Hub {
    let mut hub = Hub::default();
    for number in 0..times {
        hub.entry(EntryBody::said(Sender::Person, format!("Ask {number}")));
        hub.run = Some(RunId(format!("run-{number}")));
        let block = Block::Text { text: format!("Answer {number}") };
        for body in [
            EntryBody::RunStarted {
                home: Home::Hub,
                model: None,
                rounds: None,
                driver: None,
                unverified: false,
            },
            EntryBody::Block { turn: 0, index: 0, block },
            EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn },
            EntryBody::finished(Outcome::Completed),
        ] {
            hub.entry(body);
        }
        hub.run = None;
    }
    hub
}

fn keys(thread: &Thread) -> Vec<Key> {
    thread.items().map(|item| item.key.clone()).collect()
}

fn from(entries: &[Entry], first: u64) -> Vec<Entry> {
    entries.iter().filter(|entry| entry.seq >= first).cloned().collect()
}

#[test]
fn of_a_long_conversation_the_end_stays_and_of_a_short_one_all() {
    for (times, goes) in [(MOST_ITEMS / 2, false), (MOST_ITEMS / 2 + 1, true), (MOST_ITEMS * 4, true)] {
        let hub = long(times);
        let whole = all_at_once(&hub);
        let first = whole.first_to_stay(&hub.entries);
        assert_eq!(first.is_some(), goes, "{times}");
        let Some(first) = first else { continue };
        let stays = from(&hub.entries, first);
        let short = whole.beginning_with(&stays);
        let (whole, short) = (keys(&whole), keys(&short));
        assert!((KEPT..=KEPT + 2).contains(&short.len()), "{} of {times}", short.len());
        assert!(whole.ends_with(&short));
        assert_eq!(short.first(), Some(&Key::Entry(first)), "it begins with what was said");
    }
}

#[test]
fn while_the_agent_works_nothing_goes_and_no_run_is_cut() {
    let mut hub = long(MOST_ITEMS);
    hub.run = Some(RunId::from("last"));
    let started =
        EntryBody::RunStarted { home: Home::Hub, model: None, rounds: None, driver: None, unverified: false };
    hub.entry(started);
    assert_eq!(all_at_once(&hub).first_to_stay(&hub.entries), None);
    for number in 0..MOST_ITEMS {
        hub.entry(EntryBody::said(Sender::Person, format!("Also {number}")));
    }
    hub.entry(EntryBody::finished(Outcome::Completed));
    hub.run = None;
    let first = all_at_once(&hub).first_to_stay(&hub.entries).unwrap();
    let last_before = hub.entries.iter().rfind(|entry| matches!(entry.body, EntryBody::RunStarted { .. }));
    assert!(first < last_before.unwrap().seq, "what was said during the run stays with it");
}

#[test]
fn the_ways_to_branches_stay_with_what_they_stand_before() {
    let hub = long(MOST_ITEMS);
    let said = |entry: &&Entry| matches!(entry.body, EntryBody::Message { .. });
    let places: Vec<u64> = hub.entries.iter().filter(said).map(|entry| entry.seq).collect();
    let point = |at: u64| {
        let branches = vec![ConversationId::from("c"), ConversationId::from("d")];
        BranchPoint { at, branches, shown: 0 }
    };
    let points = [places[MOST_ITEMS - 1], places[MOST_ITEMS - 2], places[1]].map(point).to_vec();
    let whole = Thread::of_entries(&hub.entries, BTreeSet::new(), points.clone());
    let first = whole.first_to_stay(&hub.entries).unwrap();
    let short = whole.beginning_with(&from(&hub.entries, first));
    let shown =
        |thread: &Thread| thread.items().filter(|item| matches!(item.body, Body::Branches { .. })).count();
    assert_eq!((shown(&whole), shown(&short)), (3, 2));
    assert!(keys(&whole).ends_with(&keys(&short)));
}

proptest! {
    #[test]
    fn what_was_let_go_comes_back_as_it_was(
        steps in prop::collection::vec(any::<u8>(), 0..160),
        first in any::<prop::sample::Index>(),
    ) {
        let mut hub = Hub::default();
        for choice in steps {
            hub.step(choice);
        }
        let whole = all_at_once(&hub);
        let first = first.index(hub.entries.len() + 1) as u64;
        let short = whole.beginning_with(&from(&hub.entries, first));
        prop_assert_eq!(short.reaching_back(&hub.entries, &[], Vec::new()), whole);
    }
}
