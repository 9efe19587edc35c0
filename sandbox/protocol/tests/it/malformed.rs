//! What is not of the wire is an error that says what is wrong, never a panic and never a guess.

use crate::golden::lines_of;
use protocol::Failure;
use protocol::frame::{FromSkin, FromWorker, ToSkin, ToWorker};
use protocol::hub::{ClientFrame, HubFrame};
use protocol::log::{Entry, EntryBody};
use protocol::model::{Block, ToolResult, Usage};
use protocol::page::SkinPage;
use protocol::view::AgentDraft;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Debug;

#[test]
fn an_unknown_type_is_refused() {
    let text = r#"{"type":"unheard_of"}"#;
    check::<ClientFrame>(text, "unknown variant `unheard_of`");
    check::<HubFrame>(text, "unknown variant `unheard_of`");
    check::<ToSkin>(text, "unknown variant `unheard_of`");
    check::<FromSkin>(text, "unknown variant `unheard_of`");
    check::<ToWorker>(text, "unknown variant `unheard_of`");
    check::<FromWorker>(text, "unknown variant `unheard_of`");
    check::<EntryBody>(text, "unknown variant `unheard_of`");
    check::<EntryBody>(r#"{"type":"run_finished","outcome":{"type":"won"}}"#, "unknown variant `won`");
    check::<EntryBody>(r#"{"type":"run_started","home":"moon"}"#, "unknown variant `moon`");
}

#[test]
fn a_frame_without_its_type_is_refused() {
    check::<ClientFrame>("{}", "missing field `type`");
    check::<ClientFrame>(r#"{"agent":"a","after":0}"#, "missing field `type`");
    check::<FromSkin>(r#"{"Ask":{"id":1,"text":"?"}}"#, "missing field `type`");
}

#[test]
fn a_missing_field_is_named() {
    check::<ClientFrame>(r#"{"type":"subscribe","agent":"a"}"#, "missing field `after`");
    check::<ClientFrame>(r#"{"type":"hello","version":1}"#, "missing field `tab`");
    check::<ClientFrame>(r#"{"type":"set_state","agent":"a","key":"k"}"#, "missing field `value`");
    check::<FromSkin>(r#"{"type":"performed","request":1,"done":{"result":1}}"#, "missing field `page`");
    check::<Entry>(
        r#"{"agent":"a","seq":1,"body":{"type":"run_started","home":"hub"}}"#,
        "missing field `at`",
    );
}

#[test]
fn a_field_of_another_type_is_refused() {
    for (text, expected) in [
        (r#"{"type":"subscribe","agent":"a","after":"1"}"#, "invalid type: string \"1\", expected u64"),
        (r#"{"type":"subscribe","agent":"a","after":-1}"#, "invalid value: integer `-1`, expected u64"),
        (
            r#"{"type":"subscribe","agent":"a","after":1.5}"#,
            "invalid type: floating point `1.5`, expected u64",
        ),
        (r#"{"type":"subscribe","agent":"a","after":null}"#, "invalid type: null, expected u64"),
        (r#"{"type":"subscribe","agent":7,"after":1}"#, "invalid type: integer `7`, expected a string"),
        (
            r#"{"type":"hello","version":4294967296,"tab":"t"}"#,
            "invalid value: integer `4294967296`, expected u32",
        ),
        (r#"{"type":"skin_done","request":1,"done":[]}"#, "invalid length 0"),
        (r#"{"type":"run","run":"r","token":"t","ask":"stop"}"#, "internally tagged enum"),
        (r#"{"type":7}"#, "invalid type: integer `7`"),
    ] {
        check::<ClientFrame>(text, expected);
    }
}

#[test]
fn what_is_not_json_is_refused() {
    for (text, expected) in [
        ("", "EOF while parsing a value"),
        ("ping", "expected value"),
        (r#"{"type":"ping""#, "EOF while parsing an object"),
        (r#"{"type":"ping"}{"type":"ping"}"#, "trailing characters"),
        (r#"{"type":"page_ask","agent":"a","id":1,"text":"\ud800"}"#, "unexpected end of hex escape"),
        ("{\"type\":\"page_ask\",\"agent\":\"a\",\"id\":1,\"text\":\"\u{0}\"}", "control character"),
        (r#"{"type":"set_state","agent":"a","key":"k","value":NaN}"#, "expected value"),
        (r#"{"type":"set_state","agent":"a","key":"k","value":1e999}"#, "number out of range"),
        (r#"{"type":"ping","type":"hello"}"#, "duplicate field `type`"),
        ("[]", "missing field `type`"),
        ("null", "invalid type: null"),
    ] {
        check::<ClientFrame>(text, expected);
    }
}

#[test]
fn deep_nesting_is_refused_before_it_can_exhaust_the_stack() {
    let value = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    check::<ClientFrame>(
        &format!(r#"{{"type":"set_state","agent":"a","key":"k","value":{value}}}"#),
        "recursion limit exceeded",
    );
}

#[test]
fn every_frame_needs_its_type() {
    for_every_frame(|parse, frame| {
        let mut object = object(frame);
        object.remove("type");
        assert!(!parse(&Value::Object(object).to_string()), "{frame}");
    });
}

#[test]
fn no_frame_is_read_from_a_part_of_its_text() {
    for_every_frame(|parse, frame| {
        for end in (0..frame.len()).filter(|&end| frame.is_char_boundary(end)) {
            assert!(!parse(&frame[..end]), "{}", &frame[..end]);
        }
    });
}

#[test]
fn an_unknown_field_is_passed_over() {
    for_every_frame(|parse, frame| {
        let mut object = object(frame);
        object.insert("from_a_later_version".to_owned(), Value::Bool(true));
        assert!(parse(&Value::Object(object).to_string()), "{frame}");
    });
}

#[test]
fn a_field_with_a_default_may_be_left_out() {
    fn check<T: DeserializeOwned + PartialEq + Debug>(short: &str, long: &str) {
        let [short, long] = [short, long].map(|text| serde_json::from_str::<T>(text).unwrap());
        assert_eq!(short, long);
    }
    check::<SkinPage>(
        r#"{"head":"","body":"x"}"#,
        r#"{"head":"","body":"x","html_attributes":{},"body_attributes":{},"listeners":[]}"#,
    );
    check::<ToolResult>(
        r#"{"call":"c","name":"n","content":""}"#,
        r#"{"call":"c","name":"n","content":"","is_error":false}"#,
    );
    check::<Usage>(r#"{"input":1,"output":2}"#, r#"{"input":1,"output":2,"cache_read":0,"cache_write":0}"#);
    check::<Block>(
        r#"{"type":"reasoning","text":"t"}"#,
        r#"{"type":"reasoning","text":"t","signature":null}"#,
    );
    check::<Failure>(r#"{"kind":"limit","message":"m"}"#, r#"{"kind":"limit","message":"m","id":null}"#);
    check::<AgentDraft>(
        r##"{"name":"n","colour":"#000000"}"##,
        r##"{"name":"n","colour":"#000000","instructions":"","provider":"","model":"","tools":[],"max_output_tokens":0,"home":"hub"}"##,
    );
}

fn check<T: DeserializeOwned + Debug>(text: &str, expected: &str) {
    let error = serde_json::from_str::<T>(text).expect_err(text).to_string();
    assert!(error.contains(expected), "{text}\n  gave:     {error}\n  expected: {expected}");
}

/// Whether a text is a frame of some type.
type Parse = fn(&str) -> bool;

/// Calls `test` with each golden frame.
fn for_every_frame(test: impl Fn(Parse, &str)) {
    fn is<T: DeserializeOwned>(text: &str) -> bool {
        serde_json::from_str::<T>(text).is_ok()
    }
    let types: [(&str, &str, Parse); 6] = [
        ("socket", "ClientFrame", is::<ClientFrame>),
        ("socket", "HubFrame", is::<HubFrame>),
        ("frames", "ToSkin", is::<ToSkin>),
        ("frames", "FromSkin", is::<FromSkin>),
        ("frames", "ToWorker", is::<ToWorker>),
        ("frames", "FromWorker", is::<FromWorker>),
    ];
    for (wire, name, parse) in types {
        for frame in lines_of(wire, name) {
            assert!(parse(&frame), "{frame}");
            test(parse, &frame);
        }
    }
}

fn object(frame: &str) -> Map<String, Value> {
    match serde_json::from_str(frame).unwrap() {
        Value::Object(object) => object,
        other => panic!("{other} is not an object"),
    }
}
