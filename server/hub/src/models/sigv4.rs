//! AWS Signature Version 4: the key never leaves the hub, only a signature made with it.

use super::http::unsendable;
use crate::vault::Secret;
use agent::providers::HttpRequest;
use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use protocol::model::ModelFailure;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::time::{Duration, UNIX_EPOCH};

/// An access key as it is entered: `AKIA…:secret`, with a session token behind a second colon if
/// there is one. `None`: it is one of Bedrock's own API keys, which are sent like any other.
pub(super) fn access_key(key: &Secret) -> Option<Credentials> {
    let mut parts = key.expose().splitn(3, ':');
    let (id, secret, token) = (parts.next()?, parts.next()?, parts.next());
    let is_access_key = (id.starts_with("AKIA") || id.starts_with("ASIA")) && !secret.is_empty();
    is_access_key.then(|| Credentials::new(id, secret, token.map(str::to_owned), None, "vault"))
}

/// Adds the signature of the request as it is sent at `now`, in Unix milliseconds.
pub(super) fn add(
    headers: &mut HeaderMap,
    credentials: Credentials,
    request: &HttpRequest,
    method: &str,
    (service, region): (&str, &str),
    now: i64,
) -> Result<(), ModelFailure> {
    let identity = credentials.into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(region)
        .name(service)
        .time(UNIX_EPOCH + Duration::from_millis(u64::try_from(now).unwrap_or_default()))
        .settings(SigningSettings::default())
        .build()
        .map_err(|_| unsendable())?
        .into();
    let plain = request.headers.iter().map(|(name, value)| (*name, value.as_str()));
    let signable = SignableRequest::new(method, &request.url, plain, SignableBody::Bytes(&request.body))
        .map_err(|_| unsendable())?;
    let (instructions, _) = sign(signable, &params).map_err(|_| unsendable())?.into_parts();
    for (name, value) in instructions.headers() {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| unsendable())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent::providers::{Auth, Method};

    #[test]
    fn only_an_access_key_signs() {
        for (key, expected) in [
            ("AKIDEXAMPLE", false),
            ("AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", true),
            ("ASIAIOSFODNN7EXAMPLE:wJalr:FwoGZXIvYXdzE==", true),
            ("AKIAIOSFODNN7EXAMPLE:", false),
            ("ABSKQmVkcm9ja0FQSUtleS0x:abc", false),
        ] {
            assert_eq!(access_key(&Secret::new(key.to_owned())).is_some(), expected, "{key}");
        }
    }

    /// The date, the scope and the signed headers are in the header; the secret is not.
    #[test]
    fn a_signature_names_its_scope_and_changes_with_the_body() {
        let sign_body = |body: &[u8]| {
            let request = HttpRequest {
                method: Method::Post,
                url: "https://bedrock-runtime.eu-west-1.amazonaws.com/model/a%3A0/converse-stream".to_owned(),
                headers: vec![("content-type", "application/json".to_owned())],
                auth: Auth::SigV4 { service: "bedrock", region: "eu-west-1".to_owned() },
                body: body.to_vec(),
            };
            let key = Secret::new("AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI:token".to_owned());
            let mut headers = HeaderMap::new();
            let credentials = access_key(&key).expect("an access key");
            add(&mut headers, credentials, &request, "POST", ("bedrock", "eu-west-1"), 1_795_219_199_000)
                .expect("it can be signed");
            let text =
                |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or("");
            assert_eq!(text("x-amz-date"), "20261120T235959Z");
            assert_eq!(text("x-amz-security-token"), "token");
            text("authorization").to_owned()
        };
        let signature = sign_body(b"{}");
        let scope =
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261120/eu-west-1/bedrock/aws4_request";
        assert!(signature.starts_with(scope), "{signature}");
        assert!(signature.contains("content-type;host;x-amz-date"), "{signature}");
        assert!(!signature.contains("wJalrXUtnFEMI"));
        assert_ne!(signature, sign_body(b"{ }"));
    }
}
