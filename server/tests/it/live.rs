//! The socket: hello first, versions, one encoding for many followers, and the same feed as
//! server-sent events.

use crate::world::{Caller, Endpoint, Program, Who};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A test that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(180);

/// Opens a tab and says hello.
pub async fn connect(caller: &Caller, tab: &str) -> Socket {
    let mut socket = open(caller).await;
    say(&mut socket, &json!({ "type": "hello", "version": protocol::VERSION, "tab": tab })).await;
    assert_eq!(hear(&mut socket).await["type"], "welcome");
    socket
}

async fn open(caller: &Caller) -> Socket {
    try_connect(caller).await.unwrap()
}

/// Opens a socket, if the hub takes it.
pub async fn try_connect(caller: &Caller) -> tokio_tungstenite::tungstenite::Result<Socket> {
    let mut request = caller.url.replace("http://", "ws://").into_client_request().unwrap();
    *request.uri_mut() = format!("{}/live", caller.url.replace("http://", "ws://")).parse().unwrap();
    let headers = request.headers_mut();
    headers.insert("origin", caller.url.parse().unwrap());
    match &caller.who {
        Who::Nobody => None,
        Who::Token(token) => headers.insert("authorization", format!("Bearer {token}").parse().unwrap()),
        Who::Cookie(cookie) => headers.insert("cookie", cookie.parse().unwrap()),
    };
    connect_async(request).await.map(|(socket, _)| socket)
}

pub async fn say(socket: &mut Socket, frame: &Value) {
    socket.send(Message::text(frame.to_string())).await.unwrap();
}

pub async fn hear(socket: &mut Socket) -> Value {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap();
        if let Message::Text(text) = message {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

/// A caller's fresh agent on the scripted model server.
pub async fn agent(caller: &Caller, endpoint: &Endpoint) -> String {
    agent_with(caller, endpoint, &["state"]).await
}

/// The same with these tools.
pub async fn agent_with(caller: &Caller, endpoint: &Endpoint, tools: &[&str]) -> String {
    let provider = json!({ "name": "Test", "kind": "open_ai", "base_url": endpoint.url, "key": "key-good" });
    let provider = caller.call("/api/providers/save", &provider).await;
    let draft = json!({
        "name": "Ada", "colour": "#3a7d44", "provider": provider["id"], "model": "gpt-5-mini",
        "tools": tools, "home": "hub",
    });
    caller.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn two_sockets_and_the_event_stream_tell_the_same_story() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    let (mut laptop, mut phone) = (connect(&caller, "laptop").await, connect(&caller, "phone").await);
    for socket in [&mut laptop, &mut phone] {
        say(socket, &json!({ "type": "subscribe", "agent": agent, "after": 0 })).await;
    }
    let sent = caller.call("/api/agents/send", &json!({ "agent": agent, "text": "script: hello" })).await;
    assert_eq!(sent["seq"], 1);
    let story = until_finished(&mut laptop).await;
    assert_eq!(story, until_finished(&mut phone).await);

    let mut feed = caller.get(&format!("/api/agents/{agent}/events?after=1")).await;
    let mut text = String::new();
    while !text.contains("run_finished") {
        text.push_str(&String::from_utf8_lossy(&feed.chunk().await.unwrap().unwrap()));
    }
    let streamed: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .filter(|frame: &Value| frame["type"] == "entry")
        .collect();
    assert_eq!(streamed, story[1..]);
    assert!(text.contains("id: 2\n"));
}

#[tokio::test]
async fn a_frame_that_nobody_knows_is_refused_and_the_socket_goes_on() {
    let program = Program::start();
    let caller = program.caller("ada");
    let mut socket = connect(&caller, "tab").await;
    for bad in [
        "",
        "{",
        "[]",
        "{\"type\":\"nonsense\"}",
        "{\"type\":\"subscribe\"}",
        "{\"type\":\"hello\",\"version\":1,\"tab\":\"x\"}",
        &format!("{{\"type\":\"ping\",\"x\":[{}0]}}", "0,".repeat(200_000)),
    ] {
        socket.send(Message::text(bad)).await.unwrap();
        let start: String = bad.chars().take(100).collect();
        assert_eq!(hear(&mut socket).await["type"], "refused", "{start}");
    }
    say(&mut socket, &json!({ "type": "ping" })).await;
    assert_eq!(hear(&mut socket).await["type"], "pong");
}

#[tokio::test]
async fn a_socket_that_does_not_say_hello_is_closed() {
    let program = Program::start();
    let caller = program.caller("ada");
    for first in [
        json!({ "type": "ping" }),
        json!({}),
        json!({ "type": "hello", "version": protocol::VERSION, "tab": "" }),
    ] {
        let mut socket = open(&caller).await;
        say(&mut socket, &first).await;
        assert_eq!(close_code(&mut socket).await, CloseCode::Policy, "{first}");
    }
}

#[tokio::test]
async fn a_tab_of_another_version_learns_the_hubs_and_is_closed() {
    let program = Program::start();
    let caller = program.caller("ada");
    let mut socket = open(&caller).await;
    say(&mut socket, &json!({ "type": "hello", "version": protocol::VERSION + 1, "tab": "old" })).await;
    let welcome = hear(&mut socket).await;
    assert_eq!((&welcome["type"], &welcome["version"]), (&json!("welcome"), &json!(protocol::VERSION)));
    assert_eq!(close_code(&mut socket).await, CloseCode::Policy);
}

pub async fn close_code(socket: &mut Socket) -> CloseCode {
    let next = tokio::time::timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap();
    let Message::Close(Some(close)) = next else { panic!("{next:?}") };
    close.code
}

/// The entries up to the end of the run.
async fn until_finished(socket: &mut Socket) -> Vec<Value> {
    let mut entries = Vec::new();
    loop {
        let frame = hear(socket).await;
        if frame["type"] == "entry" {
            let over = frame["entry"]["body"]["type"] == "run_finished";
            entries.push(frame);
            if over {
                return entries;
            }
        }
    }
}
