use super::{CHAT, WIRES, expect_file, files, fixtures};
use agent::providers::{Auth, HttpRequest, Method, Wire};
use protocol::agent::ProviderKind;
use protocol::model::{Media, ModelMessage, ModelRequest, ToolResult};
use serde_json::Value;

pub fn read_request(name: &str) -> ModelRequest {
    let path = fixtures().join("requests").join(name);
    let text = std::fs::read(&path).expect("a readable fixture");
    serde_json::from_slice(&text).expect("a canonical request")
}

fn body(request: &HttpRequest) -> Value {
    serde_json::from_slice(&request.body).expect("a body is JSON")
}

#[test]
fn a_request_becomes_the_body_beside_it() {
    for path in files(&fixtures().join("requests"), "json") {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let request = read_request(name);
        for (wire, folder) in WIRES {
            let encoded = wire.encode(None, &request);
            let pretty = serde_json::to_string_pretty(&body(&encoded)).expect("JSON");
            let golden = fixtures().join(folder).join(name).with_extension("body.json");
            expect_file(&golden, &(pretty + "\n"));
        }
    }
}

#[test]
fn a_call_is_a_post_with_the_key_where_the_server_looks_for_it() {
    let request = read_request("hello.json");
    let table = [
        (Wire::Anthropic, None, "https://api.anthropic.com/v1/messages", Auth::Header("x-api-key")),
        (
            Wire::Anthropic,
            Some("http://localhost:1234/v1/"),
            "http://localhost:1234/v1/messages",
            Auth::Header("x-api-key"),
        ),
        (CHAT, None, "https://api.openai.com/v1/chat/completions", Auth::Bearer),
        (CHAT, Some("http://localhost:11434"), "http://localhost:11434/v1/chat/completions", Auth::Bearer),
        (
            CHAT,
            Some("https://r.openai.azure.com/openai/v1/"),
            "https://r.openai.azure.com/openai/v1/chat/completions",
            Auth::Header("api-key"),
        ),
    ];
    for (wire, base_url, url, auth) in table {
        let encoded = wire.encode(base_url, &request);
        assert_eq!((encoded.method, encoded.url.as_str(), encoded.auth), (Method::Post, url, auth));
        assert!(encoded.headers.contains(&("content-type", "application/json".to_owned())));
    }
    let azure = Wire::of(ProviderKind::Azure).expect("a server");
    for base_url in [
        "https://r.openai.azure.com",
        "https://r.openai.azure.com/openai/",
        "https://r.openai.azure.com/openai/v1",
    ] {
        let url = azure.encode(Some(base_url), &request).url;
        assert_eq!(url, "https://r.openai.azure.com/openai/v1/chat/completions", "{base_url}");
        let url = Wire::OpenAiResponses.encode(Some(base_url), &request).url;
        assert_eq!(url, "https://r.openai.azure.com/openai/v1/responses", "{base_url}");
    }
    let version = ("anthropic-version", "2023-06-01".to_owned());
    assert!(Wire::Anthropic.encode(None, &request).headers.contains(&version));
}

#[test]
fn the_list_of_models_is_a_get_without_a_body() {
    for (wire, url) in [
        (Wire::Anthropic, "https://api.anthropic.com/v1/models?limit=1000"),
        (CHAT, "https://api.openai.com/v1/models"),
    ] {
        let request = wire.list_models(None);
        assert_eq!((request.method, request.url.as_str()), (Method::Get, url));
        assert!(request.body.is_empty());
        assert!(!wire.static_models().is_empty());
    }
}

#[test]
fn the_limit_of_output_has_the_name_that_the_server_knows() {
    let request = read_request("hello.json");
    let table = [
        (None, "max_completion_tokens"),
        (Some("https://eu.api.openai.com/v1"), "max_completion_tokens"),
        (Some("https://r.openai.azure.com/openai/v1"), "max_completion_tokens"),
        (Some("http://localhost:11434/v1"), "max_tokens"),
        (Some("https://api.openai.com.example/v1"), "max_tokens"),
    ];
    for (base_url, field) in table {
        let body = body(&CHAT.encode(base_url, &request));
        let fields: Vec<&str> = ["max_completion_tokens", "max_tokens"]
            .into_iter()
            .filter(|field| body[field] == request.max_output_tokens)
            .collect();
        assert_eq!(fields, [field], "{base_url:?}");
    }
}

