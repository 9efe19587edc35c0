//! What happens in another conversation of the same agent.

use super::super::Thread;
use super::hub::{Hub, all_at_once};
use proptest::prelude::*;
use protocol::ConversationId;
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::Usage;
use protocol::view::Status;

/// The same, said in the other conversation.
fn moved(frame: &HubFrame) -> HubFrame {
    match frame {
        HubFrame::Entry { entry } => {
            let conversation = Some(ConversationId::from("other"));
            HubFrame::Entry { entry: Entry { conversation, ..entry.clone() } }
        }
        frame => frame.clone(),
    }
}

fn of_own() -> Thread {
    Thread { conversation: Some(ConversationId::from("c")), ..Thread::default() }
}

proptest! {
    #[test]
    fn a_conversation_shows_nothing_of_another(
        steps in prop::collection::vec((any::<u8>(), any::<bool>()), 0..160),
    ) {
        // Each run is within one conversation.
        let (mut hub, mut thread, mut own) = (Hub::default(), of_own(), Vec::new());
        let mut is_elsewhere = false;
        for (choice, other) in steps {
            if hub.run.is_none() {
                is_elsewhere = other;
            }
            for frame in hub.step(choice) {
                if is_elsewhere {
                    thread.take(&moved(&frame));
                } else {
                    if let HubFrame::Entry { entry } = &frame {
                        own.push(entry.clone());
                    }
                    thread.take(&frame);
                }
            }
        }
        let whole = all_at_once(&hub);
        let alone = Thread::of_entries(&own, std::collections::BTreeSet::new(), Vec::new());
        let settled = |thread: &Thread| thread.settled.clone();
        prop_assert_eq!(settled(&thread), settled(&alone));
        prop_assert_eq!(thread.spent, whole.spent, "what it costs is the agent's");
        prop_assert_eq!(thread.seq(), whole.seq());
        prop_assert_eq!(thread.elsewhere().is_some(), is_elsewhere && hub.run.is_some());
    }
}

#[test]
fn a_run_elsewhere_keeps_the_agent_busy_and_shows_here_as_that_only() {
    let (mut hub, mut thread) = (Hub::default(), of_own());
    let mut hear = |thread: &mut Thread, body: EntryBody| {
        thread.take(&moved(&hub.entry(body)));
    };
    let started = EntryBody::RunStarted {
        home: protocol::agent::Home::Hub,
        model: None,
        rounds: None,
        driver: None,
        unverified: false,
    };
    hear(&mut thread, started);
    assert_eq!((thread.status(), thread.is_at_work()), (Status::Running, false));
    assert_eq!(thread.elsewhere(), Some(&ConversationId::from("other")));
    let usage = Usage { input: 7, ..Usage::default() };
    hear(&mut thread, EntryBody::Used { turn: 0, usage, cost: None, aside: None, model: String::new() });
    assert_eq!((thread.spent().input_tokens, thread.request_tokens()), (7, 0));
    hear(&mut thread, EntryBody::finished(Outcome::Completed));
    assert_eq!((thread.status(), thread.elsewhere()), (Status::Idle, None));
    assert_eq!(thread.items().count(), 0);
}
