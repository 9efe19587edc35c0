//! `kill -9` while a server elsewhere has a request and has not answered: nobody knows whether it did what it was asked.
//! The agent's person says so, through further restarts, and without their word nothing is done twice.

use crate::killed::patient_with;
use crate::live::agent;
use crate::parked::{finished, waiting};
use crate::world::{self, Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

#[tokio::test]
async fn a_person_says_what_came_of_a_call_that_the_hub_was_killed_in_on_sqlite() {
    tell(&[]).await;
}

#[tokio::test]
async fn a_person_says_what_came_of_a_call_that_the_hub_was_killed_in_on_postgresql() {
    let database = world::database();
    tell(&[("DATABASE_URL", &database)]).await;
}

async fn tell(environment: &[(&str, &str)]) {
    let mut program = patient_with(environment);
    let (endpoint, ledger) = (Endpoint::start(), Ledger::start());
    let mut caller = program.caller("ada");
    ledger.add_to(&caller).await;
    for (answer, effects, told, is_error) in [
        (json!({ "chosen": ["It was done"] }), 1, "Done: your person says so.", false),
        (json!({ "chosen": ["It was not done"] }), 1, "not run: the hub stopped", true),
        (json!({ "skip": true }), 1, "outcome unknown: the hub stopped", true),
        (json!({ "chosen": ["Make it again"] }), 2, "Noted.", false),
    ] {
        let agent = noter(&caller, &endpoint, &ledger).await;
        let begun = ledger.count();
        note(&caller, &agent).await;
        until(|| ledger.count() > begun).await;
        let asked = after_a_kill(&mut program, &mut caller).await;
        assert_eq!(asked["why"], "unknown", "{asked}");
        assert_eq!(after_a_kill(&mut program, &mut caller).await, asked, "it is the same question");
        ledger.answer(true);
        say(&caller, &asked, answer).await;
        let log = finished(&caller, &agent, 1).await;
        let result = result(&log);
        assert!(result["content"].as_str().unwrap().contains(told), "{result}");
        assert_eq!(
            (result["is_error"] == json!(true), ledger.count() - begun),
            (is_error, effects),
            "{result}"
        );
        ledger.answer(false);
    }

    // Made again, and the hub is killed again: that is another question.
    let agent = noter(&caller, &endpoint, &ledger).await;
    let begun = ledger.count();
    note(&caller, &agent).await;
    until(|| ledger.count() > begun).await;
    let first = after_a_kill(&mut program, &mut caller).await;
    say(&caller, &first, json!({ "chosen": ["Make it again"] })).await;
    until(|| ledger.count() > begun + 1).await;
    let second = after_a_kill(&mut program, &mut caller).await;
    assert_ne!(second["id"], first["id"]);
    say(&caller, &second, json!({ "chosen": ["It was done"] })).await;
    assert_eq!(result(&finished(&caller, &agent, 1).await)["is_error"], json!(false));
    assert_eq!(ledger.count(), begun + 2);

    let audit: Value = caller.get("/api/audit/own?action=call_allowed").await.json().await.unwrap();
    let allowed: Vec<&str> =
        audit["lines"].as_array().unwrap().iter().filter_map(|line| line["object"].as_str()).collect();
    let again = allowed
        .iter()
        .filter(|object| object.starts_with("mcp_ledger_note") && object.contains(", again, approval "));
    assert_eq!((again.count(), allowed.len()), (2, 2), "{allowed:?}");
}

/// An agent that has the ledger's tool and may call it.
pub async fn noter(caller: &Caller, endpoint: &Endpoint, ledger: &Ledger) -> String {
    let agent = agent(caller, endpoint).await;
    choose(caller, &agent, ledger).await;
    agent
}

/// One more, with a provider that its person has already.
pub async fn another_noter(caller: &Caller, ledger: &Ledger) -> String {
    let providers: Value = caller.get("/api/providers/list").await.json().await.unwrap();
    let draft = json!({
        "name": "Noter", "colour": "#3a7d44", "provider": providers[0]["id"], "model": "gpt-5-mini",
        "home": "hub",
    });
    let agent = caller.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned();
    choose(caller, &agent, ledger).await;
    agent
}

async fn choose(caller: &Caller, agent: &str, ledger: &Ledger) {
    let servers = json!({ "agent": agent, "servers": [ledger.id(caller).await] });
    caller.call("/api/mcp_servers/choose", &servers).await;
}

pub async fn note(caller: &Caller, agent: &str) {
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": noting() })).await;
}

/// What an agent is told that is to call the tool once.
pub fn noting() -> String {
    let turns = json!([[{ "tool": "mcp_ledger_note", "input": {} }], [{ "text": "Done." }]]);
    format!("turns: {turns}")
}

async fn after_a_kill(program: &mut Program, caller: &mut Caller) -> Value {
    program.restart();
    caller.url.clone_from(&program.url);
    waiting(caller).await
}

pub async fn say(caller: &Caller, asked: &Value, mut answer: Value) {
    answer["id"] = asked["id"].clone();
    answer["hash"] = asked["hash"].clone();
    caller.call("/api/approvals/reply", &answer).await;
}

pub fn result(log: &[Value]) -> &Value {
    let finished: Vec<&Value> = log.iter().filter(|body| body["type"] == "tool_finished").collect();
    assert_eq!(finished.len(), 1, "{finished:?}");
    &finished[0]["result"]
}

pub async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        a_moment().await;
    }
}

