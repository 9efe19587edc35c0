//! What the page of a tool of an MCP server says, in the JSON-RPC of MCP Apps (2026-01-26), and how it is answered.
//! Decides nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// Characters of an address, of what it would say to the agent, and of what goes along with the next message.
const ADDRESS: usize = 2048;
const WORDS: usize = 4_000;
const CONTEXT: usize = 8_000;
const NAME: usize = 128;

/// The id of the one thing that it is asked.
const TEARDOWN: &str = "teardown";
const VERSION: &str = "2026-01-26";
const NO_SUCH_METHOD: i64 = -32_601;
const WRONG: i64 = -32_602;
const REFUSED: i64 = -32_000;

/// What came out of the frame.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    /// Absent id: nobody waits for an answer.
    Asked {
        id: Option<Value>,
        ask: Ask,
    },
    Initialized,
    Size {
        height: f64,
    },
    /// It wants to be put away.
    Ends,
    /// It has had its last word.
    TornDown,
    /// Something that nobody here needs.
    Nothing,
    /// No message of the protocol.
    Bad,
}

#[derive(Debug, PartialEq)]
pub(super) enum Ask {
    Initialize {
        /// Absent: it did not say in which modes it can be shown.
        modes: Option<Vec<String>>,
    },
    Ping,
    CallTool {
        name: String,
        input: Value,
    },
    /// A resource of its own server.
    Read {
        uri: String,
    },
    OpenLink {
        url: String,
    },
    /// A file for the person.
    Save {
        name: String,
        bytes: Vec<u8>,
    },
    Say {
        text: String,
    },
    /// Goes along with the person's next message.
    Context {
        text: String,
    },
    Mode {
        mode: String,
    },
    /// It is not as the protocol has it.
    Wrong,
    Unknown,
}

pub(super) fn heard(message: &Value) -> Heard {
    let Some(message) = message.as_object().filter(|message| message.get("jsonrpc") == Some(&json!("2.0")))
    else {
        return Heard::Bad;
    };
    let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
    let empty = Value::Null;
    let params = message.get("params").unwrap_or(&empty);
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        // The answer to something that it was asked.
        return match &id {
            Some(id) if *id == TEARDOWN => Heard::TornDown,
            Some(_) => Heard::Nothing,
            None => Heard::Bad,
        };
    };
    let is_notification = id.is_none();
    match method {
        "ui/notifications/initialized" => Heard::Initialized,
        "ui/notifications/size-changed" => match params.get("height").and_then(Value::as_f64) {
            Some(height) => Heard::Size { height },
            None => Heard::Nothing,
        },
        "ui/notifications/request-teardown" => Heard::Ends,
        // A link that was pressed is told without anybody waiting.
        "ui/open-link" => Heard::Asked { id, ask: ask(method, params) },
        _ if is_notification => Heard::Nothing,
        _ => Heard::Asked { id, ask: ask(method, params) },
    }
}

fn ask(method: &str, params: &Value) -> Ask {
    let text = |name: &str, most: usize| {
        let text = params.get(name).and_then(Value::as_str);
        text.filter(|text| (1..=most).contains(&text.len())).map(str::to_owned)
    };
    let asked = match method {
        "ui/initialize" => {
            let modes = params.pointer("/appCapabilities/availableDisplayModes").and_then(Value::as_array);
            let modes =
                modes.map(|modes| modes.iter().filter_map(Value::as_str).map(str::to_owned).collect());
            Some(Ask::Initialize { modes })
        }
        "ping" => Some(Ask::Ping),
        "tools/call" => text("name", NAME).map(|name| {
            let input = params.get("arguments").filter(|input| input.is_object()).cloned();
            Ask::CallTool { name, input: input.unwrap_or_else(|| json!({})) }
        }),
        "resources/read" => text("uri", ADDRESS).map(|uri| Ask::Read { uri }),
        "ui/download-file" => file(params).map(|(name, bytes)| Ask::Save { name, bytes }),
        "ui/open-link" => {
            text("url", ADDRESS).filter(|url| is_of_the_web(url)).map(|url| Ask::OpenLink { url })
        }
        "ui/message" => {
            let is_persons = params.get("role").is_none_or(|role| role == "user");
            let said = words(params).filter(|text| is_persons && text.chars().count() <= WORDS);
            said.filter(|text| !text.trim().is_empty()).map(|text| Ask::Say { text })
        }
        "ui/update-model-context" => {
            let structured =
                params.get("structuredContent").filter(|it| it.is_object()).map(Value::to_string);
            let parts: Vec<String> =
                words(params).filter(|text| !text.is_empty()).into_iter().chain(structured).collect();
            let text = parts.join("\n");
            (text.chars().count() <= CONTEXT).then_some(Ask::Context { text })
        }
        "ui/request-display-mode" => text("mode", NAME).map(|mode| Ask::Mode { mode }),
        _ => Some(Ask::Unknown),
    };
    asked.unwrap_or(Ask::Wrong)
}

