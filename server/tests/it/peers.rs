//! Two hubs as two processes, one on SQLite and one on PostgreSQL: agents of one ask agents of the other.

use crate::live::agent;
use crate::served::{entries, scoped, token, until};
use crate::world::{Caller, Endpoint, Program, a_moment, database};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const WORDS: &str = r#"turns: [[{"text":"some words and more","gate":"and"}]]"#;

const ASKS: &str =
    r#"turns: [[{"tool":"ask_user","input":{"question":"Which?","kind":"text"}}],[{"text":"Done."}]]"#;

/// A hub on PostgreSQL that is at the same address when it comes back.
fn lasting() -> Program {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (address, database) = (format!("127.0.0.1:{port}"), database());
    Program::start_with(&[
        ("DATABASE_URL", &database),
        ("VIVARIUM_ADDR", &address),
        ("VIVARIUM_PERSON_REQUESTS", "0"),
    ])
}

/// Gives the agent these tools.
async fn give(ada: &Caller, agent: &str, tools: &[&str]) {
    let known: Value = ada.get(&format!("/api/agents/get?id={agent}")).await.json().await.unwrap();
    let draft = json!({
        "id": agent, "name": known["name"], "colour": known["colour"], "provider": known["provider"],
        "model": known["model"], "tools": tools, "home": "hub",
    });
    ada.call("/api/agents/edit", &draft).await;
}

/// An agent that may ask those of the hub at this place.
async fn asker(ada: &Caller, endpoint: &Endpoint, place: &str) -> String {
    let agent = agent(ada, endpoint).await;
    give(ada, &agent, &["agent_ask", "agent_list"]).await;
    let network = json!({ "id": agent, "policy": "allow_list", "hosts": place });
    ada.call("/api/agents/set_network", &network).await;
    let rule = json!({ "tool": "agent_ask", "verdict": "allow", "about": place });
    ada.call("/api/policy/add", &rule).await;
    agent
}

async fn say(ada: &Caller, agent: &str) {
    let input = json!({ "hub": "garden", "agents": ["Ada"], "text": WORDS, "wait_seconds": 300 });
    let turns = json!([[{ "tool": "agent_ask", "input": input }], [{ "text": "Done." }]]);
    ada.call("/api/agents/send", &json!({ "agent": agent, "text": format!("turns: {turns}") })).await;
}

fn is(kind: &'static str) -> impl Fn(&Value) -> bool {
    move |entry| entry["body"]["type"] == kind
}

#[tokio::test]
async fn an_agent_asks_one_of_another_hub_which_is_killed_meanwhile_and_nothing_is_lost_or_doubled() {
    let (here, mut there) = (crate::served::patient(), lasting());
    let endpoint = Endpoint::start();
    let (ada, bo) = (here.caller("ada"), there.caller("bo"));
    let asked = agent(&bo, &endpoint).await;
    let program = scoped(&bo, "agents").await;
    let place = there.url.trim_start_matches("http://").to_owned();
    let peer = json!({ "name": "garden", "url": there.url, "token": token(&program) });
    let peer = ada.call("/api/peers/add", &peer).await;
    assert_eq!((&peer["failure"], &peer["agents_on"]), (&Value::Null, &json!(1)), "{peer}");
    let asking = asker(&ada, &endpoint, &place).await;

    say(&ada, &asking).await;
    until(&bo, &asked, is("run_started")).await;
    there.restart();
    endpoint.with_open_gates(until(&ada, &asking, is("run_finished"))).await;
    let log = entries(&ada, &asking).await;
    let told = log.iter().find(|entry| is("tool_finished")(entry)).unwrap();
    let told: Value = serde_json::from_str(told["body"]["result"]["content"].as_str().unwrap()).unwrap();
    let answer = &told["results"][0];
    assert_eq!(
        (&answer["state"], &answer["text"], &answer["by"]),
        (&json!("completed"), &json!("some words and more"), &json!("others")),
        "{told}"
    );
    let messages = |log: &[Value]| log.iter().filter(|entry| is("message")(entry)).count();
    assert_eq!(messages(&entries(&bo, &asked).await), 1, "it was said once");

    // Whoever is stopped has stopped what it asked for there.
    let other = asker(&ada, &endpoint, &place).await;
    say(&ada, &other).await;
    let second = |entry: &Value| is("run_started")(entry);
    while entries(&bo, &asked).await.iter().filter(|entry| second(entry)).count() < 2 {
        a_moment().await;
    }
    ada.call("/api/agents/stop", &json!({ "agent": other })).await;
    until(&bo, &asked, |entry| entry["body"]["outcome"]["type"] == "stopped").await;
    let rows: Value = ada.get("/api/delegations/list").await.json().await.unwrap();
    assert_eq!(
        (&rows[0]["kind"], &rows[0]["state"], &rows[1]["state"]),
        (&json!("peer"), &json!("stopped"), &json!("completed"))
    );

    // What is asked there is answered here, and the same run goes on.
    give(&bo, &asked, &["ask_user"]).await;
    let third = asker(&ada, &endpoint, &place).await;
    let ask = |text: &str| {
        let input = json!({ "hub": "garden", "agents": ["Ada"], "text": text, "wait_seconds": 300 });
        json!([{ "tool": "agent_ask", "input": input }])
    };
    let turns = json!([ask(ASKS), ask("Green"), [{ "text": "Done." }]]);
    ada.call("/api/agents/send", &json!({ "agent": third, "text": format!("turns: {turns}") })).await;
    until(&ada, &third, is("run_finished")).await;
    let log = entries(&ada, &third).await;
    let told: Vec<&str> = log
        .iter()
        .filter(|entry| is("tool_finished")(entry))
        .map(|entry| entry["body"]["result"]["content"].as_str().unwrap())
        .collect();
    let [question, answer] = told.as_slice() else { panic!("{told:?}") };
    assert!(question.contains("Which?") && question.contains("\"asks\""), "{question}");
    assert!(answer.contains("\"text\":\"Done.\"") && !answer.contains("\"asks\""), "{answer}");
}

