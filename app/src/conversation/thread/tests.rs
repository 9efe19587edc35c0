//! A tab sees the same, whenever it comes, goes and comes again.

mod elsewhere;
mod hub;
mod let_go;
mod runs;
mod streams;
mod waits;

use super::Thread;
use hub::{Hub, all_at_once, catch_up, running, take_all};
use proptest::prelude::*;
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::model::{Block, StopReason};
use protocol::view::Status;
use std::collections::BTreeSet;

proptest! {
    #[test]
    fn a_tab_that_comes_and_goes_sees_what_one_sees_that_reads_all_at_once(
        steps in prop::collection::vec((any::<u8>(), 0u8..12), 0..160),
    ) {
        let mut hub = Hub::default();
        let mut thread = Thread::default();
        let mut is_connected = true;
        for (choice, fate) in steps {
            let frames = hub.step(choice);
            match fate {
                0 => is_connected = false,
                1 => {
                    is_connected = true;
                    catch_up(&mut thread, &hub);
                }
                // Frames queued before the tab caught up arrive once more behind what it read.
                2 if is_connected => {
                    catch_up(&mut thread, &hub);
                    take_all(&mut thread, &frames);
                }
                _ if is_connected => take_all(&mut thread, &frames),
                _ => {}
            }
        }
        catch_up(&mut thread, &hub);
        prop_assert_eq!(thread, all_at_once(&hub));
    }

    #[test]
    fn a_tab_that_never_left_needs_nothing_sent_again(steps in prop::collection::vec(any::<u8>(), 0..160)) {
        let mut hub = Hub::default();
        let mut thread = Thread::default();
        for choice in steps {
            take_all(&mut thread, &hub.step(choice));
        }
        prop_assert_eq!(thread, all_at_once(&hub));
    }
}

proptest! {
    #[test]
    fn paging_back_gives_what_reading_all_gives(
        steps in prop::collection::vec(any::<u8>(), 0..160),
        start in any::<prop::sample::Index>(),
    ) {
        let mut hub = Hub::default();
        for choice in steps {
            hub.step(choice);
        }
        let whole = all_at_once(&hub);
        let start = start.index(hub.entries.len() + 1);
        let (before, shown) = hub.entries.split_at(start);
        let of_runs = |entry: &&Entry| {
            matches!(entry.body, EntryBody::RunStarted { .. } | EntryBody::RunFinished { .. })
        };
        let known: Vec<Entry> = before.iter().rev().find(of_runs).into_iter().chain(shown).cloned().collect();
        let mut page = Thread {
            seq: whole.seq,
            home: whole.home,
            status: whole.status,
            spent: whole.spent,
            request: whole.request,
            ..Thread::of_entries(&known, BTreeSet::new(), Vec::new())
        };
        take_all(&mut page, &hub.partials());
        prop_assert_eq!(page.is_at_work(), whole.is_at_work());
        prop_assert_eq!(page.retry(), whole.retry());
        prop_assert_eq!(page.reaching_back(&hub.entries, &[], Vec::new()), whole);
    }
}

#[test]
fn a_part_of_the_past_waits_for_nobody() {
    let (mut hub, mut thread) = running();
    thread.take(&hub.entry(EntryBody::finished(Outcome::Stopped)));
    assert!(thread.retry().is_some());
    let past = thread.past();
    assert!(past.retry().is_none() && !past.is_at_work() && past.status() == Status::Idle);
    assert!(past.items().eq(thread.items()));
}

#[test]
fn an_answer_that_was_cut_off_goes_on_for_as_long_as_it_is_the_last() {
    let (mut hub, mut thread) = running();
    let text = Block::Text { text: "Once".to_owned() };
    thread.take(&hub.entry(EntryBody::Block { turn: 0, index: 0, block: text }));
    thread.take(&hub.entry(EntryBody::TurnFinished { turn: 0, stop: StopReason::MaxTokens }));
    assert!(thread.cut().is_none(), "it is at work");
    thread.take(&hub.entry(EntryBody::finished(Outcome::Completed)));
    assert!(thread.cut().is_some());
    thread.take(&hub.entry(EntryBody::said(Sender::Person, "Go on".to_owned())));
    assert!(thread.cut().is_none());
}