/// The one that comes along. Nobody fetches what a link leads to.
fn file(params: &Value) -> Option<(String, Vec<u8>)> {
    let [content] = params.get("contents")?.as_array()?.as_slice() else { return None };
    let resource = content.get("resource")?;
    let part = |name: &str| resource.get(name).and_then(Value::as_str);
    let bytes = match (part("text"), part("blob")) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, blob) => STANDARD.decode(blob?).ok()?,
    };
    let path = part("uri")?.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().trim_start_matches('.');
    // Nothing that hides what kind of file it is.
    let plain = |char: char| match char {
        ' ' | '-' | '_' | '.' | '(' | ')' => char,
        char if char.is_alphanumeric() => char,
        _ => '_',
    };
    let name: String = name.chars().take(NAME).map(plain).collect();
    Some((if name.is_empty() { "file".to_owned() } else { name }, bytes))
}

fn is_of_the_web(url: &str) -> bool {
    let is_of =
        |scheme: &str| url.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme));
    (is_of("https://") || is_of("http://"))
        && !url.chars().any(|char| char.is_control() || char.is_whitespace())
}

/// The texts of what is said; `None` if it is no list of contents.
fn words(params: &Value) -> Option<String> {
    let one;
    let blocks = match params.get("content") {
        Some(Value::Array(blocks)) => blocks.as_slice(),
        Some(block @ Value::Object(_)) => {
            one = [block.clone()];
            &one
        }
        Some(_) => return None,
        None => &[],
    };
    let texts = blocks.iter().filter(|block| block.get("type") == Some(&json!("text")));
    Some(texts.filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n"))
}

pub(super) fn result(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Why a request is not answered otherwise.
pub(super) enum Refusal {
    NoSuchMethod,
    Wrong,
    /// In words.
    Refused(&'static str),
    /// In words of the server's, or of the gateway's.
    Said(String),
}

pub(super) fn refusal(id: &Value, why: &Refusal) -> Value {
    let (code, message) = match why {
        Refusal::NoSuchMethod => (NO_SUCH_METHOD, "Method not found"),
        Refusal::Wrong => (WRONG, "Invalid params"),
        Refusal::Refused(words) => (REFUSED, *words),
        Refusal::Said(words) => (REFUSED, words.as_str()),
    };
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

pub(super) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub(super) fn teardown() -> Value {
    json!({ "jsonrpc": "2.0", "id": TEARDOWN, "method": "ui/resource-teardown", "params": {} })
}

/// The answer to `ui/initialize`.
pub(super) fn greeting(context: Value, sandbox: Value) -> Value {
    json!({
        "protocolVersion": VERSION,
        "hostInfo": { "name": "vivarium", "version": env!("CARGO_PKG_VERSION") },
        "hostCapabilities": {
            "openLinks": {},
            "downloadFile": {},
            "serverTools": {},
            "serverResources": {},
            "message": { "text": {} },
            "updateModelContext": { "text": {}, "structuredContent": {} },
            "sandbox": sandbox,
        },
        "hostContext": context,
    })
}

/// What a call of a page's brought: what its server said, or else words of ours.
pub(super) fn answered(text: &str, is_error: bool) -> Value {
    whole(text).unwrap_or_else(|| call_result(text, is_error))
}

/// What a call brought as its server said it. `None`: it is told otherwise.
pub(super) fn whole(text: &str) -> Option<Value> {
    let said: Value = serde_json::from_str(text).ok()?;
    said.get("content").is_some_and(Value::is_array).then_some(said)
}

/// The texts of what its server says of an error, or words of ours.
pub(super) fn words_of_error(text: &str) -> String {
    whole(text)
        .and_then(|said| words(&said))
        .filter(|words| !words.is_empty())
        .unwrap_or_else(|| text.to_owned())
}

/// What a call brought in the protocol's words, from what the log has of it.
pub(super) fn call_result(content: &str, is_error: bool) -> Value {
    // Words of hooks may follow.
    let told = serde_json::Deserializer::from_str(content).into_iter::<Value>().next();
    let told = match told {
        Some(Ok(Value::Object(told))) => told,
        _ => Map::from_iter([("text".to_owned(), Value::from(content))]),
    };
    let structured = told.get("structured").filter(|structured| structured.is_object());
    let text = told.get("text").or_else(|| told.get("error")).and_then(Value::as_str).map(str::to_owned);
    // A text that says the same was not kept.
    let text = text.or_else(|| structured.map(Value::to_string)).unwrap_or_default();
    let others = told.get("with").and_then(Value::as_array).into_iter().flatten().filter_map(other);
    let blocks: Vec<Value> = std::iter::once(json!({ "type": "text", "text": text })).chain(others).collect();
    let mut result = json!({ "content": blocks });
    if let Some(structured) = structured {
        result["structuredContent"] = structured.clone();
    }
    if is_error {
        result["isError"] = true.into();
    }
    result
}

/// What reading brought in the protocol's words; `None` where nothing is among it, or more than comes to a page.
pub(super) fn resource(text: &str) -> Option<Value> {
    let read = whole(text)?;
    let parts = read.get("content")?.as_array()?.iter();
    let contents: Vec<&Value> =
        parts.filter_map(|part| part.get("resource")).filter(|resource| resource.is_object()).collect();
    (!contents.is_empty()).then(|| json!({ "contents": contents }))
}

fn other(told: &Value) -> Option<Value> {
    let text = |name: &str| told.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("kind") {
        "link" => Some(json!({ "type": "resource_link", "uri": text("uri"), "name": text("name") })),
        "text" => {
            Some(json!({ "type": "resource", "resource": { "uri": text("uri"), "text": text("text") } }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_says_is_what_the_protocol_has_or_nothing() {
        let asks = |method: &str, params: Value| match heard(
            &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }),
        ) {
            Heard::Asked { id: Some(_), ask } => ask,
            other => panic!("{other:?}"),
        };
        let text = |text: &str| json!({ "role": "user", "content": [{ "type": "text", "text": text }] });
        let owned = str::to_owned;
        let file = |resource: Value| json!({ "contents": [{ "type": "resource", "resource": resource }] });
        let saves = |name: &str, bytes: &[u8]| Ask::Save { name: owned(name), bytes: bytes.to_vec() };
        for (method, params, expected) in [
            ("ping", json!({}), Ask::Ping),
            ("tools/call", json!({ "name": "a" }), Ask::CallTool { name: owned("a"), input: json!({}) }),
            ("tools/call", json!({ "name": 7 }), Ask::Wrong),
            (
                "ui/open-link",
                json!({ "url": "https://a.example" }),
                Ask::OpenLink { url: owned("https://a.example") },
            ),
            ("ui/open-link", json!({ "url": "javascript:alert(1)" }), Ask::Wrong),
            ("ui/open-link", json!({ "url": "data:text/html,a" }), Ask::Wrong),
            ("ui/open-link", json!({ "url": format!("https://a.example/{}", "a".repeat(3000)) }), Ask::Wrong),
            ("ui/message", text("Hello"), Ask::Say { text: owned("Hello") }),
            (
                "ui/message",
                json!({ "content": { "type": "text", "text": "Hello" } }),
                Ask::Say { text: owned("Hello") },
            ),
            ("ui/message", text(" "), Ask::Wrong),
            ("ui/message", text(&"a".repeat(5000)), Ask::Wrong),
            (
                "ui/message",
                json!({ "role": "system", "content": [{ "type": "text", "text": "a" }] }),
                Ask::Wrong,
            ),
            ("ui/update-model-context", text("a"), Ask::Context { text: owned("a") }),
            (
                "ui/update-model-context",
                json!({ "structuredContent": { "a": 1 } }),
                Ask::Context { text: owned("{\"a\":1}") },
            ),
            ("ui/update-model-context", json!({}), Ask::Context { text: String::new() }),
            ("ui/update-model-context", text(&"a".repeat(9000)), Ask::Wrong),
            (
                "ui/request-display-mode",
                json!({ "mode": "fullscreen" }),
                Ask::Mode { mode: owned("fullscreen") },
            ),
            ("ui/initialize", json!({}), Ask::Initialize { modes: None }),
            ("sampling/createMessage", json!({}), Ask::Unknown),
            ("resources/read", json!({ "uri": "garden://plan" }), Ask::Read { uri: owned("garden://plan") }),
            ("resources/read", json!({}), Ask::Wrong),
            (
                "ui/download-file",
                file(json!({ "uri": "a://b/../moss.csv?c", "text": "a" })),
                saves("moss.csv", b"a"),
            ),
            (
                "ui/download-file",
                file(json!({ "uri": "a://.b\u{202e}\"c", "blob": "AQI=" })),
                saves("b__c", &[1, 2]),
            ),
            ("ui/download-file", file(json!({ "uri": "a://b/", "text": "" })), saves("file", b"")),
            ("ui/download-file", file(json!({ "uri": "a://b", "blob": "?" })), Ask::Wrong),
            ("ui/download-file", file(json!({ "uri": "a://b" })), Ask::Wrong),
            (
                "ui/download-file",
                json!({ "contents": [{ "type": "resource_link", "uri": "https://a.example/b" }] }),
                Ask::Wrong,
            ),
            ("ui/download-file", json!({ "contents": [] }), Ask::Wrong),
        ] {
            assert_eq!(asks(method, params.clone()), expected, "{method} {params}");
        }
        for (message, expected) in [
            (json!({ "jsonrpc": "2.0", "method": "ui/notifications/initialized" }), Heard::Initialized),
            (
                json!({ "jsonrpc": "2.0", "method": "ui/notifications/size-changed", "params": { "height": 7 } }),
                Heard::Size { height: 7.0 },
            ),
            (json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "a" } }), Heard::Nothing),
            (json!({ "jsonrpc": "2.0", "id": "teardown", "result": {} }), Heard::TornDown),
            (json!({ "jsonrpc": "2.0", "id": 7, "result": {} }), Heard::Nothing),
            (json!({ "jsonrpc": "2.0" }), Heard::Bad),
            (json!({ "method": "ping", "id": 1 }), Heard::Bad),
            (json!([1]), Heard::Bad),
        ] {
            assert_eq!(heard(&message), expected, "{message}");
        }
    }

    #[test]
    fn of_what_was_read_a_page_has_texts_and_bytes() {
        let read = json!({ "content": [
            { "type": "resource", "resource": { "uri": "a:1", "text": "one", "_meta": { "a": 1 } } },
            { "type": "text", "text": "two" },
            { "type": "resource", "resource": { "uri": "a:2", "mimeType": "x/y", "blob": "AAAA" } },
        ] });
        let expected = json!({ "contents": [
            { "uri": "a:1", "text": "one", "_meta": { "a": 1 } },
            { "uri": "a:2", "mimeType": "x/y", "blob": "AAAA" },
        ] });
        assert_eq!(resource(&read.to_string()), Some(expected));
        for nothing in [r#"{"content":[]}"#, r#"{"with":[{"kind":"file","uri":"a:2"}]}"#, "No."] {
            assert_eq!(resource(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn what_a_server_said_to_a_call_of_its_page_comes_there_as_it_is() {
        let said = json!({
            "content": [{ "type": "image", "mimeType": "image/png", "data": "AAAA" }],
            "isError": true, "_meta": { "view": "wide" },
        });
        assert_eq!(answered(&said.to_string(), true), said);
        let refused =
            json!({ "content": [{ "type": "text", "text": "The person said no." }], "isError": true });
        assert_eq!(answered("The person said no.", true), refused);
        for (text, words) in [
            (r#"{"content":[{"type":"text","text":"It is gone."}],"isError":true}"#, "It is gone."),
            ("The person said no.", "The person said no."),
        ] {
            assert_eq!(words_of_error(text), words);
        }
    }

    #[test]
    fn a_result_is_told_as_its_server_told_it() {
        for (content, is_error, expected) in [
            (r#"{"text":"a"}"#, false, json!({ "content": [{ "type": "text", "text": "a" }] })),
            (
                "{\"structured\":{\"a\":1}}\n\nA hook says this.",
                false,
                json!({ "content": [{ "type": "text", "text": "{\"a\":1}" }], "structuredContent": { "a": 1 } }),
            ),
            (
                r#"{"error":"No."}"#,
                true,
                json!({ "content": [{ "type": "text", "text": "No." }], "isError": true }),
            ),
            (
                "The person said no.",
                true,
                json!({ "content": [{ "type": "text", "text": "The person said no." }], "isError": true }),
            ),
            (
                r#"{"text":"a","with":[{"kind":"link","uri":"a:1","name":"A"},{"kind":"image"}]}"#,
                false,
                json!({ "content": [{ "type": "text", "text": "a" }, { "type": "resource_link", "uri": "a:1", "name": "A" }] }),
            ),
        ] {
            assert_eq!(call_result(content, is_error), expected, "{content}");
        }
    }

    /// What the host says to pages, and what goes between it and a frame around theirs, of which there is none here.
    const SAID: [&str; 5] = [
        "ui/notifications/host-context-changed",
        "ui/notifications/tool-cancelled",
        "ui/notifications/tool-input",
        "ui/notifications/tool-result",
        "ui/resource-teardown",
    ];
    const LEFT_OUT: [&str; 3] = [
        "ui/notifications/sandbox-proxy-ready",
        "ui/notifications/sandbox-resource-ready",
        "ui/notifications/tool-input-partial",
    ];

    #[test]
    fn what_the_schema_of_the_protocol_has_is_heard_or_said_or_left_out_by_its_name() {
        // `end2end/clients/schema.test.mjs` holds it against the package of the protocol's makers.
        let schema: Value = serde_json::from_str(include_str!("schema.json")).expect("it is JSON");
        let names = |of: &str| -> Vec<&str> {
            schema[of].as_array().expect("it has names").iter().filter_map(Value::as_str).collect()
        };
        let methods = names("methods");
        assert!(methods.len() > 10, "{methods:?}");
        for method in &methods {
            let heard = heard(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} }));
            let is_heard = !matches!(heard, Heard::Asked { ask: Ask::Unknown, .. });
            let is_other = SAID.contains(method) || LEFT_OUT.contains(method);
            assert!(is_heard != is_other, "{method}: {heard:?}");
        }
        for method in SAID.iter().chain(&LEFT_OUT) {
            assert!(methods.contains(method), "{method} is none of the protocol");
        }
        let greeting = greeting(json!({}), json!({}));
        for (said, named) in
            [(&greeting, "McpUiInitializeResult"), (&greeting["hostCapabilities"], "McpUiHostCapabilities")]
        {
            let known = names(named);
            for part in said.as_object().expect("it is an object").keys() {
                assert!(known.contains(&part.as_str()), "{named} has no {part}");
            }
        }
    }
}
