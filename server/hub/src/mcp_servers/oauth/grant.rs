//! What a sign-in is about: who says who asks, as which client, and for what.

use super::client_id::Proof;
use crate::outbound::Target;
use crate::vault::AssociatedData;
use protocol::McpServerId;
use serde::{Deserialize, Serialize};

/// What is kept for a server in the vault: the token that goes to it, what goes to its token endpoint alone, and a
/// sign-in under way.
const TOKEN: &str = "mcp_token";
const STANDING: &str = "mcp_standing";
const UNDER_WAY: &str = "mcp_sign_in";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in super::super) struct Grant {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    pub(super) revocation_endpoint: Option<String>,
    /// It says who it is with its answer.
    pub(super) names_issuer: bool,
    pub(super) client_id: String,
    pub(super) proof: Proof,
    pub(super) redirect: String,
    /// What the token is good for.
    pub(super) resource: String,
    /// Words with spaces between them.
    pub(super) scope: String,
}

impl Grant {
    /// Where the person signs in: scheme, host and port.
    pub(in super::super) fn place(&self) -> String {
        place_of(&self.authorization_endpoint)
    }

    pub(in super::super) fn scopes(&self) -> Vec<String> {
        self.scope.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
    }

    /// The server that gives tokens and takes them back.
    pub(super) fn giver(&self) -> String {
        place_of(&self.token_endpoint)
    }
}

fn place_of(address: &str) -> String {
    Target::parse(address).map(|target| target.place()).unwrap_or_default()
}

/// Sealed for one server, that no other one is sent it.
pub(super) fn token<'a>(owner: &'a str, id: &'a McpServerId, server: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: TOKEN, server: Some(server) }
}

pub(super) fn standing<'a>(owner: &'a str, id: &'a McpServerId, giver: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: STANDING, server: Some(giver) }
}

pub(super) fn under_way<'a>(owner: &'a str, id: &'a McpServerId, giver: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: UNDER_WAY, server: Some(giver) }
}
