use super::*;
use protocol::log::{Mark, Outcome, Summariser};
use protocol::model::ToolResult;
use protocol::schedule::Author;
use protocol::{Attachment, ContextSource};
use serde_json::json;

fn of(entries: &[Entry]) -> Marks {
    let mut marking = Marking::default();
    for entry in entries {
        marking.take(entry);
    }
    marking.marks()
}

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

fn program(relays: bool) -> Sender {
    Sender::Program { name: "bot".to_owned(), relays }
}

/// What stands around the person's words.
fn told(untrusted: bool) -> Sender {
    Sender::Context { source: ContextSource::Keys, untrusted }
}

fn said(from: Sender, text: &str) -> Entry {
    entry(EntryBody::said(from, text.to_owned()))
}

/// A file that a person attached.
fn brought(server: Option<&str>) -> Entry {
    let file = Attachment {
        id: "ab".into(),
        name: "a.txt".to_owned(),
        mime: "text/plain".to_owned(),
        size: 4,
        dimensions: None,
        server: server.map(str::to_owned),
    };
    entry(EntryBody::Message { from: Sender::Person, text: String::new(), attachments: vec![file] })
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
        (vec![brought(None)], false, false),
        (vec![brought(Some("garden"))], true, false),
        (vec![said(Sender::Person, "Do:\n<words-of-strangers>\nx\n</words-of-strangers>")], true, false),
        (vec![said(Sender::PageNotify { name: "pressed".to_owned() }, "x")], true, true),
        (vec![said(Sender::Rule { key: "score".to_owned() }, "x")], true, true),
        (fetched(), true, false),
        // A server that lets it in as its person may say what is theirs alone.
        (
            called("fetch", json!({ "url": "https://example.org/", "secret": "moss" }), false).to_vec(),
            true,
            true,
        ),
        (kept(), false, true),
        ([fetched(), kept()].concat(), true, true),
        ([fetched(), vec![summary], kept()].concat(), true, true),
        ([fetched(), vec![entry(EntryBody::finished(Outcome::Completed))]].concat(), true, false),
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
        (vec![said(program(false), "Hello")], false, false),
        (vec![said(program(true), "Hello")], true, false),
        (vec![said(told(false), "mood: calm")], false, true),
        (vec![said(told(true), "mood: calm")], true, true),
        (vec![entry(EntryBody::Imported { name: "Counter".to_owned(), notes: Vec::new() })], true, false),
    ] {
        let marks = of(&entries);
        assert_eq!((marks.untrusted, marks.private), (untrusted, private), "{entries:?}");
    }
}

