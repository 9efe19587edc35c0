//! What a program asks besides the conversation: each wire has it in its own words, or it is refused.

mod answers;
mod calls;
mod fields;
mod forms;

use super::served::read;
use super::{CHAT, fixtures};
use agent::model_endpoints::{Api, Files, Name, ParsedRequest};
use agent::providers::{Dialect, Wire};
use protocol::model::{Media, ModelFailureKind, ModelRequest};
use serde_json::{Value, json};

const SCHEMA: &str =
    r#"{"type":"object","properties":{"at":{"type":"integer","minimum":0}},"required":["at"]}"#;

#[test]
fn what_a_program_says_of_sampling_reaches_every_wire_that_has_it() {
    let few = json!({ "temperature": 1.5, "top_p": 0.5, "seed": 7 });
    let many = json!({
        "temperature": 1.5, "top_p": 0.5, "seed": 7, "top_k": 40, "stop": "END",
        "presence_penalty": 0.5, "frequency_penalty": -0.5,
    });
    let stops = json!({ "temperature": 1.5, "top_p": 0.5, "seed": 7, "stop": ["END"], "top_k": 40 });
    let (mistral, deepseek) = (Wire::OpenAiChat(&Dialect::MISTRAL), Wire::OpenAiChat(&Dialect::DEEPSEEK));
    let claude = "us.anthropic.claude-haiku-4-5";
    for (wire, model, asked, place, expected) in [
        (
            Wire::OpenAiChat(&Dialect::LLAMA_CPP),
            "m",
            &many,
            "",
            json!({
                "temperature": 1.5, "top_p": 0.5, "seed": 7, "top_k": 40, "stop": ["END"],
                "presence_penalty": 0.5, "frequency_penalty": -0.5,
            }),
        ),
        (mistral, "m", &few, "", json!({ "random_seed": 7, "seed": null })),
        (deepseek, "m", &few, "", json!({ "temperature": 1.5, "seed": null })),
        (Wire::OpenAiResponses, "m", &few, "", json!({ "temperature": 1.5, "top_p": 0.5, "seed": null })),
        (
            Wire::Anthropic,
            "m",
            &stops,
            "",
            json!({ "temperature": 1.0, "top_p": 0.5, "top_k": 40, "stop_sequences": ["END"], "seed": null }),
        ),
        (
            Wire::Gemini,
            "m",
            &many,
            "/generationConfig",
            json!({
                "temperature": 1.5, "topP": 0.5, "topK": 40, "seed": 7, "stopSequences": ["END"],
                "presencePenalty": 0.5, "frequencyPenalty": -0.5,
            }),
        ),
        (
            Wire::Ollama,
            "m",
            &many,
            "/options",
            json!({
                "temperature": 1.5, "top_p": 0.5, "top_k": 40, "seed": 7, "stop": ["END"],
                "presence_penalty": 0.5, "frequency_penalty": -0.5,
            }),
        ),
        (
            Wire::Bedrock,
            claude,
            &stops,
            "/inferenceConfig",
            json!({ "temperature": 1.0, "topP": 0.5, "stopSequences": ["END"], "topK": null }),
        ),
        (Wire::Bedrock, claude, &stops, "/additionalModelRequestFields", json!({ "top_k": 40 })),
    ] {
        let request = chat(model, asked);
        assert_eq!(wire.refusal(None, &request), None, "{wire:?}");
        let sent = sent(wire, &request);
        let sent = sent.pointer(place).expect("the place");
        for (name, value) in expected.as_object().expect("fields") {
            assert_eq!(&sent[name], value, "{wire:?} {name}");
        }
    }
}

