//! Files of messages over HTTP: in as the body of a request, and out with what keeps them harmless.

use crate::world::{Caller, Program, Who};
use reqwest::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ORIGIN};
use reqwest::{Method, Response};
use serde_json::{Value, json};

/// A picture that another program made.
pub const PICTURE: &[u8] = include_bytes!("../../hub/tests/it/fixtures/pictures/holes.png");

const LARGEST: usize = 20 * 1024 * 1024;

/// Sends a file in, and gives what became of it.
pub async fn bring(caller: &Caller, name: &str, bytes: &[u8]) -> Value {
    let response = post(caller, name, bytes).await;
    assert_eq!(response.status(), 200);
    response.json().await.unwrap()
}

async fn post(caller: &Caller, name: &str, bytes: &[u8]) -> Response {
    let mut request = caller.request(Method::POST, &format!("/attachments?name={name}")).body(bytes.to_vec());
    if !matches!(caller.who, Who::Nobody) {
        request = request.header(ORIGIN, &caller.url);
    }
    request.send().await.unwrap()
}

#[tokio::test]
async fn pictures_are_shown_and_everything_else_is_only_saved() {
    let program = Program::start();
    let ada = program.caller("ada");
    let picture = bring(&ada, "holes.png", PICTURE).await;
    let drawing =
        bring(&ada, "drawing.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").await;
    let (picture, drawing) = (picture["id"].as_str().unwrap(), drawing["id"].as_str().unwrap());
    for (path, kind, disposition) in [
        (format!("/attachments/{picture}"), "image/png", "inline; filename*=UTF-8''holes.png"),
        (format!("/attachments/{picture}/thumbnail"), "image/png", "inline; filename*=UTF-8''holes.png"),
        (
            format!("/attachments/{drawing}"),
            "application/octet-stream",
            "attachment; filename*=UTF-8''drawing.svg",
        ),
    ] {
        let response = ada.get(&path).await;
        assert_eq!(response.status(), 200, "{path}");
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header(CONTENT_TYPE.as_str()), kind, "{path}");
        assert_eq!(header(CONTENT_DISPOSITION.as_str()), disposition, "{path}");
        assert!(header(CONTENT_SECURITY_POLICY.as_str()).contains("sandbox"), "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert!(header(CACHE_CONTROL.as_str()).starts_with("private"), "{path}");
    }
    assert_eq!(ada.get(&format!("/attachments/{drawing}/thumbnail")).await.status(), 404);
}

#[tokio::test]
async fn what_is_too_large_is_told_to_who_sends_it() {
    let program = Program::start();
    let ada = program.caller("ada");
    let mut large = PICTURE.to_vec();
    large.resize(LARGEST + 1, 0);
    let response = post(&ada, "large.png", &large).await;
    assert_eq!(response.status(), 429);
    assert!(response.text().await.unwrap().contains("20 MB"));
    let stranger = post(&program.stranger(), "a.txt", b"text").await;
    assert!(matches!(stranger.status().as_u16(), 401 | 403), "{}", stranger.status());
}

#[tokio::test]
async fn a_draft_takes_files_of_its_person_alone() {
    let program = Program::start();
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let made = json!({ "id": "notes", "name": "Notes", "colour": "#c57b2c" });
    let agent = ada.call("/api/archives/create", &made).await;
    let here = &agent["conversation"];
    let (own, hers) = (bring(&ada, "a.txt", b"own").await, bring(&eve, "b.txt", b"hers").await);
    let path = "/api/conversations/keep_draft";
    ada.call(path, &json!({ "id": here, "text": "Look" })).await;
    let attach = [&hers["id"], &own["id"]];
    let kept = ada.call(path, &json!({ "id": here, "files_only": true, "attach": attach })).await;
    assert_eq!(kept, json!({ "text": "Look", "files": [own], "version": 2 }));
    let read = format!("/api/conversations/draft?id={}", here.as_str().unwrap());
    assert_eq!(ada.get(&read).await.json::<Value>().await.unwrap(), kept);
    assert_eq!(eve.get(&read).await.status(), 404);
    let left = json!({ "id": here, "files_only": true, "detach": [&own["id"]] });
    assert_eq!(ada.call(path, &left).await, json!({ "text": "Look", "version": 3 }));
}

#[tokio::test]
async fn for_an_agent_s_model_a_page_gets_what_came_with_messages_to_that_agent() {
    let program = Program::start();
    let ada = program.caller("ada");
    let mut agents = Vec::new();
    for name in ["Notes", "Others"] {
        let made = json!({ "id": "notes", "name": name, "colour": "#c57b2c" });
        let agent = ada.call("/api/archives/create", &made).await;
        agents.push(agent["id"].as_str().unwrap().to_owned());
    }
    let (said, unsaid) = (bring(&ada, "a.txt", b"said").await, bring(&ada, "b.txt", b"unsaid").await);
    let sent = json!({ "agent": agents[0], "text": "", "attachments": [said["id"]] });
    ada.call("/api/agents/send", &sent).await;
    for (file, agent, status) in [
        (&said, agents[0].as_str(), 200),
        (&said, agents[1].as_str(), 404),
        (&unsaid, agents[0].as_str(), 404),
        (&said, "nobody", 404),
    ] {
        let path = format!("/attachments/{}?of={agent}", file["id"].as_str().unwrap());
        assert_eq!(ada.get(&path).await.status(), status, "{path}");
    }
    let told = |told: &str| format!("/attachments/{}?of={}&{told}", said["id"].as_str().unwrap(), agents[0]);
    for (asked, expected) in [
        ("told=100&reads=false", "a.txt:\n```\nsaid\n```"),
        (
            "told=2&reads=false",
            "a.txt:\n```\nsa\n```\n[2 more bytes of a.txt are too much for this model at a time.]",
        ),
    ] {
        let response = ada.get(&told(asked)).await;
        assert_eq!(response.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        assert_eq!(response.text().await.unwrap(), expected);
    }
    let rest = ada.get(&told("told=2&reads=true")).await.text().await.unwrap();
    assert!(rest.ends_with("Read on at /uploads/a.txt with the tool read.]"), "{rest}");
    let eve = program.caller("eve");
    let path = format!("/attachments/{}?of={}", said["id"].as_str().unwrap(), agents[0]);
    assert_eq!(eve.get(&path).await.status(), 404);
}

#[tokio::test]
async fn a_form_names_the_files_of_its_message() {
    let program = Program::start();
    let ada = program.caller("ada");
    let agent = ada
        .call("/api/archives/create", &json!({ "id": "notes", "name": "Notes", "colour": "#c57b2c" }))
        .await;
    let agent = agent["id"].as_str().unwrap();
    let file = bring(&ada, "fern.txt", b"green").await;
    let sent = json!({ "agent": agent, "text": "", "attachments": [file["id"]] });
    ada.call("/api/agents/send", &sent).await;
    let entries: Value = ada.get(&format!("/api/agents/entries?agent={agent}")).await.json().await.unwrap();
    let said = entries.as_array().unwrap().iter().find(|entry| entry["body"]["type"] == "message").unwrap();
    assert_eq!(said["body"]["attachments"], json!([file]));
}