#[test]
fn reasoning_goes_back_only_where_a_server_wants_it() {
    let request = read_request("history.json");
    for (base_url, wanted) in [
        ("https://api.deepseek.com", true),
        ("https://api.moonshot.ai/v1", true),
        ("https://api.openai.com/v1", false),
        ("https://api.groq.com/openai/v1", false),
    ] {
        let encoded = CHAT.encode(Some(base_url), &request);
        let body = body(&encoded);
        for message in body["messages"].as_array().expect("messages") {
            let has_calls = message.get("tool_calls").is_some();
            let has_reasoning = message.get("reasoning_content").is_some();
            assert_eq!(has_reasoning, wanted && has_calls, "{base_url} {message}");
        }
    }
}

#[test]
fn the_bytes_sent_stay_a_prefix_of_the_next_turns_where_no_mark_moves() {
    let mut request = read_request("history.json");
    let before = CHAT.encode(None, &request).body;
    request.messages.push(ModelMessage::User { text: "And next?".to_owned(), media: Vec::new() });
    let after = CHAT.encode(None, &request).body;
    let shared = before.strip_suffix(b"]}").expect("messages come last");
    assert!(after.starts_with(shared));
}

#[test]
fn what_results_of_gemini_cannot_hold_stands_beside_them() {
    for (model, kind, is_within) in [
        ("gemini-3-flash-preview", "image/png", true),
        ("gemini-3-flash-preview", "application/pdf", true),
        ("gemini-3-flash-preview", "audio/wav", false),
        ("gemini-3-flash-preview", "image/gif", false),
        ("gemini-2.5-pro", "image/png", false),
    ] {
        let mut request = ModelRequest { model: model.to_owned(), ..read_request("hello.json") };
        let media = Media { mime: kind.to_owned(), data: "QQ==".to_owned(), name: None, stored: None };
        let result = ToolResult {
            call: "a".into(),
            name: "read".to_owned(),
            content: "Here.".to_owned(),
            media: vec![media],
            is_error: false,
        };
        request.messages.push(ModelMessage::Tools { results: vec![result] });
        let body = body(&Wire::Gemini.encode(None, &request));
        // What the person said stands before it.
        let parts = &body["contents"][0]["parts"];
        let within = parts[1]["functionResponse"].get("parts").is_some();
        assert_eq!((within, parts.get(3).is_some()), (is_within, !is_within), "{model} {kind}: {parts}");
        assert!(is_within || parts[2]["text"] == "[Files from read:]", "{parts}");
    }
}

#[test]
fn a_kind_that_is_no_server_has_no_wire() {
    assert_eq!(Wire::of(ProviderKind::Anthropic), Some(Wire::Anthropic));
    assert_eq!(Wire::of(ProviderKind::OpenAi), Some(CHAT));
    assert_eq!(Wire::of(ProviderKind::Scripted), None);
}

/// A kind with the model that shows what it does with effort.
#[test]
fn each_server_gets_what_it_wants() {
    let table = [
        (ProviderKind::OpenAiResponses, "gpt-5.4"),
        (ProviderKind::Gemini, "gemini-2.5-pro"),
        (ProviderKind::Gemini, "gemini-3-flash-preview"),
        (ProviderKind::Bedrock, "us.anthropic.claude-haiku-4-5-20251001-v1:0"),
        (ProviderKind::Bedrock, "us.amazon.nova-pro-v1:0"),
        (ProviderKind::Azure, "my-deployment"),
        (ProviderKind::Groq, "openai/gpt-oss-120b"),
        (ProviderKind::OpenRouter, "deepseek/deepseek-r1"),
        (ProviderKind::DeepSeek, "deepseek-chat"),
        (ProviderKind::Mistral, "mistral-large-latest"),
        (ProviderKind::XAi, "grok-3-mini"),
        (ProviderKind::Ollama, "gpt-oss:20b"),
        (ProviderKind::LmStudio, "local"),
        (ProviderKind::LlamaCpp, "local"),
    ];
    let mut shown = String::new();
    for (kind, model) in table {
        let wire = Wire::of(kind).expect("a server");
        let request = ModelRequest { model: model.to_owned(), ..read_request("rich.json") };
        let encoded = wire.encode(None, &request);
        shown.push_str(&format!(
            "== {kind:?} {model}\n{:?} {}\n{:?}\n",
            encoded.method, encoded.url, encoded.auth
        ));
        for (field, value) in body(&encoded).as_object().expect("an object") {
            shown.push_str(&format!("{field}: {value}\n"));
        }
        shown.push_str(&format!("models: {}\n\n", wire.list_models(None).url));
    }
    expect_file(&fixtures().join("servers.expect.txt"), &shown);
}