#[test]
fn what_a_wire_has_no_field_for_is_refused_and_never_left_out() {
    let (azure, deepseek) = (Wire::OpenAiChat(&Dialect::AZURE), Wire::OpenAiChat(&Dialect::DEEPSEEK));
    for (wire, model, asked, words) in [
        (Wire::OpenAiResponses, "m", json!({ "top_k": 1 }), "OpenAI Responses has no top_k for m."),
        (Wire::Anthropic, "m", json!({ "presence_penalty": 1 }), "Anthropic has no presence_penalty"),
        (Wire::Anthropic, "m", json!({ "logit_bias": { "1": 1 } }), "Anthropic has no logit_bias"),
        (Wire::Anthropic, "m", json!({ "verbosity": "low" }), "Anthropic has no verbosity"),
        (Wire::Gemini, "m", json!({ "logit_bias": { "1": 1 } }), "Gemini has no logit_bias"),
        (Wire::Ollama, "m", json!({ "logit_bias": { "1": 1 } }), "Ollama has no logit_bias"),
        (Wire::Bedrock, "amazon.nova", json!({ "top_k": 1 }), "Bedrock has no top_k for amazon.nova."),
        (azure, "m", json!({ "top_k": 1 }), "Azure OpenAI has no top_k"),
        (deepseek, "m", strict(), "DeepSeek cannot hold m to a JSON Schema."),
        (Wire::Anthropic, "claude-3-5-haiku", strict(), "Anthropic cannot hold claude-3-5-haiku"),
        (Wire::Bedrock, "us.amazon.nova-pro-v1:0", strict(), "Bedrock cannot hold us.amazon.nova-pro-v1:0"),
    ] {
        let failure = wire.refusal(None, &chat(model, &asked)).expect("a refusal");
        assert_eq!(failure.kind, ModelFailureKind::BadRequest);
        assert!(failure.message.starts_with(words), "{}", failure.message);
    }
}

#[test]
fn a_file_that_a_wire_cannot_show_is_refused() {
    let file = |kind: &str| {
        json!([{ "role": "user", "content": [
        { "type": "file", "file": { "filename": "a", "file_data": format!("data:{kind};base64,QQ==") } },
    ] }])
    };
    let deepseek = Wire::OpenAiChat(&Dialect::DEEPSEEK);
    let other = Wire::OpenAiChat(&Dialect::OTHER);
    for (wire, base_url, kind, shows) in [
        (Wire::Anthropic, None, "image/jpg", true),
        (Wire::Anthropic, None, "application/pdf", true),
        (Wire::Anthropic, None, "text/plain", false),
        (other, Some("https://api.openai.com/v1"), "application/pdf", true),
        (other, Some("http://localhost:8000/v1"), "image/png", true),
        (other, Some("http://localhost:8000/v1"), "application/pdf", false),
        (deepseek, None, "image/png", false),
        (Wire::OpenAiResponses, None, "application/pdf", true),
        (Wire::OpenAiResponses, None, "image/svg+xml", false),
        (Wire::Gemini, None, "audio/wav", true),
        (Wire::Gemini, None, "image/gif", false),
        (Wire::Gemini, None, "application/zip", false),
        (Wire::Ollama, None, "image/webp", true),
        (Wire::Ollama, None, "application/pdf", false),
        (Wire::Bedrock, None, "text/csv", true),
        (Wire::Bedrock, None, "audio/wav", false),
    ] {
        let request = chat("m", &json!({ "messages": file(kind) }));
        let refusal = wire.refusal(base_url, &request);
        assert_eq!(refusal.is_none(), shows, "{wire:?} {kind}: {refusal:?}");
        let sent = String::from_utf8(wire.encode(base_url, &request).body).expect("text");
        assert_eq!(!sent.contains("cannot be shown to this model"), shows, "{wire:?} {kind}");
    }
}

#[test]
fn what_changes_nothing_is_no_wish() {
    let idle = json!({
        "presence_penalty": 0, "frequency_penalty": 0.0, "logit_bias": {}, "top_k": 0, "n": 1, "stop": [],
        "logprobs": false, "top_logprobs": 0, "verbosity": "medium", "response_format": { "type": "text" },
        "modalities": ["text"], "parallel_tool_calls": true, "tool_choice": "auto", "functions": [],
        "temperature": 1, "top_p": 1, "user": "u", "metadata": {}, "store": true, "service_tier": "flex",
    });
    for wire in [CHAT, Wire::Anthropic, Wire::OpenAiResponses, Wire::Gemini, Wire::Ollama, Wire::Bedrock] {
        assert_eq!(wire.refusal(None, &chat("m", &idle)), None, "{wire:?}");
    }
    // Claude takes one of the two.
    assert_eq!(sent(Wire::Anthropic, &chat("m", &idle)).get("top_p"), None);
}

