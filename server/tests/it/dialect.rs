//! Names that gave way to a term of the field (`docs/words.md`), and names that say nothing, do not come back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What is built.
const SOURCES: &[&str] = &[
    "app/language/src",
    "app/src",
    "frontend/src",
    "sandbox/agent/src",
    "sandbox/protocol/src",
    "sandbox/redact/src",
    "sandbox/shell/src",
    "sandbox/worker/src",
    "server/hub/src",
    "server/src",
];

/// The name of a type, a function or a file, and what it is called now.
const RETIRED: &[(&str, &str)] = &[
    ("Desk", "BookingQueue"),
    ("Led", "Driven"),
    ("Remembered", "ReadCache"),
    ("Seat", "LeaseHolder, or Permit where places are few"),
    ("desk", "booking_queue"),
    ("household", "rate_limit_key"),
    ("paid", "billing, or metered_call"),
    ("seat", "lease_holder"),
    ("summons", "notifications"),
    ("write_aside", "write_uncached"),
];

#[test]
fn a_retired_name_does_not_come_back() {
    let found = found(&sources());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_retired_name_is_found_as_a_type_a_function_and_a_file() {
    for (file, text, name) in [
        ("a/seats.rs", "pub(crate) struct Seat<'a> {", "Seat"),
        ("a/seats.rs", "    pub async fn summons(&self) {", "summons"),
        ("a/seats.rs", "type Led = u8;", "Led"),
        ("a/paid.rs", "fn settle() {}", "paid"),
    ] {
        let found = found(&BTreeMap::from([(file.to_owned(), text.to_owned())]));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].starts_with(&format!("{file}: {name} is ")), "{found:?}");
    }
    let text = "struct SeatOf; // struct Seat\nfn summons_of() {}\nlet seat = Seat::new();".to_owned();
    assert!(found(&BTreeMap::from([("a/prepaid.rs".to_owned(), text)])).is_empty());
}

#[test]
fn a_limit_says_of_what() {
    let sources = sources();
    let unnamed = sources.iter().filter(|(_, text)| text.contains("const MOST:"));
    let unnamed: Vec<&str> = unnamed.map(|(file, _)| file.as_str()).collect();
    assert!(unnamed.is_empty(), "name each limit by what it counts, as in MOST_FILES: {unnamed:?}");
}

/// Where a retired name is defined, and what to call it.
fn found(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in files {
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let defined: Vec<&str> = text.lines().filter_map(defined).chain([stem]).collect();
        for (name, now) in RETIRED.iter().filter(|(name, _)| defined.contains(name)) {
            found.push(format!("{file}: {name} is a retired name; say {now}"));
        }
    }
    found
}

/// What a line defines: a type or a function.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split("//").next().unwrap_or_default().split_whitespace();
    words.find(|word| ["enum", "fn", "struct", "trait", "type", "union"].contains(word))?;
    words.next()?.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = BTreeMap::new();
    for folder in SOURCES {
        let before = files.len();
        collect(&root.join(folder), folder, &mut files);
        assert!(files.len() > before, "{folder} has no sources");
    }
    files
}

fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), format!("{name}/{}", entry.file_name().to_string_lossy()));
        if path.is_dir() {
            collect(&path, &name, files);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            files.insert(name, fs::read_to_string(path).unwrap());
        }
    }
}
