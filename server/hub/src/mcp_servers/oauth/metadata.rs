//! What a server says about who says who asks, and what those say of themselves (RFC 9728, RFC 8414 and OpenID
//! Connect Discovery), as far as it may be relied on.

use super::failure::SignInFailure;
use crate::outbound::Target;
use serde::Deserialize;
use serde_json::Value;

/// Characters of the scopes that are asked for together.
const LONGEST_SCOPES: usize = 1000;

/// A server, as it describes itself.
#[derive(Debug, Deserialize)]
pub(super) struct Resource {
    pub(super) resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    #[serde(default)]
    scopes_supported: Vec<String>,
}

impl Resource {
    /// What is said of another server counts for nothing.
    pub(super) fn read(said: Value, server: &Target) -> Result<Self, SignInFailure> {
        let unfit = SignInFailure::Unfit;
        let resource: Self =
            serde_json::from_value(said).map_err(|_| unfit("what the server says of itself is garbled"))?;
        let named = Target::parse(&resource.resource)
            .map_err(|_| unfit("the server names itself by what is no address"))?;
        if !is_of(server, &named) {
            return Err(unfit("the server says that it is another one"));
        }
        Ok(resource)
    }

    pub(super) fn issuer(&self) -> Result<&str, SignInFailure> {
        self.authorization_servers.first().map(String::as_str).ok_or(SignInFailure::NotSaid)
    }

    pub(super) fn scopes(&self) -> String {
        self.scopes_supported.join(" ")
    }
}

/// Whether the server is at the address that is named, or under it.
fn is_of(server: &Target, named: &Target) -> bool {
    let (path, base) = (server.url().path(), named.url().path());
    let is_under = match path.strip_prefix(base.trim_end_matches('/')) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    };
    server.place() == named.place() && is_under
}

/// Who says who asks.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct AuthorizationServer {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    pub(super) registration_endpoint: Option<String>,
    pub(super) revocation_endpoint: Option<String>,
    #[serde(default)]
    code_challenge_methods_supported: Vec<String>,
    pub(super) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(super) client_id_metadata_document_supported: bool,
    /// It says who it is with each answer (RFC 9207).
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
    #[serde(default)]
    pub(super) scopes_supported: Vec<String>,
}

impl AuthorizationServer {
    /// One that is not the issuer that was asked for, that does without a challenge, or that leads from outside into
    /// the house, is not relied on. Its issuer is spelled as it spells it itself.
    pub(super) fn read(said: Value, issuer: &str, is_near: bool) -> Result<Self, SignInFailure> {
        let unfit = SignInFailure::Unfit;
        let server: Self =
            serde_json::from_value(said).map_err(|_| unfit("what the sign-in says of itself is garbled"))?;
        if !is_same_issuer(&server.issuer, issuer) {
            return Err(unfit("the sign-in says that it is another one"));
        }
        if !server.code_challenge_methods_supported.iter().any(|method| method == "S256") {
            return Err(unfit("the sign-in does not protect its codes (PKCE with S256)"));
        }
        let endpoints = [
            Some(&server.authorization_endpoint),
            Some(&server.token_endpoint),
            server.registration_endpoint.as_ref(),
            server.revocation_endpoint.as_ref(),
        ];
        for endpoint in endpoints.into_iter().flatten() {
            fit(endpoint, is_near)?;
        }
        Ok(server)
    }
}

/// Whether the two are spelled alike, but for the slash after a host that stands alone: servers name others with it or
/// without.
fn is_same_issuer(one: &str, other: &str) -> bool {
    let bare = |issuer: &str| issuer.strip_suffix('/').unwrap_or(issuer).to_owned();
    let is_host = |issuer: &str| {
        Target::parse(issuer).is_ok_and(|it| it.url().path() == "/" && it.url().query().is_none())
    };
    one == other || (bare(one) == bare(other) && is_host(one) && is_host(other))
}

/// The address of somebody who is trusted with a sign-in: sealed on the way, and in the house only for a server that
/// is in the house itself.
pub(super) fn fit(address: &str, is_near: bool) -> Result<Target, SignInFailure> {
    let target = Target::parse(address).map_err(|_| SignInFailure::Unfit("it names what is no address"))?;
    match target.is_local() {
        true if !is_near => Err(SignInFailure::Unfit("a server outside leads into the network of the hub")),
        false if target.url().scheme() != "https" => {
            Err(SignInFailure::Unfit("it names an address that is not encrypted"))
        }
        true | false => Ok(target),
    }
}

/// Where a server describes itself: at its own path, and at its root.
pub(super) fn of_resource(server: &Target) -> Vec<String> {
    let path = server.url().path().trim_end_matches('/');
    let mut addresses = vec![format!("{}/.well-known/oauth-protected-resource{path}", server.place())];
    if !path.is_empty() {
        addresses.push(format!("{}/.well-known/oauth-protected-resource", server.place()));
    }
    addresses
}

