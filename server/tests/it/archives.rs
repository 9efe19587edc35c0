//! Archives and files over HTTP: a form with a file, a download, and addresses that are signed.

use crate::world::{Caller, Program};
use reqwest::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, ORIGIN};
use reqwest::{Method, Response};
use serde_json::{Value, json};

const HTML: &str = "text/html,application/xhtml+xml";
const JSON: &str = "application/json";

#[tokio::test]
async fn an_agent_goes_out_and_comes_in_again() {
    let program = Program::start();
    let ada = program.caller("ada");
    let agent = from_template(&ada).await;
    let response = ada.get(&format!("/archives/{agent}")).await;
    assert_eq!(response.headers()[CONTENT_DISPOSITION], "attachment; filename*=UTF-8''Notes.flo.zip");
    let archive = response.bytes().await.unwrap().to_vec();
    assert!(archive.starts_with(b"PK"));

    let review = upload(&ada, &archive).await;
    assert_eq!((review["name"].as_str(), review["has_page"].as_bool()), (Some("Notes"), Some(true)));

    let browser = program.browser("ada", "test").await;
    let response = post(&browser, &archive, HTML).await;
    assert_eq!(response.status(), 303);
    let to = response.headers()[LOCATION].to_str().unwrap().to_owned();
    let page = browser.get(&to).await.text().await.unwrap();
    assert!(page.contains("Create agent") && page.contains("With it comes a page."), "{page}");
    assert_eq!(ada.get("/api/agents/list").await.json::<Value>().await.unwrap().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_no_archive_is_told_and_kept_from_harm() {
    let program = Program::start();
    program.add_user("ada");
    let browser = program.browser("ada", "test").await;
    let response = post(&browser, b"hello", HTML).await;
    let to = response.headers()[LOCATION].to_str().unwrap().to_owned();
    let page = browser.get(&to).await.text().await.unwrap();
    assert!(page.contains("cannot be opened") && page.contains("This is no zip archive."), "{page}");

    let large = vec![0; 20 * 1024 * 1024 + 1];
    for (body, accept, status, to, words) in [
        (b"hello".as_slice(), JSON, 422, None, "This is no zip archive."),
        (large.as_slice(), JSON, 429, None, "larger than 20 MB"),
        (large.as_slice(), HTML, 303, Some("/gallery?too-large="), ""),
        (b"".as_slice(), HTML, 303, Some("/gallery?no-file="), ""),
        (b"".as_slice(), JSON, 422, None, "has no file"),
    ] {
        let response = post(&browser, body, accept).await;
        assert_eq!(response.status(), status, "{accept}");
        assert_eq!(response.headers().get(LOCATION).map(|to| to.to_str().unwrap()), to);
        let text = response.text().await.unwrap();
        assert!(text.contains(words), "{text}");
    }
    let stranger = post(&program.stranger(), b"hello", JSON).await;
    assert_eq!(stranger.status(), 403, "no Origin of ours could be believed without a session");
}

#[tokio::test]
async fn a_form_with_much_beside_the_archive_is_refused() {
    let program = Program::start();
    let ada = program.caller("ada");
    let field = |name: &str, bytes: usize| {
        let text = "x".repeat(bytes);
        format!("--line\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    for (fields, words) in [
        (vec![field("other", 100_000)], "more in it than the field archive"),
        (vec![field("other", 40_000), field("more", 40_000)], "more in it than the field archive"),
        (vec![field("archive", 0); 20], "has no file"),
        (vec![field("other", 1_000), field("archive", 5)], "This is no zip archive."),
    ] {
        let form = ada
            .request(Method::POST, "/archives")
            .header(CONTENT_TYPE, "multipart/form-data; boundary=line")
            .body(format!("{}--line--\r\n", fields.concat()));
        let response = form.send().await.unwrap();
        assert_eq!(response.status(), 422);
        let text = response.text().await.unwrap();
        assert!(text.contains(words), "{text}");
    }
}

#[tokio::test]
async fn a_signed_address_needs_no_session_and_stands_no_change() {
    let program = Program::start();
    let ada = program.caller("ada");
    let agent = from_template(&ada).await;
    ada.call("/api/skins/save", &json!({ "agent": agent, "name": "Night" })).await;
    let files: Value = ada.get(&format!("/api/files/list?folder={agent}")).await.json().await.unwrap();
    let address = files[0]["url"].as_str().unwrap().to_owned();
    let stranger = program.stranger();
    let response = stranger.get(&address).await;
    assert_eq!(response.status(), 200);
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header(CONTENT_TYPE.as_str()), "application/octet-stream");
    assert_eq!(header(CONTENT_DISPOSITION.as_str()), "attachment; filename*=UTF-8''Night.srcdoc");
    assert!(header(CONTENT_SECURITY_POLICY.as_str()).contains("sandbox"));
    assert!(response.text().await.unwrap().starts_with("<!DOCTYPE html>"));
    for (from, to) in [("Night", "Day"), ("until=1", "until=2"), ("mac=", "mac=A"), (agent.as_str(), "x")] {
        let altered = address.replace(from, to);
        assert_ne!(altered, address, "{from}");
        assert_eq!(stranger.get(&altered).await.status(), 403, "{altered}");
    }
}

/// Sends an archive in and gives its review.
pub async fn upload(caller: &Caller, archive: &[u8]) -> Value {
    let response = post(caller, archive, JSON).await;
    let status = response.status();
    let text = response.text().await.unwrap();
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

pub async fn archive_of(caller: &Caller, agent: &str) -> Vec<u8> {
    caller.get(&format!("/archives/{agent}")).await.bytes().await.unwrap().to_vec()
}

async fn from_template(caller: &Caller) -> String {
    let body = json!({ "id": "notes", "name": "Notes", "colour": "#c57b2c" });
    let agent = caller.call("/api/archives/create", &body).await;
    agent["id"].as_str().unwrap().to_owned()
}

/// Posts a form with one file, as a browser does.
async fn post(caller: &Caller, file: &[u8], accept: &str) -> Response {
    let name = if file.is_empty() { "" } else { "a.flo.zip" };
    let head = format!(
        "--line\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"{name}\"\r\n\
         Content-Type: application/zip\r\n\r\n"
    );
    let mut request = caller
        .request(Method::POST, "/archives")
        .header(ACCEPT, accept)
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line")
        .body([head.as_bytes(), file, b"\r\n--line--\r\n"].concat());
    if !matches!(caller.who, crate::world::Who::Nobody) {
        request = request.header(ORIGIN, &caller.url);
    }
    request.send().await.unwrap()
}
