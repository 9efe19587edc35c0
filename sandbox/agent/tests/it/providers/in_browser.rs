use super::encoding::read_request;
use super::reduction::decode;
use super::streams::check;
use super::{expect_file, files, fixtures};
use agent::facts;
use agent::providers::in_browser::{self, MODEL};
use agent::text_lane::Lane;
use protocol::Micros;
use protocol::model::{Block, ModelEvent, StopReason, Usage};

#[test]
fn a_request_becomes_the_call_beside_it() {
    for path in files(&fixtures().join("requests"), "json") {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let call = in_browser::encode(&read_request(name));
        let pretty = serde_json::to_string_pretty(&call).expect("JSON");
        let golden = fixtures().join("in-browser").join(name).with_extension("call.json");
        expect_file(&golden, &(pretty + "\n"));
    }
}

#[test]
fn the_pages_lines_give_the_same_events_however_they_are_cut() {
    for path in files(&fixtures().join("in-browser"), "ndjson") {
        let bytes = std::fs::read(&path).expect("a readable fixture");
        let reduction = check(in_browser::decoder, &bytes, &path.display().to_string());
        expect_file(&path.with_extension("expect.txt"), &reduction);
    }
}

#[test]
fn its_calls_are_read_out_of_its_text() {
    let bytes = std::fs::read(fixtures().join("in-browser/call.ndjson")).expect("a readable fixture");
    let request = read_request("history.json");
    let events = decode(in_browser::decoder(), [bytes.as_slice()]);
    let events = Lane::answering(&request).take(events);
    let call = events.iter().find_map(|event| match event {
        ModelEvent::BlockFinished { block: Block::ToolUse(call), .. } => Some(call),
        _ => None,
    });
    let call = call.expect("a call");
    assert_eq!((call.name.as_str(), &call.input["at"]), ("look", &"the page".into()));
    assert_eq!(events.last(), Some(&ModelEvent::Stopped { reason: StopReason::ToolUse }));
}

#[test]
fn what_it_can_do_is_declared() {
    let able = facts::of(MODEL);
    assert!(able.is_known && !able.native_tools && !able.reasoning && able.media.is_empty());
    let usage = Usage { input: 1_000_000, output: 1_000_000, ..Usage::default() };
    assert_eq!(facts::cost(MODEL, &usage), Some(Micros(0)));
}
