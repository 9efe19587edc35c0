//! What the worker beside the pages says. It is there for pages in every language, and has the words of all.

use crate::prelude::*;
use std::collections::BTreeMap;

/// Each stands in `say('…'` or `UNREAD` in the worker.
const WORDS: &[&str] = &[
    key!("Allow once"),
    key!("Deny"),
    key!("Hub offline"),
    key!("Kept on this device"),
    key!("Not answered"),
    key!("Reply"),
    key!("Something happened with one of your agents."),
    key!("The hub cannot be reached"),
    key!("The hub cannot be reached. Open it to answer."),
    key!("This page was not read on this device before. It comes when the hub is back."),
    key!("Try again"),
];

/// A JSON object: of each language but English, by its tag, the English and what it is there.
pub fn worker_words() -> String {
    let others = Language::ALL.into_iter().filter(|language| *language != Language::English);
    let all: BTreeMap<&str, BTreeMap<&str, &str>> = others.map(|it| (it.tag(), words_in(it))).collect();
    serde_json::to_string(&all).expect("texts are JSON")
}

fn words_in(language: Language) -> BTreeMap<&'static str, &'static str> {
    Owner::new().with(|| {
        provide_context(language);
        WORDS.iter().map(|english| (*english, t(english))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_worker_says_what_there_are_words_for_and_nothing_else() {
        let script = include_str!("../../server/src/service-worker.js");
        let said: BTreeSet<&str> = script
            .match_indices("say('")
            .map(|(at, call)| script[at + call.len()..].split('\'').next().unwrap())
            .collect();
        assert_eq!(said, WORDS.iter().copied().collect());
        let all: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_str(&worker_words()).unwrap();
        assert_eq!(all["de"]["Deny"], "Ablehnen");
    }
}
