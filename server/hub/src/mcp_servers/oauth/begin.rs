//! Begins a sign-in: finds out where it is done, and as which client. Nobody is sent there before they saw where that is.

use super::challenge::{Challenge, more_scopes};
use super::client_id::{ClientId, HubAddress};
use super::discover::{Discovered, discover};
use super::failure::SignInFailure;
use super::grant::{Grant, under_way};
use super::metadata;
use super::rows::{self, UnderWay};
use crate::clock::new_secret;
use crate::error::{Error, Result};
use crate::mcp_servers::{McpFailure, OwnMcpServers};
use crate::outbound::Target;
use crate::vault::{AssociatedData, Secret};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use protocol::McpServerId;
use protocol::hub::Noun;
use protocol::view::{McpSignIn, Right};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio::time::timeout;
use url::Url;

/// For all of it.
const LIMIT: Duration = Duration::from_secs(45);
/// For the person to come back.
pub(super) const UNTIL_MS: i64 = 10 * 60 * 1000;

/// What of a sign-in under way nobody else may know.
#[derive(Serialize, Deserialize)]
pub(super) struct Sealed {
    state: String,
    pub(super) verifier: String,
    pub(super) client_secret: Option<String>,
}

impl OwnMcpServers<'_> {
    /// Finds out where to sign in. `client` is an id that the person got there with its secret, or empty.
    pub async fn connect(
        self,
        id: &McpServerId,
        address: HubAddress<'_>,
        client: (&str, &str),
    ) -> Result<McpSignIn> {
        self.scoped.require(Right::SaveProviders)?;
        let server = self.found(id).await?;
        let shown = Target::parse(&server.url).map_err(|error| Error::invalid(error.to_string()))?;
        let (servers, me) = (self.scoped.hub.mcp_servers(), &self.scoped.viewer.me.id);
        let (whole, _) = servers.whole(me, id, &shown).await.map_err(upstream)?;
        // A token is for the server, whatever it is asked behind the question mark.
        let target = shown.with_query(None);
        let challenges = &self.scoped.hub.0.mcp_servers.challenges;
        let _turn = servers.turn(me).await.map_err(upstream)?;
        let finding = async {
            let asking = servers.nobody(id, &whole);
            let (now, before) = (asking.challenge().await.map_err(upstream)?, challenges.find(id));
            // Some greet everybody, and want to know who asks later.
            let challenge = now.as_deref().or(before.as_deref()).map(Challenge::parse).unwrap_or_default();
            let mut found = discover(self.scoped.hub, &target, &challenge).await?;
            if let Some(more) = before.as_deref().and_then(more_scopes) {
                found.scope = self.with_scopes_of_before(id, &found, &more).await?;
            }
            let client = match ClientId::entered(&found.at, client.0, client.1)? {
                Some(client) => client,
                None => self.client_of(id, &found, address).await?,
            };
            Ok::<_, Error>((found, client))
        };
        let late =
            || Err(Error::Upstream("Nobody said within 45 seconds where to sign in. Try again.".to_owned()));
        let (found, client) = timeout(LIMIT, finding).await.unwrap_or_else(|_| late())?;
        self.begin(id, grant(found, &client, address.redirect()), client).await
    }

    /// What was allowed there before, and what is wanted besides: the new token takes the place of the one before.
    async fn with_scopes_of_before(
        self,
        id: &McpServerId,
        found: &Discovered,
        more: &str,
    ) -> std::result::Result<String, SignInFailure> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let before = rows::connection(hub.store().read(), owner, id).await?.map(|before| before.grant);
        let before = before.filter(|before| before.issuer == found.at.issuer);
        let before = before.as_ref().map_or("", |before| before.scope.as_str());
        Ok(metadata::scopes([before, more, &found.scope].into_iter().flat_map(|scopes| scopes.split(' '))))
    }

    /// The sign-in that waits for its person, if one does.
    pub(in super::super) async fn sign_in(self, id: &McpServerId) -> Result<Option<McpSignIn>> {
        let hub = self.scoped.hub;
        let owner = self.scoped.owner();
        let Some(it) = rows::under_way(hub.store().read(), owner, id).await? else { return Ok(None) };
        if it.device.as_ref() != self.scoped.viewer.device()
            || !crate::clock::is_good(it.expires_at, UNTIL_MS, hub.now())
        {
            return Ok(None);
        }
        let giver = it.grant.giver();
        Ok(self.opened(under_way(owner, id, &giver)).await?.map(|sealed| shown(&it.grant, &sealed)))
    }

    pub(super) async fn opened(self, place: AssociatedData<'_>) -> Result<Option<Sealed>> {
        let hub = self.scoped.hub;
        let sealed = hub.vault().read(hub.store(), place).await?;
        Ok(sealed.and_then(|sealed| serde_json::from_str(sealed.expose()).ok()))
    }

    /// The one of the last time. Where that sign-in is over, it may be because nobody knows the client any more: then a
    /// new one, if one is to be had.
    async fn client_of(
        self,
        id: &McpServerId,
        found: &Discovered,
        address: HubAddress<'_>,
    ) -> std::result::Result<ClientId, SignInFailure> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let before = rows::connection(hub.store().read(), owner, id).await?.filter(|before| {
            before.grant.issuer == found.at.issuer
                && before.grant.token_endpoint == found.at.token_endpoint
                && before.grant.redirect == address.redirect()
        });
        let Some(before) = before else { return ClientId::found(hub, &found.at, address).await };
        if before.is_over {
            match ClientId::found(hub, &found.at, address).await {
                // None is registered there, or not for whoever asks.
                Err(SignInFailure::Unknown { .. } | SignInFailure::Garbled(_)) => {}
                other => return other,
            }
        }
        let standing = self.standing(id, &before.grant).await?;
        let Grant { client_id, proof, .. } = before.grant;
        Ok(ClientId { id: client_id, proof, secret: standing.client_secret() })
    }

    async fn begin(self, id: &McpServerId, grant: Grant, client: ClientId) -> Result<McpSignIn> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let sealed = Sealed {
            state: new_secret(),
            verifier: new_secret(),
            client_secret: client.secret.map(|secret| secret.expose().to_owned()),
        };
        let giver = grant.giver();
        let it = UnderWay {
            server: id.clone(),
            grant,
            device: self.scoped.viewer.device().cloned(),
            expires_at: hub.now().saturating_add(UNTIL_MS),
        };
        let text = Secret::new(serde_json::to_string(&sealed).map_err(Error::internal)?);
        let mut tx = hub.store().write().await?;
        if crate::mcp_servers::rows::find(&mut *tx, owner, id).await?.is_none() {
            return Err(Error::NotFound("server"));
        }
        rows::begin(&mut tx, &it, &hash(&sealed.state)).await?;
        hub.vault().put(&mut tx, under_way(owner, id, &giver), &text, hub.now()).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await?;
        Ok(shown(&it.grant, &sealed))
    }
}

