//! A provider that gives back the key that it was sent, in every way that an answer has.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Each is a path under which it is a server of its own.
pub const WAYS: [&str; 14] = [
    "talk",
    "half",
    "cut",
    "event",
    "unknown",
    "garbage",
    "page",
    "redirect",
    "headers",
    "refuse/400",
    "refuse/401",
    "refuse/404",
    "refuse/429",
    "refuse/500",
];

pub struct Echo {
    pub url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Echo {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::default();
        let echo = Self { url: url.clone(), heard: Arc::clone(&heard) };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, url.clone(), Arc::clone(&heard)));
            }
        });
        echo
    }

    /// The heads of all requests, as they came.
    pub fn heard(&self) -> String {
        self.heard.lock().unwrap().join("\n")
    }
}

async fn answer(mut stream: TcpStream, url: String, heard: Arc<Mutex<Vec<String>>>) {
    let Some((head, body)) = hear(&mut stream).await else { return };
    heard.lock().unwrap().push(head.clone());
    let key = key_in(&head);
    let path = head.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    // A caller that has hung up wants no more.
    let _ = stream.write_all(reply(&path, &key, &body, &url).as_bytes()).await;
    let _ = stream.shutdown().await;
}

fn reply(path: &str, key: &str, body: &Value, url: &str) -> String {
    let way = WAYS.iter().find(|way| path.starts_with(**way)).copied().unwrap_or_default();
    let models = body.is_null();
    match way {
        "talk" | "half" | "cut" if models => {
            let names = [key, &key[..key.len() / 2], "one"].map(|id| json!({ "id": id, "object": "model" }));
            http("200 OK", "", &json!({ "object": "list", "data": names }).to_string())
        }
        "talk" => stream(&talk(key, body)),
        "half" => stream(&[said(&key[key.len() / 2..]), said(&key[..key.len() / 2]), stop("stop")].concat()),
        "cut" => {
            let pieces: String = key[..key.len() * 3 / 4].chars().map(|c| said(&c.to_string())).collect();
            stream(&pieces)
        }
        "event" => stream(&event(&json!({ "error": { "message": long(key), "type": key, "code": key } }))),
        "unknown" => stream(&format!("event: {key}\ndata: {}\n\n", json!({ key: long(key) }))),
        "garbage" => stream(&format!("data: {{\"{key}\": {key}\n\n{key}\n\n")),
        "page" => http("200 OK", "", &format!("<html>{key}</html>")),
        "redirect" => http("307 Temporary Redirect", &format!("location: {url}/talk/led?key={key}\r\n"), key),
        "headers" => {
            let headers = format!("retry-after: {key}\r\nx-request-id: {key}\r\nset-cookie: a={key}\r\n");
            http("429 Too Many Requests", &headers, "")
        }
        _ if path.starts_with("calendar/") => {
            let event =
                "BEGIN:VEVENT\r\nUID:a\r\nDTSTART;VALUE=DATE:20260101\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT";
            http("200 OK", "", &format!("BEGIN:VCALENDAR\r\n{event}\r\nEND:VCALENDAR\r\n"))
        }
        refusal => {
            let status = refusal.rsplit('/').next().filter(|status| !status.is_empty()).unwrap_or("404");
            let words = json!({ "error": { "message": long(key), "type": key, "code": key, "param": key } });
            http(&format!("{status} No"), "", &words.to_string())
        }
    }
}

/// The key at the end of so many words that whatever cuts them short may cut the key in two.
fn long(key: &str) -> String {
    (0..6).map(|more| format!("{key} {}", "word ".repeat(40 + 3 * more))).collect()
}

fn talk(key: &str, body: &Value) -> String {
    let answered =
        body["messages"].as_array().is_some_and(|list| list.iter().any(|one| one["role"] == "tool"));
    let letters: String = key.chars().map(|c| said(&c.to_string())).collect();
    let escaped = key.replace('/', "\\/");
    let words = [said(&format!("Your key is {key}. ")), said(&escaped), letters, reasoned(key)].concat();
    if answered {
        return words + &stop("stop");
    }
    let input = json!({ "action": "set", "key": "kept", "value": { "said": key, key: [key] } }).to_string();
    let input = input.replace('/', "\\/");
    let mut calls =
        called(json!({ "index": 0, "id": "call_1", "function": { "name": "state", "arguments": "" } }));
    for piece in input.as_bytes().chunks(7) {
        let piece = String::from_utf8_lossy(piece);
        calls += &called(json!({ "index": 0, "function": { "arguments": piece } }));
    }
    let odd = json!({ "index": 1, "id": key, "function": { "name": key, "arguments": input } });
    words + &calls + &called(odd) + &stop("tool_calls")
}

fn said(text: &str) -> String {
    choice(&json!({ "content": text }), None)
}

fn reasoned(text: &str) -> String {
    choice(&json!({ "reasoning_content": text }), None)
}

fn called(call: Value) -> String {
    choice(&json!({ "tool_calls": [call] }), None)
}

fn stop(reason: &str) -> String {
    choice(&json!({}), Some(reason)) + "data: [DONE]\n\n"
}

fn choice(delta: &Value, reason: Option<&str>) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] }))
}

fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn stream(events: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}")
}

fn http(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
}

/// Whatever of the head is a key.
fn key_in(head: &str) -> String {
    const NAMES: [&str; 5] =
        ["authorization: bearer ", "x-api-key: ", "api-key: ", "x-goog-api-key: ", "x-amz-security-token: "];
    let line = |name: &&str| {
        head.lines()
            .find_map(|line| line.to_lowercase().starts_with(name).then(|| line[name.len()..].to_owned()))
    };
    NAMES.iter().rev().find_map(line).unwrap_or_else(|| "none".to_owned())
}

async fn hear(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if bytes.len() >= end + 4 + length.unwrap_or(0) {
                return Some((head, bytes[end + 4..].to_vec()));
            }
        }
        let mut more = [0; 4096];
        let read = stream.read(&mut more).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&more[..read]);
    }
}
