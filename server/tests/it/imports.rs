//! Files with conversations of other products, as a browser and a program send them in.

use crate::world::{Caller, Program};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION, ORIGIN};
use reqwest::{Method, Response};
use serde_json::{Value, json};

const JSON: &str = "application/json";

#[tokio::test]
async fn a_browser_goes_on_to_what_is_in_a_file_and_a_program_is_told() {
    let program = Program::start();
    let ada = program.caller("ada");
    let browser = program.browser("ada", "test").await;
    let page = post(&browser, &export(), "text/html").await;
    assert_eq!(page.status(), 303);
    let review = page.headers()[LOCATION].to_str().unwrap().to_owned();
    let shown = browser.get(&review).await.text().await.unwrap();
    assert!(shown.contains("Conversations from Claude") && shown.contains("About ferns"), "{shown}");
    let none = post(&browser, b"", "text/html").await;
    assert_eq!(none.headers()[LOCATION], "/import?no-file=");

    let refused = post(&ada, b"hello", JSON).await;
    assert_eq!(refused.status(), 422);
    assert!(refused.text().await.unwrap().contains("The file is no JSON."));
    let reviewed: Value = post(&ada, &export(), JSON).await.json().await.unwrap();
    assert_eq!((&reviewed["source"], &reviewed["messages"]), (&json!("claude"), &json!(2)));
    let chosen = json!({ "id": reviewed["upload"], "name": "Old", "chosen": [0] });
    let agent = ada.call("/api/imports/create", &chosen).await;
    let list = ada.get(&format!("/api/conversations/list?agent={}", agent.as_str().unwrap())).await;
    assert!(list.text().await.unwrap().contains("About ferns"));
    assert_eq!(post(&program.stranger(), &export(), JSON).await.status(), 401);
}

/// A file that this person sent in.
pub async fn export_of(caller: &Caller) -> String {
    let reviewed: Value = post(caller, &export(), JSON).await.json().await.unwrap();
    reviewed["upload"].as_str().unwrap().to_owned()
}

fn export() -> Vec<u8> {
    let messages = json!([
        { "uuid": "1", "sender": "human", "text": "Ferns", "created_at": "2025-01-02T03:04:05Z" },
        { "uuid": "2", "sender": "assistant", "text": "They like shade.", "created_at": "2025-01-02T03:04:06Z" },
    ]);
    json!([{ "uuid": "c", "name": "About ferns", "chat_messages": messages }]).to_string().into_bytes()
}

/// Posts the form with this file, as a browser does.
async fn post(caller: &Caller, file: &[u8], accept: &str) -> Response {
    let name = if file.is_empty() { "" } else { "conversations.json" };
    let head = format!(
        "--line\r\nContent-Disposition: form-data; name=\"export\"; filename=\"{name}\"\r\n\
         Content-Type: application/json\r\n\r\n"
    );
    let request = caller
        .request(Method::POST, "/imports")
        .header(ORIGIN, &caller.url)
        .header(ACCEPT, accept)
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line")
        .body([head.as_bytes(), file, b"\r\n--line--\r\n"].concat());
    request.send().await.unwrap()
}
