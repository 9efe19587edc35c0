//! S12: `vivarium key rotate` beside the hub, killed at every point on its way.

use crate::world::{Caller, Endpoint, Program};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

#[tokio::test]
async fn a_rotation_that_is_killed_anywhere_loses_no_key() {
    let mut program = Program::start();
    let endpoint = Endpoint::start();
    let mut ada = program.caller("ada");
    let mut providers = Vec::new();
    for _ in 0..30 {
        providers.push(save(&ada, &endpoint).await);
    }
    let file = program.folder.path().join("master.key");
    let before = fs::read_to_string(&file).unwrap();
    for lines in 1.. {
        let over = rotate(&program, lines);
        assert!(doctor(&program).contains(" lines, whole\n"), "after {lines} lines");
        every_key_opens(&ada, &providers).await;
        providers.push(save(&ada, &endpoint).await);
        if over {
            break;
        }
        // The hub itself goes on with what it finds at its start, and is killed over it as well.
        if lines % 2 == 0 {
            program.restart();
            program.restart();
            ada.url.clone_from(&program.url);
            every_key_opens(&ada, &providers).await;
        }
    }
    let after = fs::read_to_string(&file).unwrap();
    assert_eq!(after.lines().count(), 1);
    assert_ne!(before, after);
    program.restart();
    ada.url.clone_from(&program.url);
    every_key_opens(&ada, &providers).await;
    let found = doctor(&program);
    assert!(found.contains(&format!("{} stored keys, and all of them open\n", providers.len())), "{found}");
}

/// Rotates, and kills that after so many lines of what it says. `true`: it came to its end. It begins once the hub has
/// ended what it went on with at its start: two at a time are refused.
fn rotate(program: &Program, lines: usize) -> bool {
    for _ in 0..600 {
        let mut process = program.spawn(&["key", "rotate"], Stdio::piped());
        let said: Vec<String> = BufReader::new(process.stdout.take().unwrap())
            .lines()
            .take(lines)
            .map_while(Result::ok)
            .collect();
        let over = said.last().is_some_and(|line| line.starts_with("Done:"));
        if said.is_empty() {
            assert!(!process.wait().unwrap().success(), "it says what it did");
            thread::sleep(Duration::from_millis(100));
            continue;
        }
        if !over {
            assert_eq!(said.len(), lines, "it goes on until it is done: {said:?}");
            process.kill().unwrap();
        }
        process.wait().unwrap();
        return over;
    }
    panic!("The hub never comes to the end of what it went on with.");
}

fn doctor(program: &Program) -> String {
    String::from_utf8(program.command(&["doctor"], "").stdout).unwrap()
}

async fn save(ada: &Caller, endpoint: &Endpoint) -> Value {
    let provider =
        json!({ "name": "Test", "kind": "anthropic", "base_url": endpoint.url, "key": "key-good" });
    ada.call("/api/providers/save", &provider).await["id"].clone()
}

async fn every_key_opens(ada: &Caller, providers: &[Value]) {
    for id in providers {
        let list: Value = ada
            .get(&format!("/api/providers/models?id={}", id.as_str().unwrap()))
            .await
            .json()
            .await
            .unwrap();
        assert_eq!(list["live"], json!(true), "{list}");
    }
}
