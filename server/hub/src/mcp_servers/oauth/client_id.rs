//! As which program the hub signs in: one that its person registered, one that describes itself at an address of the
//! hub's, or one that is registered there and then.

use super::failure::SignInFailure;
use super::metadata::AuthorizationServer;
use super::request::post;
use crate::Hub;
use crate::outbound::Target;
use crate::vault::Secret;
use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Characters of an id or of a secret.
const LONGEST: usize = 2000;
const CALLED: &str = "Vivarium";
/// Under the address of the hub: what describes it, and where an answer comes.
pub(super) const DOCUMENT: &str = "/mcp-client.json";
pub(super) const REDIRECT: &str = "/mcp-sign-in";

/// Where the hub was reached by whoever signs in.
#[derive(Clone, Copy, Debug)]
pub struct HubAddress<'a> {
    /// Scheme, host and port that the browser goes by.
    pub origin: &'a str,
    /// Those by which the hub is known.
    pub front_door: &'a str,
}

impl HubAddress<'_> {
    pub(super) fn redirect(self) -> String {
        format!("{}{REDIRECT}", self.origin)
    }

    /// Where others can read what describes the hub; `None`: nobody out there can.
    fn document(self) -> Option<String> {
        let is_public =
            Target::parse(self.origin).is_ok_and(|it| it.url().scheme() == "https" && !it.is_local());
        (is_public && self.origin == self.front_door).then(|| format!("{}{DOCUMENT}", self.origin))
    }
}

/// What describes the hub as a client, at an address that is its id.
pub fn client_document(front_door: &str) -> Value {
    let mut document = described(&format!("{front_door}{REDIRECT}"));
    document["client_id"] = json!(format!("{front_door}{DOCUMENT}"));
    document["client_uri"] = json!(front_door);
    document
}

fn described(redirect: &str) -> Value {
    let is_loopback =
        ["http://localhost", "http://127.", "http://[::1]"].iter().any(|it| redirect.starts_with(it));
    json!({
        "client_name": CALLED,
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": if is_loopback { "native" } else { "web" },
    })
}

/// How the client says that it is itself when it asks for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Proof {
    None,
    Basic,
    Post,
}

#[derive(Debug)]
pub(super) struct ClientId {
    pub(super) id: String,
    pub(super) secret: Option<Secret>,
    pub(super) proof: Proof,
}

impl ClientId {
    /// One that its person got there; an empty id is none.
    pub(super) fn entered(
        at: &AuthorizationServer,
        id: &str,
        secret: &str,
    ) -> Result<Option<Self>, SignInFailure> {
        let (id, secret) = (id.trim(), secret.trim());
        if id.is_empty() && secret.is_empty() {
            return Ok(None);
        }
        if !is_text(id) || !(secret.is_empty() || is_text(secret)) {
            return Err(SignInFailure::Hub(
                "A client id and its secret are written without spaces.".to_owned(),
            ));
        }
        let secret = (!secret.is_empty()).then(|| Secret::new(secret.to_owned()));
        Ok(Some(Self { id: id.to_owned(), proof: proof(at, secret.is_some()), secret }))
    }

    pub(super) async fn found(
        hub: &Hub,
        at: &AuthorizationServer,
        address: HubAddress<'_>,
    ) -> Result<Self, SignInFailure> {
        if at.client_id_metadata_document_supported
            && let Some(id) = address.document()
        {
            return Ok(Self { id, secret: None, proof: Proof::None });
        }
        let redirect = address.redirect();
        let Some(endpoint) = &at.registration_endpoint else {
            let place = Target::parse(&at.authorization_endpoint)?.place();
            return Err(SignInFailure::Unknown { place, redirect });
        };
        register(hub, at, &Target::parse(endpoint)?, &redirect).await
    }
}

/// RFC 7591.
async fn register(
    hub: &Hub,
    at: &AuthorizationServer,
    endpoint: &Target,
    redirect: &str,
) -> Result<ClientId, SignInFailure> {
    let mut asked = described(redirect);
    asked["token_endpoint_auth_method"] = json!(match proof(at, false) {
        Proof::None => "none",
        Proof::Basic => "client_secret_basic",
        Proof::Post => "client_secret_post",
    });
    let body = asked.to_string().into_bytes();
    let (status, said) = post(hub, endpoint, "application/json", HeaderMap::new(), body).await?;
    let garbled = || SignInFailure::Garbled(endpoint.place());
    let said = said.filter(|_| matches!(status, 200 | 201)).ok_or_else(garbled)?;
    let text =
        |name: &str| said.get(name).and_then(Value::as_str).filter(|text| is_text(text)).map(str::to_owned);
    let id = text("client_id").ok_or_else(garbled)?;
    let secret = text("client_secret").map(Secret::new);
    let proof = match (&secret, said.get("token_endpoint_auth_method").and_then(Value::as_str)) {
        (None, _) | (_, Some("none")) => Proof::None,
        (Some(_), Some("client_secret_post")) => Proof::Post,
        (Some(_), Some("client_secret_basic")) => Proof::Basic,
        (Some(_), _) => proof(at, true),
    };
    Ok(ClientId { id, secret, proof })
}

fn proof(at: &AuthorizationServer, has_secret: bool) -> Proof {
    let Some(methods) = &at.token_endpoint_auth_methods_supported else {
        return if has_secret { Proof::Basic } else { Proof::None };
    };
    let takes = |method: &str| methods.iter().any(|other| other == method);
    match () {
        () if !has_secret && takes("none") => Proof::None,
        () if takes("client_secret_basic") => Proof::Basic,
        () if takes("client_secret_post") => Proof::Post,
        () if has_secret => Proof::Basic,
        () => Proof::None,
    }
}

fn is_text(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hub_describes_itself_only_where_others_can_read_it() {
        for (origin, front_door, expected) in [
            ("https://hub.example", "https://hub.example", Some("https://hub.example/mcp-client.json")),
            ("http://hub.example", "http://hub.example", None),
            ("https://hub.lan", "https://hub.lan", None),
            ("https://192.168.1.7:3000", "https://hub.example", None),
            ("http://localhost:3000", "http://localhost:3000", None),
        ] {
            assert_eq!(HubAddress { origin, front_door }.document().as_deref(), expected, "{origin}");
        }
        let document = client_document("https://hub.example");
        assert_eq!(document["client_id"], "https://hub.example/mcp-client.json");
        assert_eq!(document["redirect_uris"], json!(["https://hub.example/mcp-sign-in"]));
        assert_eq!(document["application_type"], "web");
        assert_eq!(client_document("http://localhost:3000")["application_type"], "native");
    }
}
