//! What can be published, and under which names.

use crate::error::{Error, Result};
use agent::rules::{Condition, fires as rule_fires};
use serde_json::Value;

const LONGEST_TOPIC: usize = 60;
/// Bytes of a text.
const LONGEST_TEXT: usize = 8 * 1024;

pub(super) fn topic(topic: &str) -> Result<&str> {
    let topic = topic.trim();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._/-".contains(&byte);
    let begins = topic.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
    if !begins || topic.len() > LONGEST_TOPIC || !topic.bytes().all(is_letter) {
        return Err(Error::invalid(format!(
            "A topic has small letters, digits and . _ / - between them, and at most {LONGEST_TOPIC} of all."
        )));
    }
    Ok(topic)
}

pub(super) fn text(text: &str) -> Result<&str> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST_TEXT {
        return Err(Error::invalid("What is published has 1 letter at least and 8 KB at most."));
    }
    Ok(text)
}

/// In the one spelling in which it is kept.
pub(super) fn condition(text: &str) -> Result<String> {
    let condition: Condition = text.parse().map_err(|error| Error::invalid(format!("{error}")))?;
    Ok(condition.to_string())
}

/// What a condition looks at: the text, or what stands in it if it is JSON.
pub(super) fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

pub(super) fn fires(condition: &str, before: &Value, now: &Value) -> bool {
    condition.parse::<Condition>().is_ok_and(|condition| rule_fires(&condition, before, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_plain_and_a_text_is_short() {
        for (name, expected) in [
            ("moss", true),
            (" garden/north.1 ", true),
            ("", false),
            ("Moss", false),
            ("-moss", false),
            ("a b", false),
            ("gärten", false),
        ] {
            assert_eq!(topic(name).is_ok(), expected, "{name}");
        }
        assert!(topic(&"x".repeat(61)).is_err() && text(&"x".repeat(9_000)).is_err() && text(" ").is_err());
    }

    #[test]
    fn a_condition_is_about_what_is_published_and_what_was_before() {
        for (when, before, now, expected) in [
            (".temperature > 30", "null", r#"{"temperature": 31}"#, true),
            (".temperature > 30", "null", r#"{"temperature": 29}"#, false),
            ("changed", "wet", "dry", true),
            ("changed", "dry", "dry", false),
            (r#"== "dry""#, "wet", "dry", true),
        ] {
            let when = condition(when).expect(when);
            assert_eq!(fires(&when, &value(before), &value(now)), expected, "{when} {now}");
        }
        assert!(condition("run this").is_err());
    }
}
