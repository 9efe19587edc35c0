//! Which tools may be called, how many, and whether any must be.

use super::{ask, chat, name, sent};
use crate::providers::CHAT;
use agent::model_endpoints::Api;
use agent::providers::Wire;
use protocol::CallId;
use protocol::model::{Block, BlockKind, ModelEvent, StopReason, ToolCall};
use serde_json::{Value, json};

#[test]
fn a_call_that_is_required_is_in_words_where_a_wire_has_no_field() {
    let tool = json!({ "type": "function", "function": { "name": "look" } });
    let request = chat("m", &json!({ "tools": [tool], "tool_choice": "required" }));
    let words = "Answer with a call of one of the tools";
    assert!(sent(Wire::Ollama, &request)["messages"][0]["content"].as_str().expect("text").contains(words));
    assert!(agent::text_lane::encode(&request).system.contains(words));
    for wire in [CHAT, Wire::Anthropic, Wire::OpenAiResponses, Wire::Gemini, Wire::Bedrock] {
        assert!(!sent(wire, &request).to_string().contains(words), "{wire:?}");
    }
}

#[test]
fn one_call_at_most_is_told_where_it_can_be_and_kept_to_in_any_case() {
    let tool = json!({ "type": "function", "function": { "name": "look", "strict": true, "parameters": {
        "type": "object", "properties": { "at": { "type": "integer" } }, "required": ["at"],
    } } });
    let asked = json!({ "tools": [tool], "parallel_tool_calls": false });
    let request = chat("claude-sonnet-4-5", &asked);
    let of_anthropic = json!({ "type": "auto", "disable_parallel_tool_use": true });
    for (wire, place, expected) in [
        (CHAT, "/parallel_tool_calls", Some(json!(false))),
        (Wire::OpenAiResponses, "/parallel_tool_calls", Some(json!(false))),
        (Wire::Anthropic, "/tool_choice", Some(of_anthropic.clone())),
        (CHAT, "/tools/0/function/strict", Some(json!(true))),
        (Wire::OpenAiResponses, "/tools/0/strict", Some(json!(true))),
        (Wire::Anthropic, "/tools/0/strict", Some(json!(true))),
        (Wire::Anthropic, "/tools/0/input_schema/additionalProperties", Some(json!(false))),
        (Wire::Ollama, "/tools/0/function/strict", None),
    ] {
        assert_eq!(sent(wire, &request).pointer(place), expected.as_ref(), "{wire:?} {place}");
    }
    let events: Vec<ModelEvent> = call(0, "first")
        .into_iter()
        .chain(call(1, "second"))
        .chain([ModelEvent::Stopped { reason: StopReason::ToolUse }])
        .collect();
    for (api, asked) in [
        (Api::Chat, asked),
        (Api::Responses, json!({ "parallel_tool_calls": false })),
        (Api::Messages, json!({ "tool_choice": of_anthropic })),
    ] {
        let asked = ask(api, &asked);
        let mut stream = api.streamed(name(), &asked);
        let streamed: String = events.iter().map(|event| stream.take(event.clone())).collect();
        let mut whole = api.whole(name(), &asked);
        events.iter().for_each(|event| whole.take(event.clone()));
        for text in [streamed, String::from_utf8(whole.finish()).expect("text")] {
            assert!(text.contains("first") && !text.contains("second"), "{api:?} {text}");
        }
    }
}

#[test]
fn who_wants_no_call_gets_none() {
    let tools =
        json!({ "tools": [{ "type": "function", "function": { "name": "look" } }], "tool_choice": "none" });
    let asked = ask(Api::Chat, &tools);
    let mut whole = Api::Chat.whole(name(), &asked);
    let events = call(0, "look").into_iter().chain([ModelEvent::Stopped { reason: StopReason::ToolUse }]);
    events.for_each(|event| whole.take(event));
    let answer: Value = serde_json::from_slice(&whole.finish()).expect("JSON");
    let choice = &answer["choices"][0];
    assert_eq!((&choice["finish_reason"], &choice["message"]["content"]), (&json!("stop"), &json!("")));
    assert_eq!(choice["message"].get("tool_calls"), None);
}

#[test]
fn the_tools_that_may_be_called_are_the_only_ones_that_are_told() {
    let tools: Vec<Value> = ["look", "draw", "speak"]
        .map(|name| json!({ "type": "function", "name": name, "function": { "name": name } }))
        .to_vec();
    let one = json!({ "type": "function", "function": { "name": "draw" } });
    let two = json!({ "mode": "auto", "tools": [tools[0], tools[2]] });
    let flat = json!({
        "type": "allowed_tools", "mode": "required", "tools": [{ "type": "function", "name": "look" }],
    });
    for (api, choice, names, expected) in [
        (Api::Chat, json!("required"), vec!["look", "draw", "speak"], json!("required")),
        (Api::Chat, one, vec!["draw"], json!("required")),
        (
            Api::Chat,
            json!({ "type": "allowed_tools", "allowed_tools": two }),
            vec!["look", "speak"],
            Value::Null,
        ),
        (Api::Responses, flat, vec!["look"], json!("required")),
        (Api::Responses, json!({ "type": "function", "name": "speak" }), vec!["speak"], json!("required")),
    ] {
        let request = ask(api, &json!({ "tools": tools, "tool_choice": choice })).request;
        let told: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(told, names, "{choice}");
        let own = if api == Api::Chat { CHAT } else { Wire::OpenAiResponses };
        assert_eq!(sent(own, &request)["tool_choice"], expected, "{choice}");
    }
}

fn call(index: u32, name: &str) -> [ModelEvent; 3] {
    let call = ToolCall { id: CallId(format!("call-{index}")), name: name.to_owned(), input: json!({}) };
    let kind = BlockKind::ToolUse { id: call.id.clone(), name: call.name.clone() };
    [
        ModelEvent::BlockStarted { index, kind },
        ModelEvent::Delta { index, text: "{}".to_owned() },
        ModelEvent::BlockFinished { index, block: Block::ToolUse(call) },
    ]
}
