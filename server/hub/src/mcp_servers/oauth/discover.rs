//! Finds out where to sign in to a server.

use super::challenge::Challenge;
use super::failure::SignInFailure;
use super::metadata::{self, AuthorizationServer, Resource};
use super::request::get;
use crate::Hub;
use crate::outbound::Target;

/// By which a token that is meant to last is asked for.
const LASTING: &str = "offline_access";

#[derive(Debug)]
pub(super) struct Discovered {
    pub(super) at: AuthorizationServer,
    /// What a token is good for (RFC 8707).
    pub(super) resource: String,
    pub(super) scope: String,
}

/// Asks the server, and then whom it names. One of spring 2025 may do both itself.
pub(super) async fn discover(
    hub: &Hub,
    server: &Target,
    challenge: &Challenge,
) -> Result<Discovered, SignInFailure> {
    let is_near = server.is_local();
    let (issuer, resource, scopes) = match described(hub, server, challenge).await? {
        Some(resource) => (resource.issuer()?.to_owned(), resource.resource.clone(), resource.scopes()),
        None => (server.place(), server.url().as_str().to_owned(), String::new()),
    };
    let at = issued(hub, &issuer, is_near).await?;
    let wanted = challenge.scope.as_deref().unwrap_or(&scopes);
    let lasting = at.scopes_supported.iter().map(String::as_str).filter(|scope| *scope == LASTING);
    let scope = metadata::scopes(wanted.split(' ').chain(lasting));
    Ok(Discovered { at, resource, scope })
}

/// `None`: it does not describe itself.
async fn described(
    hub: &Hub,
    server: &Target,
    challenge: &Challenge,
) -> Result<Option<Resource>, SignInFailure> {
    if let Some(address) = &challenge.resource_metadata {
        let target = Target::parse(address)?;
        if target.place() != server.place() {
            return Err(SignInFailure::Unfit("the server has somebody else speak for it"));
        }
        let said = get(hub, &target).await?.ok_or(SignInFailure::NotSaid)?;
        return Resource::read(said, server).map(Some);
    }
    for address in metadata::of_resource(server) {
        if let Some(said) = get(hub, &Target::parse(&address)?).await? {
            return Resource::read(said, server).map(Some);
        }
    }
    Ok(None)
}

async fn issued(hub: &Hub, issuer: &str, is_near: bool) -> Result<AuthorizationServer, SignInFailure> {
    for address in metadata::of_issuer(&metadata::fit(issuer, is_near)?) {
        if let Some(said) = get(hub, &Target::parse(&address)?).await? {
            return AuthorizationServer::read(said, issuer, is_near);
        }
    }
    Err(SignInFailure::NotSaid)
}
