//! What an answer says of what was asked, and where it ends.

use super::{ask, name};
use agent::model_endpoints::Api;
use agent::providers::Wire;
use protocol::model::{Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, StopReason};
use serde_json::{Value, json};

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

fn last_frame(frames: &str) -> Value {
    let data = frames.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
    serde_json::from_str(data.expect("a frame")).expect("JSON")
}
