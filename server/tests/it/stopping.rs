//! A signal to stop: what is under way comes to its end, who waits for nothing goes at once, and every
//! tab is told to come back.

use crate::live::{agent, connect, hear, say};
use crate::parked::finished;
use crate::world::{Endpoint, Program, a_moment};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

#[tokio::test]
async fn a_reply_under_way_is_given_time_and_an_idle_stream_ends_at_once() {
    let mut program = Program::start();
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    let (talking, silent) = (agent(&caller, &endpoint).await, agent(&caller, &endpoint).await);
    let mut idle = caller.get(&format!("/api/agents/{silent}/events")).await;
    let mut idle_tab = connect(&caller, "idle").await;
    let mut tab = connect(&caller, "tab").await;
    say(&mut tab, &json!({ "type": "subscribe", "agent": talking, "after": 0 })).await;
    let turns = json!([[{ "text": "The first words, and the last ones.", "gate": "and" }]]);
    let text = format!("turns: {turns}");
    caller.call("/api/agents/send", &json!({ "agent": talking, "text": text })).await;
    while hear(&mut tab).await["type"] != "delta" {}

    program.ask_to_stop();
    // The reply waits at its gate: neither of these ends because of it.
    while idle.chunk().await.unwrap().is_some() {}
    assert_eq!(close_code(&mut idle_tab).await, CloseCode::Restart);
    endpoint.open_gate().await;
    let finished = loop {
        let frame = hear(&mut tab).await;
        if frame["entry"]["body"]["type"] == "run_finished" {
            break frame;
        }
    };
    assert_eq!(finished["entry"]["body"]["outcome"]["type"], "completed");
    assert_eq!(close_code(&mut tab).await, CloseCode::Restart);
    assert!(program.ends_well());
}

#[tokio::test]
async fn a_program_s_call_under_way_is_answered_before_the_end() {
    let mut program = Program::start();
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    agent(&caller, &endpoint).await;
    let turns = json!([[{ "text": "The first words, and the last ones.", "gate": "and" }]]);
    let body = json!({
        "model": "gpt-5-mini", "stream": true,
        "messages": [{ "role": "user", "content": format!("turns: {turns}") }],
    });
    let mut answer = caller.post("/v1/chat/completions", &body).await;
    let mut text = String::new();
    while !text.contains("words") {
        text.push_str(&String::from_utf8_lossy(&answer.chunk().await.unwrap().unwrap()));
    }
    program.ask_to_stop();
    endpoint.open_gate().await;
    while let Some(chunk) = answer.chunk().await.unwrap() {
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
    assert!(text.contains("ones") && text.trim_end().ends_with("[DONE]"), "{text}");
    assert!(program.ends_well());
}

#[tokio::test]
async fn fifty_turns_that_do_not_end_hold_up_no_stop_and_the_next_process_goes_on_with_each() {
    const TURNS: usize = 50;
    let mut program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let turns = json!([[{ "text": "The first words, and the last ones.", "gate": "and" }]]);
    let text = format!("turns: {turns}");
    let mut agents = Vec::new();
    for _ in 0..TURNS {
        let agent = agent(&caller, &endpoint).await;
        caller.call("/api/agents/send", &json!({ "agent": agent, "text": text })).await;
        agents.push(agent);
    }
    let is_asked = |request: &&Value| request.to_string().contains("the last ones");
    while endpoint.requests().await.iter().filter(is_asked).count() < TURNS {
        a_moment().await;
    }
    program.ask_to_stop();
    assert!(program.ends_well());

    program.restart();
    caller.url.clone_from(&program.url);
    let ends = async {
        for agent in &agents {
            let log = finished(&caller, agent, 1).await;
            let of = |kind: &str| log.iter().filter(|body| body["type"] == kind).count();
            assert_eq!((of("message"), of("run_started")), (1, 1), "{log:?}");
            let end = log.iter().find(|body| body["type"] == "run_finished").unwrap();
            assert_eq!(end["outcome"]["type"], "completed", "{log:?}");
            let said = log.iter().filter(|body| body.to_string().contains("and the last ones."));
            assert_eq!(said.filter(|body| body["type"] == "block").count(), 1, "{log:?}");
        }
    };
    endpoint.with_open_gates(ends).await;
}

/// How the hub closes the socket, which hears nothing else.
async fn close_code(socket: &mut crate::live::Socket) -> CloseCode {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Close(close) => return close.unwrap().code,
            Message::Text(text) => {
                let frame: Value = serde_json::from_str(&text).unwrap();
                assert_ne!(frame["type"], "signed_out");
            }
            _ => {}
        }
    }
}
