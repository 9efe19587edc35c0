//! What an agent may ask a secret for, and what a person may enter for one.

use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::vault::Secret;
use protocol::question::Wanted;
use reqwest::header::HeaderName;

const NAME: usize = 40;
const SCHEME: usize = 20;
const HEADER: usize = 60;
/// A shorter one could not be told from other words where a server gives it back.
const SHORTEST: usize = 12;
const LONGEST: usize = 4096;
/// What the names of headers say in which programs are known.
const SPEAKING: [&str; 4] = ["auth", "key", "secret", "token"];
/// How headers begin that are the connection's, and say nothing to the server itself.
const OF_THE_WAY: [&str; 3] = ["proxy-", "sec-", "x-forwarded-"];

/// What the model says of a secret.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecretAsked<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) host: Option<&'a str>,
    pub(crate) header: Option<&'a str>,
    pub(crate) scheme: Option<&'a str>,
}

impl SecretAsked<'_> {
    pub(crate) fn is_nothing(self) -> bool {
        self.name.or(self.host).or(self.header).or(self.scheme).is_none()
    }
}

/// What is to be entered. What is wrong with it comes back as words for the model.
pub(crate) fn wanted(asked: SecretAsked<'_>) -> std::result::Result<Wanted, String> {
    let (Some(name), Some(host)) = (asked.name.map(str::trim), asked.host.map(str::trim)) else {
        return Err("A secret needs a name, and the host that it is for.".to_owned());
    };
    let is_of_names = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    if name.is_empty() || name.len() > NAME || !name.bytes().all(is_of_names) {
        return Err(format!("A secret's name has 1 to {NAME} small letters, digits, - and _."));
    }
    let header =
        asked.header.map_or_else(|| "authorization".to_owned(), |name| name.trim().to_ascii_lowercase());
    if !is_for_secrets(&header) {
        return Err(format!(
            "No secret is sent as the header {header:?}: name one for it, like authorization or x-api-key."
        ));
    }
    let usual = (header == "authorization").then_some("Bearer");
    let scheme = asked.scheme.map(str::trim).or(usual).filter(|scheme| !scheme.is_empty());
    let is_of_schemes = |byte: u8| byte.is_ascii_alphanumeric() || b"_-=".contains(&byte);
    if scheme.is_some_and(|scheme| scheme.len() > SCHEME || !scheme.bytes().all(is_of_schemes)) {
        return Err(format!("A scheme is one word of at most {SCHEME} letters, like Bearer."));
    }
    Ok(Wanted::Secret {
        name: name.to_owned(),
        place: place(host)?,
        header,
        scheme: scheme.map(str::to_owned),
    })
}

/// Scheme, host and port: of an address, or of a host without one.
fn place(host: &str) -> std::result::Result<String, String> {
    let address = match host.contains("://") {
        true => host.to_owned(),
        false => format!("https://{host}"),
    };
    let target = Target::parse(&address).map_err(|_| {
        "The host of a secret is one like api.example.org, with its port if that is not the usual one."
            .to_owned()
    })?;
    match target.url().scheme() == "https" || target.is_local() {
        true => Ok(target.place()),
        false => Err("A secret is sent by https only.".to_owned()),
    }
}

fn is_for_secrets(header: &str) -> bool {
    header.len() <= HEADER
        && HeaderName::from_bytes(header.as_bytes()).is_ok()
        && SPEAKING.iter().any(|word| header.contains(word))
        && !OF_THE_WAY.iter().any(|beginning| header.starts_with(beginning))
}

/// What a person entered, if a header can hold it.
pub(crate) fn entered(text: &str) -> Result<Secret> {
    let text = text.trim();
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::invalid(
            "A secret is one word of letters, digits and signs, without spaces. Copy it again.",
        ));
    }
    if text.len() < SHORTEST || text.len() > LONGEST {
        return Err(Error::invalid(format!("A secret has {SHORTEST} to {LONGEST} characters.")));
    }
    Ok(Secret::new(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked<'a>(host: &'a str, header: Option<&'a str>, scheme: Option<&'a str>) -> SecretAsked<'a> {
        SecretAsked { name: Some("moss"), host: Some(host), header, scheme }
    }

    #[test]
    fn a_secret_is_for_one_server_and_one_header() {
        let bearer = Some("Bearer");
        for (given, place, header, scheme) in [
            (asked("api.moss.example", None, None), "https://api.moss.example", "authorization", bearer),
            (
                asked("https://MOSS.example/v1", None, Some("token")),
                "https://moss.example",
                "authorization",
                Some("token"),
            ),
            (
                asked("moss.example:8443", Some("X-API-Key"), None),
                "https://moss.example:8443",
                "x-api-key",
                None,
            ),
            (asked("http://127.0.0.1:8080", None, Some("")), "http://127.0.0.1:8080", "authorization", None),
            (
                asked("m\u{f6}ss.example", Some("Private-Token"), None),
                "https://xn--mss-sna.example",
                "private-token",
                None,
            ),
        ] {
            let expected = Wanted::Secret {
                name: "moss".to_owned(),
                place: place.to_owned(),
                header: header.to_owned(),
                scheme: scheme.map(str::to_owned),
            };
            assert_eq!(wanted(given), Ok(expected), "{given:?}");
        }
    }

    #[test]
    fn a_secret_goes_into_no_header_that_is_not_for_one_and_by_no_open_way() {
        for given in [
            asked("http://moss.example", None, None),
            asked("https://ada:moss@moss.example", None, None),
            asked("moss example", None, None),
            asked("", None, None),
            asked("moss.example", Some("host"), None),
            asked("moss.example", Some("cookie"), None),
            asked("moss.example", Some("proxy-authorization"), None),
            asked("moss.example", Some("sec-websocket-key"), None),
            asked("moss.example", Some("x-key\r\nhost"), None),
            asked("moss.example", None, Some("Bearer moss")),
            SecretAsked { name: Some("Moss!"), ..asked("moss.example", None, None) },
            SecretAsked { name: None, ..asked("moss.example", None, None) },
        ] {
            assert!(wanted(given).is_err(), "{given:?}");
        }
    }

    #[test]
    fn what_is_entered_is_one_word_that_can_be_found_again() {
        assert_eq!(entered(" moss-0123456789\n").unwrap().expose(), "moss-0123456789");
        for text in ["", "moss-01234", "moss 0123456789", "moss-0123456789\r\nx: y", "m\u{f6}ss-0123456789"] {
            assert!(entered(text).is_err(), "{text}");
        }
        assert!(entered(&"m".repeat(LONGEST)).is_ok());
        assert!(entered(&"m".repeat(LONGEST + 1)).is_err());
    }
}
