//! What is being streamed, and where what is said meanwhile stands.

use super::super::{Change, Key};
use super::hub::{Hub, delta, partial, running, texts};
use protocol::RunId;
use protocol::hub::HubFrame;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{Block, StopReason};

#[test]
fn a_delta_adds_only_what_is_new() {
    let table: &[(&str, u64, &str, &str)] = &[
        ("ab", 2, "cd", "abcd"),
        ("ab", 0, "ab", "ab"),
        ("ab", 0, "abcd", "abcd"),
        ("ab", 1, "bc", "abc"),
        ("ab", 3, "d", "ab"),
        ("é", 1, "x", "é"),
        ("é", 0, "éx", "éx"),
    ];
    for (before, offset, text, after) in table {
        let (_, mut thread) = running();
        thread.take(&partial(before));
        thread.take(&delta(*offset, text));
        assert_eq!(texts(&thread), [*after], "{before:?} + {text:?} at {offset}");
    }
}

#[test]
fn a_delta_changes_its_own_item_and_nothing_else() {
    let (_, mut thread) = running();
    thread.take(&partial("a"));
    let key = Key::Block { run: RunId::from("r"), turn: 0, index: 0 };
    assert_eq!(thread.take(&delta(1, "b")), [Change::Grew { key, text: "b".to_owned() }]);
    assert_eq!(thread.take(&delta(1, "b")), []);
}

#[test]
fn what_is_said_during_a_run_stands_behind_it_and_a_finished_block_keeps_its_key() {
    let (mut hub, mut thread) = running();
    thread.take(&partial("half"));
    let streamed = thread.items().last().expect("one").key.clone();
    let said = hub.entry(EntryBody::said(Sender::Person, "wait".to_owned()));
    thread.take(&said);
    assert_eq!(texts(&thread), ["half", "wait"]);
    let block = Block::Text { text: "half a word".to_owned() };
    let frame = hub.entry(EntryBody::Block { turn: 0, index: 0, block });
    thread.take(&frame);
    assert_eq!(texts(&thread), ["half a word", "wait"]);
    assert_eq!(thread.items().next().map(|item| &item.key), Some(&streamed));
    thread.take(&partial("half a word, late"));
    assert_eq!(texts(&thread), ["half a word", "wait"]);
    let end = hub.entry(EntryBody::finished(Outcome::Stopped));
    thread.take(&end);
    assert_eq!(texts(&thread), ["half a word", "", "wait"]);
}

#[test]
fn a_message_that_steers_stands_where_the_run_reads_it() {
    let (mut hub, mut thread) = running();
    thread.take(&partial("half"));
    let said = hub.entry(EntryBody::said(Sender::Person, "wait".to_owned()));
    let HubFrame::Entry { entry } = &said else { panic!("an entry") };
    let seq = entry.seq;
    thread.take(&said);
    let steered = hub.entry(EntryBody::Steered { turn: 1, seq });
    thread.take(&steered);
    assert_eq!(texts(&thread), ["half", "wait"]);
    let block = Block::Text { text: "half a word".to_owned() };
    let first = hub.entry(EntryBody::Block { turn: 0, index: 0, block });
    thread.take(&first);
    let whole = hub.entry(EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn });
    thread.take(&whole);
    let block = Block::Text { text: "I wait.".to_owned() };
    let next = hub.entry(EntryBody::Block { turn: 1, index: 0, block });
    thread.take(&next);
    assert_eq!(texts(&thread), ["half a word", "wait", "I wait."]);
}

#[test]
fn a_reply_that_was_given_up_goes() {
    let (_, mut thread) = running();
    thread.take(&partial("half"));
    thread.take(&HubFrame::Void { agent: Hub::agent(), run: RunId::from("r"), turn: 0 });
    assert_eq!(texts(&thread), [""; 0]);
}
