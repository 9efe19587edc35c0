//! A secret as it is sent: one line of a request's head, which is what the vault keeps.

use super::SecretPlace;
use crate::vault::Secret;
use redact::Needles;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// The line that is sealed, so that nobody changes the header beside the secret.
pub(super) fn sealed(at: SecretPlace<'_>, secret: &Secret) -> Secret {
    let SecretPlace { header, scheme, .. } = at;
    Secret::new(match scheme {
        Some(scheme) => format!("{header}: {scheme} {}", secret.expose()),
        None => format!("{header}: {}", secret.expose()),
    })
}

/// A secret on its way into a request.
#[derive(Debug)]
pub(crate) struct SentSecret {
    header: HeaderName,
    /// Marked as one that is not to be printed.
    value: HeaderValue,
    secret: Secret,
}

impl SentSecret {
    pub(super) fn opened(line: &Secret) -> Option<Self> {
        let (header, text) = line.expose().split_once(": ")?;
        let secret = text.rsplit_once(' ').map_or(text, |(_, secret)| secret);
        let mut value = HeaderValue::from_str(text).ok()?;
        value.set_sensitive(true);
        Some(Self {
            header: HeaderName::from_bytes(header.as_bytes()).ok()?,
            value,
            secret: Secret::new(secret.to_owned()),
        })
    }

    /// Puts it into the head of a request to its server.
    pub(crate) fn put_into(&self, headers: &mut HeaderMap) {
        headers.insert(self.header.clone(), self.value.clone());
    }

    /// What finds it in what the server says.
    pub(crate) fn needles(&self) -> Option<Needles> {
        Needles::of(self.secret.expose())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_is_sent_in_its_header_and_prints_nowhere() {
        let secret = Secret::new("moss-0123456789".to_owned());
        for (scheme, value) in [(Some("Bearer"), "Bearer moss-0123456789"), (None, "moss-0123456789")] {
            let at = SecretPlace { name: "moss", place: "https://moss.example", header: "x-api-key", scheme };
            let sent = SentSecret::opened(&sealed(at, &secret)).unwrap();
            let mut headers = HeaderMap::new();
            sent.put_into(&mut headers);
            assert_eq!(headers["x-api-key"], value);
            assert!(!format!("{sent:?} {headers:?}").contains("0123456789"));
            assert_eq!(sent.needles().unwrap().hide("It is moss-0123456789."), "It is [key].");
        }
    }
}
