//! The APIs that programs are served, against our own codecs for the same APIs: what the one writes the
//! other reads.

use super::encoding::read_request;
use super::reduction::decode;
use super::{CHAT, WIRES, fixtures, streams};
use agent::model_endpoints::{Api, ApiError, ApiErrorKind, Files, Name, ParsedRequest};
use agent::providers::Wire;
use protocol::CallId;
use protocol::model::{
    Block, Form, FormSchema, ModelEvent, ModelMessage, ModelRequest, Sampling, StopReason, Usage, Verbosity,
};
use serde_json::{Value, json};

const APIS: [(Api, Wire); 3] =
    [(Api::Chat, CHAT), (Api::Responses, Wire::OpenAiResponses), (Api::Messages, Wire::Anthropic)];

pub fn read(api: Api, body: &[u8]) -> Result<ParsedRequest, ApiError> {
    api.ask(body)?.read(&Files::default())
}

fn name() -> Name {
    Name { id: "1".to_owned(), model: "model".to_owned(), created: 1_795_305_600 }
}

/// A request in the words of an API.
fn asked(api: Api, stream: bool) -> Vec<u8> {
    let messages = json!([{ "role": "user", "content": "Hello" }]);
    let body = match api {
        Api::Chat => json!({
            "model": "model", "messages": messages, "stream": stream,
            "stream_options": { "include_usage": true },
        }),
        Api::Responses => json!({ "model": "model", "input": messages, "stream": stream }),
        Api::Messages => {
            json!({ "model": "model", "messages": messages, "stream": stream, "max_tokens": 10 })
        }
    };
    body.to_string().into_bytes()
}

/// What a reply says, whatever blocks it comes in.
#[derive(Debug, PartialEq)]
struct Gist {
    text: String,
    thought: String,
    calls: Vec<(CallId, String, Value)>,
    usage: Usage,
    /// `None`: it failed.
    stop: Option<StopReason>,
}

