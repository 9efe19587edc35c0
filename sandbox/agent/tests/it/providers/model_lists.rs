use super::CHAT;
use agent::providers::Wire;
use protocol::model::ModelFailureKind;

fn check(body: &str, expected: &str) {
    let actual = match CHAT.decode_models(body.as_bytes()) {
        Ok(models) => models.join(" "),
        Err(failure) => format!("{:?}", failure.kind),
    };
    assert_eq!(actual, expected, "{body}");
    let same = Wire::Anthropic.decode_models(body.as_bytes());
    assert_eq!(same, CHAT.decode_models(body.as_bytes()));
}

fn list(ids: &str) -> String {
    let models: Vec<_> =
        ids.split(' ').map(|id| serde_json::json!({ "id": id, "object": "model" })).collect();
    serde_json::json!({ "object": "list", "data": models }).to_string()
}

#[test]
fn models_for_talk_come_first_and_newer_versions_before_older() {
    check(
        &list("whisper-1 gpt-4o gpt-4.1 gpt-5.4-mini text-embedding-3-large gpt-5.4 gpt-3.5-turbo gpt-5.10"),
        "gpt-5.10 gpt-5.4 gpt-5.4-mini gpt-4.1 gpt-4o gpt-3.5-turbo text-embedding-3-large whisper-1",
    );
    check(
        &list("claude-haiku-4-5-20251001 claude-opus-4-5 claude-opus-5-5"),
        "claude-haiku-4-5-20251001 claude-opus-5-5 claude-opus-4-5",
    );
    check(&list("b a b A"), "A a b");
}

#[test]
fn the_shapes_of_both_wires_and_of_servers_without_models_are_read() {
    check(
        r#"{"data":[{"type":"model","id":"claude-opus-5","display_name":"Claude Opus 5"}],"has_more":false}"#,
        "claude-opus-5",
    );
    check(r#"[{"id":"a"}]"#, "a");
    check(r#"{"object":"list","data":null}"#, "");
    check(r#"{"data":[]}"#, "");
    check("{\"data\":[{\"id\":\"a\\nb\"},{\"id\":\"\"},{\"id\":\"c\"}]}", "c");
}

#[test]
fn another_shape_is_another_kind_of_server() {
    for body in
        ["", "<html>", "{}", "null", r#"{"data":null}"#, r#"{"data":[1]}"#, r#"{"models":[{"name":"x"}]}"#]
    {
        check(body, &format!("{:?}", ModelFailureKind::NotThisKind));
    }
}
