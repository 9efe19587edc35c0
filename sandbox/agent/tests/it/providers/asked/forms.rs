//! The form that an answer is to have.

use super::{SCHEMA, chat, sent, strict};
use crate::providers::CHAT;
use agent::providers::{Dialect, Wire};
use serde_json::{Value, json};

#[test]
fn a_form_reaches_every_wire_in_its_own_words() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let closed = json!({
        "type": "object", "required": ["at"], "additionalProperties": false,
        "properties": { "at": { "type": "integer", "description": "(minimum: 0)" } },
    });
    let named = json!({ "name": "place", "schema": schema, "strict": true });
    let flat = json!({ "type": "json_schema", "name": "place", "schema": schema, "strict": true });
    let on_bedrock = json!({
        "type": "json_schema",
        "structure": { "jsonSchema": { "name": "place", "schema": closed.to_string() } },
    });
    let object = json!({ "response_format": { "type": "json_object" } });
    for (wire, model, asked, place, expected) in [
        (CHAT, "m", strict(), "/response_format", json!({ "type": "json_schema", "json_schema": named })),
        (CHAT, "m", object.clone(), "/response_format", json!({ "type": "json_object" })),
        (Wire::OpenAiResponses, "m", strict(), "/text/format", flat),
        (Wire::OpenAiResponses, "m", object.clone(), "/text/format", json!({ "type": "json_object" })),
        (
            Wire::Anthropic,
            "claude-sonnet-4-5",
            strict(),
            "/output_config/format",
            json!({ "type": "json_schema", "schema": closed }),
        ),
        (Wire::Gemini, "m", strict(), "/generationConfig/responseJsonSchema", schema.clone()),
        (Wire::Gemini, "m", object.clone(), "/generationConfig/responseMimeType", json!("application/json")),
        (Wire::Ollama, "m", strict(), "/format", schema.clone()),
        (Wire::Ollama, "m", object, "/format", json!("json")),
        (
            Wire::Bedrock,
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            strict(),
            "/outputConfig/textFormat",
            on_bedrock,
        ),
    ] {
        let request = chat(model, &asked);
        assert_eq!(wire.refusal(None, &request), None, "{wire:?}");
        let sent = sent(wire, &request);
        assert_eq!(sent.pointer(place), Some(&expected), "{wire:?} {sent}");
        assert!(!sent.to_string().contains("Answer with one JSON value"), "{wire:?}");
    }
}

#[test]
fn a_form_that_is_only_wished_for_is_put_into_words_where_a_server_has_no_field() {
    let wished = json!({ "response_format": { "type": "json_schema", "json_schema": {
        "name": "place", "description": "Where it is.", "schema": { "type": "object" },
    } } });
    let object = json!({ "response_format": { "type": "json_object" } });
    let in_schema = "valid against this JSON Schema:\n{\"type\":\"object\"}";
    let (deepseek, lm_studio) = (Wire::OpenAiChat(&Dialect::DEEPSEEK), Wire::OpenAiChat(&Dialect::LM_STUDIO));
    for (wire, model, asked, words) in [
        (Wire::Anthropic, "claude-sonnet-4-5", &object, "Answer with one JSON value"),
        (Wire::Anthropic, "claude-3-5-haiku", &wished, in_schema),
        (Wire::Bedrock, "us.amazon.nova-pro-v1:0", &wished, "What it is: Where it is."),
        (deepseek, "m", &wished, in_schema),
        (lm_studio, "m", &object, "Answer with one JSON value"),
    ] {
        let request = chat(model, asked);
        assert_eq!(wire.refusal(None, &request), None, "{wire:?}");
        let sent = sent(wire, &request);
        let system = sent.get("system").unwrap_or(&sent["messages"][0]);
        let system = [&system["content"], &system[0]["text"]].into_iter().find_map(Value::as_str);
        assert!(system.expect("a system text").contains(words), "{wire:?} {sent}");
    }
    let told = sent(deepseek, &chat("m", &wished));
    assert_eq!(told["response_format"], json!({ "type": "json_object" }));
}
