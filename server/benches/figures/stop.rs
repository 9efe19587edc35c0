//! Stop: from the request until the run's end is on a socket and until the model's server is hung up on,
//! while a reply streams and while the model says nothing.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::model::{Model, Speech};
use crate::program::Program;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

const RUNS: usize = 20;

pub async fn measure() {
    let program = Program::start();
    let token = program.token("ada");
    let caller = Caller::new(&program.url, &token);
    let mut model = Model::start().await;
    let agent = caller.agent("Ada", &model.url).await;
    let mut socket = follow(&program, &token, &agent).await;
    let streaming = Speech::Endless(Duration::from_millis(20));
    for (name, speech) in [("a streaming", streaming), ("a silent", Speech::Silent)] {
        model.speak(speech);
        let mut finished = Figure::new("run finished on a socket", "ms");
        let mut hung_up = Figure::new("model's server hung up on", "ms");
        for _ in 0..RUNS {
            caller.call("/api/agents/send", &json!({ "agent": agent, "text": "Speak." })).await;
            hear(&mut socket, "delta").await;
            let began = Instant::now();
            let stop = json!({ "agent": agent });
            let (_, over, end) = tokio::join!(
                caller.call("/api/agents/stop", &stop),
                hear(&mut socket, "run_finished"),
                model.ends.recv(),
            );
            finished.raw.push((over - began).as_secs_f64() * 1e3);
            hung_up.raw.push((end.expect("the model is there") - began).as_secs_f64() * 1e3);
        }
        title(&format!("Stop during {name} reply, {RUNS} times"));
        for figure in [finished, hung_up] {
            figure.print();
            println!("| largest | {:.2} ms | |", figure.largest());
        }
    }
}

pub async fn follow(program: &Program, token: &str, agent: &str) -> Socket {
    let mut request = format!("ws://{}/live", program.address()).into_client_request().unwrap();
    request.headers_mut().insert("origin", program.url.parse().unwrap());
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    let mut socket = connect_async(request).await.unwrap().0;
    for frame in [
        json!({ "type": "hello", "version": protocol::VERSION, "tab": "bench" }),
        json!({ "type": "subscribe", "agent": agent, "after": 0 }),
    ] {
        socket.send(Message::text(frame.to_string())).await.unwrap();
    }
    hear(&mut socket, "caught_up").await;
    socket
}

/// When the first frame, or entry, of this kind is here.
pub async fn hear(socket: &mut Socket, kind: &str) -> Instant {
    loop {
        let frame = next(socket).await;
        if frame["type"] == kind || frame["entry"]["body"]["type"] == kind {
            return Instant::now();
        }
    }
}

/// The next frame.
pub async fn next(socket: &mut Socket) -> Value {
    loop {
        if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}
