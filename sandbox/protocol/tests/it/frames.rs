//! The ports of the two frames.

use crate::golden::{check, every, section};
use crate::samples::{AT, done, failure, grant, page};
use protocol::VERSION;
use protocol::frame::{
    Answer, FetchPart, FromScripts, FromSkin, FromWorker, Listener, ScriptContext, SkinCommand, SkinDone,
    SkinPage, ToScripts, ToSkin, ToWorker,
};
use protocol::hub::{RunAsk, RunReply};
use serde_json::json;
use std::collections::BTreeMap;

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
                }],
                ToSkin::Perform { .. } => [ToSkin::Perform {
                    request: 7,
                    command: SkinCommand::Dom { input: json!({ "selector": "#go" }) },
                }],
                ToSkin::State { .. } => [ToSkin::State { key: "score".to_owned(), value: json!([1, 2.5, "x"]) }],
                ToSkin::Answered { .. } => [ToSkin::Answered { id: 3, answer: Answer::Text { text: text() } }],
                ToSkin::Ping => [ToSkin::Ping],
            }),
            every!(FromSkin {
                FromSkin::Ready => [FromSkin::Ready],
                FromSkin::Performed { .. } => [FromSkin::Performed { request: 7, done: done() }],
                FromSkin::Notify { .. } => [
                    FromSkin::Notify { name: "pressed".to_owned(), data: json!({ "times": 3 }) },
                ],
                FromSkin::Ask { .. } => [FromSkin::Ask { id: 3, text: text() }],
                FromSkin::SetState { .. } => [FromSkin::SetState { key: "score".to_owned(), value: json!(12) }],
                FromSkin::Pong => [FromSkin::Pong],
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
                Answer::Error { .. } => [Answer::Error { message: "The run was stopped.".to_owned() }],
            }),
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
                    FromWorker::Fetch { call: 1, body: "{}".to_owned(), deadline_ms: None },
                    FromWorker::Fetch { call: 2, body: "{}".to_owned(), deadline_ms: Some(60_000) },
                ],
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
