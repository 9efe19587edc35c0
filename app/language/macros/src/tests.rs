//! What the source says, and what the catalogues have of it.

mod sentences;

use crate::pattern::{Pattern, literal_text};
use crate::{split, words};
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with words that people read, from the folder of this crate.
const SOURCES: &[&str] = &["../../src", SHELL];
/// Much of what it says is for agents and their pages: it marks what is for people.
const SHELL: &str = "../../../sandbox/shell/src";
/// Where the words of `protocol` stand that pages look up by `t`.
const WORDS_OF_PROTOCOL: &[&str] = &["../../../sandbox/protocol/src/view/skills/rule.rs"];
/// Attributes whose values nobody reads.
const CODE: &[&str] = &[
    "accept",
    "aria-keyshortcuts",
    "attr:class",
    "autocomplete",
    "class",
    "content",
    "d",
    "points",
    "rel",
    "sandbox",
    "style",
    "transform",
    "viewBox",
];
/// What reads as words and is none: names of other things, code, and what a script looks for.
const NO_WORDS: &str = include_str!("no_words.txt");
const CATALOGUES: &str = "../../public/languages";

/// What is said in the language of its reader, and what is said otherwise.
#[derive(Default)]
struct Said {
    /// Texts, and whether they are for a count.
    keys: BTreeMap<String, bool>,
    outside: Vec<String>,
    /// The texts of those.
    unmarked: Vec<String>,
    file: String,
}

impl Said {
    fn key(&mut self, literal: &Literal, is_plural: bool) {
        if let Some(text) = literal_text(literal).filter(|text| text.chars().any(char::is_alphabetic)) {
            *self.keys.entry(text).or_default() |= is_plural;
        }
    }

    fn walk(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while index < tokens.len() {
            index += self.step(&tokens[index..]);
        }
    }

    /// Takes what these tokens begin with; returns how many that were.
    fn step(&mut self, tokens: &[TokenTree]) -> usize {
        if let [TokenTree::Punct(hash), TokenTree::Group(attribute), rest @ ..] = tokens
            && hash.as_char() == '#'
            && attribute.delimiter() == Delimiter::Bracket
        {
            let is_test = matches!(attribute.to_string().replace(' ', "").as_str(), "[cfg(test)]" | "[test]");
            return 2 + if is_test { item(rest) } else { 0 };
        }
        if let [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(_), ..] = tokens
            && (hash.as_char(), bang.as_char()) == ('#', '!')
        {
            return 3;
        }
        if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(body), ..] = tokens
            && bang.as_char() == '!'
        {
            self.invoked(&name.to_string(), body);
            return 3;
        }
        if let [TokenTree::Ident(name), TokenTree::Group(body), ..] = tokens
            && body.delimiter() == Delimiter::Parenthesis
        {
            match name.to_string().as_str() {
                "t" => self.texts(body.stream()),
                "expect" => {}
                _ => self.walk(body.stream()),
            }
            return 2;
        }
        match &tokens[0] {
            TokenTree::Group(group) => self.walk(group.stream()),
            TokenTree::Literal(literal) => self.unmarked(literal),
            _ => {}
        }
        1
    }

    fn invoked(&mut self, name: &str, body: &Group) {
        match name {
            "view" => {
                let found = RefCell::new(Vec::new());
                let rest = words::translate(body.stream(), &|literal| {
                    found.borrow_mut().push(literal.clone());
                    TokenStream::new()
                });
                for literal in found.into_inner() {
                    self.key(&literal, false);
                }
                self.in_view(rest);
            }
            "say" | "plural" => {
                let parts = split(body.stream());
                let (texts, values) = if name == "say" { (0..1, 1) } else { (1..3, 3) };
                let of_one: Vec<_> = parts[texts].iter().filter_map(Pattern::of).map(|it| it.key()).collect();
                self.key(of_one.last().expect("the macro wants a text"), name == "plural");
                parts.into_iter().skip(values).for_each(|value| self.walk(value));
            }
            "key" => self.texts(body.stream()),
            "assert" | "assert_eq" | "panic" | "unreachable" | "debug" | "info" | "warn" | "error"
            | "concat" | "cfg" | "include_str" | "path" | "env" => {}
            _ => self.walk(body.stream()),
        }
    }

    /// What is left of a view: values of attributes that are not looked up, and Rust in groups.
    fn in_view(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while index < tokens.len() {
            let TokenTree::Literal(literal) = &tokens[index] else {
                index += self.step(&tokens[index..]);
                continue;
            };
            let is_value = index > 0 && words::is_punct(&tokens[index - 1], '=');
            if is_value && !CODE.contains(&words::attribute(&tokens[..index - 1]).as_str()) {
                self.unmarked(literal);
            }
            index += 1;
        }
    }

    /// What reads as words, in a file that marks none.
    fn words_of(&mut self, tokens: TokenStream) {
        let mut unmarked = Self::default();
        unmarked.walk(tokens);
        self.keys.extend(unmarked.unmarked.into_iter().map(|text| (text, false)));
    }

    /// All texts in an expression, but for what it compares with.
    fn texts(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let is_pattern = matches!(tokens.get(index + 1), Some(TokenTree::Punct(next)) if matches!(next.as_char(), '=' | '|'))
                || matches!(tokens.get(index.wrapping_sub(1)), Some(TokenTree::Punct(before)) if before.as_char() == '=' && matches!(tokens.get(index.wrapping_sub(2)), Some(TokenTree::Punct(first)) if matches!(first.as_char(), '=' | '!')));
            match token {
                TokenTree::Group(group) => self.texts(group.stream()),
                TokenTree::Literal(literal) if !is_pattern => self.key(literal, false),
                _ => {}
            }
        }
    }

    fn unmarked(&mut self, literal: &Literal) {
        let Some(text) = literal_text(literal) else { return };
        if !self.file.starts_with(SHELL)
            && reads_as_words(&text)
            && !NO_WORDS.lines().any(|line| line == text.escape_debug().to_string())
        {
            self.outside.push(format!("{}:{}: {text:?}", self.file, literal.span().start().line));
            self.unmarked.push(text);
        }
    }
}

