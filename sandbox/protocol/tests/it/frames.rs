//! The ports of the two frames.

use crate::golden::{check, every, section};
use crate::samples::{AT, done, failure, grant, page, problem};
use protocol::frame::{
    Facing, FetchPart, FromScripts, FromSkin, FromWorker, PositionOptions, Reply, Speech, ToScripts, ToSkin,
    ToWorker, TypedField, VideoOptions, ViewState, Want, WantedText,
};
use protocol::model::ModelEvent;
use protocol::page::{
    Answer, Listener, PageError, PageErrorKind, ScriptContext, SkinCommand, SkinDone, SkinPage,
};
use protocol::run::{RunAsk, RunReply};
use protocol::{Permission, VERSION};
use serde_json::json;
use std::collections::BTreeMap;

fn typed() -> TypedField {
    TypedField {
        field: "input text name  1".to_owned(),
        text: Some("Ad".to_owned()),
        chosen: None,
        caret: Some(2),
        focused: true,
    }
}

#[test]
fn every_message_of_the_frames_is_as_it_was() {
    let text = || "Hello".to_owned();
    check(
        "frames",
        &[
            every!(ToSkin {
                ToSkin::Show { .. } => [ToSkin::Show {
                    version: 3,
                    page: page(),
                    state: BTreeMap::from([("score".to_owned(), json!(12))]),
                    typed: vec![typed()],
                }],
                ToSkin::Perform { .. } => [ToSkin::Perform {
                    request: 7,
                    command: SkinCommand::Dom { input: json!({ "selector": "#go" }) },
                }],
                ToSkin::State { .. } => [ToSkin::State { key: "score".to_owned(), value: json!([1, 2.5, "x"]) }],
                ToSkin::Answered { .. } => [ToSkin::Answered { id: 3, answer: Answer::Text { text: text() } }],
                ToSkin::Reply { .. } => [ToSkin::Reply { id: 4, reply: Reply::Done { value: json!(null) } }],
                ToSkin::Rpc { .. } => [ToSkin::Rpc { text: r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned() }],
                ToSkin::Keyboard => [ToSkin::Keyboard],
                ToSkin::Ping => [ToSkin::Ping],
                ToSkin::Part => [ToSkin::Part],
            }),
            every!(FromSkin {
                FromSkin::Ready => [FromSkin::Ready],
                FromSkin::Performed { .. } => [FromSkin::Performed { request: 7, done: done() }],
                FromSkin::Notify { .. } => [
                    FromSkin::Notify { name: "pressed".to_owned(), data: json!({ "times": 3 }) },
                ],
                FromSkin::Ask { .. } => [FromSkin::Ask { id: 3, text: text() }],
                FromSkin::SetState { .. } => [FromSkin::SetState { key: "score".to_owned(), value: json!(12) }],
                FromSkin::Request { .. } => [FromSkin::Request { id: 4, want: Want::Voices }],
                FromSkin::Withdraw { .. } => [FromSkin::Withdraw { id: 4 }],
                FromSkin::Taken { .. } => [FromSkin::Taken { id: 4 }],
                FromSkin::Problems { .. } => [FromSkin::Problems { problems: vec![problem()] }],
                FromSkin::CallTool { .. } => [
                    FromSkin::CallTool { id: 4, name: "state".to_owned(), input: json!({ "action": "list" }) },
                ],
                FromSkin::ReadFile { .. } => [
                    FromSkin::ReadFile { id: 4, path: "/agent/fern.png".to_owned() },
                ],
                FromSkin::Rpc { .. } => [FromSkin::Rpc { message: json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }) }],
                FromSkin::Snapshot { .. } => [FromSkin::Snapshot { page: page() }],
                FromSkin::Emit { .. } => [FromSkin::Emit { name: "moved".to_owned(), data: json!([3, 4]) }],
                FromSkin::Pressed { .. } => [FromSkin::Pressed { ago_ms: 3 }],
                FromSkin::Focused => [FromSkin::Focused],
                FromSkin::Stray { .. } => [FromSkin::Stray { key: "y".to_owned() }],
                FromSkin::Erased => [FromSkin::Erased],
                FromSkin::Pong => [FromSkin::Pong],
                FromSkin::Typed { .. } => [FromSkin::Typed { fields: vec![typed()], typing: true }],
            }),
            every!(Want {
                Want::NotifyUser { .. } => [
                    Want::NotifyUser { title: Some("Tea".to_owned()), text: text() },
                    Want::NotifyUser { title: None, text: text() },
                ],
                Want::ViewState { .. } => [Want::ViewState { view: ViewState::UiOnly }],
                Want::Permission { .. } => [Want::Permission { name: Permission::Camera }],
                Want::Position { .. } => [Want::Position { options: PositionOptions::default() }],
                Want::WatchPosition { .. } => [Want::WatchPosition {
                    options: PositionOptions {
                        high_accuracy: true,
                        timeout_ms: Some(5000),
                        maximum_age_ms: Some(0),
                    },
                }],
                Want::Speak { .. } => [
                    Want::Speak {
                        speech: Speech {
                            text: text(),
                            lang: Some("en-GB".to_owned()),
                            voice: Some("Alice".to_owned()),
                            rate: Some(1.5),
                            pitch: Some(1.0),
                            volume: Some(0.5),
                        },
                    },
                    Want::Speak { speech: Speech { text: text(), ..Speech::default() } },
                ],
                Want::Voices => [Want::Voices],
                Want::Listen { .. } => [Want::Listen { lang: Some("en-GB".to_owned()), interim: true }],
                Want::Camera { .. } => [Want::Camera {
                    options: VideoOptions {
                        width: Some(640),
                        height: Some(480),
                        frame_rate: Some(15),
                        facing: Some(Facing::User),
                    },
                }],
                Want::Microphone => [Want::Microphone],
                Want::Screen { .. } => [Want::Screen { options: VideoOptions::default() }],
                Want::OpenLink { .. } => [Want::OpenLink { url: "https://example.org/a".to_owned() }],
            }),
            every!(ViewState {
                ViewState::Min => [ViewState::Min],
                ViewState::Max => [ViewState::Max],
                ViewState::UiOnly => [ViewState::UiOnly],
                ViewState::ChatOnly => [ViewState::ChatOnly],
            }),
            every!(Facing {
                Facing::User => [Facing::User],
                Facing::Environment => [Facing::Environment],
            }),
            every!(Reply {
                Reply::Done { .. } => [Reply::Done { value: json!("granted") }],
                Reply::Event { .. } => [Reply::Event { value: json!({ "width": 640, "height": 480 }) }],
                Reply::Failed { .. } => [Reply::Failed {
                    name: "NotAllowedError".to_owned(),
                    message: "The person did not allow it.".to_owned(),
                }],
            }),
            every!(SkinCommand {
                SkinCommand::Dom { .. } => [SkinCommand::Dom { input: json!({ "selector": "#go" }) }],
                SkinCommand::RunJs { .. } => [
                    SkinCommand::RunJs {
                        code: "return 1".to_owned(),
                        timeout_ms: 5000,
                        context: ScriptContext::Page,
                    },
                    SkinCommand::RunJs {
                        code: "return 1".to_owned(),
                        timeout_ms: 5000,
                        context: ScriptContext::Worker,
                    },
                ],
            }),
            every!(Answer {
                Answer::Text { .. } => [Answer::Text { text: text() }],
                Answer::File { .. } => [Answer::File {
                    address: "/files/agent-1/fern.png?until=1&mac=a".to_owned(),
                    media_type: "image/png".to_owned(),
                }],
                Answer::Error { .. } => [Answer::Error { message: "The run was stopped.".to_owned() }],
            }),
            every!(PageErrorKind {
                PageErrorKind::Logged => [PageErrorKind::Logged],
                PageErrorKind::Exception => [PageErrorKind::Exception],
                PageErrorKind::Rejection => [PageErrorKind::Rejection],
                PageErrorKind::Resource => [PageErrorKind::Resource],
                PageErrorKind::Blocked => [PageErrorKind::Blocked],
            }),
            section("Problem", &[problem(), PageError { source: None, line: None, ..problem() }]),
            section("SkinPage", &[page(), SkinPage::default()]),
            section("Listener", &[Listener { selector: "#go".to_owned(), event: "click".to_owned() }]),
            section(
                "SkinDone",
                &[
                    done(),
                    SkinDone {
                        result: json!({ "error": "no #go" }),
                        is_error: true,
                        page: SkinPage::default(),
                    },
                ],
            ),
            every!(ToWorker {
                ToWorker::Start { .. } => [ToWorker::Start { now: AT, grant: Box::new(grant()) }],
                ToWorker::Reply { .. } => [ToWorker::Reply { now: AT, reply: RunReply::Stop }],
                ToWorker::Fetched { .. } => [ToWorker::Fetched { now: AT, call: 1, part: FetchPart::End }],
                ToWorker::Cleared { .. } => [ToWorker::Cleared { now: AT, call: 1, events: vec![said("[key]")] }],
            }),
            every!(FetchPart {
                FetchPart::Head { .. } => [
                    FetchPart::Head { status: 200, retry_after: None },
                    FetchPart::Head { status: 429, retry_after: Some("2".to_owned()) },
                ],
                FetchPart::Text { .. } => [FetchPart::Text { text: text() }],
                FetchPart::End => [FetchPart::End],
                FetchPart::Failed { .. } => [FetchPart::Failed { failure: failure() }],
            }),
            every!(FromWorker {
                FromWorker::Ready => [FromWorker::Ready],
                FromWorker::Ask { .. } => [FromWorker::Ask { ask: RunAsk::Credit { count: 16 } }],
                FromWorker::Fetch { .. } => [
                    FromWorker::Fetch {
                        call: 1,
                        body: "{}".to_owned(),
                        tokens: 900,
                        deadline_ms: None,
                        pictures: vec!["attachment-1".into()],
                        texts: vec![WantedText { id: "attachment-2".into(), most: 4915, reads: true }],
                    },
                    FromWorker::Fetch {
                        call: 2,
                        body: "{}".to_owned(),
                        tokens: 40,
                        deadline_ms: Some(60_000),
                        pictures: Vec::new(),
                        texts: Vec::new(),
                    },
                ],
                FromWorker::Decoded { .. } => [FromWorker::Decoded { call: 1, events: vec![said("sk-")] }],
                FromWorker::More { .. } => [FromWorker::More { call: 1 }],
                FromWorker::AbortFetch { .. } => [FromWorker::AbortFetch { call: 1 }],
                FromWorker::Broken { .. } => [FromWorker::Broken { message: "unreachable".to_owned() }],
            }),
            section(
                "ToScripts",
                &[ToScripts::Run {
                    request: 7,
                    code: "return 1".to_owned(),
                    timeout_ms: 5000,
                    state: BTreeMap::from([("score".to_owned(), json!(12))]),
                }],
            ),
            every!(FromScripts {
                FromScripts::Ready => [FromScripts::Ready],
                FromScripts::Ran { .. } => [
                    FromScripts::Ran { request: 7, result: json!({ "millis": 2, "value": 1 }), is_error: false },
                ],
            }),
        ],
    );
}

#[test]
fn the_frames_say_hello_in_the_version_of_the_wires() {
    let hello = include_str!("../../../page/hello.js");
    assert!(hello.contains(&format!("const VERSION = {VERSION};\n")), "{hello}");
}

fn said(text: &str) -> ModelEvent {
    ModelEvent::Delta { index: 0, text: text.to_owned() }
}
