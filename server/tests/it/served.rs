//! The agents of a person for other programs, over HTTP: by the clients that others wrote, and by hand.

mod a2a;
mod mcp;

use crate::world::{Caller, Program, Who, a_moment};
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
