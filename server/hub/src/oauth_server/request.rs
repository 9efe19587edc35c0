//! What a program asks a person for, as it stands in the address to which it sends their browser (RFC 6749, 7636, 8707).

use super::client::{Client, is_loopback};
use super::failure::OAuthFailure;
use super::parameters::Parameters;
use super::{AGENTS, FILES, OwnGrants, client, document, registration};
use protocol::view::{ProgramAsks, TokenScope};
use url::Url;

const LONGEST_STATE: usize = 2000;
/// Characters of a hash in base64url (RFC 7636, section 4.2).
const CHALLENGE: usize = 43;

/// A request in which everything fits.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) client: Client,
    pub(super) redirect_uri: String,
    pub(super) challenge: String,
    pub(super) scope: TokenScope,
    state: Option<String>,
}

impl OwnGrants<'_> {
    /// What is asked for by the address `query` at the hub of this origin. Fails in words where anything does not fit:
    /// then nothing is told to anybody.
    pub async fn look(self, query: &str, origin: &str) -> Result<ProgramAsks, OAuthFailure> {
        let Asked { client, redirect_uri, scope, .. } = self.asked(query, origin).await?;
        let url = Url::parse(&redirect_uri)
            .map_err(|_| OAuthFailure::Request("The address for answers is none."))?;
        let goes_to = match url.scheme() {
            "http" | "https" => url.host_str().unwrap_or_default().to_owned(),
            scheme => scheme.to_owned(),
        };
        let is_here = url.scheme() != "https" || is_loopback(&url);
        Ok(ProgramAsks { client: client.name, host: client.host, goes_to, is_here, scope })
    }

    pub(super) async fn asked(self, query: &str, origin: &str) -> Result<Asked, OAuthFailure> {
        let said = Parameters::parse(query.as_bytes())?;
        if said.get("response_type") != Some("code") {
            return Err(OAuthFailure::Request("The program asks for something else than a code."));
        }
        if said.get("code_challenge_method") != Some("S256") {
            return Err(OAuthFailure::Request(
                "The program does not show that it is the same later (PKCE, S256).",
            ));
        }
        let challenge = said.need("code_challenge")?.to_owned();
        if challenge.len() != CHALLENGE {
            return Err(OAuthFailure::Request("What the program has to show later is no SHA-256."));
        }
        if !said.get("resource").is_none_or(|resource| is_for_mcp(resource, origin)) {
            return Err(OAuthFailure::Target);
        }
        let state = said.get("state").map(str::to_owned);
        if state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE) {
            return Err(OAuthFailure::Request("The program's state is too long."));
        }
        let client = self.client(said.need("client_id")?).await?;
        let redirect_uri = match (said.get("redirect_uri"), client.redirect_uris.as_slice()) {
            (Some(asked), _) => asked.to_owned(),
            (None, [only]) => only.clone(),
            (None, _) => {
                return Err(OAuthFailure::Request("The program does not say where the answer goes."));
            }
        };
        if !client.takes_answers_at(&redirect_uri) {
            return Err(OAuthFailure::Request(
                "The answer would go where the program does not say that it takes any.",
            ));
        }
        let scope = scope_of(said.get("scope").unwrap_or_default());
        Ok(Asked { client, redirect_uri, challenge, scope, state })
    }

    async fn client(self, id: &str) -> Result<Client, OAuthFailure> {
        match registration::registered(self.scoped.hub, id) {
            Some(client) => Ok(client),
            None => document::read(self.scoped.hub, id).await,
        }
    }
}

impl Asked {
    /// The address for the answer, which says who gives it (RFC 9207).
    pub(super) fn answered(&self, name: &str, value: &str, origin: &str) -> String {
        let mut url = Url::parse(&self.redirect_uri).expect("it was read before");
        let mut query = url.query_pairs_mut();
        query.append_pair(name, value).append_pair("iss", origin);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        drop(query);
        url.into()
    }
}

/// What the hub does not know is not given; a token that may do nothing is none.
pub(super) fn scope_of(asked: &str) -> TokenScope {
    match asked.split(' ').any(|scope| scope == FILES) {
        true => TokenScope::Everything,
        false => TokenScope::Agents,
    }
}

/// The same for programs.
pub(super) fn scope_words(scope: TokenScope) -> String {
    match scope {
        TokenScope::Everything => format!("{AGENTS} {FILES}"),
        TokenScope::Agents | TokenScope::Models => AGENTS.to_owned(),
    }
}

pub(super) fn is_for_mcp(resource: &str, origin: &str) -> bool {
    let rest = resource.strip_prefix(origin);
    matches!(rest, Some("" | "/" | "/mcp" | "/mcp/"))
}

/// The address that an id may be, and the host in it, if it is one.
pub(super) fn address_of(id: &str) -> Option<Url> {
    let url = Url::parse(id).ok()?;
    let is_plain = url.as_str() == id && url.username().is_empty() && url.password().is_none();
    let has_file = url.path() != "/" && url.fragment().is_none();
    (url.scheme() == "https" && is_plain && has_file && !client::is_loopback(&url)).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_asked_for_mcp_here_and_for_nothing_else() {
        for (resource, expect) in [
            ("https://hub.example/mcp", true),
            ("https://hub.example/mcp/", true),
            ("https://hub.example", true),
            ("https://hub.example/", true),
            ("https://hub.example/v1", false),
            ("https://hub.example.evil.example/mcp", false),
            ("http://hub.example/mcp", false),
        ] {
            assert_eq!(is_for_mcp(resource, "https://hub.example"), expect, "{resource}");
        }
    }

    #[test]
    fn an_id_that_is_an_address_is_written_in_one_way() {
        for (id, expect) in [
            ("https://app.example/client.json", true),
            ("https://app.example/", false),
            ("https://app.example", false),
            ("http://app.example/client.json", false),
            ("https://app.example/a/../client.json", false),
            ("https://APP.example/client.json", false),
            ("https://a:b@app.example/client.json", false),
            ("https://app.example/client.json#part", false),
            ("https://localhost/client.json", false),
            ("registered.x.y", false),
        ] {
            assert_eq!(address_of(id).is_some(), expect, "{id}");
        }
    }
}
