//! What names and passwords may be.

use super::look;
use crate::error::{Error, Result};

/// A person's name: as it is shown, and as it is compared.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PersonName {
    pub(super) shown: String,
    pub(super) login: String,
}

impl PersonName {
    /// One that somebody types who may have it.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let shown = line("A name", &look::in_one_spelling(text))?;
        let login = shown.to_lowercase();
        Ok(Self { shown, login })
    }

    /// One that somebody is to have from now on.
    pub(super) fn choose(text: &str) -> Result<Self> {
        let name = Self::parse(text)?;
        label("A name", &name.shown)?;
        if look::mixes_scripts(&name.shown) {
            return Err(Error::invalid(
                "A word in this name has letters of several scripts, which look alike. Write it in one.",
            ));
        }
        Ok(name)
    }

    /// Whether people could take it for this name, which somebody has.
    pub(super) fn looks_like(&self, taken: &str) -> bool {
        looks_of(&self.shown).iter().zip(looks_of(taken)).any(|(one, other)| *one == other)
    }
}

/// What a name looks like, as it is shown and in small letters. One of the two is the same for names that people could
/// take for each other.
pub(super) fn looks_of(name: &str) -> [String; 2] {
    [look::skeleton(name), look::skeleton(&name.to_lowercase())]
}

/// A short text for people, trimmed, of which they see every letter. `what` starts the sentence of a
/// refusal.
pub(super) fn label(what: &str, text: &str) -> Result<String> {
    let text = line(what, text)?;
    if text.chars().any(look::is_hidden) {
        return Err(Error::invalid(format!("{what} has no characters that cannot be seen.")));
    }
    Ok(text)
}

fn line(what: &str, text: &str) -> Result<String> {
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

    #[test]
    fn a_name_that_looks_like_another_is_none() {
        for (text, fits) in [
            ("Ada Lovelace", true),
            ("Łódź", true),
            ("山田 Taro", true),
            ("Анна", true),
            ("O'Brien-Smith 2", true),
            ("ada@example.org", true),
            ("Moss 🌿", true),
            ("Admin\u{200b}", false),
            ("Ad\u{ad}min", false),
            ("\u{202e}nimdA", false),
            ("Admin\u{2800}", false),
            ("Admin\u{fe0f}", false),
            ("\u{410}dmin", false),
            ("Adm\u{456}n", false),
        ] {
            assert_eq!(PersonName::choose(text).is_ok(), fits, "{text:?}");
        }
        for (text, taken, alike) in [
            ("Admin", "Admin", true),
            ("admin", "Admin", true),
            ("\u{ff21}dmin", "Admin", true),
            ("Adm\u{131}n", "Admin", true),
            ("Adrnin", "Admin", true),
            ("\u{430}\u{441}\u{435}", "ace", true),
            ("Admin", "Admin\u{200b}", true),
            ("A  B", "A B", true),
            ("ada1", "ada2", false),
            ("Ada", "Ida", false),
        ] {
            let name = PersonName::choose(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(name.looks_like(taken), alike, "{text:?} {taken:?}");
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let expected =
            expected.map(|(shown, login)| PersonName { shown: shown.to_owned(), login: login.to_owned() });
        assert_eq!(PersonName::parse(text).ok(), expected, "{text:?}");
    }
}
