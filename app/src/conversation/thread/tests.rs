use super::*;
use proptest::prelude::*;
use protocol::AgentId;
use protocol::approval::WhyAsked;
use protocol::log::Sender;
use protocol::model::{BlockKind, ModelFailure, ModelFailureKind, ToolCall, ToolResult, Usage};
use protocol::view::{Home, Today, ToolRisk};
use protocol::{ConversationId, Micros};
use serde_json::json;
use std::collections::BTreeMap;

/// What the hub holds and sends, reduced to what a tab can see of it.
#[derive(Default)]
struct Hub {
    entries: Vec<Entry>,
    partial: BTreeMap<u32, (BlockKind, String)>,
    run: Option<RunId>,
    turn: u32,
    block: u32,
    open_calls: Vec<CallId>,
}

impl Hub {
    fn agent() -> AgentId {
        AgentId::from("ada")
    }

    fn entry(&mut self, body: EntryBody) -> HubFrame {
        let seq = self.entries.len() as u64 + 1;
        let run = match body {
            EntryBody::Message { .. } => None,
            _ => self.run.clone(),
        };
        let conversation = Some(ConversationId::from("c"));
        let entry = Entry { agent: Self::agent(), seq, at: seq as i64 * 1000, conversation, run, body };
        self.entries.push(entry.clone());
        HubFrame::Entry { entry }
    }

    fn partials(&self) -> Vec<HubFrame> {
        let Some(run) = &self.run else { return Vec::new() };
        let frame = |(index, (kind, text)): (&u32, &(BlockKind, String))| HubFrame::Partial {
            agent: Self::agent(),
            run: run.clone(),
            turn: self.turn,
            index: *index,
            kind: kind.clone(),
            text: text.clone(),
        };
        self.partial.iter().map(frame).collect()
    }

    fn catch_up(&self, after: u64) -> Vec<HubFrame> {
        let entries = self.entries.iter().filter(|entry| entry.seq > after).cloned();
        let mut frames: Vec<HubFrame> = entries.map(|entry| HubFrame::Entry { entry }).collect();
        frames.push(HubFrame::CaughtUp { agent: Self::agent(), seq: self.entries.len() as u64 });
        frames.extend(self.partials());
        frames
    }

    /// One thing that happens, chosen by a number.
    fn step(&mut self, choice: u8) -> Vec<HubFrame> {
        let Some(run) = self.run.clone() else { return self.idle_step(choice) };
        match choice % 10 {
            0 => {
                vec![self.entry(EntryBody::Message { from: Sender::Person, text: format!("also {choice}") })]
            }
            1 | 2 => {
                let kind = match choice % 3 {
                    0 => BlockKind::Text,
                    1 => BlockKind::Reasoning,
                    _ => BlockKind::ToolUse {
                        id: CallId(format!("call-{}", self.entries.len())),
                        name: "dom".to_owned(),
                    },
                };
                self.block += 1;
                self.partial.insert(self.block, (kind, String::new()));
                self.partials()
                    .into_iter()
                    .filter(|frame| matches!(frame, HubFrame::Partial { index, .. } if *index == self.block))
                    .collect()
            }
            3..=5 => {
                let Some((index, (_, text))) = self.partial.iter_mut().next_back() else { return Vec::new() };
                let (offset, more) = (text.len() as u64, ["é", "word ", "\n\n# x"][usize::from(choice) % 3]);
                text.push_str(more);
                let (index, turn) = (*index, self.turn);
                vec![HubFrame::Delta {
                    agent: Self::agent(),
                    run,
                    turn,
                    index,
                    offset,
                    text: more.to_owned(),
                }]
            }
            6 => {
                let Some((index, (kind, text))) = self.partial.pop_first() else { return Vec::new() };
                let block = match kind {
                    BlockKind::Text => Block::Text { text },
                    BlockKind::Reasoning => Block::Reasoning { text, signature: None },
                    BlockKind::ToolUse { id, name } => {
                        self.open_calls.push(id.clone());
                        Block::ToolUse(ToolCall { id, name, input: json!({ "action": "query" }) })
                    }
                };
                let turn = self.turn;
                vec![self.entry(EntryBody::Block { turn, index, block })]
            }
            7 => self.tool_step(choice),
            8 => {
                let turn = self.turn;
                let usage = Usage { input: 3, output: 2, ..Usage::default() };
                let used = EntryBody::Used {
                    turn,
                    model: "m".to_owned(),
                    usage,
                    cost: Some(Micros(7)),
                    aside: None,
                };
                self.partial.clear();
                self.turn += 1;
                self.block = 0;
                vec![
                    self.entry(used),
                    if choice < 128 {
                        self.entry(EntryBody::TurnFinished { turn, stop: StopReason::MaxTokens })
                    } else {
                        HubFrame::Void { agent: Self::agent(), run, turn }
                    },
                ]
            }
            _ => {
                self.partial.clear();
                self.open_calls.clear();
                let outcome = [
                    Outcome::Completed,
                    Outcome::Stopped,
                    Outcome::Failed {
                        failure: ModelFailure {
                            kind: ModelFailureKind::Cut,
                            message: "Cut off.".to_owned(),
                            retry_after_ms: None,
                        },
                    },
                ][usize::from(choice) % 3]
                    .clone();
                let frame = self.entry(EntryBody::finished(outcome));
                self.run = None;
                vec![frame]
            }
        }
    }

