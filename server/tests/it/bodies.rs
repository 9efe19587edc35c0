//! What a server function makes of bodies that are not what it takes.

use crate::world::Program;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, ORIGIN};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn a_bad_body_gets_a_clear_error() {
    let program = Program::start();
    let caller = program.caller("ada");
    let huge = "x".repeat(3 * 1024 * 1024);
    // Each é becomes six bytes of form encoding.
    let wide = format!("{{\"name\":\"{}\"}}", "é".repeat(400_000));
    for (kind, body, expect, words) in [
        (JSON, "{", 422, "not valid JSON"),
        (JSON, "[]", 422, "not a JSON object"),
        (JSON, "{}", 422, "name"),
        (JSON, "{\"name\":\"\"}", 422, "name"),
        (JSON, wide.as_str(), 422, "name"),
        (JSON, huge.as_str(), 413, "larger than 1 MB"),
        (FORM, huge.as_str(), 413, "larger than 1 MB"),
        (FORM, "%", 422, "name"),
    ] {
        let response = caller
            .request(Method::POST, "/api/account/create_token")
            .header(ORIGIN, &caller.url)
            .header(CONTENT_TYPE, kind)
            .body(body.to_owned())
            .send()
            .await
            .unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        let start: String = body.chars().take(20).collect();
        assert_eq!(status, expect, "{kind} {start}: {text}");
        assert!(text.contains(words), "{kind} {start}: {text}");
    }
}
