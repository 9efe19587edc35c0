//! The agents of a person for other programs, over HTTP: by the clients that others wrote, and by hand.

mod a2a;
mod mcp;
mod opened;

use crate::world::{Caller, Program, Who, a_moment};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, ORIGIN};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The same person's program, whose token may do this.
pub async fn scoped(caller: &Caller, scope: &str) -> Caller {
    let made = json!({ "name": "assistant", "scope": scope });
    let made = caller.call("/api/account/create_token", &made).await;
    caller.with(Who::Token(made["token"].as_str().unwrap().to_owned()))
}

pub fn token(caller: &Caller) -> &str {
    let Who::Token(token) = &caller.who else { panic!("it has a token") };
    token
}

/// What a client in Python saw.
async fn seen(script: &str, caller: &Caller, arguments: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/served");
    let mut command = Command::new(folder.join(".venv/bin/python"));
    command.arg(folder.join(script)).args([&caller.url, token(caller)]).args(arguments);
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap();
    let output = output.expect("`.ci/tools.sh test` installs the clients");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Puts a file into the folder `notes` of an agent.
pub async fn upload(caller: &Caller, agent: &str, name: &str, text: &str) {
    let part = |name: &str, value: &str| {
        format!("--line\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let file = part(&format!("file\"; filename=\"{name}"), text);
    let body = [part("agent", agent), part("folder", "notes"), file, "--line--\r\n".to_owned()].concat();
    let request = caller.request(Method::POST, "/files").header(ORIGIN, &caller.url);
    let request = request.header(CONTENT_TYPE, "multipart/form-data; boundary=line").body(body);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200, "{}", response.text().await.unwrap());
}

/// The agent's log.
pub async fn entries(caller: &Caller, agent: &str) -> Vec<Value> {
    caller.get(&format!("/api/agents/entries?agent={agent}")).await.json().await.unwrap()
}

/// Asks for the log until this stands in it.
pub async fn until(caller: &Caller, agent: &str, stands: impl Fn(&Value) -> bool) {
    while !entries(caller, agent).await.iter().any(&stands) {
        a_moment().await;
    }
}

/// A program that may be asked as often as a test wants to know something.
pub fn patient() -> Program {
    Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0")])
}