#[test]
fn whoever_got_something_of_a_file_that_strangers_may_have_written_counts_as_having_read_them() {
    const MARKED: &str = r#"{"by":"others","path":"/workspace/a.md","text":"1\tObey."}"#;
    const QUOTED: &str = r#"{"path":"/workspace/a.md","text":"1\t\"by\":\"others\""}"#;
    let path = json!({ "path": "/workspace/a.md", "content": "x", "append": true, "command": "cat a.md" });
    for (tool, content, untrusted) in [
        ("read", MARKED, true),
        ("read_file", MARKED, true),
        ("write", MARKED, true),
        ("grep", MARKED, true),
        ("terminal", MARKED, true),
        ("read", QUOTED, false),
        ("read", r#"{"path":"/agent/a.md","text":"1\tmoss"}"#, false),
        ("datetime", MARKED, false),
    ] {
        let [begun, mut ended] = called(tool, path.clone(), false);
        if let EntryBody::ToolFinished { result, .. } = &mut ended.body {
            result.content = content.to_owned();
        }
        assert_eq!(of(&[begun, ended]).untrusted, untrusted, "{tool} {content}");
    }
}

#[test]
fn what_the_person_said_is_at_stake_once_strangers_words_are_there() {
    let fetched = || called("fetch", json!({ "url": "https://example.org/" }), false).to_vec();
    let kept = || called("storage", json!({ "action": "get", "key": "k" }), false).to_vec();
    let person = || vec![said(Sender::Person, "My name is Ada.")];
    let ended = Sender::Job { job: "j".into(), name: "build".to_owned() };
    let delivered = Sender::Trigger { schedule: "s".into(), name: "Orders".to_owned() };
    let scheduled = Sender::Schedule { schedule: "s".into(), name: "Morning".to_owned(), by: Author::Agent };
    for (entries, expected) in [
        (person(), Exposure::Nothing),
        (fetched(), Exposure::Nothing),
        ([person(), fetched()].concat(), Exposure::Said),
        ([fetched(), person()].concat(), Exposure::Said),
        ([fetched(), vec![said(program(false), "x")]].concat(), Exposure::Said),
        ([fetched(), vec![said(scheduled, "x")]].concat(), Exposure::Said),
        ([fetched(), vec![said(program(true), "x")]].concat(), Exposure::Nothing),
        (vec![said(program(true), "x"), said(Sender::Person, "x")], Exposure::Said),
        ([person(), kept()].concat(), Exposure::Nothing),
        ([person(), fetched(), kept()].concat(), Exposure::Private),
        (vec![said(Sender::PageAsk, "x")], Exposure::Private),
        (vec![said(delivered, "x")], Exposure::Private),
        (vec![said(ended, "x")], Exposure::Private),
    ] {
        assert_eq!(of(&entries).at_stake(), expected, "{entries:?}");
    }
}

#[test]
fn a_key_of_the_state_that_a_page_wrote_is_a_strangers_until_the_agent_writes_it() {
    let written = |run: Option<&str>, value: Value| {
        let body = EntryBody::State { key: "k".to_owned(), value, superseded: false };
        vec![Entry { run: run.map(Into::into), ..entry(body) }]
    };
    let by_page = || written(None, json!("x"));
    let removed = || written(None, Value::Null);
    let superseded = || {
        let body = EntryBody::State { key: "k".to_owned(), value: Value::Null, superseded: true };
        vec![Entry { run: None, ..entry(body) }]
    };
    let state = |input: Value, denied: bool| called("state", input, denied);
    let read = |key: &str| state(json!({ "action": "get", "key": key }), false).to_vec();
    let list = || state(json!({ "action": "list" }), false).to_vec();
    let during = |[started, finished]: [Entry; 2], within: Vec<Entry>| {
        [vec![started], within, vec![finished]].concat()
    };
    let set = || {
        let set = state(json!({ "action": "set", "key": "k", "value": "mine" }), false);
        during(set, written(Some("r"), json!("mine")))
    };
    let delete =
        || during(state(json!({ "action": "delete", "key": "k" }), false), written(Some("r"), Value::Null));
    let withheld =
        || during(called("runjs", json!({ "code": "x" }), true), written(Some("r"), json!("from the page")));
    let stored = || called("storage", json!({ "action": "get", "key": "k" }), false).to_vec();
    let fetched = || called("fetch", json!({ "url": "https://example.org/" }), false).to_vec();
    let get = || state(json!({ "action": "get", "key": "k" }), false);
    for (name, entries, untrusted) in [
        ("nobody has read it", by_page(), false),
        ("read", [by_page(), read("k")].concat(), true),
        ("read before its value was superseded", [superseded(), read("k")].concat(), true),
        ("another key", [by_page(), read("other")].concat(), false),
        ("all keys", [by_page(), list()].concat(), true),
        ("read before", [read("k"), by_page()].concat(), false),
        ("storage", [by_page(), stored()].concat(), false),
        ("the agent's own", [set(), read("k")].concat(), false),
        ("written over", [by_page(), set(), read("k"), list()].concat(), false),
        ("written over again", [by_page(), set(), by_page(), read("k")].concat(), true),
        ("deleted", [by_page(), delete(), read("k"), list()].concat(), false),
        ("deleted by the page", [by_page(), removed(), read("k")].concat(), false),
        ("by a script that a hook withheld", [by_page(), set(), withheld(), read("k")].concat(), true),
        ("while it is read", during(get(), [by_page(), removed()].concat()), true),
        ("removed while it is read", [by_page(), during(get(), removed())].concat(), true),
        ("what was read stays", [fetched(), by_page(), set()].concat(), true),
    ] {
        assert_eq!(of(&entries).untrusted, untrusted, "{name}");
    }
}

#[test]
fn an_address_that_the_person_wrote_says_nothing_new() {
    let entries = [
        said(Sender::Person, "Read https://example.org/a?b=c and tell me."),
        said(Sender::PageAsk, "https://evil.example/"),
        said(program(false), "https://unread.example/"),
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
        (json!({ "url": "https://unread.example/" }), false),
        (json!({}), false),
    ] {
        let written =
            bare_address(&input).is_some_and(|url| entries.iter().any(|entry| writes_address(entry, url)));
        assert_eq!(written, expected, "{input}");
    }
}
