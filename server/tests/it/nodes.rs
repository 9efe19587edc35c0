//! Several nodes with one PostgreSQL and one NATS, as processes of their own behind a balancer.

mod anywhere;
mod feed;
mod kit;
mod outages;
mod rolling;

use crate::assets::built;
use crate::live::{Socket, agent, close_code, connect, hear, say, try_connect};
use crate::things::{given_link_of, json_of};
use crate::world::{Caller, Endpoint, PASSWORD, Who, a_moment};
use kit::Nodes;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// A test that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(180);

#[tokio::test]
async fn a_person_sees_the_same_whichever_node_they_reach() {
    let (mut nodes, endpoint) = (Nodes::start(), Endpoint::start());
    let laptop = nodes.caller("ada");
    let agent = agent(&laptop, &endpoint).await;
    nodes.add();
    nodes.reach(1);
    let phone = laptop.anew();
    let mut sockets = [connect(&phone, "phone").await, {
        nodes.reach(0);
        connect(&laptop.anew(), "laptop").await
    }];
    for socket in &mut sockets {
        say(socket, &json!({ "type": "subscribe", "agent": agent, "after": 0 })).await;
    }
    nodes.reach(1);
    for _ in 0..2 {
        phone.call("/api/agents/send", &json!({ "agent": agent, "text": "script: hello" })).await;
        let [one, other] = &mut sockets;
        let story = until_finished(one).await;
        assert!(story.iter().any(|entry| entry["body"]["type"] == "run_finished"), "{story:?}");
        assert_eq!(story, until_finished(other).await);
    }
    // A page and a stream as well.
    let page = phone.get(&format!("/agents/{agent}")).await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.text().await.unwrap().contains("Ada"));
    let mut feed = phone.get(&format!("/api/agents/{agent}/events?after=0")).await;
    let mut text = String::new();
    while text.matches("run_finished").count() < 2 {
        text.push_str(&String::from_utf8_lossy(&feed.chunk().await.unwrap().unwrap()));
    }
    // What a program delivers that is nobody reaches the agent from any node.
    let draft = json!({ "name": "Orders", "message": "An order came.", "kind": "webhook" });
    let id = phone.call("/api/schedules/create", &json!({ "agent": agent, "draft": draft })).await;
    let secret = phone.call("/api/schedules/new_secret", &json!({ "id": id })).await;
    let path = format!("/hooks/{}", id.as_str().unwrap());
    let delivery = phone.with(Who::Nobody).request(Method::POST, &path).header("webhook-id", "1");
    let delivery = delivery.header("x-webhook-secret", secret.as_str().unwrap()).body("moss");
    assert_eq!(delivery.send().await.unwrap().status(), StatusCode::ACCEPTED);
    for socket in &mut sockets {
        until_finished(socket).await;
    }
    // So is whoever opens a file that was given away, whichever node they reach: its person's pages look again.
    given_link_of(&phone, &agent).await;
    let given = json_of(&phone, "/api/files/given").await;
    for node in [0, 1] {
        for socket in &mut sockets {
            say(socket, &json!({ "type": "ping" })).await;
            until(socket, "pong").await;
        }
        nodes.reach(node);
        let stranger = phone.with(Who::Nobody).anew();
        assert_eq!(stranger.get(given[0]["address"].as_str().unwrap()).await.status(), StatusCode::OK);
        for socket in &mut sockets {
            until(socket, "changed").await;
        }
    }
}

#[tokio::test]
async fn every_page_is_told_of_an_agent_and_a_memory_that_its_person_made_through_another_node() {
    let mut nodes = Nodes::start();
    nodes.add_user("ada");
    let laptop = nodes.browser("ada").await;
    nodes.add();
    let mut sockets = Vec::new();
    for node in [0, 1] {
        nodes.reach(node);
        sockets.push(connect(&laptop.anew(), &format!("tab {node}")).await);
    }
    for node in [0, 1] {
        nodes.reach(node);
        let draft = json!({ "name": "Fern", "colour": "#3a7d44", "home": "hub" });
        laptop.anew().call("/api/agents/create", &draft).await;
        for socket in &mut sockets {
            until(socket, "person_changed").await;
        }
        let memory = json!({ "text": "Likes ferns.", "importance": 3 });
        laptop.anew().call("/api/memories/create", &memory).await;
        for socket in &mut sockets {
            until(socket, "noun_changed").await;
        }
    }
}

