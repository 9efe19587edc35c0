//! The hub as an authorization server (OAuth 2.1): a program asks a person, in their browser, for a token of its own to
//! the hub's MCP endpoint. Such a token is one of the person's API tokens, listed, counted and revoked like the
//! others; it is good at that endpoint alone, for an hour, and is renewed by the program.

mod client;
mod document;
mod exchange;
mod failure;
mod grant;
mod pair;
mod parameters;
mod registration;
mod request;
mod rows;

pub use exchange::GivenTokens;
pub use failure::OAuthFailure;
pub use registration::{LARGEST_REGISTRATION, Registered};

use crate::Hub;
use crate::access::Scoped;

/// By which a program asks to speak with agents.
pub const AGENTS: &str = "agents";
/// By which it asks to read their files too.
pub const FILES: &str = "files";
/// Seconds for which an access token is good.
pub const ACCESS_SECONDS: i64 = 3600;

/// What programs ask, without a person.
#[derive(Clone, Copy, Debug)]
pub struct OAuthServer<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn oauth_server(&self) -> OAuthServer<'_> {
        OAuthServer { hub: self }
    }
}

/// What a person answers to programs that ask for a token.
#[derive(Clone, Copy, Debug)]
pub struct OwnGrants<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn oauth_grants(&self) -> OwnGrants<'a> {
        OwnGrants { scoped: *self }
    }
}
