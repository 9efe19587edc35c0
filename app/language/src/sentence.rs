//! What is said to people by who does not know them, in the language of its reader: errors of the hub, and what stands
//! in a log. Such sentences come whole, with their values in them, and are recognised by what stands around the values:
//! errors and failures stay one kind of thing where they are made.

use crate::catalogue::Malformed;
use protocol::Language;
use std::borrow::Cow;
use std::collections::HashMap;

/// How many sentences may stand within each other: what a provider said within what it meant, within what came of it.
const MAX_DEPTH: u8 = 3;

/// A sentence in the language of its reader; as it is, where that has none for it.
pub fn sentence(english: &str) -> Cow<'_, str> {
    crate::current::sentences().map_or(Cow::Borrowed(english), |all| all.of(english))
}

/// The same for somebody who reads this language.
#[cfg(feature = "ssr")]
pub fn sentence_in(language: Language, english: &str) -> Cow<'_, str> {
    crate::current::sentences_in(language).map_or(Cow::Borrowed(english), |all| all.of(english))
}

#[derive(Debug)]
pub(crate) struct Sentences {
    language: Language,
    whole: HashMap<String, String>,
    /// Those with values, the longest first: of two that fit, it is the one that says more.
    patterns: Vec<(Pattern, String)>,
}

impl Sentences {
    pub(crate) fn read(language: Language, json: &str) -> Result<Self, Malformed> {
        let all: HashMap<String, String> = serde_json::from_str(json).map_err(|_| Malformed)?;
        let (with_values, whole): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(english, _)| english.contains('{'));
        let mut patterns: Vec<_> =
            with_values.into_iter().map(|(english, other)| (Pattern::of(&english), other)).collect();
        patterns
            .sort_by(|(a, _), (b, _)| b.letters().cmp(&a.letters()).then_with(|| a.around.cmp(&b.around)));
        Ok(Self { language, whole: whole.into_iter().collect(), patterns })
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

    /// A value may be a word or a sentence of ours itself: "There is no such {0}." One in quotation marks is somebody
    /// else's.
    fn filled(&self, pattern: &Pattern, values: &[&str], other: &str, depth: u8) -> String {
        let values: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(index, value)| match pattern.is_quoted(index) {
                true => Cow::Borrowed(*value),
                false if is_amount(value) => Cow::Owned(amount_in(self.language, value)),
                false => self.within(value, depth - 1),
            })
            .collect();
        let named: Vec<(&str, &dyn std::fmt::Display)> = pattern
            .names
            .iter()
            .zip(&values)
            .map(|(name, value)| (name.as_str(), value as &dyn std::fmt::Display))
            .collect();
        crate::filled(other, &named)
    }
}

/// Whether it is so much money, and nothing else.
fn is_amount(value: &str) -> bool {
    let is_digit = |digit: char| digit.is_ascii_digit() || digit == '.';
    value.strip_prefix('$').is_some_and(|digits| {
        digits.starts_with(|digit: char| digit.is_ascii_digit()) && digits.chars().all(is_digit)
    })
}

fn amount_in(language: Language, amount: &str) -> String {
    match language {
        Language::English => amount.to_owned(),
        Language::German => amount.replace('.', ","),
    }
}

