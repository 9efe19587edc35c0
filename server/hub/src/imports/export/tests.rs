use super::*;
use crate::imports::conversation::{Speaker, Turn};
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::json;
use std::io::Write;

/// What was said, each line with who said it, and what stays behind.
fn check(json: &Value, source: ImportSource, said: &[&str], left_out: &[&str]) {
    let export = Export::read(json.to_string().as_bytes()).expect("an export");
    let [conversation] = export.conversations.as_slice() else { panic!("{:?}", export.conversations) };
    let line = |turn: &Turn| match turn.by {
        Speaker::Person => format!("< {}", turn.text),
        Speaker::Agent => format!("> {}", turn.text),
    };
    let lines: Vec<String> = conversation.turns.iter().map(line).collect();
    assert_eq!((export.source, lines), (source, said.iter().map(ToString::to_string).collect()), "{json}");
    assert_eq!(conversation.left_out.sentences(), left_out, "{json}");
}

fn refused(bytes: &[u8]) -> String {
    Export::read(bytes).map(|export| format!("{export:?}")).expect_err("no export").to_string()
}

/// One of ChatGPT's messages. The parts are what it says.
fn node(id: &str, parent: Option<&str>, role: &str, parts: Value) -> (String, Value) {
    let content = json!({ "content_type": "text", "parts": parts });
    let message =
        json!({ "id": id, "author": { "role": role }, "create_time": 1_700_000_000.5, "content": content });
    (id.to_owned(), json!({ "id": id, "message": message, "parent": parent, "children": [] }))
}

fn chatgpt(nodes: Vec<(String, Value)>, last: &str) -> Value {
    let mapping: serde_json::Map<String, Value> = nodes.into_iter().collect();
    json!([{ "title": "Ferns", "create_time": 1_700_000_000, "mapping": mapping, "current_node": last, "conversation_id": "c1" }])
}

#[test]
fn of_chatgpt_the_line_that_was_shown_is_taken() {
    let said = |id, parent, role, text: &str| node(id, Some(parent), role, json!([text]));
    let root = ("root".to_owned(), json!({ "id": "root", "message": null, "parent": null, "children": [] }));
    let picture = json!([{ "content_type": "image_asset_pointer" }, "What is this?", 7, null]);
    let mut hidden = said("h", "s", "user", "I am a botanist.");
    hidden.1["message"]["metadata"] = json!({ "is_visually_hidden_from_conversation": true });
    let mut call = said("d", "c", "assistant", "search()");
    call.1["message"]["recipient"] = json!("browser");
    let mut thought = said("t", "e", "assistant", "");
    thought.1["message"]["content"] = json!({ "content_type": "thoughts", "thoughts": [] });
    let mut attached = said("a", "h", "user", "Hello");
    attached.1["message"]["metadata"] =
        json!({ "attachments": [{ "mime_type": "application/pdf" }, { "mime_type": "image/png" }] });
    let mut code = said("f", "t", "assistant", "");
    code.1["message"]["content"] = json!({ "content_type": "code", "text": "1 + 1" });
    let nodes = vec![
        root,
        said("s", "root", "system", "Be kind."),
        hidden,
        attached,
        said("b", "a", "assistant", "Hi"),
        said("other", "a", "assistant", "Good day"),
        node("c", Some("b"), "user", picture),
        call,
        said("e", "d", "tool", "results"),
        thought,
        code,
    ];
    check(
        &chatgpt(nodes, "f"),
        ImportSource::ChatGpt,
        &["< Hello", "> Hi", "< What is this?", "> ```\n1 + 1\n```"],
        &[
            "1 picture was left out.",
            "1 file was left out.",
            "2 calls of tools and their results were left out.",
            "2 messages that nobody saw were left out.",
            "1 part that the model only thought was left out.",
            "1 message of another branch was left out: the branch that was looked at last is taken.",
            "1 message or part of one could not be read.",
        ],
    );
    let circle = vec![said("a", "b", "user", "one"), said("b", "a", "assistant", "two")];
    let broken = "What was said before its first message cannot be found in the file.";
    check(&chatgpt(circle, "b"), ImportSource::ChatGpt, &["< one", "> two"], &[broken]);
}

