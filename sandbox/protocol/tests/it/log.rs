//! Entries of the log. They are also what the store keeps: an old line has to be read for ever.

use crate::golden::{check, every, section};
use crate::samples::{
    agent, approval, attachment, call, conversation, driver, entry, failure, form, mark, message, options,
    page, question, result, run, started, tool,
};
use protocol::agent::Ability;
use protocol::agent::Home;
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Asker, Decision};
use protocol::log::{
    DeviceWait, DeviceWanted, Entry, EntryBody, NoticeKind, Outcome, Sender, Skin, Summariser,
};
use protocol::model::Purpose;
use protocol::model::{Block, ModelFailure, ModelFailureKind, StopReason, Usage};
use protocol::question::{Answer, FieldAnswer, Question, TextFormat, Wanted};
use protocol::schedule::{Author, ScheduleEvent};
use protocol::todo::{TodoItem, TodoList, TodoState};
use protocol::{CallId, ContextSource, LimitOf, Micros, Permission};
use serde_json::{Number, Value, json};

#[test]
fn every_entry_is_as_it_was() {
    check(
        "log",
        &[
            section(
                "Entry",
                &[
                    entry(1, None, message()),
                    entry(2, Some(run()), started()),
                    Entry {
                        agent: agent(),
                        seq: u64::MAX,
                        at: -1,
                        conversation: None,
                        run: None,
                        body: EntryBody::State {
                            key: "score".to_owned(),
                            value: json!(12),
                            superseded: false,
                        },
                    },
                ],
            ),
            every!(EntryBody {
                EntryBody::Message { .. } => [
                    message(),
                    EntryBody::said(Sender::PageNotify { name: "pressed".to_owned() }, "pressed: 3".to_owned()),
                    EntryBody::Message { from: Sender::Person, text: String::new(), attachments: vec![attachment()] },
                ],
                EntryBody::RunStarted { .. } => [
                    started(),
                    EntryBody::RunStarted { home: Home::Hub, model: None, rounds: None, driver: None, unverified: false },
                ],
                EntryBody::Moved { .. } => [
                    EntryBody::Moved { home: Home::Hub, driver: None, only_run: false },
                    EntryBody::Moved { home: Home::Browser, driver: Some(driver()), only_run: false },
                    EntryBody::Moved { home: Home::Hub, driver: None, only_run: true },
                ],
                EntryBody::Block { .. } => [
                    EntryBody::Block { turn: 0, index: 0, block: Block::Text { text: "Hello".to_owned() } },
                    EntryBody::Block { turn: 0, index: 1, block: Block::ToolUse(call()) },
                ],
                EntryBody::TurnFinished { .. } => [
                    EntryBody::TurnFinished { turn: 0, stop: StopReason::ToolUse },
                ],
                EntryBody::ToolStarted { .. } => [EntryBody::ToolStarted { turn: 0, call: call() }],
                EntryBody::ToolFinished { .. } => [
                    EntryBody::ToolFinished { turn: 0, result: result(), millis: 12, denied: false },
                    EntryBody::ToolFinished { turn: 0, result: result(), millis: 0, denied: true },
                ],
                EntryBody::NotRun { .. } => [EntryBody::NotRun {
                    turn: 0,
                    call: "call-1".into(),
                    why: NoticeKind::CallLimit,
                    text: "not run: limit of 5 calls per reply".to_owned(),
                }],
                EntryBody::Notice { .. } => [EntryBody::Notice {
                    turn: 1,
                    kind: NoticeKind::FinalAnswer,
                    text: "[This is the last round.]".to_owned(),
                }],
                EntryBody::Steered { .. } => [EntryBody::Steered { turn: 1, seq: 4 }],
                EntryBody::Retrying { .. } => [EntryBody::Retrying { turn: 0, failure: failure() }],
                EntryBody::Digested { .. } => [EntryBody::Digested { turn: 9, upto: mark() }],
                EntryBody::Clipped { .. } => [EntryBody::Clipped { turn: 9, longest: 2000 }],
                EntryBody::Summary { .. } => [
                    EntryBody::Summary { turn: 9, by: Summariser::Model, upto: mark(), text: "So far.".to_owned() },
                    EntryBody::Summary { turn: 9, by: Summariser::Log, upto: mark(), text: "- asked".to_owned() },
                ],
                EntryBody::Used { .. } => [
                    EntryBody::Used {
                        turn: 0,
                        model: "model-1".to_owned(),
                        usage: Usage { input: 1200, output: 80, cache_read: 900, cache_write: 10, reasoning: 30 },
                        cost: Some(Micros(4321)),
                        aside: None,
                    },
                    EntryBody::Used { turn: 1, model: "model-1".to_owned(), usage: Usage::default(), cost: None, aside: Some(Purpose::Summary) },
                ],
                EntryBody::RunFinished { .. } => [
                    EntryBody::finished(Outcome::Completed),
                    EntryBody::RunFinished { outcome: Outcome::Stopped, stopped_by: Some(LimitOf::Schedule) },
                ],
                EntryBody::Skin { .. } => [
                    EntryBody::Skin { version: 1, by: Some("tab-1".into()) },
                    EntryBody::Skin { version: 2, by: None },
                ],
                EntryBody::State { .. } => [
                    EntryBody::State {
                        key: "score".to_owned(),
                        value: json!({ "ada": 1, "ben": [true, null] }),
                        superseded: false,
                    },
                    EntryBody::State { key: "score".to_owned(), value: Value::Null, superseded: false },
                    EntryBody::State { key: "score".to_owned(), value: Value::Null, superseded: true },
                ],
                EntryBody::ToolCreated { .. } => [EntryBody::ToolCreated {
                    version: 1,
                    spec: tool(),
                    code: "return 1".to_owned(),
                }],
                EntryBody::Schedule { .. } => [
                    news(ScheduleEvent::Made { by: Author::Agent }),
                    news(ScheduleEvent::Idle { times: 5, cost: Micros(1200) }),
                ],
                EntryBody::ToolDeleted { .. } => [EntryBody::ToolDeleted { name: "twice".to_owned() }],
                EntryBody::Permission { .. } => [
                    EntryBody::Permission { permission: Permission::Camera, host: None, allowed: Some(false) },
                    EntryBody::Permission {
                        permission: Permission::Links,
                        host: Some("example.org".to_owned()),
                        allowed: None,
                    },
                ],
                EntryBody::PageErrors { .. } => [
                    EntryBody::PageErrors { text: "- exception: x is not defined".to_owned() },
                ],
                EntryBody::DeviceWait { .. } => [
                    EntryBody::DeviceWait {
                        turn: 0,
                        call: CallId::from("call-1"),
                        wait: DeviceWait::Begun {
                            wanted: DeviceWanted {
                                device: Some("Chrome on Android".to_owned()),
                                needs: Some(Ability::Camera),
                            },
                            until: 1_700_000_180_000,
                        },
                    },
                    EntryBody::DeviceWait {
                        turn: 0,
                        call: CallId::from("call-1"),
                        wait: DeviceWait::Ended { by: Some("Chrome on Android".to_owned()) },
                    },
                    EntryBody::DeviceWait {
                        turn: 0,
                        call: CallId::from("call-1"),
                        wait: DeviceWait::Ended { by: None },
                    },
                ],
                EntryBody::ApprovalAsked { .. } => [
                    EntryBody::ApprovalAsked { approval: approval() },
                    EntryBody::ApprovalAsked {
                        approval: Approval {
                            once: true,
                            strangers: true,
                            reaches: vec!["crates.io".to_owned()],
                            ..approval()
                        },
                    },
                    EntryBody::ApprovalAsked {
                        approval: Approval { why: ApprovalReason::Question, question: Some(Box::new(question())), ..approval() },
                    },
                    EntryBody::ApprovalAsked {
                        approval: Approval { why: ApprovalReason::Unknown, question: Some(Box::new(question())), ..approval() },
                    },
                    EntryBody::ApprovalAsked {
                        approval: Approval {
                            why: ApprovalReason::Question,
                            question: Some(Box::new(Question {
                                server: Some("garden".to_owned()),
                                wanted: form(),
                                default: None,
                                ..question()
                            })),
                            ..approval()
                        },
                    },
                ],
                EntryBody::ApprovalSettled { .. } => [
                    EntryBody::ApprovalSettled {
                        approval: approval().id,
                        settled: ApprovalOutcome::Decided {
                            decision: Decision::Deny,
                            device: "Firefox on Linux".to_owned(),
                            word: Some("Ask Ada first.".to_owned()),
                        },
                    },
                    EntryBody::ApprovalSettled {
                        approval: approval().id,
                        settled: ApprovalOutcome::Answered {
                            answer: Answer::Chosen { labels: vec!["Moss".to_owned()], other: None },
                            device: "Firefox on Linux".to_owned(),
                        },
                    },
                    EntryBody::ApprovalSettled { approval: approval().id, settled: ApprovalOutcome::Expired },
                    EntryBody::ApprovalSettled { approval: approval().id, settled: ApprovalOutcome::Withdrawn },
                ],
                EntryBody::Todo { .. } => [EntryBody::Todo {
                    by: Author::Agent,
                    list: TodoList {
                        items: vec![TodoItem { id: 2, text: "Water the moss".to_owned(), state: TodoState::InProgress }],
                        last_id: 2,
                    },
                }],
                EntryBody::Imported { .. } => [EntryBody::Imported {
                    name: "Counter".to_owned(),
                    notes: vec!["It asks for the network.".to_owned()],
                }],
            }),
            every!(Summariser {
                Summariser::Model => [Summariser::Model],
                Summariser::Log => [Summariser::Log],
            }),
            every!(NoticeKind {
                NoticeKind::FinalAnswer => [NoticeKind::FinalAnswer],
                NoticeKind::Empty => [NoticeKind::Empty],
                NoticeKind::Inaction => [NoticeKind::Inaction],
                NoticeKind::OutputLimit => [NoticeKind::OutputLimit],
                NoticeKind::CutShort => [NoticeKind::CutShort],
                NoticeKind::Unanswered => [NoticeKind::Unanswered],
                NoticeKind::CallLimit => [NoticeKind::CallLimit],
                NoticeKind::Duplicate => [NoticeKind::Duplicate],
                NoticeKind::Repeated => [NoticeKind::Repeated],
                NoticeKind::Disabled => [NoticeKind::Disabled],
                NoticeKind::RepeatedSearch => [NoticeKind::RepeatedSearch],
                NoticeKind::Denied => [NoticeKind::Denied],
                NoticeKind::Malformed => [NoticeKind::Malformed],
                NoticeKind::Injection => [NoticeKind::Injection],
                NoticeKind::Context => [NoticeKind::Context],
                NoticeKind::NoSummary => [NoticeKind::NoSummary],
                NoticeKind::Hook => [NoticeKind::Hook],
                NoticeKind::Continue => [NoticeKind::Continue],
                NoticeKind::Hint => [NoticeKind::Hint],
                NoticeKind::Plan => [NoticeKind::Plan],
                NoticeKind::Prefetch => [NoticeKind::Prefetch],
                NoticeKind::Autonomous => [NoticeKind::Autonomous],
                NoticeKind::Ambient => [NoticeKind::Ambient],
                NoticeKind::Limit => [NoticeKind::Limit],
                NoticeKind::GivenUp => [NoticeKind::GivenUp],
                NoticeKind::KeyWanted => [NoticeKind::KeyWanted],
                NoticeKind::Fallback => [NoticeKind::Fallback],
                NoticeKind::Sources => [NoticeKind::Sources],
            }),
            every!(Sender {
                Sender::Person => [Sender::Person],
                Sender::Program { .. } => [
                    Sender::Program { name: "backup script".to_owned(), relays: false },
                    Sender::Program { name: "mail bot".to_owned(), relays: true },
                ],
                Sender::Agent { .. } => [
                    agent_says(false),
                    agent_says(true),
                ],
                Sender::PageNotify { .. } => [Sender::PageNotify { name: "pressed".to_owned() }],
                Sender::PageAsk => [Sender::PageAsk],
                Sender::PageEmit { .. } => [Sender::PageEmit { name: "moved".to_owned() }],
                Sender::PageErrors => [Sender::PageErrors],
                Sender::Rule { .. } => [Sender::Rule { key: "score".to_owned() }],
                Sender::Devices => [Sender::Devices],
                Sender::Todo => [Sender::Todo],
                Sender::Rating => [Sender::Rating],
                Sender::Context { .. } => [
                    Sender::Context { source: ContextSource::Time, untrusted: false },
                    Sender::Context { source: ContextSource::Agents, untrusted: true },
                ],
                Sender::Schedule { .. } => [Sender::Schedule {
                    schedule: "schedule-1".into(),
                    name: "Morning".to_owned(),
                    by: Author::Person,
                }],
                Sender::Job { .. } => [
                    Sender::Job { job: "job-1".into(), name: "build.yml at ci".to_owned() },
                ],
                Sender::Trigger { .. } => [
                    Sender::Trigger { schedule: "schedule-1".into(), name: "Orders".to_owned() },
                ],
            }),
            every!(Decision {
                Decision::Once => [Decision::Once],
                Decision::Run => [Decision::Run],
                Decision::HalfHour => [Decision::HalfHour],
                Decision::Always => [Decision::Always],
                Decision::Deny => [Decision::Deny],
            }),
            every!(Asker {
                Asker::Model => [Asker::Model],
                Asker::Page => [Asker::Page],
            }),
            every!(ApprovalReason {
                ApprovalReason::Risk => [ApprovalReason::Risk],
                ApprovalReason::Rule => [ApprovalReason::Rule],
                ApprovalReason::Page => [ApprovalReason::Page],
                ApprovalReason::WayOut => [ApprovalReason::WayOut],
                ApprovalReason::Denials => [ApprovalReason::Denials],
                ApprovalReason::Question => [ApprovalReason::Question],
                ApprovalReason::Unknown => [ApprovalReason::Unknown],
            }),
            every!(Wanted {
                Wanted::Choice { .. } => [Wanted::Choice { options: options(), other: false }],
                Wanted::Several { .. } => [Wanted::Several { options: options(), other: true, least: 1, most: 3 }],
                Wanted::Text { .. } => [
                    Wanted::Text { least: None, most: None, format: None },
                    Wanted::Text { least: Some(3), most: Some(40), format: Some(TextFormat::Email) },
                ],
                Wanted::Number { .. } => [
                    Wanted::Number { least: None, most: None, whole: false },
                    Wanted::Number { least: Some(1.into()), most: Number::from_f64(2.5), whole: true },
                ],
                Wanted::Date => [Wanted::Date],
                Wanted::File => [Wanted::File],
                Wanted::Secret { .. } => [
                    Wanted::Secret {
                        name: "garden".to_owned(),
                        place: "https://garden.example".to_owned(),
                        header: "authorization".to_owned(),
                        scheme: Some("Bearer".to_owned()),
                    },
                ],
                Wanted::Form { .. } => [form()],
                Wanted::Visit { .. } => [
                    Wanted::Visit {
                        url: "https://garden.example/pay?bed=north".to_owned(),
                        host: "garden.example".to_owned(),
                    },
                ],
            }),
            every!(TextFormat {
                TextFormat::Email => [TextFormat::Email],
                TextFormat::Uri => [TextFormat::Uri],
                TextFormat::DateTime => [TextFormat::DateTime],
            }),
            every!(Answer {
                Answer::Chosen { .. } => [
                    Answer::Chosen { labels: vec!["Moss".to_owned()], other: Some("Lichen".to_owned()) },
                ],
                Answer::Text { .. } => [Answer::Text { text: "Under the fern.".to_owned() }],
                Answer::Number { .. } => [Answer::Number { number: 3.into() }],
                Answer::Date { .. } => [Answer::Date { date: "2026-11-24".to_owned() }],
                Answer::File { .. } => [Answer::File { file: attachment() }],
                Answer::Kept => [Answer::Kept],
                Answer::Form { .. } => [
                    Answer::Form {
                        fields: vec![FieldAnswer { name: "days".to_owned(), answer: Answer::Number { number: 3.into() } }],
                    },
                ],
                Answer::Skipped => [Answer::Skipped],
            }),
            every!(TodoState {
                TodoState::Pending => [TodoState::Pending],
                TodoState::InProgress => [TodoState::InProgress],
                TodoState::Done => [TodoState::Done],
                TodoState::Cancelled => [TodoState::Cancelled],
            }),
            every!(Outcome {
                Outcome::Completed => [Outcome::Completed],
                Outcome::Stopped => [Outcome::Stopped],
                Outcome::RoundLimit => [Outcome::RoundLimit],
                Outcome::Failed { .. } => [Outcome::Failed { failure: failure() }],
                Outcome::Interrupted { .. } => [Outcome::Interrupted { why: "The hub was stopped.".to_owned() }],
            }),
            every!(ScheduleEvent {
                ScheduleEvent::Made { .. } => [ScheduleEvent::Made { by: Author::Person }],
                ScheduleEvent::Brought => [ScheduleEvent::Brought],
                ScheduleEvent::Changed => [ScheduleEvent::Changed],
                ScheduleEvent::Paused => [ScheduleEvent::Paused],
                ScheduleEvent::Resumed => [ScheduleEvent::Resumed],
                ScheduleEvent::Deleted { .. } => [ScheduleEvent::Deleted { by: Author::Agent }],
                ScheduleEvent::Missed { .. } => [ScheduleEvent::Missed { due: 1_700_000_000_000 }],
                ScheduleEvent::Idle { .. } => [ScheduleEvent::Idle { times: 5, cost: Micros(1200) }],
                ScheduleEvent::Broken { .. } => [
                    ScheduleEvent::Broken { times: 5, why: "The key is wrong.".to_owned() },
                ],
            }),
            section("Skin", &[Skin { version: 3, page: page() }]),
            section("ConversationId", &[conversation()]),
        ],
    );
}

#[test]
fn retry_makes_sense_after_every_end_but_an_answer() {
    let failure = ModelFailure {
        kind: ModelFailureKind::Cut,
        message: "The stream broke off.".to_owned(),
        retry_after_ms: None,
    };
    for (outcome, expected) in [
        (Outcome::Completed, false),
        (Outcome::Stopped, true),
        (Outcome::RoundLimit, true),
        (Outcome::Failed { failure }, true),
        (Outcome::Interrupted { why: "The hub was stopped.".to_owned() }, true),
    ] {
        assert_eq!(outcome.can_retry(), expected, "{outcome:?}");
    }
}

fn news(news: ScheduleEvent) -> EntryBody {
    EntryBody::Schedule { schedule: "schedule-1".into(), name: "Morning".to_owned(), news }
}

fn agent_says(untrusted: bool) -> Sender {
    Sender::Agent {
        agent: "agent-2".into(),
        name: "Ada › Moss".to_owned(),
        delegation: "delegation-1".into(),
        untrusted,
        private: untrusted,
    }
}