#[tokio::test]
async fn a_message_that_comes_again_under_its_id_begins_nothing_for_whoever_names_the_extension() {
    let (program, endpoint) = (crate::served::patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let mut tasks = Vec::new();
    for extension in ["urn:vivarium:a2a:messages-once", "urn:vivarium:a2a:messages-once", ""] {
        let message = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "Hello" }] });
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": { "message": message } });
        let sent = script.request(reqwest::Method::POST, &format!("/a2a/{fern}"));
        let sent = sent.header("A2A-Version", "1.0").header("A2A-Extensions", extension).json(&body).send();
        let answer: Value = sent.await.unwrap().json().await.unwrap();
        tasks.push(answer["result"]["task"]["id"].as_str().unwrap().to_owned());
    }
    assert!(tasks[0] == tasks[1] && tasks[1] != tasks[2], "{tasks:?}");
    let list: Value = script.get("/a2a").await.json().await.unwrap();
    assert_eq!(list["agents"][0]["supportedInterfaces"][0]["url"], format!("{}/a2a/{fern}", program.url));
    assert_eq!(program.stranger().get("/a2a").await.status(), 401);
}

/// An agent by the official SDK.
struct Official {
    process: Child,
    url: String,
}

impl Official {
    fn start(manner: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/served");
        let mut command = Command::new(folder.join(".venv/bin/python"));
        command.arg(folder.join("a2a_peer.py")).arg(manner).stdout(Stdio::piped());
        let mut process = command.spawn().expect("`.ci/tools.sh test` installs the SDK");
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, url: line.trim().to_owned() }
    }
}

impl Drop for Official {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn agents_by_the_official_sdk_answer_whether_they_stream_or_not() {
    let (program, endpoint) = (crate::served::patient(), Endpoint::start());
    let ada = program.caller("ada");
    for manner in ["streaming", "polling"] {
        let official = Official::start(manner);
        let added = ada.call("/api/peers/add", &json!({ "name": manner, "url": official.url })).await;
        assert_eq!((&added["failure"], &added["agents_on"]), (&Value::Null, &json!(1)), "{added}");
        let agent = asker(&ada, &endpoint, official.url.trim_start_matches("http://")).await;
        let input = json!({ "hub": manner, "agents": ["Echo"], "text": "moss", "wait_seconds": 60 });
        let turns = json!([[{ "tool": "agent_ask", "input": input }], [{ "text": "Done." }]]);
        ada.call("/api/agents/send", &json!({ "agent": agent, "text": format!("turns: {turns}") })).await;
        until(&ada, &agent, is("run_finished")).await;
        let log = entries(&ada, &agent).await;
        let told = log.iter().find(|entry| is("tool_finished")(entry)).unwrap();
        let content = told["body"]["result"]["content"].as_str().unwrap();
        assert!(content.contains("\"text\":\"You said: moss\""), "{manner}: {content}");
    }
}
