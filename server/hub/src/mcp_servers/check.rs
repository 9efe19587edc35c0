//! What a person may enter for a server.

use super::headers::SecretHeaders;
use super::query::SecretQuery;
use crate::error::{Error, Result};
use crate::outbound::{Reach, Target};

/// Characters of a name. With that of a tool it has to fit into the names that providers take.
const LONGEST_NAME: usize = 20;

/// A name has no underscore, so that no tool of one server is called like one of another.
pub(super) fn name(name: &str) -> Result<&str> {
    let name = name.trim();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    if !begins || name.len() > LONGEST_NAME || !name.bytes().all(is_letter) {
        return Err(Error::invalid(format!(
            "A name has small letters, digits and hyphens, a letter first, and at most {LONGEST_NAME} of them. The \
             names of its tools begin with it."
        )));
    }
    Ok(name)
}

/// The address as it was entered: to some servers it makes a difference whether it ends in a slash. What follows the
/// question mark comes apart, and stands in it by its names.
pub(super) fn url(url: &str, reach: Reach) -> Result<(String, Option<SecretQuery>)> {
    let target = Target::parse(url).and_then(|target| target.check(reach).map(|()| target));
    let target = target.map_err(|error| Error::invalid(error.to_string()))?;
    let query = SecretQuery::of(&target);
    let names = query.as_ref().map(SecretQuery::names);
    Ok((target.with_query(names.as_deref()).url().as_str().to_owned(), query))
}

/// A bearer token, and headers as lines of a name, a colon and a value.
pub(super) fn headers(token: &str, lines: &str) -> Result<SecretHeaders> {
    let mut headers = SecretHeaders::default();
    let token = token.trim();
    if !token.is_empty() {
        headers.add("authorization", &format!("Bearer {token}"))?;
    }
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(|| {
            Error::invalid("Write each header on a line of its own: its name, a colon and its value.")
        })?;
        headers.add(name.trim(), value.trim())?;
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        for (text, expected) in [
            ("garden", true),
            (" garden-2 ", true),
            ("", false),
            ("2garden", false),
            ("Garden", false),
            ("my_garden", false),
            ("gärten", false),
            ("a-name-that-is-far-too-long", false),
        ] {
            assert_eq!(name(text).is_ok(), expected, "{text}");
        }
    }

    #[test]
    fn an_address_is_kept_as_it_was_entered_but_for_what_follows_the_question_mark() {
        for (text, expected) in [
            ("https://garden.example/mcp", Some("https://garden.example/mcp")),
            ("https://garden.example/mcp/", Some("https://garden.example/mcp/")),
            ("https://garden.example", Some("https://garden.example/")),
            ("https://garden.example/mcp/?key=1&read", Some("https://garden.example/mcp/?key=*&*")),
            ("https://garden.example/mcp?", Some("https://garden.example/mcp")),
            ("https://garden.example/mcp?key=1#x", None),
            ("http://127.0.0.1:3001/mcp", None),
            ("http://169.254.169.254/mcp", None),
            ("stdio:npx", None),
        ] {
            let kept = url(text, Reach::default()).ok().map(|(kept, _)| kept);
            assert_eq!(kept.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_sent_along_is_the_person_s_and_no_part_of_the_protocol() {
        for (token, lines, expected) in [
            ("", "", Some(vec![])),
            ("abc", "", Some(vec!["authorization"])),
            ("", "X-Api-Key: abc\n\n x-team : moss", Some(vec!["x-api-key", "x-team"])),
            ("", "X-Api-Key abc", None),
            ("two words", "", None),
            ("abc", "authorization: Bearer abc", None),
            ("", "host: elsewhere.example", None),
            ("", "mcp-session-id: 1", None),
            ("", "x: \u{7f}", None),
            ("", "x:", None),
        ] {
            let names = headers(token, lines).ok().map(|headers| headers.names());
            let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(names, expected, "{token:?} {lines:?}");
        }
    }
}
