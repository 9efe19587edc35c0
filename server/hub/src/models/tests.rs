#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

mod answers;
mod faults;
#[path = "../../../../sandbox/agent/tests/it/providers/faulty.rs"]
mod faulty;
mod faulty_server;
mod recorded;
#[path = "../../../../sandbox/agent/tests/it/providers/recording.rs"]
mod recording;
#[path = "../../../../sandbox/agent/tests/it/providers/reduction.rs"]
mod reduction;

use super::*;
use crate::outbound::{Outbound, Reach};
use crate::providers::Server;
use crate::vault::Secret;
use agent::providers::Wire;
use protocol::agent::ProviderKind;
use protocol::model::{Block, ModelMessage, StopReason, ToolChoice};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

const KEY: &str = "sk-canary-0123456789abcdef";

/// What the first byte says of a client that wants TLS.
const TLS_HANDSHAKE: u8 = 22;

const GOOD: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n\
    data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
    data: [DONE]\n\n";

#[tokio::test]
async fn a_reply_streams_and_ends_once() {
    let events = answer(&ok(GOOD)).await;
    assert_eq!(events.last(), Some(&ModelEvent::Stopped { reason: StopReason::EndTurn }));
    let whole = Block::Text { text: "Hi".to_owned() };
    assert!(events.contains(&ModelEvent::BlockFinished { index: 0, block: whole }), "{events:?}");
    ends_once(&events);
}

#[tokio::test]
async fn a_key_that_the_server_echoes_is_not_passed_on() {
    let echo =
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"Your key: {KEY}\"}}}}]}}\n\n");
    let split = KEY
        .chars()
        .map(|char| {
            format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{char}\"}}}}]}}\n\n")
        })
        .collect::<String>();
    let complaint = format!("{{\"error\":{{\"message\":\"{KEY} is not good\"}}}}");
    let table = [
        ok(&format!("{echo}{GOOD}")),
        ok(&format!("{split}{GOOD}")),
        ok(&format!("data: {complaint}\n\n")),
        ok(&format!("event: {KEY}\ndata: {{\"{KEY}\":\"{KEY}\"}}\n\n")),
        status(400, &complaint),
        status(401, &complaint),
        status(403, &complaint),
        status(500, &complaint),
    ];
    for bytes in table {
        let events = answer(&bytes).await;
        let said: String = events
            .iter()
            .filter_map(|event| match event {
                ModelEvent::Delta { text, .. } => Some(text.as_str()),
                ModelEvent::BlockStarted { .. }
                | ModelEvent::BlockFinished { .. }
                | ModelEvent::Usage { .. }
                | ModelEvent::Stopped { .. }
                | ModelEvent::Failed { .. }
                | ModelEvent::Cited { .. }
                | ModelEvent::Unknown { .. } => None,
            })
            .collect();
        assert!(!format!("{events:?}{said}").contains("canary"), "{events:?}");
    }
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base_url = format!("http://{}", listener.local_addr().expect("its number"));
    let (closed, was_closed) = oneshot::channel();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        hear(&mut stream).await;
        let first = GOOD.split_inclusive("\n\n").next().expect("the first event");
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        stream.write_all(format!("{head}{first}").as_bytes()).await.expect("the start of an answer");
        let rest = stream.read(&mut [0; 64]).await;
        let _ = closed.send(rest.unwrap_or(0));
    });
    let mut events = call(&base_url).await;
    assert!(matches!(events.next().await, Some(ModelEvent::BlockStarted { .. })));
    drop(events);
    assert_eq!(was_closed.await, Ok(0), "the server sees the end of the connection");
}

#[tokio::test]
async fn without_a_key_nothing_is_sent_to_the_kinds_own_server() {
    let server = Server { base_url: None, key: None, ..server("") };
    let failure =
        stream::start(&outbound(), &server, &sent(), true, 0, TIMEOUTS).await.err().expect("no key");
    assert_eq!(failure.kind, ModelFailureKind::NotConfigured);
}

fn ends_once(events: &[ModelEvent]) {
    let is_last =
        |event: &&ModelEvent| matches!(event, ModelEvent::Stopped { .. } | ModelEvent::Failed { .. });
    assert_eq!(events.iter().filter(is_last).count(), 1, "{events:?}");
    assert!(events.last().as_ref().is_some_and(is_last), "{events:?}");
}

/// What becomes of these bytes as the answer to a call.
async fn answer(bytes: &str) -> Vec<ModelEvent> {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base_url = format!("http://{}", listener.local_addr().expect("its number"));
    let bytes = bytes.to_owned();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        hear(&mut stream).await;
        stream.write_all(bytes.as_bytes()).await.expect("an answer");
        stream.shutdown().await.expect("its end");
    });
    call(&base_url).await.collect().await
}

async fn call(base_url: &str) -> BoxStream<'static, ModelEvent> {
    play(&outbound(), server(base_url), &sent(), true, 0, TIMEOUTS).await.unwrap_or_else(failed)
}

fn outbound() -> Outbound {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Outbound::new(Reach { private: false, loopback: true })
}

fn server(base_url: &str) -> Server {
    Server {
        lent: None,
        name: "Test".to_owned(),
        wire: Wire::of(ProviderKind::OpenAi).expect("it is a server"),
        base_url: Some(base_url.to_owned()),
        key: Some(Secret::new(KEY.to_owned())),
    }
}

fn sent() -> Sent {
    let request = ModelRequest {
        model: "m".to_owned(),
        system: "s".to_owned(),
        tools: Vec::new(),
        messages: vec![ModelMessage::User { text: "Hello".to_owned(), media: Vec::new() }].into(),
        tool_choice: ToolChoice::Auto,
        max_output_tokens: 10,
        effort: None,
        sampling: Box::default(),
    };
    Sent { request, searches: 0 }
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{body}")
}

fn status(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} Status\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

/// Reads a whole request, so that closing does not reset the connection.
async fn hear(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    loop {
        let mut more = [0; 4096];
        let count = stream.read(&mut more).await.expect("a request");
        bytes.extend_from_slice(&more[..count]);
        if count == 0 || bytes[0] == TLS_HANDSHAKE {
            return;
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return;
        }
    }
}