    fn idle_step(&mut self, choice: u8) -> Vec<HubFrame> {
        if choice.is_multiple_of(3) {
            let name = "moved".to_owned();
            return vec![self.entry(EntryBody::Message {
                from: Sender::PageNotify { name },
                text: "moved: 1".to_owned(),
            })];
        }
        if choice % 3 == 1 {
            return vec![self.entry(EntryBody::PageErrors { text: "- exception: x".to_owned() })];
        }
        self.run = Some(RunId(format!("run-{}", self.entries.len())));
        (self.turn, self.block) = (0, 0);
        vec![self.entry(EntryBody::RunStarted {
            home: Home::Hub,
            model: None,
            rounds: None,
            driver: None,
            unverified: false,
        })]
    }

    fn tool_step(&mut self, choice: u8) -> Vec<HubFrame> {
        let Some(call) = self.open_calls.pop() else { return Vec::new() };
        let turn = self.turn;
        let input = json!({});
        let started = EntryBody::ToolStarted {
            turn,
            call: ToolCall { id: call.clone(), name: "dom".to_owned(), input },
        };
        let result = ToolResult {
            call,
            name: "dom".to_owned(),
            content: "{}".to_owned(),
            media: Vec::new(),
            is_error: choice < 128,
        };
        let mut frames = Vec::new();
        if choice.is_multiple_of(2) {
            let (asked, settled) = approval(&format!("{turn}-{choice}"), Asker::Model);
            frames.extend([self.entry(asked), self.entry(settled)]);
        }
        frames.push(self.entry(started));
        frames.push(self.entry(EntryBody::ToolFinished { turn, result, millis: 12, denied: false }));
        frames
    }
}

/// A question and how it ended.
fn approval(id: &str, asker: Asker) -> (EntryBody, EntryBody) {
    let approval = Approval {
        id: id.into(),
        asker,
        turn: Some(0),
        call: ToolCall { id: "c".into(), name: "dom".to_owned(), input: json!({}) },
        about: None,
        risk: ToolRisk::High,
        why: WhyAsked::Risk,
        once: false,
        hash: "hash".to_owned(),
        expires_at: 0,
    };
    let settled = EntryBody::ApprovalSettled { approval: approval.id.clone(), settled: Settled::Expired };
    (EntryBody::ApprovalAsked { approval }, settled)
}

fn take_all(thread: &mut Thread, frames: &[HubFrame]) {
    for frame in frames {
        thread.take(frame);
    }
}

fn catch_up(thread: &mut Thread, hub: &Hub) {
    let frames = hub.catch_up(thread.seq());
    take_all(thread, &frames);
}

fn all_at_once(hub: &Hub) -> Thread {
    let mut thread = Thread::default();
    take_all(&mut thread, &hub.catch_up(0));
    thread
}

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

fn texts(thread: &Thread) -> Vec<&str> {
    thread.items().map(|item| item.text.as_str()).collect()
}

fn running() -> (Hub, Thread) {
    let (mut hub, mut thread) = (Hub::default(), Thread::default());
    hub.run = Some(RunId::from("r"));
    let frame = hub.entry(EntryBody::RunStarted {
        home: Home::Hub,
        model: None,
        rounds: None,
        driver: None,
        unverified: false,
    });
    thread.take(&frame);
    (hub, thread)
}

fn partial(text: &str) -> HubFrame {
    let (agent, run) = (Hub::agent(), RunId::from("r"));
    HubFrame::Partial { agent, run, turn: 0, index: 0, kind: BlockKind::Text, text: text.to_owned() }
}

fn delta(offset: u64, text: &str) -> HubFrame {
    HubFrame::Delta {
        agent: Hub::agent(),
        run: RunId::from("r"),
        turn: 0,
        index: 0,
        offset,
        text: text.to_owned(),
    }
}

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
fn what_is_said_during_a_run_stands_behind_it_and_a_finished_block_keeps_its_key() {
    let (mut hub, mut thread) = running();
    thread.take(&partial("half"));
    let streamed = thread.items().last().expect("one").key.clone();
    let said = hub.entry(EntryBody::Message { from: Sender::Person, text: "wait".to_owned() });
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
    let said = hub.entry(EntryBody::Message { from: Sender::Person, text: "wait".to_owned() });
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
fn a_reply_that_was_given_up_goes() {
    let (_, mut thread) = running();
    thread.take(&partial("half"));
    thread.take(&HubFrame::Void { agent: Hub::agent(), run: RunId::from("r"), turn: 0 });
    assert_eq!(texts(&thread), [""; 0]);
}

#[test]
fn only_the_last_run_can_be_retried_and_not_while_another_goes_on() {
    let (mut hub, mut thread) = running();
    let stopped = hub.entry(EntryBody::finished(Outcome::Stopped));
    thread.take(&stopped);
    assert_eq!(thread.retry(), Some(&Key::Entry(2)));
    let said = hub.entry(EntryBody::Message { from: Sender::Person, text: "again".to_owned() });
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
            Progress::Running,
            waits.clone(),
            Status::Waiting,
        ),
        (wait(DeviceWait::Ended { by: None }), Progress::Running, Progress::Running, Status::Running),
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
