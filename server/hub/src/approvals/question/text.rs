//! An answer in words.

use crate::error::{Error, Result};
use jiff::Timestamp;
use protocol::question::{Answer, TextFormat};
use url::Url;

/// Characters of an answer.
const ANSWER: usize = 4000;

pub(super) fn fit(
    text: &str,
    least: Option<u32>,
    most: Option<u32>,
    format: Option<TextFormat>,
) -> Result<Answer> {
    let length = text.chars().count();
    let least = least.map_or(0, |least| usize::try_from(least).unwrap_or(usize::MAX));
    let most = most.map_or(ANSWER, |most| usize::try_from(most).unwrap_or(usize::MAX).min(ANSWER));
    if length == 0 {
        return Err(Error::invalid("Write an answer, or skip the question."));
    }
    if length < least {
        return Err(Error::invalid(format!("An answer has at least {least} characters.")));
    }
    if length > most {
        return Err(Error::invalid(format!("An answer has at most {most} characters.")));
    }
    match format {
        Some(TextFormat::Email) if !is_email(text) => {
            Err(Error::invalid("Give an address of mail, like ada@example.com."))
        }
        Some(TextFormat::Uri) if Url::parse(text).is_err() => {
            Err(Error::invalid("Give an address with its scheme, like https://example.com."))
        }
        Some(TextFormat::DateTime) if text.parse::<Timestamp>().is_err() => {
            Err(Error::invalid("Give a day and a time with its zone, like 2026-11-24T09:30:00Z."))
        }
        Some(TextFormat::Email | TextFormat::Uri | TextFormat::DateTime) | None => {
            Ok(Answer::Text { text: text.to_owned() })
        }
    }
}

/// Whether it looks like one: whoever asked sends a mail there to know.
fn is_email(text: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && !part.contains(|char: char| char.is_whitespace() || char == '@');
    text.split_once('@').is_some_and(|(name, host)| is_part(name) && is_part(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_was_asked_for() {
        for (text, least, most, format, why) in [
            ("Moss", None, None, None, ""),
            ("", None, None, None, "Write an answer, or skip the question."),
            ("Mo", Some(3), None, None, "An answer has at least 3 characters."),
            ("Moss", None, Some(3), None, "An answer has at most 3 characters."),
            (&"a".repeat(4001), None, Some(9000), None, "An answer has at most 4000 characters."),
            ("ada@example.com", None, None, Some(TextFormat::Email), ""),
            ("ada@", None, None, Some(TextFormat::Email), "Give an address of mail, like ada@example.com."),
            ("https://example.com/a", None, None, Some(TextFormat::Uri), ""),
            (
                "example.com",
                None,
                None,
                Some(TextFormat::Uri),
                "Give an address with its scheme, like https://example.com.",
            ),
            ("2026-11-24T09:30:00Z", None, None, Some(TextFormat::DateTime), ""),
            (
                "tomorrow",
                None,
                None,
                Some(TextFormat::DateTime),
                "Give a day and a time with its zone, like 2026-11-24T09:30:00Z.",
            ),
        ] {
            let said = fit(text, least, most, format).map(|_| String::new());
            let said = said.unwrap_or_else(|error| error.into_failure().message);
            assert_eq!(said, why, "{text}");
        }
    }
}
