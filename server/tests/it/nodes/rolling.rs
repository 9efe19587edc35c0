//! One node after the other is replaced while people work on them, as in an upgrade. `BEFORE` names the program that
//! the nodes are at first; without it they are what was built.

use super::PATIENCE;
use super::feed::Feed;
use super::kit::{Nodes, PEOPLE};
use crate::killed_anywhere::hold;
use crate::world::{Endpoint, a_moment};
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::header::ORIGIN;
use serde_json::{Value, json};
use std::env;
use std::thread;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// Between two nodes that go.
const REST: Duration = Duration::from_secs(1);

#[tokio::test]
async fn nobody_sees_more_than_a_reconnect_while_node_after_node_is_replaced() {
    let before = env::var_os("BEFORE").map(Into::into);
    let mut nodes = Nodes::start_as(before, &[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let endpoint = Endpoint::start();
    let people = nodes.peopled(&endpoint).await.into_iter();
    let person =
        |(agent, caller)| Person { feed: Feed::new(agent, caller, "tab"), runs: 0, longest: Duration::ZERO };
    let mut people: Vec<_> = people.map(person).collect();
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
    join_all(people.iter_mut().map(|person| person.work(|| upgrading.is_finished()))).await;
    let _nodes = upgrading.join().unwrap();
    for (person, name) in people.iter().zip(PEOPLE) {
        println!(
            "{name}: {} runs, {} connections, nothing for {:?} at most",
            person.runs, person.feed.connections, person.longest
        );
        assert!(person.runs > 0, "{name}");
    }
}

/// Somebody who works with their agent, and sees what it does.
struct Person {
    feed: Feed,
    runs: usize,
    /// Between a message that was sent and the end of its run.
    longest: Duration,
}

impl Person {
    /// Says something as soon as the answer to what was said before is there.
    async fn work(&mut self, is_over: impl Fn() -> bool) {
        while !is_over() {
            let begun = Instant::now();
            let said = timeout(PATIENCE, self.say()).await.expect("a message is taken");
            let ended =
                timeout(PATIENCE, async { while self.feed.hear().await["type"] != "run_finished" {} });
            ended.await.expect("its run ends");
            let log = &self.feed.log;
            let first = log.iter().position(|entry| entry["seq"] == json!(said)).expect("it is heard");
            hold(&log[first..], said, &format!("run {}", self.runs));
            self.runs += 1;
            self.longest = self.longest.max(begun.elapsed());
        }
    }

    /// Until it is acknowledged; said again it is the same message.
    async fn say(&self) -> u64 {
        let message =
            json!({ "agent": self.feed.agent, "text": "script: tools", "key": format!("run {}", self.runs) });
        loop {
            let caller = self.feed.caller.anew();
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
}