#[tokio::test]
async fn a_page_of_one_build_has_its_files_whichever_node_they_are_asked_of() {
    let mut nodes = Nodes::start();
    let site = built("another build");
    nodes.add_with(&[("LEPTOS_SITE_ROOT", site.path().to_str().unwrap())]);
    let ada = nodes.caller("ada");
    let stranger = ada.with(Who::Nobody);
    let mut builds = Vec::new();
    for node in [0, 1] {
        nodes.reach(node);
        let page = stranger.anew().get("/sign-in").await.text().await.unwrap();
        builds.push(page.split("/b/").nth(1).unwrap().split(['/', '"']).next().unwrap().to_owned());
    }
    assert_ne!(builds[0], builds[1]);
    for caller in [&ada, &stranger] {
        for node in [0, 1] {
            nodes.reach(node);
            for build in &builds {
                let worker = caller.anew().get(&format!("/b/{build}/sandbox/worker.js")).await;
                assert_eq!(worker.status(), StatusCode::OK, "node {node}, build {build}");
            }
        }
        nodes.reach(0);
        let style = caller.anew().get(&format!("/b/{}/pkg/vivarium.css", builds[1])).await;
        assert!(style.headers()["cache-control"].to_str().unwrap().contains("immutable"));
        assert_eq!(style.text().await.unwrap(), "another build pkg/vivarium.css");
    }
    // Once no node has it any more, it is told as before.
    nodes.node(1).ask_to_stop();
    assert!(nodes.node(1).ends_well());
    let gone = stranger.anew().get(&format!("/b/{}/pkg/vivarium.css", builds[1])).await;
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_first_account_is_made_with_the_link_that_any_node_gave_and_voids_the_others() {
    let mut nodes = Nodes::start();
    nodes.add();
    let code = |link: String| json!({ "code": link.trim().rsplit('/').next().unwrap(), "name": "root", "password": PASSWORD });
    let links =
        [0, 1].map(|node| fs::read_to_string(nodes.node(node).folder.path().join("setup-link")).unwrap());
    let [one, other] = links.map(code);
    nodes.reach(1);
    let stranger = nodes.node(1).stranger();
    // Of two who come at once, one makes it.
    let (with_one, with_other) = tokio::join!(
        stranger.post("/api/account/set_up", &one),
        stranger.post("/api/account/set_up", &other)
    );
    let made = [with_one, with_other].map(|answer| answer.status().is_success());
    assert_eq!(made.into_iter().filter(|made| *made).count(), 1, "{made:?}");
    for code in [&one, &other] {
        assert!(!stranger.post("/api/account/set_up", code).await.status().is_success());
    }
}

#[tokio::test]
async fn a_database_that_is_away_is_told_of_and_replaces_nobody() {
    let (mut nodes, endpoint) = (Nodes::start(), Endpoint::start());
    let caller = nodes.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    nodes.add();
    let message = json!({ "agent": agent, "text": "script: hello" });
    // Shorter than the time that a node has, and longer.
    for (times, seconds) in [(1, 3), (2, 8)] {
        nodes.let_connect(false);
        for node in [0, 1] {
            nodes.reach(node);
            let answer = caller.anew().post("/api/agents/send", &message).await;
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        }
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        nodes.let_connect(true);
        let again = async {
            while !caller.anew().post("/api/agents/send", &message).await.status().is_success() {
                a_moment().await;
            }
        };
        tokio::time::timeout(PATIENCE, again).await.expect("it is there again");
        finished_times(&caller.anew(), &agent, times).await;
    }
    // Longer than whoever was to be replaced would have had.
    tokio::time::sleep(Duration::from_secs(8)).await;
    for node in [0, 1] {
        assert!(nodes.node(node).is_running(), "node {node}");
    }
}

#[tokio::test]
async fn a_node_that_dies_freezes_or_goes_is_replaced_and_its_runs_go_on_once() {
    for end in [End::Killed, End::Frozen, End::Asked] {
        let (mut nodes, endpoint) = (Nodes::start(), Endpoint::start());
        let caller = nodes.caller("ada");
        let agent = agent(&caller, &endpoint).await;
        nodes.add();
        caller.call("/api/agents/send", &json!({ "agent": agent, "text": held() })).await;
        while endpoint.requests().await.is_empty() {
            a_moment().await;
        }
        match end {
            End::Killed => nodes.node(0).kill(),
            End::Frozen => nodes.signal(0, "STOP"),
            End::Asked => nodes.node(0).ask_to_stop(),
        }
        nodes.reach(1);
        let caller = caller.anew();
        let entries = endpoint.with_open_gates(finished(&caller, &agent)).await;
        if end == End::Frozen {
            nodes.signal(0, "CONT");
            assert!(!nodes.node(0).ends_well(), "it has lost its people and says so");
        }
        let kinds = |kind: &str| entries.iter().filter(|entry| entry["body"]["type"] == kind).count();
        assert_eq!((kinds("run_started"), kinds("run_finished")), (1, 1), "{end:?}: {entries:?}");
        let after = json_of(&caller, &format!("/api/agents/entries?agent={agent}&after=0")).await;
        assert_eq!(after.as_array(), Some(&entries), "{end:?}: nothing is written when it is over");
        // It can be talked to on.
        caller.call("/api/agents/send", &json!({ "agent": agent, "text": "script: hello" })).await;
        endpoint.with_open_gates(finished_times(&caller, &agent, 2)).await;
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Killed,
    Frozen,
    Asked,
}

#[tokio::test]
async fn without_nats_what_is_here_goes_on_and_the_rest_says_so_and_heals() {
    let (mut nodes, endpoint) = (Nodes::start(), Endpoint::start());
    let caller = nodes.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    nodes.add();
    nodes.signal_nats("STOP");
    let message = json!({ "agent": agent, "text": "script: hello" });
    caller.call("/api/agents/send", &message).await;
    finished(&caller, &agent).await;
    nodes.reach(1);
    let elsewhere = caller.anew();
    let answer = elsewhere.post("/api/agents/send", &message).await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers().contains_key("retry-after"));
    let failure: Value = answer.json().await.unwrap();
    assert_eq!(failure["kind"], "unavailable");
    nodes.signal_nats("CONT");
    let healed = async {
        while !elsewhere.post("/api/agents/send", &message).await.status().is_success() {
            a_moment().await;
        }
    };
    tokio::time::timeout(PATIENCE, healed).await.expect("it heals");
    finished_times(&elsewhere, &agent, 2).await;
}

#[tokio::test]
async fn a_node_that_alone_is_cut_from_nats_tells_balancers_and_leaves_its_people_to_the_others() {
    let (mut nodes, endpoint) = (Nodes::start_on_lines(&[]), Endpoint::start());
    let caller = nodes.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    nodes.add();
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": held() })).await;
    while endpoint.requests().await.is_empty() {
        a_moment().await;
    }
    let is_ready = async |nodes: &Nodes, node: usize| {
        nodes.reach(node);
        caller.anew().get("/readyz").await.status().is_success()
    };
    assert!(is_ready(&nodes, 0).await);
    // Administrators see what is where, and how far NATS is.
    let status = json_of(&caller, "/api/hub/status").await;
    let listed = status["nodes"].as_array().unwrap();
    let work: Vec<_> = listed.iter().map(|node| (&node["people"], &node["runs"])).collect();
    assert_eq!(work, [(&json!(1), &json!(1)), (&json!(0), &json!(0))], "{status}");
    let busiest = &listed[0]["busiest"];
    assert_eq!(
        (&busiest[0]["name"], &busiest[0]["runs"], &listed[1]["busiest"]),
        (&json!("ada"), &json!(1), &json!(null))
    );
    let ada = json_of(&caller, &format!("/api/people/get?id={}", busiest[0]["id"].as_str().unwrap())).await;
    assert_eq!(ada["node"], listed[0]["id"], "{ada}");
    assert!(listed.iter().all(|node| node["nats_us"].as_u64().is_some_and(|took| took > 0)), "{status}");
    let examined =
        |nodes: &mut Nodes| String::from_utf8(nodes.node(1).command(&["doctor"], "").stdout).unwrap();
    let fine = examined(&mut nodes);
    assert!(fine.contains("runs under way: 1 (ada 1), a word over NATS takes"), "{fine}");
    // One is told to hand its people over, and then not to.
    let id = &listed[1]["id"];
    for hands_over in [true, false] {
        caller.call("/api/hub/hand_over", &json!({ "node": id, "hands_over": hands_over })).await;
        let status = json_of(&caller, "/api/hub/status").await;
        assert_eq!(status["nodes"][1]["hands_over"], hands_over, "{status}");
        let page = caller.get("/admin/status").await.text().await.unwrap();
        assert_eq!(page.contains("Take accounts on again"), hands_over);
    }
    endpoint.with_open_gates(finished(&caller, &agent)).await;
    nodes.lines(0).nats.cut();
    let told = async {
        while is_ready(&nodes, 0).await {
            a_moment().await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.expect("it says so");
    assert!(is_ready(&nodes, 1).await);
    let wrong = examined(&mut nodes);
    assert_eq!(wrong.matches("hears nothing over NATS").count(), 1, "{wrong}");
    assert!(!nodes.node(0).ends_well(), "it goes, and says why");
    let caller = caller.anew();
    // The one that is left has her agents, and nobody to leave them to.
    finished(&caller, &agent).await;
    nodes.lines(1).nats.cut();
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": "script: hello" })).await;
    finished_times(&caller, &agent, 2).await;
    assert!(is_ready(&nodes, 1).await);
}

#[tokio::test]
async fn a_tab_that_says_hello_where_its_person_is_no_more_is_told_to_come_back() {
    let mut nodes = Nodes::start();
    let ada = nodes.caller("ada");
    // The only node has her, and the other one comes later.
    json_of(&ada, "/api/agents/list").await;
    nodes.add();
    let id = json_of(&ada, "/api/hub/status").await["nodes"][0]["id"].clone();
    // The last socket that was there before she went: one that waits for long is closed for that.
    let mut socket = try_connect(&ada).await.ok();
    ada.call("/api/hub/hand_over", &json!({ "node": id, "hands_over": true })).await;
    let gone = async {
        loop {
            let newest = try_connect(&ada).await.ok();
            let status: Value = ada.get("/api/hub/status").await.json().await.unwrap_or_default();
            match status["nodes"][0]["people"].as_u64() {
                Some(0) => return,
                Some(_) => socket = newest,
                None => {}
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("she is handed over");
    let mut socket = socket.expect("she was there");
    say(&mut socket, &json!({ "type": "hello", "version": protocol::VERSION, "tab": "late" })).await;
    assert_eq!(close_code(&mut socket).await, CloseCode::Restart);
    connect(&ada, "late").await;
}

#[tokio::test]
async fn who_is_shut_out_on_one_node_is_out_on_the_other() {
    let mut nodes = Nodes::start();
    nodes.add_user("root");
    nodes.add_user("eve");
    let admin = nodes.browser("root").await;
    let eve = nodes.browser("eve").await;
    let mut socket = connect(&eve, "tab").await;
    let people = json_of(&admin, "/api/people/list").await;
    let id = people.as_array().unwrap().iter().find(|person| person["name"] == "eve").unwrap()["id"].clone();
    // The administrator is placed on a node that comes later, and the one of the socket goes on.
    nodes.add();
    nodes.move_person("root", 1);
    nodes.reach(1);
    admin.anew().call("/api/people/disable", &json!({ "id": id })).await;
    loop {
        if hear(&mut socket).await["type"] == "signed_out" {
            break;
        }
    }
    assert!(try_connect(&eve.anew()).await.is_err());
}

/// What an agent is told whose answer waits until it is let go on.
fn held() -> String {
    format!("turns: {}", json!([[{ "text": "It waits here.", "gate": "waits" }]]))
}

/// The entries of the agent once a run of it has ended.
async fn finished(caller: &Caller, agent: &str) -> Vec<Value> {
    finished_times(caller, agent, 1).await
}

async fn finished_times(caller: &Caller, agent: &str, times: usize) -> Vec<Value> {
    let look = async {
        loop {
            let answer = caller.get(&format!("/api/agents/entries?agent={agent}&after=0")).await;
            // Its people are being taken over.
            if answer.status().is_success() {
                let entries: Vec<Value> = answer.json().await.unwrap();
                let ends = entries.iter().filter(|entry| entry["body"]["type"] == "run_finished").count();
                if ends >= times {
                    return entries;
                }
            }
            a_moment().await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("the run ends")
}

async fn until(socket: &mut Socket, kind: &str) {
    while hear(socket).await["type"] != kind {}
}

/// The entries that a socket hears until a run has ended.
async fn until_finished(socket: &mut Socket) -> Vec<Value> {
    let mut story = Vec::new();
    loop {
        let frame = hear(socket).await;
        assert!(frame["type"] != "refused" && frame["type"] != "signed_out", "{frame}: {story:?}");
        if frame["type"] != "entry" {
            continue;
        }
        let is_last = frame["entry"]["body"]["type"] == "run_finished";
        story.push(frame["entry"].clone());
        if is_last {
            return story;
        }
    }
}
