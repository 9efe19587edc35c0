use super::*;
use protocol::log::{Mark, Outcome, Summariser};
use protocol::model::ToolResult;
use serde_json::json;

fn entry(body: EntryBody) -> Entry {
    Entry { agent: "a".into(), seq: 1, at: 0, conversation: None, run: Some("r".into()), body }
}

fn called(name: &str, input: Value, denied: bool) -> [Entry; 2] {
    let call = ToolCall { id: name.into(), name: name.to_owned(), input };
    let result = ToolResult {
        call: call.id.clone(),
        name: name.to_owned(),
        content: String::new(),
        media: Vec::new(),
        is_error: false,
    };
    [
        entry(EntryBody::ToolStarted { turn: 0, call }),
        entry(EntryBody::ToolFinished { turn: 0, result, millis: 1, denied }),
    ]
}

fn said(from: Sender, text: &str) -> Entry {
    entry(EntryBody::Message { from, text: text.to_owned() })
}

#[test]
fn what_a_conversation_holds_follows_from_its_log() {
    let summary = entry(EntryBody::Summary {
        turn: 3,
        by: Summariser::Model,
        upto: Mark { run: "r".into(), turn: 2 },
        text: "All was well.".to_owned(),
    });
    let fetched = || called("fetch", json!({ "url": "https://example.org/" }), false).to_vec();
    let kept = || called("storage", json!({ "action": "get", "key": "k" }), false).to_vec();
    for (entries, untrusted, private) in [
        (vec![], false, false),
        (vec![said(Sender::Person, "Hello")], false, false),
        (vec![said(Sender::PageNotify { name: "pressed".to_owned() }, "x")], true, true),
        (vec![said(Sender::Rule { key: "score".to_owned() }, "x")], true, true),
        (fetched(), true, false),
        (kept(), false, true),
        ([fetched(), kept()].concat(), true, true),
        ([fetched(), vec![summary], kept()].concat(), true, true),
        (
            [fetched(), vec![entry(EntryBody::RunFinished { outcome: Outcome::Completed })]].concat(),
            true,
            false,
        ),
        (called("http_fetch", json!({ "url": "https://example.org/" }), false).to_vec(), true, false),
        (called("fetch", json!({ "url": "https://example.org/" }), true).to_vec(), false, false),
        (called("state", json!({ "action": "set", "key": "k", "value": 1 }), false).to_vec(), false, false),
        (called("state", json!({ "action": "list" }), false).to_vec(), false, true),
        (called("state", json!({ "action": "rules" }), false).to_vec(), true, true),
        (called("skins", json!({ "action": "list" }), false).to_vec(), true, true),
        (called("skins", json!({ "action": "load", "name": "a" }), false).to_vec(), false, true),
        (called("dom", json!({ "action": "create", "html": "x" }), false).to_vec(), false, false),
        (called("dom", json!({ "action": "query", "selector": "p" }), false).to_vec(), true, true),
        (called("runjs", json!({ "code": "return 1" }), false).to_vec(), true, true),
        (called("context_search", json!({ "query": "x" }), false).to_vec(), false, true),
        (called("datetime", json!({}), false).to_vec(), false, false),
        (called("double", json!({}), false).to_vec(), true, true),
        (vec![entry(EntryBody::Imported { name: "Counter".to_owned(), notes: Vec::new() })], true, false),
    ] {
        assert_eq!(of(&entries), Marks { untrusted, private }, "{entries:?}");
    }
}

#[test]
fn state_that_a_page_wrote_is_a_strangers_once_it_is_read() {
    let written = |run: Option<&str>| {
        let body = EntryBody::State { key: "k".to_owned(), value: json!("x") };
        vec![Entry { run: run.map(Into::into), ..entry(body) }]
    };
    let read = || called("state", json!({ "action": "get", "key": "k" }), false).to_vec();
    let stored = || called("storage", json!({ "action": "get", "key": "k" }), false).to_vec();
    for (entries, untrusted) in [
        (written(None), false),
        ([written(None), read()].concat(), true),
        ([read(), written(None)].concat(), false),
        ([written(None), stored()].concat(), false),
        ([written(Some("r")), read()].concat(), false),
    ] {
        assert_eq!(of(&entries).untrusted, untrusted, "{entries:?}");
    }
}

#[test]
fn an_address_that_the_person_wrote_says_nothing_new() {
    let entries = [
        said(Sender::Person, "Read https://example.org/a?b=c and tell me."),
        said(Sender::PageAsk, "https://evil.example/"),
    ];
    for (input, expected) in [
        (json!({ "url": "https://example.org/a?b=c" }), true),
        (json!({ "url": "https://example.org/a?b=c", "method": "GET" }), true),
        (json!({ "url": "https://example.org/a?b=c", "method": "POST" }), false),
        (json!({ "url": "https://example.org/a?b=c", "headers": { "X-Note": "secret" } }), false),
        (json!({ "url": "https://example.org/a?b=c", "body": "x" }), false),
        (json!({ "url": "https://example.org/a" }), false),
        (json!({ "url": "https://example.org/a?b=cd" }), false),
        (json!({ "url": "https://evil.example/" }), false),
        (json!({}), false),
    ] {
        assert_eq!(was_written_by_the_person(&input, &entries), expected, "{input}");
    }
}
