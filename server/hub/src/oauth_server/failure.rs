//! Why a program gets no token, as the standard names it.

use crate::error::Error;
use std::fmt;

/// RFC 6749, section 5.2; RFC 7591, section 3.2.2; RFC 8707, section 2.
#[derive(Debug)]
pub enum OAuthFailure {
    Request(&'static str),
    Client(&'static str),
    Grant(&'static str),
    GrantType,
    /// It asks for a token to something else.
    Target,
    RedirectUri(&'static str),
    /// What it says of itself is none of that.
    Metadata(&'static str),
    Hub(Error),
}

impl OAuthFailure {
    /// The word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Request(_) => "invalid_request",
            Self::Client(_) => "invalid_client",
            Self::Grant(_) => "invalid_grant",
            Self::GrantType => "unsupported_grant_type",
            Self::Target => "invalid_target",
            Self::RedirectUri(_) => "invalid_redirect_uri",
            Self::Metadata(_) => "invalid_client_metadata",
            Self::Hub(_) => "server_error",
        }
    }
}

impl fmt::Display for OAuthFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(why)
            | Self::Client(why)
            | Self::Grant(why)
            | Self::RedirectUri(why)
            | Self::Metadata(why) => f.write_str(why),
            Self::GrantType => {
                f.write_str("There are authorization_code and refresh_token, and nothing else.")
            }
            Self::Target => f.write_str("A token is for the address of MCP here, and for nothing else."),
            Self::Hub(error) => error.fmt(f),
        }
    }
}

impl From<Error> for OAuthFailure {
    fn from(error: Error) -> Self {
        Self::Hub(error)
    }
}

/// For people.
impl From<OAuthFailure> for Error {
    fn from(failure: OAuthFailure) -> Self {
        match failure {
            OAuthFailure::Hub(error) => error,
            failure => Self::invalid(failure.to_string()),
        }
    }
}