/// Of what no API tells apart, one stands for all.
fn gist(api: Api, events: &[ModelEvent]) -> Gist {
    let mut gist = Gist {
        text: String::new(),
        thought: String::new(),
        calls: Vec::new(),
        usage: Usage::default(),
        stop: None,
    };
    for event in events {
        match event {
            ModelEvent::BlockFinished { block: Block::Text { text }, .. } => gist.text += text,
            ModelEvent::BlockFinished { block: Block::Reasoning { text, .. }, .. } => gist.thought += text,
            ModelEvent::BlockFinished { block: Block::ToolUse(call), .. } => {
                gist.calls.push((call.id.clone(), call.name.clone(), call.input.clone()));
            }
            ModelEvent::Usage { usage } => gist.usage = *usage,
            ModelEvent::Stopped { reason } => {
                gist.stop = Some(match (api, reason) {
                    (Api::Chat | Api::Responses, StopReason::ContextFull) => StopReason::MaxTokens,
                    (Api::Chat | Api::Responses, StopReason::StopSequence) => StopReason::EndTurn,
                    (_, StopReason::Other) => StopReason::EndTurn,
                    (_, reason) => *reason,
                });
            }
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
    }
    if api == Api::Messages {
        gist.usage.reasoning = 0;
    }
    gist
}

#[test]
fn what_is_streamed_to_programs_our_own_codecs_read() {
    for (wire, folder) in WIRES {
        for (path, bytes) in streams(wire, folder) {
            let events = decode(wire.decoder(), [bytes.as_slice()]);
            for (api, own) in APIS {
                let asked = read(api, &asked(api, true)).expect("a good request");
                let mut stream = api.streamed(name(), &asked);
                let text: String = events.iter().map(|event| stream.take(event.clone())).collect();
                let read = decode(own.decoder(), [text.as_bytes()]);
                let (expected, mut found) = (gist(api, &events), gist(api, &read));
                if expected.stop.is_none() {
                    // What broke off is not finished, whatever was counted of it.
                    assert_eq!(found.stop, None, "{api:?} {}", path.display());
                    continue;
                }
                if expected.stop == Some(StopReason::Refusal) && expected.calls.is_empty() {
                    found.stop = expected.stop;
                }
                assert_eq!(found, expected, "{api:?} {}\n{text}", path.display());
            }
        }
    }
}

#[test]
fn what_claude_says_leaves_as_it_came_to_the_byte() {
    let asked = read(Api::Messages, &asked(Api::Messages, true)).expect("a good request");
    for file in ["text.sse", "tools.sse", "hidden-reasoning.sse"] {
        let path = fixtures().join("anthropic").join(file);
        let came = std::fs::read_to_string(path).expect("a readable fixture");
        let expected = pieces(&came);
        assert!(!expected.is_empty(), "{file}");
        for cut in 0..=came.len() {
            let (head, tail) = came.as_bytes().split_at(cut);
            let events = decode(Wire::Anthropic.decoder(), [head, tail]);
            let mut stream = Api::Messages.streamed(name(), &asked);
            let left: String = events.into_iter().map(|event| stream.take(event)).collect();
            // A call that came without arguments has empty ones besides.
            let left: Vec<&str> =
                pieces(&left).into_iter().filter(|piece| expected.contains(piece)).collect();
            assert_eq!(left, expected, "{file} cut at {cut}");
        }
    }
}

/// The events that say more of a text, a thought or arguments.
fn pieces(stream: &str) -> Vec<&str> {
    let says_more = |event: &&str| {
        let kinds = ["text_delta", "thinking_delta", "input_json_delta"];
        kinds.iter().any(|kind| event.contains(kind)) && !event.contains(r#":""}}"#)
    };
    stream.split_inclusive("\n\n").filter(says_more).collect()
}

#[test]
fn an_answer_in_one_piece_says_what_its_stream_says() {
    for (wire, folder) in WIRES {
        for (path, bytes) in streams(wire, folder) {
            let events = decode(wire.decoder(), [bytes.as_slice()]);
            let expected = gist(Api::Chat, &events);
            if expected.stop.is_none() {
                continue;
            }
            for (api, _) in APIS {
                let asked = read(api, &asked(api, false)).expect("a good request");
                let mut whole = api.whole(name(), &asked);
                events.iter().for_each(|event| whole.take(event.clone()));
                let body: Value = serde_json::from_slice(&whole.finish()).expect("JSON");
                let (text, calls) = said(api, &body);
                assert_eq!(text, expected.text, "{api:?} {}", path.display());
                assert_eq!(calls, expected.calls.len(), "{api:?} {}", path.display());
            }
        }
    }
}

/// The text of an answer, and how many calls it has.
fn said(api: Api, body: &Value) -> (String, usize) {
    let texts = |parts: &Value| {
        let texts = parts.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
        texts.collect::<String>()
    };
    let count = |parts: &Value, kind: &str| {
        parts.as_array().into_iter().flatten().filter(|part| part["type"] == kind).count()
    };
    match api {
        Api::Chat => {
            let message = &body["choices"][0]["message"];
            let text = message["content"].as_str().unwrap_or_default().to_owned();
            (text, count(&message["tool_calls"], "function"))
        }
        Api::Responses => {
            let items = body["output"].as_array().expect("items").iter();
            let text = items.filter(|item| item["type"] == "message").map(|item| texts(&item["content"]));
            (text.collect(), count(&body["output"], "function_call"))
        }
        Api::Messages => {
            let parts = body["content"].as_array().expect("blocks").iter();
            let text = parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str());
            (text.collect(), count(&body["content"], "tool_use"))
        }
    }
}

/// Signatures go by the name of the wire that they came over: a program has none of its own. What is said
/// in one message is one text.
fn plain(name: &str) -> ModelRequest {
    let request = read_request(name);
    let mut messages: Vec<ModelMessage> = Vec::new();
    for message in &request.messages {
        match (messages.last_mut(), message) {
            (Some(ModelMessage::User { text, .. }), ModelMessage::User { text: more, media })
                if media.is_empty() =>
            {
                *text = format!("{text}\n\n{more}");
            }
            (_, ModelMessage::Assistant { blocks }) => {
                let is_said = |block: &&Block| !matches!(block, Block::Reasoning { .. });
                let blocks = blocks.iter().filter(is_said).cloned().collect();
                messages.push(ModelMessage::Assistant { blocks });
            }
            (_, message) => messages.push(message.clone()),
        }
    }
    let sampling = Sampling {
        temperature: Some(0.5),
        top_p: Some(0.75),
        top_k: Some(40),
        presence_penalty: Some(0.5),
        frequency_penalty: Some(-0.5),
        logit_bias: serde_json::from_value(json!({ "50256": -100 })).expect("an object"),
        seed: Some(7),
        stop: vec!["END".to_owned()],
        verbosity: Some(Verbosity::Low),
        form: Some(Form::Schema(FormSchema {
            name: "answer".to_owned(),
            description: None,
            schema: json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            strict: true,
        })),
        one_call: true,
        // What only one provider knows is not asked of any other.
        extra: serde_json::Map::new(),
    };
    ModelRequest { messages: messages.into(), sampling: Box::new(sampling), ..request }
}

#[test]
fn what_our_own_codecs_send_means_the_same_when_it_is_served() {
    for name in ["hello.json", "history.json", "rich.json"] {
        for (api, wire) in APIS {
            let back = |request: &ModelRequest| {
                let asked = read(api, &wire.encode(None, request).body);
                let asked = asked.unwrap_or_else(|trouble| panic!("{api:?} {name}: {trouble:?}"));
                assert!(asked.stream);
                asked.request
            };
            let value = |request: &ModelRequest| {
                serde_json::from_slice::<Value>(&wire.encode(None, request).body).expect("JSON")
            };
            let sent = plain(name);
            let once = back(&sent);
            assert_eq!(back(&once), once, "{api:?} {name}");
            // Files that a wire cannot carry leave words behind, in another place.
            if name != "rich.json" {
                assert_eq!(value(&once), value(&sent), "{api:?} {name}");
            }
        }
    }
}

#[test]
fn a_request_that_does_not_fit_is_refused_with_the_field_that_it_is_about() {
    let user = json!([{ "role": "user", "content": "Hello" }]);
    let image = |url: &str| json!([{ "role": "user", "content": [{ "type": "image_url", "image_url": { "url": url } }] }]);
    for (api, body, field) in [
        (Api::Chat, json!({ "messages": user }), Some("model")),
        (Api::Chat, json!({ "model": "m" }), Some("messages")),
        (Api::Chat, json!({ "model": "m", "messages": [] }), Some("messages")),
        (
            Api::Chat,
            json!({ "model": "m", "messages": [{ "role": "wizard", "content": "" }] }),
            Some("messages"),
        ),
        (Api::Chat, json!({ "model": "m", "messages": user, "n": 2 }), Some("n")),
        (Api::Chat, json!({ "model": "m", "messages": user, "stream": "yes" }), Some("stream")),
        (Api::Chat, json!({ "model": "m", "messages": user, "max_tokens": 0 }), Some("max_tokens")),
        (Api::Chat, json!({ "model": "m", "messages": image("ftp://example.com/a.png") }), Some("messages")),
        (
            Api::Chat,
            json!({ "model": "m", "messages": user, "tools": [{ "type": "web_search" }] }),
            Some("tools"),
        ),
        (
            Api::Chat,
            json!({ "model": "m", "messages": user, "tool_choice": { "type": "function", "function": { "name": "a" } } }),
            Some("tool_choice"),
        ),
        (
            Api::Chat,
            json!({ "model": "m", "messages": [{ "role": "tool", "tool_call_id": "a", "content": "" }] }),
            Some("messages"),
        ),
        (Api::Chat, json!({ "model": "m", "messages": user, "temperature": "warm" }), Some("temperature")),
        (Api::Chat, json!({ "model": "m", "messages": user, "stop": [1] }), Some("stop")),
        (Api::Chat, json!(["model"]), None),
        (Api::Messages, json!({ "model": "m", "messages": user }), Some("max_tokens")),
        (
            Api::Messages,
            json!({ "model": "m", "max_tokens": 1, "messages": [{ "role": "user", "content": [{ "type": "image", "source": { "type": "url", "url": "file:///a.png" } }] }] }),
            Some("messages"),
        ),
        (Api::Responses, json!({ "model": "m", "input": [{ "type": "computer_call" }] }), Some("input")),
        (
            Api::Responses,
            json!({ "model": "m", "input": "Hi", "previous_response_id": "resp_1" }),
            Some("previous_response_id"),
        ),
    ] {
        let trouble = read(api, body.to_string().as_bytes()).expect_err("it does not fit");
        assert_eq!((trouble.kind, trouble.field.as_deref()), (ApiErrorKind::BadRequest, field), "{body}");
    }
    assert!(read(Api::Chat, b"{").is_err());
}

#[test]
fn an_error_has_the_shape_of_its_api() {
    use ApiErrorKind as Kind;
    for (kind, openai, anthropic, should_retry) in [
        (Kind::BadRequest, (400, "invalid_request_error"), (400, "invalid_request_error"), false),
        (Kind::ContextTooLong, (400, "invalid_request_error"), (400, "invalid_request_error"), false),
        (Kind::TooLarge, (413, "invalid_request_error"), (413, "request_too_large"), false),
        (Kind::NoToken, (401, "invalid_request_error"), (401, "authentication_error"), false),
        (Kind::Forbidden, (403, "invalid_request_error"), (403, "permission_error"), false),
        (Kind::NoSuchModel, (404, "invalid_request_error"), (404, "not_found_error"), false),
        (Kind::NoSuchPlace, (404, "invalid_request_error"), (404, "not_found_error"), false),
        (Kind::OverBudget, (429, "insufficient_quota"), (402, "billing_error"), false),
        (Kind::TooOften, (429, "rate_limit_error"), (429, "rate_limit_error"), true),
        (Kind::Overloaded, (503, "server_error"), (529, "overloaded_error"), true),
        (Kind::Upstream, (502, "server_error"), (502, "api_error"), true),
        (Kind::NotConfigured, (502, "server_error"), (502, "api_error"), false),
        (Kind::Timeout, (504, "server_error"), (504, "timeout_error"), true),
        (Kind::Internal, (500, "server_error"), (500, "api_error"), true),
    ] {
        let trouble = ApiError { retry_after_ms: Some(1500), ..ApiError::new(kind, "Words.") };
        for (api, (status, name)) in
            [(Api::Chat, openai), (Api::Responses, openai), (Api::Messages, anthropic)]
        {
            let problem = api.problem(&trouble, "req_1");
            let body: Value = serde_json::from_str(&problem.body).expect("JSON");
            assert_eq!((problem.status, problem.should_retry), (status, should_retry), "{api:?} {kind:?}");
            assert_eq!(body["error"]["type"], name, "{api:?} {kind:?}");
            assert_eq!(body["error"]["message"], "Words.");
            assert_eq!(problem.retry_after_ms, Some(1500));
        }
    }
}

#[test]
fn a_tool_that_has_to_be_called_is_the_only_one_that_is_told() {
    let tool = |name: &str| json!({ "type": "function", "function": { "name": name, "parameters": { "type": "object" } } });
    let body = json!({
        "model": "m",
        "messages": [{ "role": "user", "content": "Hello" }],
        "tools": [tool("look"), tool("draw")],
        "tool_choice": { "type": "function", "function": { "name": "draw" } },
    });
    let request = read(Api::Chat, body.to_string().as_bytes()).expect("a good request").request;
    assert_eq!(request.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["draw"]);
    for (wire, expected) in [(CHAT, json!("required")), (Wire::Anthropic, json!({ "type": "any" }))] {
        let sent: Value = serde_json::from_slice(&wire.encode(None, &request).body).expect("JSON");
        assert_eq!(sent["tool_choice"], expected);
    }
}
