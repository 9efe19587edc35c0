//! Which crate of the workspace may use which: three lines, one way.

use std::collections::BTreeSet;
use std::process::Command;

const ALLOWED: &[(&str, &[&str])] = &[
    ("agent", &["protocol"]),
    ("app", &["hub", "language", "protocol", "shell"]),
    ("bundle", &[]),
    ("frontend", &["app"]),
    ("hub", &["agent", "protocol", "redact"]),
    ("join", &[]),
    ("language", &["language-macros", "protocol"]),
    ("language-macros", &[]),
    ("protocol", &[]),
    ("redact", &["protocol"]),
    ("server", &["app", "bundle", "hub", "protocol"]),
    ("shell", &["language", "protocol", "redact"]),
    ("worker", &["agent", "protocol"]),
];

/// What the loop and the wire types may use from outside: nothing that can do I/O, tell the time or
/// roll dice.
const PURE: &[&str] = &["serde", "serde_json", "thiserror"];

#[test]
fn crates_use_each_other_one_way() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline", "--locked"])
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<_> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    assert_eq!(ours, ALLOWED.iter().map(|(name, _)| *name).collect());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let used: BTreeSet<_> = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|dependency| dependency["kind"].is_null())
            .map(|dependency| dependency["name"].as_str().unwrap())
            .collect();
        let allowed: BTreeSet<_> =
            ALLOWED.iter().find(|(of, _)| *of == name).unwrap().1.iter().copied().collect();
        assert_eq!(used.intersection(&ours).copied().collect::<BTreeSet<_>>(), allowed, "{name}");
        if name == "protocol" || name == "agent" {
            let outside: Vec<_> = used.difference(&ours).filter(|name| !PURE.contains(name)).collect();
            assert!(outside.is_empty(), "{name} uses {outside:?}");
        }
    }
}
