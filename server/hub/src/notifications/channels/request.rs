//! Requests in the words of those that take them.

use crate::error::{Error, Result};
use crate::notifications::parcel::Parcel;
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
    Ok((root, json_headers(token)?, body.to_string().into_bytes()))
}

/// A message in a room of Matrix. Sent once more it has the same name, and is not shown twice.
pub(super) fn matrix(
    parcel: &Parcel,
    target: &Target,
    room: &str,
    link: &str,
    token: Option<&str>,
) -> Result<(Target, HeaderMap, Vec<u8>)> {
    let name = format!("{}.{}", parcel.notification, parcel.target);
    let target = message_of(target, room, &name)?;
    let Parcel { title, body, .. } = parcel;
    let words = if body.is_empty() { title.clone() } else { format!("{title}\n{body}") };
    let body = json!({ "msgtype": "m.text", "body": format!("{words}\n{link}") });
    Ok((target, json_headers(token)?, body.to_string().into_bytes()))
}

/// Where the message of this name goes, on the server at this address.
pub(super) fn message_of(server: &Target, room: &str, name: &str) -> Result<Target> {
    let is_id =
        room.starts_with('!') && room.len() <= 255 && room.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_id {
        return Err(Error::invalid(
            "Write the id of the room, like !abcdef:example.org. Its settings show it under Advanced.",
        ));
    }
    let mut url = server.url().clone();
    url.set_query(None);
    url.path_segments_mut()
        .map_err(|()| Error::invalid("Write the address of the server like https://matrix.example.org."))?
        .pop_if_empty()
        .extend(["_matrix", "client", "v3", "rooms", room, "send", "m.room.message", name]);
    Target::parse(url.as_str()).map_err(|error| Error::invalid(error.to_string()))
}

/// JSON, with this token to be believed.
fn json_headers(token: Option<&str>) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(token) = token {
        let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(Error::internal)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
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

    #[test]
    fn a_message_goes_to_its_room_whatever_the_room_is_called() {
        for (server, room, expected) in [
            (
                "https://matrix.example",
                "!a:b.example",
                Some("https://matrix.example/_matrix/client/v3/rooms/!a:b.example/send/m.room.message/n"),
            ),
            (
                "https://home.example/matrix/?x=y",
                "!a/../../b",
                Some(
                    "https://home.example/matrix/_matrix/client/v3/rooms/!a%2F..%2F..%2Fb/send/m.room.message/n",
                ),
            ),
            ("https://matrix.example", "#moss:b.example", None),
            ("https://matrix.example", "!a b", None),
            ("https://matrix.example", "", None),
        ] {
            let found = message_of(&Target::parse(server).unwrap(), room, "n").ok();
            assert_eq!(found.as_ref().map(|target| target.url().as_str()), expected, "{server} {room}");
        }
    }
}
