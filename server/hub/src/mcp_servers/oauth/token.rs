//! Asking for a token, and what is given.

use super::client_id::Proof;
use super::failure::SignInFailure;
use super::grant::Grant;
use super::request::post;
use crate::Hub;
use crate::outbound::Target;
use crate::vault::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::Value;
use url::form_urlencoded::{Serializer, byte_serialize};

/// Bytes of a token.
const LONGEST: usize = 7 * 1024;
const FORM: &str = "application/x-www-form-urlencoded";
/// The longest that a token is believed to be good, in seconds.
const MOST_SECONDS: i64 = 365 * 24 * 60 * 60;

#[derive(Debug)]
pub(super) struct Tokens {
    pub(super) access: Secret,
    pub(super) refresh: Option<Secret>,
    pub(super) seconds: Option<i64>,
    /// What was granted, where that differs from what was asked for.
    pub(super) scope: Option<String>,
}

/// Asks for a token with what the fields say.
pub(super) async fn ask(
    hub: &Hub,
    grant: &Grant,
    secret: Option<&Secret>,
    fields: &[(&str, &str)],
) -> Result<Tokens, SignInFailure> {
    let endpoint = Target::parse(&grant.token_endpoint)?;
    let (status, said) = send(hub, grant, &endpoint, secret, fields).await?;
    match (status, said) {
        (200, Some(said)) => read(&said).ok_or_else(|| SignInFailure::Garbled(endpoint.place())),
        // The document says 400 and 401; some say 403 to a token for the next token that they do not know any more.
        (400..=428 | 430..=499, Some(said)) if said.get("error").is_some_and(Value::is_string) => {
            Err(SignInFailure::Refused(code(&said)))
        }
        _ => Err(SignInFailure::Garbled(endpoint.place())),
    }
}

/// RFC 7009. It forgets by itself sooner or later.
pub(super) async fn revoke(hub: &Hub, grant: &Grant, secret: Option<&Secret>, token: &Secret, kind: &str) {
    let Some(Ok(endpoint)) = grant.revocation_endpoint.as_deref().map(Target::parse) else { return };
    let fields = [("token", token.expose()), ("token_type_hint", kind)];
    let _ = send(hub, grant, &endpoint, secret, &fields).await;
}

async fn send(
    hub: &Hub,
    grant: &Grant,
    endpoint: &Target,
    secret: Option<&Secret>,
    fields: &[(&str, &str)],
) -> Result<(u16, Option<Value>), SignInFailure> {
    let mut headers = HeaderMap::new();
    if let (Proof::Basic, Some(secret)) = (grant.proof, secret) {
        headers.insert(AUTHORIZATION, basic(&grant.client_id, secret));
    }
    post(hub, endpoint, FORM, headers, form(grant, secret, fields)).await
}

fn form(grant: &Grant, secret: Option<&Secret>, fields: &[(&str, &str)]) -> Vec<u8> {
    let mut form = Serializer::new(String::new());
    form.extend_pairs(fields);
    // Some want the id here even where the header has it.
    form.append_pair("client_id", &grant.client_id);
    if let (Proof::Post, Some(secret)) = (grant.proof, secret) {
        form.append_pair("client_secret", secret.expose());
    }
    form.finish().into_bytes()
}

fn basic(id: &str, secret: &Secret) -> HeaderValue {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let both = STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret.expose())));
    let mut value = HeaderValue::from_str(&format!("Basic {both}")).unwrap_or(HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

fn read(said: &Value) -> Option<Tokens> {
    let text = |name: &str| said.get(name).and_then(Value::as_str);
    let token = |name: &str| {
        let token = text(name)?;
        let is_token =
            (1..=LONGEST).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Secret::new(token.to_owned()))
    };
    let is_bearer = text("token_type").is_some_and(|kind| kind.eq_ignore_ascii_case("bearer"));
    let access = token("access_token").filter(|_| is_bearer)?;
    let seconds =
        said.get("expires_in").and_then(Value::as_i64).map(|seconds| seconds.clamp(0, MOST_SECONDS));
    Some(Tokens { access, refresh: token("refresh_token"), seconds, scope: text("scope").map(str::to_owned) })
}

/// An error's code: one word, and none of the words around it.
pub(super) fn code(said: &Value) -> String {
    word(said.get("error").and_then(Value::as_str).unwrap_or_default())
}

pub(super) fn word(code: &str) -> String {
    let is_code = |code: &str| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match code {
        code if (1..=40).contains(&code.len()) && is_code(code) => code.to_owned(),
        _ => "for a reason that it does not say".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_token_is_one_that_a_header_can_carry() {
        for (said, expected) in [
            (json!({ "access_token": "a", "token_type": "Bearer" }), Some(("a", None, None))),
            (
                json!({ "access_token": "a", "token_type": "bearer", "expires_in": 60, "refresh_token": "r" }),
                Some(("a", Some("r"), Some(60))),
            ),
            (
                json!({ "access_token": "a", "token_type": "bearer", "expires_in": -5, "refresh_token": 1 }),
                Some(("a", None, Some(0))),
            ),
            (json!({ "access_token": "a" }), None),
            (json!({ "access_token": "a", "token_type": "mac" }), None),
            (json!({ "access_token": "a\r\nx: y", "token_type": "bearer" }), None),
            (json!({ "access_token": "x".repeat(8000), "token_type": "bearer" }), None),
            (json!({}), None),
        ] {
            let tokens = read(&said);
            let found = tokens.as_ref().map(|tokens| {
                (tokens.access.expose(), tokens.refresh.as_ref().map(Secret::expose), tokens.seconds)
            });
            assert_eq!(found, expected, "{said}");
        }
        assert_eq!(code(&json!({ "error": "invalid_grant" })), "invalid_grant");
        assert_eq!(code(&json!({ "error": "<b>Send money" })), "for a reason that it does not say");
        assert_eq!(basic("a b", &Secret::new("c:d".to_owned())), "Basic YStiOmMlM0Fk");
    }
}
