//! `docs/protocol.md` is about the wires as they are.

use crate::golden::{lines_of, read, updating};
use protocol::hub::{ClientFrame, HubFrame};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The files with an example of everything that flows.
const WIRES: &[&str] = &["frames", "log", "model", "socket"];
const LABEL: &str = "Wires: sha256 ";

#[test]
fn the_document_was_read_again_after_the_last_change_of_the_wires() {
    if updating() {
        return;
    }
    let line = format!("{LABEL}{}", hash_of_the_examples());
    assert!(
        document().lines().any(|marked| marked == line),
        "The wires changed. Read docs/protocol.md again, then write into it:\n{line}"
    );
}

#[test]
fn the_document_names_every_message() {
    let text = document();
    for (wire, name) in [
        ("socket", "ClientFrame"),
        ("socket", "HubFrame"),
        ("socket", "Effect"),
        ("socket", "RunAsk"),
        ("socket", "RunReply"),
        ("log", "EntryBody"),
        ("log", "Outcome"),
        ("model", "ModelEvent"),
        ("frames", "ToSkin"),
        ("frames", "FromSkin"),
        ("frames", "SkinCommand"),
        ("frames", "Want"),
        ("frames", "Reply"),
        ("frames", "ToWorker"),
        ("frames", "FetchPart"),
        ("frames", "FromWorker"),
        ("frames", "ToScripts"),
        ("frames", "FromScripts"),
    ] {
        for line in lines_of(wire, name) {
            let message: Value = serde_json::from_str(&line).unwrap();
            let kind = message["type"].as_str().expect("a message has a type");
            assert!(text.contains(&format!("`{kind}`")), "docs/protocol.md does not name `{kind}` of {name}");
        }
    }
}

/// Lines with an arrow to the right are a tab's, with one to the left the hub's.
#[test]
fn the_conversations_in_the_document_are_real() {
    let text = document();
    let mut lines = 0;
    for line in text.lines() {
        if let Some(frame) = line.strip_prefix("→ ") {
            check::<ClientFrame>(frame);
            lines += 1;
        } else if let Some(frame) = line.strip_prefix("← ") {
            check::<HubFrame>(frame);
            lines += 1;
        }
    }
    assert!(lines > 0, "there are none");
}

fn check<T: Serialize + DeserializeOwned>(frame: &str) {
    let value: T = serde_json::from_str(frame).unwrap_or_else(|error| panic!("{frame}\n{error}"));
    assert_eq!(serde_json::to_string(&value).unwrap(), frame);
}

fn document() -> String {
    fs::read_to_string(path()).unwrap()
}

fn path() -> impl AsRef<Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md")
}

fn hash_of_the_examples() -> String {
    let mut hash = Sha256::new();
    for wire in WIRES {
        hash.update(read(wire));
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}
