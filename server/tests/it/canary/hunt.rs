//! Secrets that were planted, and the search for each of them however it is spelled.

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

#[derive(Default)]
pub struct Hunt {
    /// What each is, and its text.
    secrets: Vec<(String, String)>,
    searched: u64,
    found: BTreeSet<String>,
    automaton: Option<(AhoCorasick, Vec<usize>)>,
}

impl Hunt {
    /// A new secret that looks like nothing else: signs that texts escape, between two halves that every
    /// one of them keeps as they are.
    pub fn plant(&mut self, what: &str) -> String {
        let hash = hex(&Sha256::digest(format!("{what}{}", self.secrets.len())));
        let secret = format!("{}/+={}", &hash[..28], &hash[28..56]);
        self.watch(what, &secret);
        secret
    }

    /// A secret that the hub made.
    pub fn watch(&mut self, what: &str, secret: &str) {
        self.secrets.push((what.to_owned(), secret.to_owned()));
        self.automaton = None;
    }

    pub fn search(&mut self, place: &str, bytes: &[u8]) {
        self.search_but(&[], place, bytes);
    }

    /// The same in a place where these secrets may be, because whoever asked has brought them.
    pub fn search_but(&mut self, brought: &[&str], place: &str, bytes: &[u8]) {
        self.searched += 1;
        if self.automaton.is_none() {
            self.automaton = Some(automaton(&self.secrets));
        }
        let (automaton, owners) = self.automaton.as_ref().unwrap();
        for found in automaton.find_iter(bytes) {
            let (what, secret) = &self.secrets[owners[found.pattern().as_usize()]];
            if !brought.contains(&secret.as_str()) {
                let around = &bytes[found.start().saturating_sub(90)..(found.end() + 10).min(bytes.len())];
                self.found.insert(format!("{what} in {place}: …{}…", String::from_utf8_lossy(around)));
            }
        }
    }

    /// Ends the search: nothing was found, in so many places.
    pub fn end(self, at_least: u64) {
        assert!(self.found.is_empty(), "{} leaks:\n{:#?}", self.found.len(), self.found);
        assert!(self.searched >= at_least, "only {} places were searched", self.searched);
    }
}

fn automaton(secrets: &[(String, String)]) -> (AhoCorasick, Vec<usize>) {
    let (mut needles, mut owners) = (Vec::new(), Vec::new());
    for (owner, (_, secret)) in secrets.iter().enumerate() {
        let (first, second) = secret.as_bytes().split_at(secret.len() / 2);
        for half in [&first[..first.len() - 2], &second[2..]] {
            let spellings = spellings(half);
            owners.extend(spellings.iter().map(|_| owner));
            needles.extend(spellings);
        }
    }
    let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(needles).unwrap();
    (automaton, owners)
}

/// As it is, backwards, in UTF-16, in hex, percent-encoded throughout, and in base64 wherever in a longer
/// text it begins.
fn spellings(half: &[u8]) -> Vec<Vec<u8>> {
    let backwards = half.iter().rev().copied().collect();
    let wide = half.iter().flat_map(|byte| [*byte, 0]).collect();
    let (lower, percent) = (hex(half), half.iter().map(|byte| format!("%{byte:02X}")).collect::<String>());
    let mut spellings = vec![
        half.to_vec(),
        backwards,
        wide,
        lower.to_uppercase().into_bytes(),
        lower.into_bytes(),
        percent.into_bytes(),
    ];
    for before in 0..3 {
        let text = [&[0].repeat(before)[..], half].concat();
        let (from, to) = ((8 * before).div_ceil(6), 8 * text.len() / 6);
        for engine in [STANDARD, URL_SAFE] {
            spellings.push(engine.encode(&text).as_bytes()[from..to].to_vec());
        }
    }
    spellings
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_secret_is_found_however_it_is_spelled() {
    let mut all = Hunt::default();
    let secret = all.plant("a key");
    let reversed: String = secret.chars().rev().collect();
    let percent: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let json = serde_json::json!({ "a": format!("\"{secret}\"") }).to_string();
    let mut texts = vec![secret.clone(), reversed, percent, json, hex(secret.as_bytes())];
    texts.extend([secret[..30].to_owned(), secret[30..].to_owned()]);
    texts.extend((0..4).map(|before| STANDARD.encode(format!("{}{secret}", "x".repeat(before)))));
    for text in texts {
        let mut hunt = Hunt { secrets: all.secrets.clone(), ..Hunt::default() };
        hunt.search("here", format!("around {text} it").as_bytes());
        assert_eq!(hunt.found.len(), hunt.found.len().max(1), "{text}");
        let mut brought = Hunt { secrets: all.secrets.clone(), ..Hunt::default() };
        brought.search_but(&[&secret], "here", text.as_bytes());
        assert!(brought.found.is_empty(), "{text}");
    }
    all.search("here", b"nothing to find");
    all.end(1);
}