#[test]
fn how_much_to_think_is_read_in_every_way_that_clients_say_it() {
    use protocol::model::Effort::{High, Low, Medium, Off};
    let config = |thinking: Value, effort: &str| json!({ "thinking": thinking, "output_config": { "effort": effort } });
    for (api, asked, expected) in [
        (Api::Chat, json!({}), None),
        (Api::Chat, json!({ "reasoning_effort": "none" }), Some(Off)),
        (Api::Chat, json!({ "reasoning_effort": "minimal" }), Some(Low)),
        (Api::Chat, json!({ "reasoning_effort": "xhigh" }), Some(High)),
        (Api::Chat, json!({ "reasoning": { "effort": "medium" } }), Some(Medium)),
        (Api::Chat, json!({ "reasoning": { "enabled": false } }), Some(Off)),
        (Api::Responses, json!({ "reasoning": { "effort": "high", "summary": "auto" } }), Some(High)),
        (Api::Messages, config(json!({ "type": "disabled" }), "high"), Some(Off)),
        (Api::Messages, json!({ "thinking": { "type": "adaptive" } }), Some(High)),
        (Api::Messages, config(json!({ "type": "adaptive", "display": "omitted" }), "low"), Some(Low)),
        (Api::Messages, json!({ "thinking": { "type": "enabled", "budget_tokens": 2048 } }), Some(Low)),
        (Api::Messages, json!({ "output_config": { "effort": "max" } }), Some(High)),
    ] {
        assert_eq!(ask(api, &asked).request.effort, expected, "{asked}");
    }
}

#[test]
fn a_request_with_everything_is_read_and_says_which_files_it_names() {
    let (picture, paper) = ("https://example.com/a.png", "https://example.com/a.pdf");
    for (api, name, named) in [
        (Api::Chat, "chat.json", vec![picture]),
        (Api::Responses, "responses.json", vec![paper, picture]),
        (Api::Messages, "messages.json", vec![picture]),
    ] {
        let body = std::fs::read(fixtures().join("served").join(name)).expect("a readable fixture");
        let asking = api.ask(&body).expect("a good request");
        let mut files = Files::default();
        asking.read(&files).expect("a good request");
        assert_eq!(files.missing(), named, "{name}");
        for address in named {
            let mime = "image/png".to_owned();
            files.put(address.to_owned(), Media { mime, data: "QQ==".to_owned(), name: None, stored: None });
        }
        let request = asking.read(&files).expect("a good request").request;
        assert_eq!(files.missing(), Vec::<String>::new());
        assert!(request.sampling.form.is_some() && request.sampling.one_call, "{name}");
        let sent = sent(Wire::Anthropic, &request).to_string();
        assert!(sent.contains(r#""data":"QQ==","media_type":"image/png""#), "{name} {sent}");
    }
}

fn strict() -> Value {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let schema = json!({ "name": "place", "schema": schema, "strict": true });
    json!({ "response_format": { "type": "json_schema", "json_schema": schema } })
}

fn chat(model: &str, asked: &Value) -> ModelRequest {
    ModelRequest { model: model.to_owned(), ..ask(Api::Chat, asked).request }
}

fn ask(api: Api, asked: &Value) -> ParsedRequest {
    read(api, &body(api, asked)).unwrap_or_else(|trouble| panic!("{asked}: {trouble:?}"))
}

/// A request with these fields besides.
fn body(api: Api, asked: &Value) -> Vec<u8> {
    let user = json!([{ "role": "user", "content": "Hello" }]);
    let mut body = match api {
        Api::Chat => json!({ "model": "m", "messages": user }),
        Api::Responses => json!({ "model": "m", "input": user }),
        Api::Messages => json!({ "model": "m", "messages": user, "max_tokens": 10 }),
    };
    let fields = asked.as_object().expect("fields").clone();
    body.as_object_mut().expect("an object").extend(fields);
    body.to_string().into_bytes()
}

fn sent(wire: Wire, request: &ModelRequest) -> Value {
    serde_json::from_slice(&wire.encode(None, request).body).expect("JSON")
}

fn name() -> Name {
    Name { id: "1".to_owned(), model: "model".to_owned(), created: 1_795_305_600 }
}