fn grant(found: Discovered, client: &ClientId, redirect: String) -> Grant {
    let Discovered { at, resource, scope } = found;
    Grant {
        issuer: at.issuer,
        authorization_endpoint: at.authorization_endpoint,
        token_endpoint: at.token_endpoint,
        revocation_endpoint: at.revocation_endpoint,
        names_issuer: at.authorization_response_iss_parameter_supported,
        client_id: client.id.clone(),
        proof: client.proof,
        redirect,
        resource,
        scope,
    }
}

fn shown(grant: &Grant, sealed: &Sealed) -> McpSignIn {
    McpSignIn { place: grant.place(), scopes: grant.scopes(), address: address(grant, sealed) }
}

/// Where the person's browser goes.
fn address(grant: &Grant, sealed: &Sealed) -> String {
    let Ok(mut url) = Url::parse(&grant.authorization_endpoint) else { return String::new() };
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&sealed.verifier));
    let mut query = url.query_pairs_mut();
    query
        .append_pair("response_type", "code")
        .append_pair("client_id", &grant.client_id)
        .append_pair("redirect_uri", &grant.redirect)
        .append_pair("state", &sealed.state)
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256")
        .append_pair("resource", &grant.resource);
    if !grant.scope.is_empty() {
        query.append_pair("scope", &grant.scope);
    }
    drop(query);
    url.into()
}

pub(super) fn hash(state: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(state))
}

fn upstream(failure: McpFailure) -> Error {
    Error::Upstream(failure.to_string())
}
