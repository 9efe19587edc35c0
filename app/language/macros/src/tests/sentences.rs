//! What the hub says when something is refused, and what stands in logs for people, and what the catalogues have of it.

use super::{braces, catalogues, is_of_tests, sources};
use crate::pattern::{Pattern, literal_text};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const HUB: &str = "../../../server/hub/src";
/// What tools do is a line for people in each declaration.
const TOOLS: &str = "../../../sandbox/agent/src/tools";
/// Where texts for people are marked.
const MARKED: &[&str] = &[
    HUB,
    "../../../sandbox/agent/src",
    "../../../sandbox/protocol/src",
    "../../../sandbox/redact/src",
    "../../../sandbox/shell/src",
    "../../../sandbox/worker/src",
];
const MARKS: &[&str] = &["told", "words"];
/// Errors of the hub whose text a person reads.
const TOLD: &[&str] =
    &["Conflict", "Forbidden", "Invalid", "Limit", "NotFound", "TooOften", "Upstream", "invalid"];

/// The texts of errors, as they are made and as `thiserror` writes them out.
fn walk(tokens: TokenStream, is_error: bool, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let name = index.checked_sub(1).map(|before| tokens[before].to_string()).unwrap_or_default();
                let is_made = TOLD.contains(&name.as_str()) && group.delimiter() != Delimiter::Bracket;
                let is_attribute = name == "error" && group.delimiter() == Delimiter::Parenthesis;
                if name == "cfg" || is_test(&tokens[..index]) {
                    continue;
                }
                walk(group.stream(), is_error || is_made || is_attribute, found);
            }
            TokenTree::Literal(literal) if is_error && literal_text(literal).is_some() => {
                say(&token.clone().into(), found);
            }
            _ => {}
        }
    }
}

/// Takes the text that these tokens begin with, as the catalogues have it.
fn say(tokens: &TokenStream, found: &mut BTreeSet<String>) {
    let text = Pattern::of(tokens).map(|pattern| pattern.key());
    let text = text.and_then(|key| literal_text(&key)).unwrap_or_default();
    if text.split(['{', '}']).step_by(2).any(|part| part.chars().any(char::is_alphabetic)) {
        found.insert(text);
    }
}

/// `told!("…")` and `words!("…")`
fn marked(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        if is_test(&tokens[..index]) {
            continue;
        }
        if let [.., TokenTree::Ident(name), TokenTree::Punct(bang)] = &tokens[..index]
            && bang.as_char() == '!'
            && MARKS.contains(&name.to_string().as_str())
        {
            say(&group.stream(), found);
        }
        marked(group.stream(), found);
    }
}

/// Whether the block that comes now is a module of tests.
fn is_test(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Group(attribute), TokenTree::Ident(word), TokenTree::Ident(_)]
        if word == "mod" && attribute.to_string().replace(' ', "") == "[cfg(test)]")
}

/// `summary: "…"`
fn summaries(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match (token, index.checked_sub(2).map(|before| &tokens[before])) {
            (TokenTree::Group(group), _) => summaries(group.stream(), found),
            (TokenTree::Literal(literal), Some(TokenTree::Ident(field))) if field == "summary" => {
                found.extend(literal_text(literal));
            }
            _ => {}
        }
    }
}

fn said() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(TOOLS)) {
        summaries(fs::read_to_string(&path).unwrap().parse().unwrap(), &mut found);
    }
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(HUB)) {
        if !path.ends_with("tests.rs") {
            walk(fs::read_to_string(&path).unwrap().parse().unwrap(), false, &mut found);
        }
    }
    for folder in MARKED {
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            if !is_of_tests(&path) {
                marked(fs::read_to_string(&path).unwrap().parse().unwrap(), &mut found);
            }
        }
    }
    found
}

#[test]
fn every_catalogue_has_every_sentence_and_no_other() {
    let said = said();
    for path in catalogues(true) {
        let catalogue: BTreeMap<String, String> =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let missing: Vec<_> = said.iter().filter(|text| !catalogue.contains_key(*text)).collect();
        let idle: Vec<_> = catalogue.keys().filter(|text| !said.contains(*text)).collect();
        assert!(
            missing.is_empty() && idle.is_empty(),
            "{path:?} has no {missing:#?} and nothing says {idle:#?}"
        );
        for (english, other) in &catalogue {
            assert_eq!(
                braces(english),
                braces(other),
                "{path:?}: {english:?} and {other:?} speak of other values."
            );
        }
    }
}
