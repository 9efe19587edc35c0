//! The list of messages holds what a plain vector would, and a copy keeps what it had.

use proptest::prelude::*;
use protocol::model::{MessageList, ModelMessage};

#[derive(Clone, Debug)]
enum Act {
    Push(usize),
    Pop(usize),
    Change,
    Copy,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (0_usize..80).prop_map(Act::Push),
        2 => (0_usize..80).prop_map(Act::Pop),
        1 => Just(Act::Change),
        1 => Just(Act::Copy),
    ]
}

fn message(number: usize) -> ModelMessage {
    ModelMessage::User { text: format!("message {number}"), media: Vec::new() }
}

fn check(list: &MessageList, expected: &[ModelMessage]) {
    assert!(list.iter().eq(expected), "{list:?}");
    assert_eq!((list.len(), list.is_empty()), (expected.len(), expected.is_empty()));
    assert_eq!((list.first(), list.last()), (expected.first(), expected.last()));
    assert!(list.iter().rev().eq(expected.iter().rev()));
    for at in (0..expected.len() + 2).step_by(7) {
        assert_eq!(list.get(at), expected.get(at), "{at}");
        assert!(list.iter().skip(at).eq(expected.iter().skip(at)), "from {at}");
    }
    assert_eq!(serde_json::to_string(list).ok(), serde_json::to_string(expected).ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_is_like_a_vector_and_copies_do_not_change(acts in prop::collection::vec(act(), 0..20)) {
        let mut list = MessageList::default();
        let mut plain: Vec<ModelMessage> = Vec::new();
        let mut copies: Vec<(MessageList, Vec<ModelMessage>)> = Vec::new();
        for act in acts {
            match act {
                Act::Push(count) => (0..count).for_each(|_| {
                    list.push(message(plain.len()));
                    plain.push(message(plain.len()));
                }),
                Act::Pop(count) => (0..count).for_each(|_| {
                    list.pop();
                    plain.pop();
                }),
                Act::Change => {
                    let changed = message(1_000);
                    if let (Some(last), Some(expected)) = (list.last_mut(), plain.last_mut()) {
                        last.clone_from(&changed);
                        *expected = changed;
                    }
                    let (at, changed) = (plain.len() / 3, message(2_000));
                    if let (Some(one), Some(expected)) = (list.get_mut(at), plain.get_mut(at)) {
                        one.clone_from(&changed);
                        *expected = changed;
                    }
                    assert_eq!(list.get_mut(plain.len()), None);
                }
                Act::Copy => copies.push((list.clone(), plain.clone())),
            }
            check(&list, &plain);
        }
        for (list, plain) in &copies {
            check(list, plain);
        }
    }
}