/// An MCP server whose tool notes something at once, and answers when it is let.
pub struct Ledger {
    pub host: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    noted: usize,
    answers: bool,
    /// Those that wait for an answer, and the ids of what they asked.
    held: Vec<(TcpStream, Value)>,
}

impl Ledger {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let state = Arc::new(Mutex::new(State::default()));
        let kept = Arc::clone(&state);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let Some(message) = read(&stream) else { continue };
                let mut state = kept.lock().unwrap();
                let result = match message["method"].as_str().unwrap() {
                    "server/discover" => {
                        json!({ "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} } })
                    }
                    "tools/list" => {
                        json!({ "tools": [{ "name": "note", "description": "Notes.", "inputSchema": { "type": "object" } }] })
                    }
                    "tools/call" => {
                        state.noted += 1;
                        if !state.answers {
                            state.held.push((stream, message["id"].clone()));
                            continue;
                        }
                        noted()
                    }
                    _ => json!({}),
                };
                answer_to(&mut stream, &message["id"], &result);
            }
        });
        Self { host, state }
    }

    /// Somebody's agents may have it, and may call its tool.
    pub async fn add_to(&self, caller: &Caller) {
        let server = json!({ "name": "ledger", "url": format!("http://{}/mcp", self.host) });
        caller.call("/api/mcp_servers/add", &server).await;
        caller.call("/api/policy/add", &json!({ "tool": "mcp_*", "verdict": "allow" })).await;
    }

    pub async fn id(&self, caller: &Caller) -> Value {
        let list: Value = caller.get("/api/mcp_servers/list").await.json().await.unwrap();
        list[0]["id"].clone()
    }

    pub fn count(&self) -> usize {
        self.state.lock().unwrap().noted
    }

    pub fn answer(&self, answers: bool) {
        self.state.lock().unwrap().answers = answers;
    }

    /// Answers whoever waits.
    pub fn release(&self) {
        for (mut stream, id) in self.state.lock().unwrap().held.drain(..) {
            answer_to(&mut stream, &id, &noted());
        }
    }
}

fn noted() -> Value {
    json!({ "content": [{ "type": "text", "text": "Noted." }] })
}

fn answer_to(stream: &mut TcpStream, id: &Value, result: &Value) {
    let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let sent = write!(stream, "{head}content-length: {}\r\n\r\n{answer}", answer.len());
    // Whoever asked may be killed by now.
    drop(sent);
}

/// `None`: it was broken off.
fn read(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
