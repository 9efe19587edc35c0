//! A database that is away: what was asked for is refused in words that say so and when to try again,
//! and it works again when the database is back.

use crate::live::{agent, connect};
use crate::small_disk::SmallDisk;
use crate::world::{Caller, Endpoint, Line, Program, database, let_connect, rename};
use reqwest::header::RETRY_AFTER;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

const SILENT: &str = "database does not answer";

#[tokio::test]
async fn a_database_that_is_away_is_told_as_that_and_when_to_ask_again() {
    let line = Line::to(&database());
    let program = Program::start_with(&[("DATABASE_URL", &line.url)]);
    let caller = program.caller("ada");
    assert_eq!(caller.get("/api/agents/list").await.status(), 200);
    line.cut();
    is_away(&caller, SILENT).await;
    // As a balancer answers whose databases are gone.
    let port = Url::parse(&line.url).unwrap().port().unwrap();
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    tokio::select! {
        () = babble(&listener) => unreachable!("it goes on for ever"),
        () = is_away(&caller, SILENT) => {}
    }
    drop(listener);
    line.mend();
    let mine = caller.get("/api/agents/list").await;
    assert_eq!(mine.status(), 200);
}

/// Says to everybody who comes what no database does.
async fn babble(listener: &TcpListener) {
    loop {
        let (mut client, _) = listener.accept().await.unwrap();
        // Whoever came may be gone.
        let _ = client.read_exact(&mut [0; 8]).await;
        let _ = client.write_all(b"HTTP/1.1 502 Bad Gateway\r\n\r\n").await;
    }
}

#[tokio::test]
async fn a_database_that_has_another_name_is_told_as_one_that_lets_nobody_in_and_works_again() {
    let url = database();
    let program = Program::start_with(&[("DATABASE_URL", &url)]);
    let caller = program.caller("ada");
    assert_eq!(caller.get("/api/agents/list").await.status(), 200);
    let name = Url::parse(&url).unwrap().path().trim_start_matches('/').to_owned();
    let_connect(&url, false);
    let away = rename(&url, &format!("{name}_away"));
    is_away(&caller, "does not let the hub in").await;
    rename(&away, &name);
    let_connect(&url, true);
    assert_eq!(caller.get("/api/agents/list").await.status(), 200);
}

#[tokio::test]
async fn a_file_that_cannot_grow_is_told_as_that_and_loses_nothing() {
    // Of half a kilobyte each.
    let program = Program::start_under("trap '' XFSZ; ulimit -f 8192; exec", &[]);
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    let _tab = connect(&caller, "tab").await;
    let mut kept = 0;
    let refused = loop {
        let text = format!("{kept} {}", "x".repeat(200_000));
        let answer = caller.post("/api/agents/send", &json!({ "agent": agent, "text": text })).await;
        if !answer.status().is_success() {
            break answer;
        }
        kept += 1;
        assert!(kept < 1_000, "the limit does not hold");
    };
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key(RETRY_AFTER));
    assert_eq!(refused.json::<Value>().await.unwrap()["kind"], "unavailable");
    let (mut said, mut after) = (0, 0);
    loop {
        let path = format!("/api/agents/entries?agent={agent}&after={after}");
        let entries: Vec<Value> = caller.get(&path).await.json().await.unwrap();
        let Some(last) = entries.last() else { break };
        after = last["seq"].as_u64().unwrap();
        said += entries.iter().filter(|entry| entry["body"]["type"] == "message").count();
    }
    assert_eq!(said, kept);
}

async fn is_away(caller: &Caller, told: &str) {
    for path in ["/api/agents/list", "/v1/models"] {
        let refused = caller.get(path).await;
        assert_eq!(refused.status(), 503, "{path}");
        let wait: u64 = refused.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{path}: {wait}");
        let words = refused.text().await.unwrap();
        assert!(words.contains(told), "{path}: {words}");
    }
}

#[tokio::test]
async fn a_full_disk_is_read_from_and_works_again_when_there_is_room() {
    // Where there is room again, there is enough for all that was left undone.
    let disk = SmallDisk::of_megabytes(64);
    let filler = disk.path().join("filler");
    std::fs::write(&filler, vec![7; 48 * 1024 * 1024]).unwrap();
    let mut program = Program::start_in(TempDir::new_in(disk.path()).unwrap(), &[]);
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    let tab = connect(&caller, "tab").await;
    let mut kept = Vec::new();
    let mut send = async |caller: &Caller| {
        let text = format!("{} {}", kept.len(), "x".repeat(200_000));
        let answer = caller.post("/api/agents/send", &json!({ "agent": agent, "text": text })).await;
        if answer.status().is_success() {
            kept.push(text);
        }
        (answer, kept.clone())
    };
    let (refused, said) = loop {
        let (answer, said) = send(&caller).await;
        if !answer.status().is_success() {
            break (answer, said);
        }
    };
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key(RETRY_AFTER));
    let words = refused.text().await.unwrap();
    assert!(words.contains("The disk of the hub is full, so nothing can be saved."), "{words}");

    // What is there is read, and whoever can make room is told.
    assert_eq!(messages(&caller, &agent).await, said);
    for path in ["/", "/admin/status", "/account", "/api/agents/list"] {
        assert_eq!(caller.get(path).await.status(), 200, "{path}");
    }
    let me: Value = caller.get("/api/account/me").await.json().await.unwrap();
    let status: Value = caller.get("/api/hub/status").await.json().await.unwrap();
    assert_eq!(me["disk"], status["disk"]["room"]);
    assert!(["full", "little"].contains(&me["disk"].as_str().unwrap()), "{me}");
    let page = caller.get("/admin/status").await.text().await.unwrap();
    assert!(page.contains("Make room"), "{page}");
    assert_eq!(caller.get("/readyz").await.status(), 503);

    std::fs::remove_file(&filler).unwrap();
    let (answer, said) = send(&caller).await;
    assert!(answer.status().is_success(), "{answer:?}");
    assert_eq!(messages(&caller, &agent).await, said);
    drop(tab);
    program.restart();
    let caller = Caller { url: program.url.clone(), ..caller };
    assert_eq!(messages(&caller, &agent).await, said, "what was acknowledged is on the disk");
}

/// What was said to the agent, in its order.
async fn messages(caller: &Caller, agent: &str) -> Vec<String> {
    let (mut said, mut after) = (Vec::new(), 0);
    loop {
        let path = format!("/api/agents/entries?agent={agent}&after={after}");
        let entries: Vec<Value> = caller.get(&path).await.json().await.unwrap();
        let Some(last) = entries.last() else { return said };
        after = last["seq"].as_u64().unwrap();
        let messages = entries.iter().filter(|entry| entry["body"]["type"] == "message");
        said.extend(messages.filter_map(|entry| entry["body"]["text"].as_str().map(str::to_owned)));
    }
}
