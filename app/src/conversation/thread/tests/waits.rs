//! What waits for the person or for a device.

use super::super::{Body, Progress};
use super::hub::{approval, running};
use protocol::approval::Asker;
use protocol::log::{DeviceWait, DeviceWanted, EntryBody, Outcome};
use protocol::model::{Block, ToolCall};
use protocol::view::Status;
use serde_json::json;

#[test]
fn an_agent_waits_for_the_person_while_its_model_asks() {
    for (asker, waiting) in [(Asker::Model, Status::Waiting), (Asker::Page, Status::Running)] {
        let (mut hub, mut thread) = running();
        let (first, first_settled) = approval("a", asker);
        let (second, second_settled) = approval("b", asker);
        for (body, status, open) in [
            (first, waiting, 1),
            (second, waiting, 2),
            (first_settled.clone(), waiting, 1),
            (first_settled, waiting, 1),
            (second_settled, Status::Running, 0),
        ] {
            thread.take(&hub.entry(body));
            assert_eq!((thread.status(), thread.open().count()), (status, open), "{asker:?}");
            assert!(thread.is_at_work());
        }
    }
}

#[test]
fn a_call_that_waits_says_so_until_it_goes_on() {
    let (mut hub, mut thread) = running();
    let call = |id: &str| ToolCall { id: id.into(), name: "dom".to_owned(), input: json!({}) };
    let wait = |wait| EntryBody::DeviceWait { turn: 0, call: "d".into(), wait };
    let wanted = DeviceWanted { device: None, needs: None };
    let (asked, settled) = approval("a", Asker::Model);
    let blocks = [
        EntryBody::Block { turn: 0, index: 0, block: Block::ToolUse(call("c")) },
        EntryBody::Block { turn: 0, index: 1, block: Block::ToolUse(call("d")) },
    ];
    for body in blocks {
        thread.take(&hub.entry(body));
    }
    let waits = Progress::Waiting;
    for (body, asked, for_device, status) in [
        (asked, waits.clone(), Progress::Asked, Status::Waiting),
        (wait(DeviceWait::Begun { wanted, until: 1 }), waits.clone(), waits.clone(), Status::Waiting),
        (settled, Progress::Asked, waits.clone(), Status::Waiting),
        (
            EntryBody::ToolStarted { turn: 0, call: call("c") },
            Progress::Running(None),
            waits.clone(),
            Status::Waiting,
        ),
        (
            wait(DeviceWait::Ended { by: None }),
            Progress::Running(None),
            Progress::Running(None),
            Status::Running,
        ),
        (EntryBody::finished(Outcome::Stopped), Progress::Dropped, Progress::Dropped, Status::Idle),
    ] {
        thread.take(&hub.entry(body));
        let seen: Vec<_> = thread
            .items()
            .filter_map(|item| match &item.body {
                Body::Tool { progress, .. } => Some(progress.clone()),
                _ => None,
            })
            .collect();
        assert_eq!((seen, thread.status()), (vec![asked, for_device], status));
    }
}