/// Where an issuer describes itself, in the order in which it is asked.
pub(super) fn of_issuer(issuer: &Target) -> Vec<String> {
    let (place, path) = (issuer.place(), issuer.url().path().trim_end_matches('/'));
    let mut addresses = vec![
        format!("{place}/.well-known/oauth-authorization-server{path}"),
        format!("{place}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        addresses.push(format!("{place}{path}/.well-known/openid-configuration"));
    }
    addresses
}

/// The scopes that are scopes, each once, as far as there is room.
pub(super) fn scopes<'s>(words: impl Iterator<Item = &'s str>) -> String {
    let mut scopes: Vec<&str> = Vec::new();
    let mut room = LONGEST_SCOPES;
    for word in words {
        let is_scope = word.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'));
        if is_scope && !word.is_empty() && !scopes.contains(&word) && word.len() < room {
            room -= word.len() + 1;
            scopes.push(word);
        }
    }
    scopes.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn target(address: &str) -> Target {
        Target::parse(address).expect(address)
    }

    #[test]
    fn what_is_said_of_another_server_counts_for_nothing() {
        let server = target("https://garden.example/mcp");
        for (resource, expected) in [
            ("https://garden.example/mcp", true),
            ("https://garden.example/mcp/", true),
            ("https://garden.example/", true),
            ("https://garden.example", true),
            ("https://garden.example/mc", false),
            ("https://garden.example/mcp/more", false),
            ("https://other.example/mcp", false),
            ("http://garden.example/mcp", false),
            ("https://garden.example:8443/mcp", false),
            ("garden", false),
        ] {
            let said = json!({ "resource": resource, "authorization_servers": [] });
            assert_eq!(Resource::read(said, &server).is_ok(), expected, "{resource}");
        }
        assert!(Resource::read(json!({}), &server).is_err());
    }

    #[test]
    fn a_sign_in_is_relied_on_where_it_is_who_was_asked_and_protects_its_codes() {
        let said = || {
            json!({
                "issuer": "https://a.example",
                "authorization_endpoint": "https://a.example/authorize",
                "token_endpoint": "https://tokens.example/token",
                "code_challenge_methods_supported": ["S256"],
            })
        };
        for (field, value, expected) in [
            ("scopes_supported", json!(["a"]), true),
            ("issuer", json!("https://a.example/"), true),
            ("issuer", json!("https://a.example//"), false),
            ("issuer", json!("https://a.example/?"), false),
            ("issuer", json!("https://b.example"), false),
            ("code_challenge_methods_supported", json!(["plain"]), false),
            ("code_challenge_methods_supported", json!(null), false),
            ("token_endpoint", json!("http://tokens.example/token"), false),
            ("token_endpoint", json!("https://192.168.1.1/token"), false),
            ("authorization_endpoint", json!("javascript:alert(1)"), false),
            ("registration_endpoint", json!("https://localhost/register"), false),
            ("revocation_endpoint", json!("http://router.lan/"), false),
        ] {
            let mut said = said();
            said[field] = value.clone();
            let read = AuthorizationServer::read(said, "https://a.example", false);
            assert_eq!(read.is_ok(), expected, "{field} {value}");
        }
        let mut near = said();
        near["token_endpoint"] = json!("http://192.168.1.1/token");
        assert!(AuthorizationServer::read(near, "https://a.example", true).is_ok());
    }

    #[test]
    fn an_issuer_is_the_same_with_and_without_the_slash_after_its_host() {
        for (one, other, expected) in [
            ("https://a.example", "https://a.example/", true),
            ("https://a.example/", "https://a.example", true),
            ("https://a.example:8443/", "https://a.example:8443", true),
            ("https://a.example/t", "https://a.example/t", true),
            ("https://a.example/t", "https://a.example/t/", false),
            ("https://a.example", "https://a.example//", false),
            ("https://a.example/", "https://a.example//", false),
            ("https://a.example?t=", "https://a.example?t=/", false),
            ("https://a.example", "http://a.example/", false),
            ("https://a.example", "https://A.example/", false),
            ("a.example", "a.example/", false),
        ] {
            assert_eq!(is_same_issuer(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn it_is_asked_where_the_documents_say() {
        let root = "https://a.example/.well-known/";
        for (addresses, expected) in [
            (
                of_resource(&target("https://a.example/mcp")),
                ["oauth-protected-resource/mcp", "oauth-protected-resource"].as_slice(),
            ),
            (of_resource(&target("https://a.example/")), &["oauth-protected-resource"]),
            (
                of_issuer(&target("https://a.example")),
                &["oauth-authorization-server", "openid-configuration"],
            ),
        ] {
            let expected: Vec<String> = expected.iter().map(|end| format!("{root}{end}")).collect();
            assert_eq!(addresses, expected);
        }
        assert_eq!(
            of_issuer(&target("https://a.example/t"))[2],
            "https://a.example/t/.well-known/openid-configuration"
        );
    }

    #[test]
    fn a_scope_is_one_word_and_stands_once() {
        let long = "x".repeat(1000);
        let words = ["read", "write", "read", "", "a\"b", "c\nd", &long, "last"];
        assert_eq!(scopes(words.into_iter()), "read write last");
    }
}
