//! What stands in an address or a form of a program.

use super::failure::OAuthFailure;
use std::collections::HashMap;
use url::form_urlencoded;

/// Bytes of all together.
const LONGEST: usize = 8 * 1024;

pub(super) struct Parameters(HashMap<String, String>);

impl Parameters {
    /// One that comes twice is one of two, and nobody knows which (RFC 6749, section 3.1).
    pub(super) fn parse(text: &[u8]) -> Result<Self, OAuthFailure> {
        if text.len() > LONGEST {
            return Err(OAuthFailure::Request("What the program asks is too long."));
        }
        let mut said = HashMap::new();
        for (name, value) in form_urlencoded::parse(text) {
            if said.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err(OAuthFailure::Request("The program says the same thing twice."));
            }
        }
        Ok(Self(said))
    }

    /// An empty one is none.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(super) fn need(&self, name: &str) -> Result<&str, OAuthFailure> {
        self.get(name).ok_or(OAuthFailure::Request("What the program sent is not whole."))
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Parameters};

    #[test]
    fn what_is_said_twice_is_refused() {
        assert!(Parameters::parse(b"state=a&scope=b").is_ok());
        assert!(Parameters::parse(b"state=a&state=b").is_err());
        assert!(Parameters::parse(&[b'a'; LONGEST + 1]).is_err());
        assert_eq!(Parameters::parse(b"state=").unwrap().get("state"), None);
    }
}
