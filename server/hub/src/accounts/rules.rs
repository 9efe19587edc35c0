//! What names and passwords may be.

use crate::error::{Error, Result};

/// A person's name: as it is shown, and as it is compared.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PersonName {
    pub(super) shown: String,
    pub(super) login: String,
}

impl PersonName {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let shown = label("A name", text)?;
        let login = shown.to_lowercase();
        Ok(Self { shown, login })
    }
}

/// A short text for people, trimmed. `what` starts the sentence of a refusal.
pub(super) fn label(what: &str, text: &str) -> Result<String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 40 || text.chars().any(char::is_control) {
        return Err(Error::invalid(format!("{what} has 1 to 40 characters, without control characters.")));
    }
    Ok(text.to_owned())
}

/// A password that somebody chooses.
pub(super) fn check_password(password: &str) -> Result<()> {
    match password.chars().count() {
        10..=200 => Ok(()),
        _ => Err(Error::invalid("A password has 10 to 200 characters.")),
    }
}

/// Whether a password that somebody enters is too long for any account, so that it is not worth
/// hashing.
pub(super) fn is_no_password(password: &str) -> bool {
    password.chars().count() > 200
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_compared_in_lower_case() {
        check("Ada", Some(("Ada", "ada")));
        check("  Ada Lovelace ", Some(("Ada Lovelace", "ada lovelace")));
        check("Łódź", Some(("Łódź", "łódź")));
        check("a", Some(("a", "a")));
        check(&"é".repeat(40), Some((&"é".repeat(40), &"é".repeat(40))));
        check(&"é".repeat(41), None);
        check("", None);
        check(" \t ", None);
        check("a\u{0}b", None);
        check("a\nb", None);
        check("a\u{7f}", None);
    }

    #[test]
    fn passwords_have_10_to_200_characters() {
        for (length, fits) in [(0, false), (9, false), (10, true), (200, true), (201, false)] {
            assert_eq!(check_password(&"ü".repeat(length)).is_ok(), fits, "{length}");
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let expected =
            expected.map(|(shown, login)| PersonName { shown: shown.to_owned(), login: login.to_owned() });
        assert_eq!(PersonName::parse(text).ok(), expected, "{text:?}");
    }
}
