//! What a person may enter for a peer.

use crate::error::{Error, Result};
use crate::outbound::{Reach, Target};
use crate::vault::Secret;

/// Characters of a name.
const LONGEST_NAME: usize = 20;
/// Bytes of a token.
const LONGEST_TOKEN: usize = 4 * 1024;

pub(super) fn name(name: &str) -> Result<&str> {
    let name = name.trim();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    if !begins || name.len() > LONGEST_NAME || !name.bytes().all(is_letter) {
        return Err(Error::invalid(format!(
            "A name has small letters, digits and hyphens, a letter first, and at most {LONGEST_NAME} of them. Your \
             agents name the peer by it."
        )));
    }
    Ok(name)
}

pub(super) fn url(url: &str, reach: Reach) -> Result<String> {
    let target = Target::parse(url).and_then(|target| target.check(reach).map(|()| target));
    let target = target.map_err(|error| Error::invalid(error.to_string()))?;
    if target.url().query().is_some() {
        return Err(Error::invalid(
            "Leave out of the address what follows the question mark. A token has a field of its own.",
        ));
    }
    Ok(target.url().as_str().to_owned())
}

pub(super) fn token(token: &str) -> Result<Option<Secret>> {
    let token = token.trim();
    if token.is_empty() {
        return Ok(None);
    }
    if token.len() > LONGEST_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::invalid("A token is one word of letters, digits and signs. Copy it once more."));
    }
    Ok(Some(Secret::new(token.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_entered_is_plain_and_a_token_is_one_word() {
        for (text, expected) in
            [("garden", true), (" garden-2 ", true), ("Garden", false), ("2a", false), ("", false)]
        {
            assert_eq!(name(text).is_ok(), expected, "{text}");
        }
        for (text, expected) in
            [("", Some(false)), (" abc ", Some(true)), ("two words", None), ("a\u{7f}", None)]
        {
            assert_eq!(token(text).ok().map(|token| token.is_some()), expected, "{text:?}");
        }
        for (text, expected) in [
            ("https://garden.example", Some("https://garden.example/")),
            ("https://garden.example/a2a/fern", Some("https://garden.example/a2a/fern")),
            ("https://garden.example/?token=1", None),
            ("http://127.0.0.1:3001/", None),
            ("http://169.254.169.254/", None),
        ] {
            assert_eq!(url(text, Reach::default()).ok().as_deref(), expected, "{text}");
        }
    }
}
