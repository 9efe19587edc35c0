use super::CHAT;
use agent::providers::Wire;
use protocol::model::ModelFailureKind::{self, *};

fn check(wire: Wire, status: u16, body: &str, expected: ModelFailureKind) -> String {
    let failure = wire.decode_error(status, None, body.as_bytes());
    assert_eq!(failure.kind, expected, "{status} {body}");
    failure.message
}

#[test]
fn a_status_and_a_body_say_what_went_wrong() {
    let table = [
        (
            401,
            r#"{"error":{"message":"Incorrect API key provided: sk-abc***yz.","code":"invalid_api_key"}}"#,
            BadKey,
        ),
        (
            403,
            r#"{"error":{"message":"You do not have access to this project","type":"permission_error"}}"#,
            BadKey,
        ),
        (
            404,
            r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
            UnknownModel,
        ),
        (
            404,
            r#"{"error":{"message":"model \"llama9\" not found, try pulling it first","type":"not_found_error"}}"#,
            UnknownModel,
        ),
        (404, r#"{"error":{"message":"Invalid URL (POST /v2/chat/completions)"}}"#, NotThisKind),
        (404, "<html>nginx</html>", NotThisKind),
        (405, "", NotThisKind),
        (301, "", NotThisKind),
        (408, "", Timeout),
        (
            429,
            r#"{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}"#,
            RateLimited,
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
            BadRequest,
        ),
        (402, r#"{"error":{"message":"Insufficient Balance"}}"#, BadRequest),
        (413, "", ContextTooLong),
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
            ContextTooLong,
        ),
        (400, r#"{"error":{"message":"the request exceeds the available context size"}}"#, ContextTooLong),
        (400, r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error"}}"#, UnknownModel),
        (400, r#"{"error":{"code":"content_filter","message":"filtered"}}"#, Refused),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model."}}"#,
            BadRequest,
        ),
        (400, r#"{"error":"a plain sentence"}"#, BadRequest),
        (422, r#"{"detail":"field required"}"#, BadRequest),
        (418, "not json", BadRequest),
        (500, "", Server),
        (502, "<html>", Server),
        (503, "", Overloaded),
        (529, "", Overloaded),
    ];
    for (status, body, expected) in table {
        check(CHAT, status, body, expected);
    }
    let table = [
        (
            401,
            r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
            BadKey,
        ),
        (
            404,
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}"#,
            UnknownModel,
        ),
        (404, r#"{"type":"error","error":{"type":"not_found_error","message":"Not found"}}"#, NotThisKind),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            ContextTooLong,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
            BadRequest,
        ),
        (
            413,
            r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            ContextTooLong,
        ),
        (429, r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}"#, RateLimited),
        (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, Overloaded),
    ];
    for (status, body, expected) in table {
        check(Wire::Anthropic, status, body, expected);
    }
}

#[test]
fn a_message_says_what_to_do_and_quotes_the_provider() {
    let body = r#"{"error":{"message":"temperature is\n too hot"}}"#;
    let message = check(CHAT, 400, body, BadRequest);
    assert_eq!(
        message,
        "The provider did not accept the request. Check the agent's model and settings. \
         The provider said: “temperature is too hot”"
    );
}

#[test]
fn a_message_never_holds_a_key_and_is_never_long() {
    let body = format!(r#"{{"error":{{"message":"sk-proj-123 {}"}}}}"#, "x".repeat(5000));
    for status in [400, 401, 403, 429, 500] {
        let failure = CHAT.decode_error(status, None, body.as_bytes());
        assert!(!failure.message.contains("sk-proj"), "{}", failure.message);
        assert!(failure.message.chars().count() < 500);
    }
}

#[test]
fn a_provider_that_says_when_it_takes_calls_again_is_told_with_that() {
    for (header, says) in [("120", " It asks to wait 120 seconds."), ("0.25", " It asks to wait 1 second.")] {
        let failure = CHAT.decode_error(429, Some(header), b"");
        assert!(failure.message.ends_with(says), "{}", failure.message);
    }
    assert!(!CHAT.decode_error(429, None, b"").message.contains("It asks"));
}

#[test]
fn the_time_to_wait_is_read_in_seconds() {
    let table = [
        (Some("20"), Some(20_000)),
        (Some(" 0.25 "), Some(250)),
        (Some("0"), Some(0)),
        (Some("-1"), None),
        (Some("nan"), None),
        (Some("1e300"), None),
        (Some("Fri, 31 Dec 2027 23:59:59 GMT"), None),
        (None, None),
    ];
    for (header, expected) in table {
        let failure = Wire::Anthropic.decode_error(429, header, b"");
        assert_eq!(failure.retry_after_ms, expected, "{header:?}");
    }
}
