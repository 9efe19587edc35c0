//! The models of a person for other programs: over HTTP, as clients meet them.

use crate::world::{Caller, Endpoint, Program, Who, a_moment};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PATHS: [&str; 4] =
    ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/messages/count_tokens"];

/// The same person's program with a token that calls models and does nothing else.
async fn models_only(caller: &Caller) -> Caller {
    let made =
        caller.call("/api/account/create_token", &json!({ "name": "script", "scope": "models" })).await;
    let mut script = caller.clone();
    script.who = Who::Token(made["token"].as_str().unwrap().to_owned());
    script
}

async fn provider(caller: &Caller, endpoint: &Endpoint) {
    let provider = json!({ "name": "Mine", "kind": "open_ai", "base_url": endpoint.url, "key": "key-good" });
    caller.call("/api/providers/save", &provider).await;
}

fn asking(path: &str, text: &str, stream: bool) -> Value {
    let mut body = json!({ "model": "Mine/gpt-5-mini", "stream": stream });
    if path == "/v1/responses" {
        body["input"] = json!(text);
    } else {
        body["messages"] = json!([{ "role": "user", "content": text }]);
        body["max_tokens"] = json!(1000);
    }
    body
}

/// A status, and the error's own words.
async fn refused(response: reqwest::Response) -> (u16, String) {
    let status = response.status().as_u16();
    let body: Value = response.json().await.unwrap();
    (status, body["error"]["message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn each_api_answers_in_its_own_words() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    provider(&ada, &endpoint).await;
    let script = models_only(&ada).await;
    for (path, text) in [
        ("/v1/chat/completions", "/choices/0/message/content"),
        ("/v1/responses", "/output/0/content/0/text"),
        ("/v1/messages", "/content/0/text"),
    ] {
        let answer = script.call(path, &asking(path, "Hello", false)).await;
        assert_eq!(answer.pointer(text).unwrap(), "You said: Hello", "{path}: {answer}");
    }
    let listed: Value = script.get("/v1/models").await.json().await.unwrap();
    let names: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert!(names.contains(&&json!("Mine/gpt-5-mini")), "{names:?}");
    let one: Value = script.get("/v1/models/Mine/gpt-5-mini").await.json().await.unwrap();
    assert_eq!(one["object"], "model");
    let anthropic = script.request(Method::GET, "/v1/models").header("anthropic-version", "2023-06-01");
    let listed: Value = anthropic.send().await.unwrap().json().await.unwrap();
    assert_eq!((&listed["data"][0]["type"], &listed["has_more"]), (&json!("model"), &json!(false)));
    let counted = script.call("/v1/messages/count_tokens", &asking("/v1/messages", "Hello", false)).await;
    assert!(counted["input_tokens"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn a_body_of_many_small_values_is_refused_before_any_is_made() {
    let program = Program::start();
    let script = models_only(&program.caller("ada")).await;
    for path in PATHS {
        for part in ["0,", r#"{"":0},"#] {
            let body = format!(r#"{{"model":"x","messages":[{}0]}}"#, part.repeat(300_000));
            let asked =
                script.request(Method::POST, path).header(CONTENT_TYPE, "application/json").body(body);
            let (status, words) = refused(asked.send().await.unwrap()).await;
            assert_eq!(status, 413, "{path}: {words}");
            assert!(words.contains("200000 values"), "{words}");
        }
    }
}

#[tokio::test]
async fn a_token_for_models_reaches_nothing_else_and_a_cookie_reaches_no_model() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    provider(&ada, &endpoint).await;
    let (script, browser) = (models_only(&ada).await, program.browser("ada", "test").await);
    assert_eq!(script.get("/v1/models").await.status(), 200);
    for path in
        ["/api/account/me", "/api/agents/list", "/api/providers/list", "/usage.csv", "/api/agents/x/events"]
    {
        assert_eq!(script.get(path).await.status(), 401, "{path}");
    }
    let made = script.post("/api/account/create_token", &json!({ "name": "more" })).await;
    assert_eq!(made.status(), 401);
    for caller in [&browser, &program.stranger()] {
        for path in PATHS {
            let (status, why) = refused(caller.post(path, &asking(path, "Hello", false)).await).await;
            assert_eq!(status, 401, "{path}");
            assert!(why.contains("Make one at http"), "{why}");
        }
        assert_eq!(refused(caller.get("/v1/models").await).await.0, 401);
    }
    let Who::Token(token) = &script.who else { panic!("it has a token") };
    let by_key = program.stranger().request(Method::POST, "/v1/messages").header("x-api-key", token);
    assert_eq!(by_key.json(&asking("/v1/messages", "Hello", false)).send().await.unwrap().status(), 200);
    let elsewhere = program.stranger().request(Method::GET, "/api/account/me").header("x-api-key", token);
    assert_eq!(elsewhere.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn somebody_elses_model_is_as_one_that_does_not_exist() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    provider(&ada, &endpoint).await;
    for path in ["/v1/chat/completions", "/v1/responses", "/v1/messages"] {
        let theirs = refused(eve.post(path, &asking(path, "Hello", false)).await).await;
        let mut missing = asking(path, "Hello", false);
        missing["model"] = json!("Nobody/gpt-5-mini");
        assert_eq!(theirs, refused(eve.post(path, &missing).await).await, "{path}");
        assert_eq!(theirs.0, 404, "{path}");
    }
    let theirs = refused(eve.get("/v1/models/Mine/gpt-5-mini").await).await;
    assert_eq!(theirs.0, 404);
    let listed: Value = eve.get("/v1/models").await.json().await.unwrap();
    assert_eq!(listed["data"], json!([]));
}

#[tokio::test]
async fn what_these_apis_have_elsewhere_is_refused_in_their_words() {
    let program = Program::start();
    let ada = program.caller("ada");
    for (method, path, code, kind) in [
        (Method::POST, "/v1/embeddings", json!("unknown_url"), "invalid_request_error"),
        (Method::POST, "/v1/audio/speech", json!("unknown_url"), "invalid_request_error"),
        (Method::GET, "/v1/chat/completions", json!("unknown_url"), "invalid_request_error"),
        (Method::GET, "/v1/responses/resp_1", json!("unknown_url"), "invalid_request_error"),
        (Method::POST, "/v1/messages/batches", Value::Null, "not_found_error"),
    ] {
        let answer = ada.request(method, path).json(&json!({ "model": "m" })).send().await.unwrap();
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["x-should-retry"]),
            (404, &"false".parse().unwrap())
        );
        let body: Value = answer.json().await.unwrap();
        assert_eq!((&body["error"]["type"], &body["error"]["code"]), (&json!(kind), &code), "{path}: {body}");
    }
}

#[tokio::test]
async fn every_answer_has_an_id_where_the_clients_look_for_it() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    provider(&ada, &endpoint).await;
    for (path, body) in [
        ("/v1/chat/completions", asking("/v1/chat/completions", "Hello", false)),
        ("/v1/responses", asking("/v1/responses", "Hello", true)),
        ("/v1/messages", asking("/v1/messages", "Hello", false)),
        ("/v1/messages", json!({})),
        ("/v1/embeddings", json!({})),
        ("/v1/models", Value::Null),
    ] {
        let answer = if body.is_null() { ada.get(path).await } else { ada.post(path, &body).await };
        let id = answer.headers()["request-id"].clone();
        assert!(id.to_str().unwrap().starts_with("req_"), "{path}: {id:?}");
        assert_eq!(answer.headers()["x-request-id"], id);
        if path == "/v1/messages" && !answer.status().is_success() {
            let body: Value = answer.json().await.unwrap();
            assert_eq!(body["request_id"], id.to_str().unwrap());
        }
    }
}

#[tokio::test]
async fn each_frame_leaves_at_once() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    provider(&ada, &endpoint).await;
    // The endpoint says nothing more, and does not hang up.
    let text = r#"turns: [[{"text":"First words"},"hang"]]"#;
    for (path, words) in [
        ("/v1/chat/completions", r#""content":"words""#),
        ("/v1/responses", r#""delta":"words""#),
        ("/v1/messages", r#""text":"words""#),
    ] {
        let mut response = ada.post(path, &asking(path, text, true)).await;
        assert_eq!(response.headers()[CONTENT_TYPE], "text/event-stream");
        let mut heard = String::new();
        while !heard.contains(words) {
            heard += std::str::from_utf8(&response.chunk().await.unwrap().expect("more to come")).unwrap();
        }
    }
}

#[tokio::test]
async fn who_hangs_up_ends_the_provider_s_call() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    provider(&ada, &endpoint).await;
    let text = r#"turns: [[{"text":"First words"},"hang"]]"#;
    for path in ["/v1/chat/completions", "/v1/responses", "/v1/messages"] {
        let mut response = ada.post(path, &asking(path, text, true)).await;
        response.chunk().await.unwrap().expect("it has begun");
        drop(response);
        let since = Instant::now();
        while endpoint.ended().await != json!("aborted") {
            assert!(since.elapsed() < Duration::from_secs(180), "{path}: the call goes on");
            a_moment().await;
        }
    }
}

#[tokio::test]
async fn a_body_may_be_long_and_not_longer() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    provider(&ada, &endpoint).await;
    let image = |bytes: usize| {
        let url = format!("data:image/png;base64,{}", "A".repeat(bytes));
        let part = json!({ "type": "image_url", "image_url": { "url": url } });
        json!({ "model": "gpt-5-mini", "messages": [{ "role": "user", "content": [part] }] })
    };
    let good = ada.post("/v1/chat/completions", &image(20 * 1024 * 1024)).await;
    assert_eq!(good.status(), 200);
    let (status, why) = refused(ada.post("/v1/chat/completions", &image(33 * 1024 * 1024)).await).await;
    assert_eq!(status, 413, "{why}");
}

#[tokio::test]
async fn who_asks_too_often_is_told_in_the_words_of_the_api() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "1")]);
    let ada = program.caller("ada");
    let script = models_only(&ada).await;
    for path in PATHS {
        let late = loop {
            let response = script.post(path, &json!({})).await;
            if response.status() == 429 {
                break response;
            }
        };
        assert!(late.headers().contains_key(RETRY_AFTER), "{path}");
        assert_eq!(late.headers()["x-should-retry"], "true");
        let body: Value = late.json().await.unwrap();
        assert_eq!(body["error"]["type"], "rate_limit_error", "{path}: {body}");
    }
}
