//! What a program asks besides the conversation: each wire has it in its own words, or it is refused.

use super::served::read;
use super::{CHAT, fixtures};
use agent::model_endpoints::{Api, Files, Name, ParsedRequest, SETTINGS, Treatment};
use agent::providers::{Dialect, Wire};
use protocol::CallId;
use protocol::model::{
    Block, BlockKind, Media, ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, StopReason, ToolCall,
};
use serde_json::{Value, json};

const DOCUMENT: &str = include_str!("../../../../../docs/api.md");

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
fn an_answer_ends_where_the_program_said_whatever_the_provider_does() {
    let events = [
        ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text },
        ModelEvent::Delta { index: 0, text: "One E".to_owned() },
        ModelEvent::Delta { index: 0, text: "ND two".to_owned() },
        ModelEvent::BlockFinished { index: 0, block: Block::Text { text: "One END two".to_owned() } },
        ModelEvent::Stopped { reason: StopReason::EndTurn },
    ];
    for (api, asked) in
        [(Api::Chat, json!({ "stop": "END" })), (Api::Messages, json!({ "stop_sequences": ["END"] }))]
    {
        let asked = ask(api, &asked);
        assert_eq!(Wire::OpenAiResponses.refusal(None, &asked.request), None);
        let mut stream = api.streamed(name(), &asked);
        let streamed: String = events.iter().map(|event| stream.take(event.clone())).collect();
        let mut whole = api.whole(name(), &asked);
        events.iter().for_each(|event| whole.take(event.clone()));
        for text in [streamed, String::from_utf8(whole.finish()).expect("text")] {
            assert!(text.contains("One ") && !text.contains("two") && !text.contains("\"One E"), "{text}");
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
fn a_message_says_at_which_text_it_ended_where_there_is_one() {
    for (texts, expected) in [(json!(["END"]), json!("END")), (json!(["END", "STOP"]), Value::Null)] {
        let asked = ask(Api::Messages, &json!({ "stop_sequences": texts }));
        let stopped = ModelEvent::Stopped { reason: StopReason::StopSequence };
        let mut whole = Api::Messages.whole(name(), &asked);
        whole.take(stopped.clone());
        let whole: Value = serde_json::from_slice(&whole.finish()).expect("JSON");
        let frames = Api::Messages.streamed(name(), &asked).take(stopped);
        assert!(frames.contains(&format!(r#""stop_sequence":{expected}"#)), "{frames}");
        assert_eq!((&whole["stop_reason"], &whole["stop_sequence"]), (&json!("stop_sequence"), &expected));
    }
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
fn a_field_that_an_api_does_not_have_is_refused_as_its_maker_would() {
    for (api, field, words) in [
        (Api::Chat, "colour", "Unrecognized request argument supplied: colour"),
        (Api::Chat, "thinking", "Unrecognized request argument supplied: thinking"),
        (Api::Responses, "colour", "Unknown parameter: 'colour'."),
        (Api::Messages, "colour", "colour: Extra inputs are not permitted"),
    ] {
        let trouble = read(api, &body(api, &json!({ field: "x" }))).expect_err("an unknown field");
        assert_eq!((trouble.field.as_deref(), trouble.message.as_str()), (Some(field), words));
    }
}

#[test]
fn what_changes_the_answer_and_cannot_be_had_is_refused() {
    let format = |kind: &str| json!({ "output_config": { "format": { "type": kind } } });
    for (api, asked, field) in [
        (Api::Chat, json!({ "n": 2 }), "n"),
        (Api::Chat, json!({ "logprobs": true }), "logprobs"),
        (Api::Chat, json!({ "top_logprobs": 2 }), "top_logprobs"),
        (Api::Chat, json!({ "modalities": ["text", "audio"] }), "modalities"),
        (Api::Chat, json!({ "functions": [{ "name": "f" }] }), "functions"),
        (Api::Chat, json!({ "web_search_options": { "a": 1 } }), "web_search_options"),
        (Api::Chat, json!({ "reasoning_effort": "much" }), "reasoning_effort"),
        (Api::Chat, json!({ "verbosity": "loud" }), "verbosity"),
        (Api::Chat, json!({ "seed": 1.5 }), "seed"),
        (Api::Chat, json!({ "response_format": { "type": "grammar" } }), "response_format"),
        (Api::Chat, json!({ "response_format": { "type": "json_schema" } }), "response_format"),
        (Api::Chat, json!({ "response_format": "json" }), "response_format"),
        (Api::Chat, json!({ "tool_choice": { "type": "custom", "custom": { "name": "a" } } }), "tool_choice"),
        (Api::Responses, json!({ "background": true }), "background"),
        (Api::Responses, json!({ "prompt": { "id": "p" } }), "prompt"),
        (Api::Responses, json!({ "include": ["message.output_text.logprobs"] }), "include"),
        (Api::Responses, json!({ "text": { "format": { "type": "lark" } } }), "text.format"),
        (Api::Messages, json!({ "mcp_servers": [{ "url": "https://example.com" }] }), "mcp_servers"),
        (Api::Messages, json!({ "inference_geo": "eu" }), "inference_geo"),
        (Api::Messages, json!({ "thinking": { "type": "deep" } }), "thinking"),
        (Api::Messages, json!({ "output_config": { "effort": "much" } }), "output_config.effort"),
        (Api::Messages, format("xml"), "output_config.format"),
        (Api::Messages, format("json_schema"), "output_config.format"),
    ] {
        let trouble = read(api, &body(api, &asked)).expect_err("it cannot be had");
        assert_eq!(trouble.field.as_deref(), Some(field), "{asked}");
    }
}

#[test]
fn every_field_stands_in_the_document_with_what_becomes_of_it() {
    let section = DOCUMENT.split("### Fields of a request").nth(1).expect("the section");
    let section = section.split("\n#").next().expect("its end");
    let documented: Vec<Vec<&str>> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|row| row.split('|').map(|cell| cell.trim().trim_end_matches('`')).take(4).collect())
        .collect();
    let expected: Vec<Vec<&str>> = SETTINGS
        .iter()
        .map(|setting| {
            let word = |api| match setting.treatment(api) {
                Treatment::Carried => "carried",
                Treatment::PassedOver => "passed over",
                Treatment::Refused => "refused",
                Treatment::Unknown => "",
            };
            vec![setting.field, word(Api::Chat), word(Api::Responses), word(Api::Messages)]
        })
        .collect();
    assert_eq!(documented, expected);
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

#[test]
fn a_response_repeats_what_was_asked() {
    let format = json!({ "format": { "type": "json_schema", "name": "a", "schema": {} } });
    let asked = ask(
        Api::Responses,
        &json!({ "metadata": { "a": "b" }, "instructions": "Be brief.", "text": format, "temperature": 0.5 }),
    );
    let whole: Value = serde_json::from_slice(&Api::Responses.whole(name(), &asked).finish()).expect("JSON");
    let mut stream = Api::Responses.streamed(name(), &asked);
    let streamed = last_frame(&stream.take(ModelEvent::Stopped { reason: StopReason::EndTurn }));
    for answer in [&whole, &streamed["response"]] {
        assert_eq!(answer["metadata"], json!({ "a": "b" }));
        assert_eq!(answer["instructions"], "Be brief.");
        assert_eq!(answer["text"], format);
        assert_eq!((&answer["temperature"], &answer["top_p"]), (&json!(0.5), &Value::Null));
    }
}

#[test]
fn a_failure_after_the_first_word_is_said_in_the_shape_of_its_api() {
    use ModelFailureKind as Kind;
    for (kind, openai, code, anthropic) in [
        (Kind::NotConfigured, "server_error", "provider_not_configured", "api_error"),
        (Kind::OverBudget, "insufficient_quota", "insufficient_quota", "billing_error"),
        (Kind::BadKey, "server_error", "provider_not_configured", "api_error"),
        (Kind::UnknownModel, "invalid_request_error", "model_not_found", "not_found_error"),
        (Kind::RateLimited, "rate_limit_error", "rate_limit_exceeded", "rate_limit_error"),
        (Kind::Overloaded, "server_error", "overloaded", "overloaded_error"),
        (Kind::ContextTooLong, "invalid_request_error", "context_length_exceeded", "invalid_request_error"),
        (Kind::Refused, "invalid_request_error", "server_error", "invalid_request_error"),
        (Kind::BadRequest, "invalid_request_error", "server_error", "invalid_request_error"),
        (Kind::Unreachable, "server_error", "provider_failed", "api_error"),
        (Kind::Timeout, "server_error", "timeout", "timeout_error"),
        (Kind::NotThisKind, "server_error", "provider_not_configured", "api_error"),
        (Kind::Cut, "server_error", "provider_failed", "api_error"),
        (Kind::Malformed, "server_error", "provider_failed", "api_error"),
        (Kind::Server, "server_error", "provider_failed", "api_error"),
        (Kind::Aborted, "server_error", "provider_failed", "api_error"),
    ] {
        for api in [Api::Chat, Api::Responses, Api::Messages] {
            let mut stream = api.streamed(name(), &ask(api, &json!({})));
            stream.take(ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text });
            stream.take(ModelEvent::Delta { index: 0, text: "Half a".to_owned() });
            let failure = ModelFailure { kind, message: "Words.".to_owned(), retry_after_ms: None };
            let frames = stream.take(ModelEvent::Failed { failure });
            assert!(frames.ends_with("\n\n") && !frames.contains("[DONE]"), "{frames}");
            let data = last_frame(&frames);
            let (error, field, expected) = match api {
                Api::Chat => (&data["error"], "type", openai),
                Api::Responses => (&data["response"]["error"], "code", code),
                Api::Messages => (&data["error"], "type", anthropic),
            };
            assert_eq!((&error["message"], &error[field]), (&json!("Words."), &json!(expected)), "{data}");
        }
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

fn last_frame(frames: &str) -> Value {
    let data = frames.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
    serde_json::from_str(data.expect("a frame")).expect("JSON")
}

fn name() -> Name {
    Name { id: "1".to_owned(), model: "model".to_owned(), created: 1_795_305_600 }
}
