//! One node after the other is replaced while people work on them, as in an upgrade. `BEFORE` names the program that
//! the nodes are at first; without it they are what was built.

use super::PATIENCE;
use super::kit::{Nodes, PEOPLE};
use crate::killed_anywhere::hold;
use crate::live::{Socket, try_connect};
use crate::world::{Caller, Endpoint, a_moment};
use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use reqwest::header::ORIGIN;
use serde_json::{Value, json};
use std::env;
use std::thread;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

/// Between two nodes that go.
const REST: Duration = Duration::from_secs(1);

#[tokio::test]
async fn nobody_sees_more_than_a_reconnect_while_node_after_node_is_replaced() {
    let before = env::var_os("BEFORE").map(Into::into);
    let mut nodes = Nodes::start_as(before, &[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let people = nodes.peopled(&endpoint).await.into_iter();
    let mut people: Vec<_> = people.map(|(agent, caller)| Feed::new(agent, caller)).collect();
    nodes.use_what_was_built();
    let upgrading = thread::spawn(move || {
        for node in 0..PEOPLE.len() {
            nodes.reach((node + 1) % PEOPLE.len());
            thread::sleep(REST);
            nodes.node(node).ask_to_stop();
            assert!(nodes.node(node).ends_well(), "node {node}");
            nodes.renew(node);
        }
        thread::sleep(REST);
        nodes
    });
    join_all(people.iter_mut().map(|feed| feed.work(|| upgrading.is_finished()))).await;
    let _nodes = upgrading.join().unwrap();
    for (feed, name) in people.iter().zip(PEOPLE) {
        println!(
            "{name}: {} runs, {} connections, nothing for {:?} at most",
            feed.runs, feed.connections, feed.longest
        );
        assert!(feed.runs > 0, "{name}");
    }
}

/// What a person sees of their agent: each entry once, in order, over whatever connections.
struct Feed {
    agent: String,
    caller: Caller,
    socket: Option<Socket>,
    last: u64,
    log: Vec<Value>,
    connections: usize,
    runs: usize,
    /// Between a message that was sent and the end of its run.
    longest: Duration,
}

impl Feed {
    fn new(agent: String, caller: Caller) -> Self {
        let longest = Duration::ZERO;
        Self { agent, caller, socket: None, last: 0, log: Vec::new(), connections: 0, runs: 0, longest }
    }

    /// Says something as soon as the answer to what was said before is there.
    async fn work(&mut self, is_over: impl Fn() -> bool) {
        while !is_over() {
            let begun = Instant::now();
            let said = timeout(PATIENCE, self.say()).await.expect("a message is taken");
            let ended = timeout(PATIENCE, async { while self.hear().await["type"] != "run_finished" {} });
            ended.await.expect("its run ends");
            let first = self.log.iter().position(|entry| entry["seq"] == json!(said)).expect("it is heard");
            hold(&self.log[first..], said, &format!("run {}", self.runs));
            self.runs += 1;
            self.longest = self.longest.max(begun.elapsed());
        }
    }

    /// Until it is acknowledged; said again it is the same message.
    async fn say(&self) -> u64 {
        let message =
            json!({ "agent": self.agent, "text": "script: tools", "key": format!("run {}", self.runs) });
        loop {
            let caller = self.caller.anew();
            let request = caller.request(Method::POST, "/api/agents/send").header(ORIGIN, &caller.url);
            if let Ok(answer) = request.json(&message).send().await {
                let status = answer.status();
                assert!(!status.is_client_error(), "{status}: {:?}", answer.text().await);
                if let (true, Ok(said)) = (status.is_success(), answer.json::<Value>().await) {
                    return said["seq"].as_u64().unwrap();
                }
            }
            a_moment().await;
        }
    }

    /// The next entry's body.
    async fn hear(&mut self) -> Value {
        loop {
            let Some(socket) = &mut self.socket else {
                self.connect().await;
                continue;
            };
            let frame: Value = match socket.next().await {
                Some(Ok(Message::Text(text))) => serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(_) | Err(_)) | None => {
                    self.socket = None;
                    continue;
                }
            };
            if frame["type"] == "entry" {
                self.last += 1;
                assert_eq!(frame["entry"]["seq"], json!(self.last), "none is missing, and none comes twice");
                self.log.push(frame["entry"].clone());
                return frame["entry"]["body"].clone();
            }
        }
    }

    /// A connection that is there is followed; one that does not come is asked for again soon.
    async fn connect(&mut self) {
        a_moment().await;
        let Ok(mut socket) = try_connect(&self.caller.anew()).await else { return };
        self.connections += 1;
        let hello = json!({ "type": "hello", "version": protocol::VERSION, "tab": "tab" });
        let follow = json!({ "type": "subscribe", "agent": self.agent, "after": self.last });
        for frame in [hello, follow] {
            if socket.send(Message::text(frame.to_string())).await.is_err() {
                return;
            }
        }
        self.socket = Some(socket);
    }
}