#[test]
fn of_claude_texts_are_taken_and_other_parts_counted() {
    let message = |sender: &str, text: &str, content: Value| json!({ "uuid": text, "sender": sender, "text": text, "content": content, "created_at": "2025-01-02T03:04:05.678Z", "attachments": [], "files": [{ "file_name": "a.pdf" }] });
    let content = json!([
        { "type": "thinking", "thinking": "Hm." },
        { "type": "text", "text": "One" },
        { "type": "tool_use", "name": "search" },
        { "type": "tool_result", "content": [] },
        { "type": "text", "text": "Two" },
        7,
    ]);
    let messages = json!([message("human", "Hello", json!(null)), message("assistant", "old", content), 5, { "sender": "robot" }]);
    let file = json!([{ "uuid": "c", "name": "Ferns", "created_at": "2025-01-02T03:04:05Z", "chat_messages": messages }]);
    check(
        &file,
        ImportSource::Claude,
        &["< Hello", "> One\n\nTwo"],
        &[
            "2 files were left out.",
            "2 calls of tools and their results were left out.",
            "1 part that the model only thought was left out.",
            "3 messages or parts of them could not be read.",
        ],
    );
    let branch = |id: &str, parent: &str, sender: &str| json!({ "uuid": id, "parent_message_uuid": parent, "sender": sender, "text": id });
    let nil = "00000000-0000-4000-8000-000000000000";
    let messages = [branch("a", nil, "human"), branch("b", "a", "assistant"), branch("c", "a", "assistant")];
    check(
        &json!([{ "uuid": "c", "name": "", "chat_messages": messages }]),
        ImportSource::Claude,
        &["< a", "> c"],
        &["1 message of another branch was left out: the branch that was looked at last is taken."],
    );
}

#[test]
fn of_open_webui_what_is_folded_away_is_left_out() {
    let message = |id: &str, parent: Value, role: &str, content: Value| json!({ "id": id, "parentId": parent, "childrenIds": [], "role": role, "content": content, "timestamp": 1_700_000_000 });
    let folded = "<details type=\"reasoning\" done=\"true\"><summary>Thought</summary>Hm</details>Two<details type=\"own\">x</details><details type=\"tool_calls\">cut off";
    let messages = json!({
        "a": message("a", json!(null), "user", json!([{ "type": "text", "text": "One" }, { "type": "image_url" }])),
        "b": message("b", json!("a"), "assistant", json!(folded)),
        "c": message("c", json!("a"), "assistant", json!("Three")),
    });
    let history = json!({ "currentId": "b", "messages": messages });
    check(
        &json!([{ "id": "w", "title": "Ferns", "chat": { "title": "x", "history": history, "messages": [] } }]),
        ImportSource::OpenWebUi,
        &["< One", "> Two<details type=\"own\">x</details><details type=\"tool_calls\">cut off"],
        &[
            "1 picture was left out.",
            "1 part that the model only thought was left out.",
            "1 message of another branch was left out: the branch that was looked at last is taken.",
        ],
    );
    let list = json!([{ "role": "user", "content": "One" }, { "role": "assistant", "content": "Two" }]);
    check(&json!([{ "chat": { "messages": list } }]), ImportSource::OpenWebUi, &["< One", "> Two"], &[]);
}

fn nested(id: u32, more: Vec<Value>) -> Value {
    json!({ "messageId": id.to_string(), "isCreatedByUser": id.is_multiple_of(2), "text": format!("{id} said"), "createdAt": "2025-01-02T03:04:05Z", "children": more })
}

