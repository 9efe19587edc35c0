//! Everything of a person as one zip file, as another program reads it.

use crate::world::{Caller, Endpoint, Program};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Prints the names and texts of all files, and fails if one of them is damaged.
const READER: &str = "
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
names = archive.namelist()
assert len(set(names)) == len(names)
print(json.dumps({name: archive.read(name).decode('utf-8', 'replace') for name in names}))
";

async fn person(program: &Program, endpoint: &Endpoint, name: &str, word: &str) -> Caller {
    let caller = program.caller(name);
    let provider = json!({ "name": "Test", "kind": "open_ai", "base_url": endpoint.url, "key": "key-good" });
    let provider = caller.call("/api/providers/save", &provider).await["id"].clone();
    for _ in 0..2 {
        let agent = json!({
            "name": "Moss/Fern", "colour": "#3a7d44", "provider": provider, "model": "gpt-5-mini", "home": "hub",
            "tools": ["state"],
        });
        let agent = caller.call("/api/agents/create", &agent).await;
        let text = format!("Say {word}.");
        caller.call("/api/agents/ask", &json!({ "agent": agent["id"], "text": text })).await;
        let pipeline = json!({
            "title": word, "agent": agent["id"],
            "tasks": [{ "id": "yours", "title": "Yours", "approval": true }],
        });
        caller.call("/api/pipelines/create", &json!({ "text": pipeline.to_string() })).await;
    }
    let roles = json!({ "agents": [{ "role": format!("keeper of {word}"), "least": 0 }] }).to_string();
    let file = caller.call("/api/teams/bring", &json!({ "text": roles })).await;
    caller.call("/api/teams/make", &json!({ "file": file })).await;
    let memory = json!({ "text": format!("They like {word}."), "importance": 3 });
    caller.call("/api/memories/create", &memory).await;
    caller
        .call("/api/person_context/note", &json!({ "name": "garden", "value": format!("{word} is dry") }))
        .await;
    caller
}

fn read(file: &Path) -> BTreeMap<String, String> {
    let read = Command::new("python3").args(["-c", READER]).arg(file).output().unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    serde_json::from_slice(&read.stdout).unwrap()
}

#[tokio::test]
async fn everything_of_a_person_is_one_file_without_keys_or_what_is_anothers() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = person(&program, &endpoint, "ada", "moss").await;
    person(&program, &endpoint, "ben", "fern").await;
    let downloaded = ada.get("/account/export").await;
    assert_eq!(downloaded.headers()["content-disposition"], "attachment; filename*=UTF-8''vivarium-ada.zip");
    let file = program.folder.path().join("downloaded.zip");
    std::fs::write(&file, downloaded.bytes().await.unwrap()).unwrap();
    let files = read(&file);
    for name in [
        "README.txt",
        "agents/Moss Fern/Moss-Fern.flo.zip",
        "agents/Moss Fern 2/Moss-Fern.flo.zip",
        "agents/Moss Fern/conversations/Say moss.md",
        "agents/Moss Fern 2/conversations/Say moss.json",
        "memories.json",
        "context.json",
        "agents.yaml",
        "pipelines/moss.json",
        "pipelines/moss 2.json",
        "settings/providers.json",
        "settings/mcp-servers.json",
        "settings/web-search.json",
        "settings/speech.json",
        "usage.csv",
        "tools.csv",
    ] {
        assert!(files.contains_key(name), "{name}: {:?}", files.keys());
    }
    assert!(files["agents/Moss Fern/conversations/Say moss.md"].contains("You said: Say moss."));
    assert!(files["memories.json"].contains("They like moss."));
    assert!(files["context.json"].contains("moss is dry"));
    assert!(files["agents.yaml"].contains("keeper of moss"));
    assert!(!files["README.txt"].contains("could not be written"));
    for (name, text) in &files {
        assert!(!text.contains("key-good") && !text.contains("fern."), "{name}: {text}");
    }
    let log: Value = serde_json::from_str(&files["agents/Moss Fern 2/conversations/Say moss.json"]).unwrap();
    assert_eq!(log["format"], "vivarium.conversation");

    let saved = program.folder.path().join("saved.zip");
    let export = |name: &str| program.command(&["user", "export", name, saved.to_str().unwrap()], "");
    let nobody = export("nobody");
    assert!(!nobody.status.success() && !saved.exists());
    assert!(export("ada").status.success());
    assert!(read(&saved).keys().eq(files.keys()));
    assert!(!export("ada").status.success(), "what is there is not written over");
    assert_eq!(read(&saved).len(), files.len());

    let audit: Value = ada.get("/api/audit/own").await.json().await.unwrap();
    assert_eq!(audit.to_string().matches("\"taken_out\"").count(), 2, "{audit}");
}
