use super::*;

fn check(typed: &str, expected: &[&str]) {
    let asked: Vec<String> = candidates(typed)
        .iter()
        .map(|candidate| {
            let request = candidate.request().expect("a candidate is a server");
            format!("{:?} {}", candidate.kind, request.url)
        })
        .collect();
    assert_eq!(asked, expected, "{typed}");
}

#[test]
fn an_address_is_tried_in_the_likeliest_order() {
    check(
        "http://localhost:11434",
        &[
            "Ollama http://localhost:11434/api/tags",
            "OpenAi http://localhost:11434/v1/models",
            "Anthropic http://localhost:11434/v1/models?limit=1000",
        ],
    );
    check(
        "https://llm.example.com/v1/chat/completions",
        &[
            "OpenAi https://llm.example.com/v1/models",
            "Ollama https://llm.example.com/api/tags",
            "Anthropic https://llm.example.com/v1/models?limit=1000",
        ],
    );
    check(
        "192.168.0.7:1234/v1/",
        &[
            "LmStudio http://192.168.0.7:1234/v1/models",
            "Ollama http://192.168.0.7:1234/api/tags",
            "Anthropic http://192.168.0.7:1234/v1/models?limit=1000",
            "LmStudio https://192.168.0.7:1234/v1/models",
            "Ollama https://192.168.0.7:1234/api/tags",
            "Anthropic https://192.168.0.7:1234/v1/models?limit=1000",
        ],
    );
    check(
        "https://box/api/chat",
        &[
            "Ollama https://box/api/tags",
            "OpenAi https://box/v1/models",
            "Anthropic https://box/v1/models?limit=1000",
        ],
    );
    check(
        "https://h/inference/chat/completions",
        &[
            "OpenAi https://h/inference/models",
            "Ollama https://h/inference/api/tags",
            "Anthropic https://h/inference/models?limit=1000",
            "OpenAi https://h/v1/models",
        ],
    );
    check("api.anthropic.com", &["Anthropic https://api.anthropic.com/v1/models?limit=1000"]);
    check("https://api.groq.com/openai/v1", &["Groq https://api.groq.com/openai/v1/models"]);
    check(
        "[::1]:8080",
        &[
            "LlamaCpp http://[::1]:8080/v1/models",
            "Ollama http://[::1]:8080/api/tags",
            "Anthropic http://[::1]:8080/v1/models?limit=1000",
            "LlamaCpp https://[::1]:8080/v1/models",
            "Ollama https://[::1]:8080/api/tags",
            "Anthropic https://[::1]:8080/v1/models?limit=1000",
        ],
    );
}

#[test]
fn a_near_host_without_a_port_is_asked_at_the_known_ones() {
    let asked: Vec<String> =
        candidates("localhost").into_iter().map(|candidate| candidate.base_url).collect();
    for base_url in ["http://localhost:11434", "http://localhost:1234", "http://localhost:8080"] {
        assert!(asked.iter().any(|known| known == base_url), "{asked:?}");
    }
    assert!(!candidates("example.com").iter().any(|candidate| candidate.base_url.contains("11434")));
}

#[test]
fn what_is_no_address_has_no_candidates() {
    for typed in ["", "  ", "http://", "ftp://host", "two words", "https://user:secret@host/v1"] {
        check(typed, &[]);
    }
}

#[test]
fn an_answer_says_what_is_there() {
    let candidate = Candidate { kind: ProviderKind::Ollama, base_url: "http://localhost:11434".to_owned() };
    let other = Candidate { kind: ProviderKind::OpenAi, ..candidate.clone() };
    let tags = br#"{"models":[{"name":"qwen3:8b"}]}"#;
    let found = candidate.judge(200, tags);
    assert_eq!(found, Judgement::Found { models: vec!["qwen3:8b".to_owned()] });
    assert!(matches!(other.judge(200, tags), Judgement::NotThere(_)));
    assert_eq!(other.judge(401, b""), Judgement::WantsKey);
    let attempts = [
        Attempt { judgement: other.judge(404, b""), candidate: other.clone() },
        Attempt { judgement: other.judge(401, b""), candidate: other },
        Attempt { judgement: found, candidate },
    ];
    assert_eq!(
        summarise(&attempts),
        "OpenAI-compatible at http://localhost:11434: The server has nothing at this address. Check the provider's base URL and kind.\n\
         OpenAI-compatible at http://localhost:11434: it wants a key.\n\
         Ollama at http://localhost:11434: found, 1 model."
    );
    assert!(summarise(&[]).contains("http://localhost:11434"));
}