/// What stands around the values, and what each is called.
#[derive(Debug)]
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

    fn is_quoted(&self, value: usize) -> bool {
        let (before, after) = (self.around.get(value), self.around.get(value + 1));
        let stands_between = |open: char, close: char| {
            before.is_some_and(|before| before.ends_with(open))
                && after.is_some_and(|after| after.starts_with(close))
        };
        stands_between('“', '”') || stands_between('"', '"')
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
            Language::German,
            r#"{
                "agent": "Agent",
                "There is no such {0}.": "Das gibt es nicht: {0}.",
                "The name {} is taken.": "Der Name {} ist vergeben.",
                "The name {} is taken, or looks like one that is.": "Der Name {} ist vergeben oder sieht so aus.",
                "{size} are more than {most}.": "{size} sind mehr als {most}."
            }"#,
        )
        .unwrap();
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

    #[test]
    fn an_amount_is_written_as_the_language_of_the_sentence_does() {
        let json = r#"{
            "It spent {spent} of {limit} today.": "Er hat heute {spent} von {limit} ausgegeben.",
            "The file {name} is gone.": "Die Datei {name} ist weg."
        }"#;
        let sentences = Sentences::read(Language::German, json).unwrap();
        for (english, expected) in [
            ("It spent $0.9012 of $1.00 today.", "Er hat heute $0,9012 von $1,00 ausgegeben."),
            ("It spent $12 of $1.00 today.", "Er hat heute $12 von $1,00 ausgegeben."),
            ("The file 1.0.txt is gone.", "Die Datei 1.0.txt ist weg."),
            ("The file $.00 is gone.", "Die Datei $.00 ist weg."),
            ("The file $1.txt is gone.", "Die Datei $1.txt ist weg."),
        ] {
            assert_eq!(sentences.of(english), expected, "{english}");
        }
    }

    #[test]
    fn what_stands_in_quotation_marks_stays_as_it_was_said() {
        let sentences = Sentences::read(
            Language::German,
            r#"{
                "Try again.": "Versuch es noch einmal.",
                "model": "Modell",
                "The field \"{name}\" is not taken.": "Das Feld „{name}“ wird nicht angenommen.",
                "The key is wrong.": "Der Schlüssel ist falsch.",
                "{sentence} The provider said: “{words}”": "{sentence} Der Anbieter hat gesagt: „{words}“",
                "{sentence} It asks to wait {seconds} seconds.": "{sentence} Er bittet um {seconds} Sekunden."
            }"#,
        )
        .unwrap();
        for (english, expected) in [
            (
                "Try again. The provider said: “The key is wrong.”",
                "Versuch es noch einmal. Der Anbieter hat gesagt: „The key is wrong.“",
            ),
            (
                "Try again. The provider said: “The key is wrong.” It asks to wait 5 seconds.",
                "Versuch es noch einmal. Der Anbieter hat gesagt: „The key is wrong.“ Er bittet um 5 Sekunden.",
            ),
            (
                "Nobody knows. The provider said: “Try again.”",
                "Nobody knows. Der Anbieter hat gesagt: „Try again.“",
            ),
            ("The provider said: “Try again.”", "The provider said: “Try again.”"),
            ("The field \"model\" is not taken.", "Das Feld „model“ wird nicht angenommen."),
        ] {
            assert_eq!(sentences.of(english), expected, "{english}");
        }
        assert!(Sentences::read(Language::German, "[]").is_err());
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn what_stands_in_a_log_is_told_in_the_language_of_its_reader() {
        for (english, expected) in [
            (
                "The provider is overloaded. Try again in a minute, or choose another model. The provider said: “model” It asks to wait 9 seconds.",
                "Der Anbieter ist überlastet. Versuch es in einer Minute noch einmal oder wähle ein anderes Modell. Der Anbieter hat gesagt: „model“ Er bittet, 9 Sekunden zu warten.",
            ),
            (
                "This agent may spend $1.00 a day. $0.90 is spent. $0.10 is held for other calls. The next call may cost up to $0.20.",
                "Dieser Agent: höchstens $1,00 am Tag. Ausgegeben sind $0,90. Für andere Aufrufe sind $0,10 zurückgelegt. Der nächste Aufruf kann bis zu $0,20 kosten.",
            ),
            (
                "The hub could not go on: This run is over.",
                "Der Hub konnte nicht weitermachen: Dieser Lauf ist vorbei.",
            ),
        ] {
            assert_eq!(sentence_in(protocol::Language::German, english), expected);
            assert_eq!(sentence_in(protocol::Language::English, english), english);
        }
    }

    #[cfg(not(feature = "ssr"))]
    #[test]
    fn a_browser_tells_sentences_in_the_language_that_it_speaks() {
        let english = "The run was stopped.";
        assert_eq!(sentence(english), english);
        let sentences = r#"{ "The run was stopped.": "Der Lauf wurde angehalten." }"#;
        assert!(crate::speak(protocol::Language::German, "{}", "no catalogue").is_err());
        crate::speak(protocol::Language::German, "{}", sentences).unwrap();
        assert_eq!(sentence(english), "Der Lauf wurde angehalten.");
    }
}