#[test]
fn of_librechat_both_forms_are_taken_however_deep_they_are() {
    let tree = vec![nested(0, vec![nested(1, vec![]), nested(3, vec![nested(4, vec![])])])];
    let file = |name: &str, messages: Value| json!({ "conversationId": "l", "title": "Ferns", "recursive": true, name: messages });
    let left = "1 message of another branch was left out: the branch that was looked at last is taken.";
    for name in ["messages", "messagesTree"] {
        let expected = ["< 0 said", "> 3 said", "< 4 said"];
        check(&file(name, json!(tree)), ImportSource::LibreChat, &expected, &[left]);
    }
    let flat = |id: &str, parent: &str, own: bool| json!({ "messageId": id, "parentMessageId": parent, "isCreatedByUser": own, "text": id });
    let nil = "00000000-0000-0000-0000-000000000000";
    let list = json!([flat("a", nil, true), flat("b", "a", false)]);
    check(&file("messages", list), ImportSource::LibreChat, &["< a", "> b"], &[]);

    let mut deep = String::new();
    let levels = 2_000;
    for id in 0..levels {
        deep.push_str(&format!(r#"{{"messageId":"{id}","isCreatedByUser":true,"text":"{id}","children":["#));
    }
    deep.push_str(&"]}".repeat(levels));
    let json = format!(r#"{{"conversationId":"l","title":"Deep","messages":[{deep}]}}"#);
    let export = Export::read(json.as_bytes()).expect("an export");
    assert_eq!(export.conversations[0].turns.len(), levels);
}

#[test]
fn of_one_of_ours_an_entry_that_is_none_or_has_too_many_values_harms_no_other() {
    let message = |text: &str| json!({ "type": "message", "from": { "type": "person" }, "text": text });
    let mut large = message("Large");
    large["x"] = json!(vec![json!({ "": 0 }); 100_000]);
    let bodies =
        [message("One"), large, json!({ "type": "message" }), json!({ "type": "new" }), message("Two")];
    let at = 1_700_000_000_000_i64;
    let entry = |(seq, body): (u32, Value)| json!({ "seq": seq, "at": at, "body": body });
    let entries: Vec<Value> = (1..).zip(bodies).map(entry).collect();
    let about = json!({ "id": "v", "title": "Ferns", "created_at": at });
    check(
        &json!({ "format": "vivarium.conversation", "conversation": about, "entries": entries }),
        ImportSource::Vivarium,
        &["< One", "< Two"],
        &["2 messages or parts of them could not be read."],
    );
}

#[test]
fn what_cannot_be_a_conversation_is_counted_and_harms_no_other() {
    let good = chatgpt(vec![node("a", None, "user", json!(["Hello"]))], "a");
    let good = good[0].to_string();
    let empty = json!({ "conversation_id": "e", "mapping": {}, "title": 5, "create_time": [] });
    let claude = json!({ "uuid": "c", "chat_messages": [] });
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let large = format!("{{\"mapping\":{{}},\"x\":[{}0]}}", "0,".repeat(VALUES));
    let file =
        format!("[{good},{empty},{good},7,{deep},{large},{claude},{{\"mapping\":\"x\"}},\"\u{0}\",{good}");
    let export = Export::read(file.as_bytes()).expect("an export");
    assert_eq!(export.conversations.len(), 1);
    assert_eq!(
        export.notices,
        [
            "1 conversation has nothing in it that can be brought in.",
            "1 conversation is in the file more than once, and taken once.",
            "4 parts of the file could not be read.",
            "1 conversation has more parts than are read.",
            "1 conversation is of another product. Each needs a file of its own.",
            "The file breaks off. What stands before that was read.",
        ]
    );
    for (bytes, expected) in [
        (b"".as_slice(), "The file is no JSON."),
        (b"hello", "The file is no JSON."),
        (b"\xff\xfe\x00", "The file is no JSON."),
        (b"[]", "no conversation that can be read"),
        (b"{}", "no conversation that can be read"),
        (b"PK\x03\x04nothing", "no zip archive"),
        (large.as_bytes(), "more parts than are read"),
    ] {
        assert!(refused(bytes).contains(expected), "{}", refused(bytes));
    }
    assert!(refused(&vec![b' '; LARGEST_IMPORT + 1]).contains("larger than 20 MB"));
}

#[test]
fn of_an_archive_the_conversations_are_read_and_nothing_else() {
    let one = |id: &str| {
        let mut file = chatgpt(vec![node("a", None, "user", json!([id]))], "a");
        file[0]["conversation_id"] = json!(id);
        file.to_string().into_bytes()
    };
    let export = Export::read(&zipped(&[
        ("export/conversations-000.json", &one("first")),
        ("export/conversations-001.json", &one("second")),
        ("conversations.json.bak", b"["),
        ("shared_conversations.json", b"["),
        ("../chat.html", &vec![0; 11 * 1024 * 1024]),
    ]))
    .expect("an export");
    let ids: Vec<&str> = export.conversations.iter().map(|conversation| conversation.id.as_str()).collect();
    assert_eq!(ids, ["first", "second"]);
    assert!(refused(&zipped(&[("chat.html", b"x")])).contains("no conversations.json"));
    let bomb = zipped(&[("conversations.json", &vec![b' '; 70 * 1024 * 1024])]);
    assert!(refused(&bomb).contains("more than 64 MB"), "{}", refused(&bomb));
    let bomb = zipped(&[("conversations.json", &vec![b' '; 20 * 1024 * 1024])]);
    assert!(refused(&bomb).contains("100 times larger"), "{}", refused(&bomb));
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in files {
        let path = rawzip::path::EntryPath::verbatim(name.as_bytes());
        let file = archive.new_file(path).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().expect("it is in memory");
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).expect("it is in memory");
        let (encoder, descriptor) = writer.finish().expect("it is in memory");
        encoder.finish().expect("it is in memory");
        entry.finish(descriptor).expect("it is in memory");
    }
    archive.finish().expect("it is in memory")
}