/// How many tokens an item has: to its block or its semicolon.
fn item(tokens: &[TokenTree]) -> usize {
    let end = tokens.iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    });
    end.map_or(tokens.len(), |end| end + 1)
}

/// Several words, or one that begins as a sentence does.
fn reads_as_words(text: &str) -> bool {
    let words =
        text.split([' ', '\n']).filter(|word| word.chars().filter(|char| char.is_alphabetic()).count() > 1);
    let capital = text.chars().next().is_some_and(char::is_uppercase);
    let plain = text
        .chars()
        .all(|char| char.is_alphabetic() || matches!(char, ' ' | '.' | ',' | '{' | '}' | '\'' | ':'));
    words.count() > 1 || capital && plain && text.len() > 2
}

fn said() -> Said {
    let mut said = Said::default();
    for path in WORDS_OF_PROTOCOL {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        said.words_of(text.parse().unwrap());
    }
    for folder in SOURCES {
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            if is_of_tests(&path) {
                continue;
            }
            said.file = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display().to_string();
            let text = fs::read_to_string(&path).unwrap();
            said.walk(text.parse().unwrap());
        }
    }
    said
}

fn is_of_tests(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.iter().any(|part| part == "tests")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn nothing_is_said_outside_the_catalogues() {
    let outside = said().outside;
    assert!(outside.is_empty(), "{} texts are in no catalogue:\n{}", outside.len(), outside.join("\n"));
}

#[test]
fn every_catalogue_has_every_text_and_no_other() {
    let keys = said().keys;
    for path in catalogues(false) {
        let catalogue: BTreeMap<String, serde_json::Value> =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let missing: Vec<_> = keys.keys().filter(|key| !catalogue.contains_key(*key)).collect();
        let idle: Vec<_> = catalogue.keys().filter(|key| !keys.contains_key(*key)).collect();
        assert!(
            missing.is_empty() && idle.is_empty(),
            "{path:?} has no {missing:#?} and nothing says {idle:#?}"
        );
        for (key, is_plural) in &keys {
            for text in texts(&catalogue[key], *is_plural) {
                assert_eq!(
                    braces(key),
                    braces(text),
                    "{path:?}: {key:?} and {text:?} speak of other values."
                );
            }
        }
    }
}

/// Those of the texts of pages, or of sentences that come whole.
fn catalogues(of_sentences: bool) -> Vec<PathBuf> {
    let folder = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(CATALOGUES)).unwrap();
    let paths = folder.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.to_str().unwrap().ends_with(".sentences.json") == of_sentences).collect()
}

fn texts(entry: &serde_json::Value, is_plural: bool) -> Vec<&str> {
    if is_plural {
        ["one", "other"]
            .map(|form| entry[form].as_str().unwrap_or_else(|| panic!("{entry} has no {form:?}.")))
            .to_vec()
    } else {
        vec![entry.as_str().unwrap_or_else(|| panic!("{entry} is for no count."))]
    }
}

fn braces(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}
