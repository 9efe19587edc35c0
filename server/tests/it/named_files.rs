//! The source files that documents name are there, and what is said to be in one of them is in it: who reads goes by
//! these names.

use std::fs;
use std::path::{Path, PathBuf};

/// Where sources are.
const FOLDERS: [&str; 6] = ["app", "deploy", "end2end", "sandbox", "server", "docs"];
const ENDINGS: [&str; 3] = [".rs", ".ts", ".mjs"];

#[test]
fn every_source_file_that_a_document_names_is_there() {
    let (root, mut sources, mut found) = (root(), Vec::new(), 0);
    FOLDERS.iter().for_each(|folder| collect(&root.join(folder), &mut sources));
    for (document, text) in documents(&root) {
        for name in quoted(&text).filter(|name| is_source(name)) {
            let is_there = sources.iter().any(|source| source.ends_with(name));
            assert!(is_there, "{document} names {name}, which is nowhere");
            found += 1;
        }
    }
    assert!(found > 100, "only {found} were found");
}

#[test]
fn what_a_document_says_is_in_a_file_is_in_it() {
    let (root, mut sources, mut found) = (root(), Vec::new(), 0);
    FOLDERS.iter().for_each(|folder| collect(&root.join(folder), &mut sources));
    for (document, text) in documents(&root) {
        for (name, file) in placed(&text) {
            let item = name.rsplit("::").next().unwrap_or(name);
            let is_in = |source: &PathBuf| {
                let text = fs::read_to_string(source).unwrap();
                ["fn", "struct", "enum", "trait"].iter().any(|kind| text.contains(&format!("{kind} {item}")))
            };
            let is_there = sources.iter().filter(|source| source.ends_with(file)).any(is_in);
            assert!(is_there, "{document}: {name} is not in {file}");
            found += 1;
        }
    }
    assert!(found > 0, "none was found");
}

/// `Type::function` (`file.rs`), as the documents write it.
fn placed(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices("` (`").filter_map(|(at, between)| {
        let name = text[..at].rsplit('`').next()?;
        let file = text[at + between.len()..].split('`').next()?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte));
        (name.contains("::") && is_name && file.ends_with(".rs")).then_some((name, file))
    })
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A path of a file that is written here: those that begin with `/` are addresses.
fn is_source(name: &str) -> bool {
    let is_path = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-/".contains(&byte));
    is_path && !name.starts_with(['/', '.']) && ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn documents(root: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(root.join("docs")).unwrap().map(|file| file.unwrap().path());
    let documents = files.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        let is_hidden = name.to_string_lossy().starts_with('.');
        if path.is_dir() && !is_hidden && name != "node_modules" && name != "target" {
            collect(&path, sources);
        } else if ENDINGS.iter().any(|ending| name.to_string_lossy().ends_with(ending)) {
            sources.push(path);
        }
    }
}
