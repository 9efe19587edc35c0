//! What a run leaves behind.

use super::super::{Body, Key, Note, Thread};
use super::hub::{Hub, partial, running};
use protocol::agent::Home;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{Block, ModelFailure, ModelFailureKind, ToolCall, ToolResult, Usage};
use protocol::view::{Status, Today};
use protocol::{CallId, Micros, RunId};
use serde_json::json;

#[test]
fn a_run_that_the_hub_did_not_hear_says_so() {
    for (unverified, expected) in [(true, vec![Body::Note(Note::Unverified)]), (false, Vec::new())] {
        let (mut hub, mut thread) = (Hub::default(), Thread::default());
        hub.run = Some(RunId::from("r"));
        let started = EntryBody::RunStarted {
            home: Home::Browser,
            model: None,
            rounds: None,
            driver: None,
            unverified,
        };
        thread.take(&hub.entry(started));
        let bodies: Vec<Body> = thread.items().map(|item| item.body.clone()).collect();
        assert_eq!(bodies, expected);
    }
}

#[test]
fn a_repair_is_offered_until_the_agent_is_at_work() {
    let mut hub = Hub::default();
    let mut thread = Thread::default();
    for text in ["one", "two"] {
        thread.take(&hub.entry(EntryBody::PageErrors { text: text.to_owned() }));
    }
    assert_eq!(thread.repair(), Some(&Key::Entry(2)));
    thread.take(&hub.entry(EntryBody::RunStarted {
        home: Home::Hub,
        model: None,
        rounds: None,
        driver: None,
        unverified: false,
    }));
    assert_eq!(thread.repair(), None);
}

#[test]
fn a_run_is_quiet_while_nothing_on_the_screen_shows_it() {
    let (mut hub, mut thread) = running();
    assert!(thread.is_quiet());
    thread.take(&partial("half"));
    assert!(!thread.is_quiet());
    let call = ToolCall { id: CallId::from("c"), name: "dom".to_owned(), input: json!({}) };
    let asked = hub.entry(EntryBody::Block { turn: 0, index: 0, block: Block::ToolUse(call.clone()) });
    thread.take(&asked);
    assert!(!thread.is_quiet());
    let result = ToolResult {
        call: call.id,
        name: call.name,
        content: String::new(),
        media: Vec::new(),
        is_error: false,
    };
    let done = hub.entry(EntryBody::ToolFinished { turn: 0, result, millis: 1, denied: false });
    thread.take(&done);
    assert!(thread.is_quiet());
    let end = hub.entry(EntryBody::finished(Outcome::Completed));
    thread.take(&end);
    assert!(!thread.is_quiet());
}

#[test]
fn only_the_last_run_can_be_retried_and_not_while_another_goes_on() {
    let (mut hub, mut thread) = running();
    let stopped = hub.entry(EntryBody::finished(Outcome::Stopped));
    thread.take(&stopped);
    assert_eq!(thread.retry(), Some(&Key::Entry(2)));
    let said = hub.entry(EntryBody::said(Sender::Person, "again".to_owned()));
    thread.take(&said);
    assert_eq!(thread.retry(), Some(&Key::Entry(2)));
    let started = hub.entry(EntryBody::RunStarted {
        home: Home::Hub,
        model: None,
        rounds: None,
        driver: None,
        unverified: false,
    });
    thread.take(&started);
    assert_eq!((thread.retry(), thread.status()), (None, Status::Running));
    let done = hub.entry(EntryBody::finished(Outcome::Completed));
    thread.take(&done);
    assert_eq!((thread.retry(), thread.status()), (None, Status::Idle));
}

#[test]
fn a_thought_that_nobody_asked_for_is_not_offered_again() {
    let (mut hub, mut thread) = running();
    let kind = protocol::log::NoticeKind::Ambient;
    for body in [
        EntryBody::Notice { turn: 0, kind, text: "[Think.]".to_owned() },
        EntryBody::finished(Outcome::Stopped),
    ] {
        thread.take(&hub.entry(body));
    }
    assert_eq!((thread.retry(), thread.status()), (None, Status::Idle));
    for body in [
        EntryBody::RunStarted { home: Home::Hub, model: None, rounds: None, driver: None, unverified: false },
        EntryBody::finished(Outcome::Stopped),
    ] {
        thread.take(&hub.entry(body));
    }
    assert_eq!(thread.retry(), Some(&Key::Entry(5)));
}

#[test]
fn a_stopped_run_waits_and_what_a_call_cost_counts_for_today_too() {
    let (mut hub, mut thread) = running();
    let limit = Micros(20);
    thread.today = Some(Today { spent: Micros(5), limit });
    let used = EntryBody::Used {
        turn: 0,
        model: "m".to_owned(),
        usage: Usage::default(),
        cost: Some(Micros(7)),
        aside: None,
    };
    let used = hub.entry(used);
    thread.take(&used);
    assert_eq!(thread.today(), Some(Today { spent: Micros(12), limit }));
    assert_eq!(thread.spent().cost, Some(Micros(7)));
    let kind = ModelFailureKind::OverBudget;
    let failure = ModelFailure { kind, message: String::new(), retry_after_ms: None };
    let stopped = hub.entry(EntryBody::finished(Outcome::Failed { failure }));
    thread.take(&stopped);
    assert_eq!((thread.retry(), thread.status()), (Some(&Key::Entry(3)), Status::Waiting));
    let kind = protocol::log::NoticeKind::GivenUp;
    let notice = EntryBody::Notice { turn: 0, kind, text: "Nobody wants it.".to_owned() };
    thread.take(&hub.entry(notice));
    assert_eq!((thread.retry(), thread.status()), (None, Status::Idle));
}
