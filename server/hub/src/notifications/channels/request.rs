//! Requests in the words of those that take them.

use crate::error::{Error, Result};
use crate::notifications::delivery::Parcel;
use crate::outbound::Target;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::json;
use sha2::Sha256;
use std::fmt::Write;

/// What ntfy calls the usual and what is urgent.
const USUAL: u8 = 3;
const URGENT: u8 = 4;

/// Signed over `seconds`, a dot and the body, with HMAC-SHA256.
pub(super) fn webhook(
    parcel: &Parcel,
    link: &str,
    secret: &str,
    seconds: i64,
) -> Result<(HeaderMap, Vec<u8>)> {
    let body = json!({
        "id": parcel.notification,
        "kind": parcel.kind,
        "title": parcel.title,
        "body": parcel.body,
        "link": link,
        "at": parcel.at,
    });
    let body = body.to_string().into_bytes();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(Error::internal)?;
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(&body);
    let signature = mac.finalize().into_bytes().iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
        hex
    });
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let signed = format!("t={seconds},v1={signature}");
    headers.insert(
        HeaderName::from_static("vivarium-signature"),
        HeaderValue::from_str(&signed).map_err(Error::internal)?,
    );
    Ok((headers, body))
}

/// Published as JSON at the root of its server, where letters of all scripts go through.
pub(super) fn ntfy(
    parcel: &Parcel,
    target: &Target,
    link: &str,
    token: Option<&str>,
) -> Result<(Target, HeaderMap, Vec<u8>)> {
    let (root, topic) = topic_of(target)?;
    let body = json!({
        "topic": topic,
        "title": parcel.title,
        "message": if parcel.body.is_empty() { &parcel.title } else { &parcel.body },
        "priority": if parcel.kind.waits() { URGENT } else { USUAL },
        "click": link,
    });
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(token) = token {
        let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(Error::internal)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok((root, headers, body.to_string().into_bytes()))
}

/// The server and the topic of an address like `https://ntfy.sh/my-topic`.
pub(super) fn topic_of(target: &Target) -> Result<(Target, String)> {
    let path = target.url().path().trim_matches('/');
    let (folder, topic) = path.rsplit_once('/').unwrap_or(("", path));
    if topic.is_empty() {
        return Err(Error::invalid(
            "The address of a topic has its name at the end, like https://ntfy.sh/my-topic.",
        ));
    }
    let root = target.join(&format!("/{folder}")).map_err(|error| Error::invalid(error.to_string()))?;
    Ok((root, topic.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_the_last_part_of_its_address() {
        for (address, expected) in [
            ("https://ntfy.sh/moss", Some(("https://ntfy.sh/", "moss"))),
            ("https://home.example/ntfy/moss/", Some(("https://home.example/ntfy", "moss"))),
            ("https://ntfy.sh", None),
        ] {
            let found = topic_of(&Target::parse(address).unwrap()).ok();
            let found = found.as_ref().map(|(root, topic)| (root.url().as_str(), topic.as_str()));
            assert_eq!(found, expected, "{address}");
        }
    }
}
