//! What the hub says, in the language of its reader. Its sentences come whole, with their values in them, and are
//! recognised by what stands around the values: errors stay one kind of thing in the hub, which knows no reader.

use protocol::Language;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

const GERMAN: &str = include_str!("sentences/de.json");

/// How many sentences may stand within each other.
const MAX_DEPTH: u8 = 2;

/// A sentence of the hub's in this language; as it is, where that has none for it.
pub fn sentence(language: Language, english: &str) -> Cow<'_, str> {
    static READ: OnceLock<Sentences> = OnceLock::new();
    match language {
        Language::English => Cow::Borrowed(english),
        Language::German => READ.get_or_init(|| Sentences::read(GERMAN)).of(english),
    }
}

struct Sentences {
    whole: HashMap<String, String>,
    /// Those with values, the longest first: of two that fit, it is the one that says more.
    patterns: Vec<(Pattern, String)>,
}

impl Sentences {
    fn read(json: &str) -> Self {
        let all: HashMap<String, String> = serde_json::from_str(json).expect("a test reads the catalogues");
        let (with_values, whole): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(english, _)| english.contains('{'));
        let mut patterns: Vec<_> =
            with_values.into_iter().map(|(english, other)| (Pattern::of(&english), other)).collect();
        patterns.sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.letters()));
        Self { whole: whole.into_iter().collect(), patterns }
    }

    fn of<'a>(&self, english: &'a str) -> Cow<'a, str> {
        self.within(english, MAX_DEPTH)
    }

    fn within<'a>(&self, english: &'a str, depth: u8) -> Cow<'a, str> {
        if let Some(other) = self.whole.get(english) {
            return Cow::Owned(other.clone());
        }
        let found = self
            .patterns
            .iter()
            .find_map(|(pattern, other)| Some((pattern, pattern.values(english)?, other)));
        match found {
            Some((pattern, values, other)) if depth > 0 => {
                Cow::Owned(self.filled(pattern, &values, other, depth))
            }
            _ => Cow::Borrowed(english),
        }
    }

    /// A value may be a word or a sentence of ours itself: "There is no such {0}."
    fn filled(&self, pattern: &Pattern, values: &[&str], other: &str, depth: u8) -> String {
        let values: Vec<_> = values.iter().map(|value| self.within(value, depth - 1)).collect();
        let named: Vec<(&str, &dyn std::fmt::Display)> = pattern
            .names
            .iter()
            .zip(&values)
            .map(|(name, value)| (name.as_str(), value as &dyn std::fmt::Display))
            .collect();
        crate::filled(other, &named)
    }
}

/// What stands around the values, and what each is called.
struct Pattern {
    around: Vec<String>,
    names: Vec<String>,
}

impl Pattern {
    fn of(english: &str) -> Self {
        let (mut around, mut names) = (Vec::new(), Vec::new());
        let mut rest = english;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            around.push(before.to_owned());
            names.push(name.to_owned());
            rest = after;
        }
        around.push(rest.to_owned());
        Self { around, names }
    }

    fn letters(&self) -> usize {
        self.around.iter().map(String::len).sum()
    }

    /// The values, if the text is made of this.
    fn values<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.around.split_first()?;
        let mut rest = text.strip_prefix(first.as_str())?;
        let mut values = Vec::with_capacity(others.len());
        for (index, next) in others.iter().enumerate() {
            let is_last = index + 1 == others.len();
            let (value, after) = if is_last {
                (rest.strip_suffix(next.as_str())?, "")
            } else {
                rest.split_once(next.as_str())?
            };
            values.push(value);
            rest = after;
        }
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_known_by_what_stands_around_its_values() {
        let sentences = Sentences::read(
            r#"{
                "agent": "Agent",
                "There is no such {0}.": "Das gibt es nicht: {0}.",
                "The name {} is taken.": "Der Name {} ist vergeben.",
                "The name {} is taken, or looks like one that is.": "Der Name {} ist vergeben oder sieht so aus.",
                "{size} are more than {most}.": "{size} sind mehr als {most}."
            }"#,
        );
        for (english, expected) in [
            ("There is no such agent.", "Das gibt es nicht: Agent."),
            ("There is no such moth.", "Das gibt es nicht: moth."),
            ("The name is taken. is taken.", "Der Name is taken. ist vergeben."),
            (
                "The name Ada is taken, or looks like one that is.",
                "Der Name Ada ist vergeben oder sieht so aus.",
            ),
            ("3 MB are more than 2 MB.", "3 MB sind mehr als 2 MB."),
            ("Something else.", "Something else."),
            ("", ""),
        ] {
            assert_eq!(sentences.of(english), expected, "{english}");
        }
    }
}
