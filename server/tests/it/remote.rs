//! `vivarium ask` and `vivarium run`, as a person calls them in a terminal.

use crate::things::json_of;
use crate::world::{Caller, Endpoint, Program, Who, a_moment};
use serde_json::{Value, json};
use std::io::Read as _;
use std::process::{Command, Output, Stdio};

const WORKS: &str = r#"turns: [[{"text":"Moss is green."}]]"#;
const FAILS: &str = r#"turns: [{"status":400,"type":"invalid_request_error","message":"No."}]"#;

struct Terminal {
    program: Program,
    ada: Caller,
    token: String,
    _endpoint: Endpoint,
}

impl Terminal {
    /// With an agent that is called Ada.
    async fn open() -> Self {
        let (program, endpoint) = (Program::start(), Endpoint::start());
        let ada = program.caller("ada");
        let Who::Token(token) = ada.who.clone() else { panic!("a program has a token") };
        let provider =
            json!({ "name": "Test", "kind": "open_ai", "base_url": endpoint.url, "key": "key-good" });
        let provider = ada.call("/api/providers/save", &provider).await["id"].clone();
        let agent = json!({
            "name": "Ada", "colour": "#3a7d44", "provider": provider, "model": "gpt-5-mini", "home": "hub",
        });
        ada.call("/api/agents/create", &agent).await;
        Self { program, ada, token, _endpoint: endpoint }
    }

    fn arguments<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        [arguments, &["--hub", &self.program.url, "--token", &self.token]].concat()
    }

    fn call(&self, arguments: &[&str], input: &str) -> Output {
        self.program.command(&self.arguments(arguments), input)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn ask_writes_what_an_agent_says_and_ends_as_its_run_does() {
    let terminal = Terminal::open().await;
    let answered = terminal.call(&["ask", "Ada", WORKS], "");
    assert_eq!((answered.status.code(), text(&answered.stdout).as_str()), (Some(0), "Moss is green.\n"));
    let piped = terminal.call(&["ask", "Ada", "-"], "Say moss.");
    assert!(text(&piped.stdout).contains("You said: Say moss."), "{piped:?}");
    let events = terminal.call(&["ask", "Ada", WORKS, "--json"], "");
    let events: Vec<Value> =
        text(&events.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: String =
        events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(said, "Moss is green.");
    for (arguments, expected) in [(["ask", "Ada", FAILS], "No."), (["ask", "Nobody", WORKS], "Nobody")] {
        let failed = terminal.call(&arguments, "");
        assert_eq!(failed.status.code(), Some(1), "{failed:?}");
        assert!(text(&failed.stderr).contains(expected), "{failed:?}");
    }
    let refused = terminal
        .program
        .command(&["ask", "Ada", "Hello", "--hub", &terminal.program.url, "--token", "x"], "");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
}

#[tokio::test]
async fn who_interrupts_ask_stops_the_run() {
    let terminal = Terminal::open().await;
    let gated = r#"turns: [[{"text":"Moss gate is green.","gate":"gate"}]]"#;
    let mut child = terminal.program.spawn(&terminal.arguments(&["ask", "Ada", gated]), Stdio::piped());
    let mut first = [0; 4];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"Moss");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    loop {
        let agents = json_of(&terminal.ada, "/api/agents/list").await;
        if agents[0]["status"] == "idle" {
            break;
        }
        a_moment().await;
    }
}

#[tokio::test]
async fn run_starts_a_pipeline_and_tells_how_it_goes() {
    let terminal = Terminal::open().await;
    for (title, instruction, code, told) in
        [("Moss", WORKS, 0, "Find moss: Moss is green."), ("Ferns", FAILS, 1, "Find moss: ")]
    {
        let tasks = json!([
            { "id": "find", "title": "Find moss", "instruction": instruction },
            { "id": "say", "title": "Say it", "instruction": "Say it.", "depends_on": ["find"] },
        ]);
        let draft = json!({ "title": title, "agent": "Ada", "tasks": tasks }).to_string();
        terminal.ada.call("/api/pipelines/create", &json!({ "text": draft })).await;
        let ran = terminal.call(&["run", title], "");
        assert_eq!(ran.status.code(), Some(code), "{ran:?}");
        assert!(text(&ran.stdout).contains(told), "{ran:?}");
    }
    let none = terminal.call(&["run", "Nothing"], "");
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none.stderr).contains("There is no pipeline Nothing."), "{none:?}");
}
