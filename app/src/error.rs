//! The one error of all server functions.

use crate::prelude::{say, t};
#[cfg(feature = "ssr")]
use language::Language;
use leptos::prelude::{FromServerFnError, ServerFnErrorErr};
use leptos::server_fn::codec::JsonEncoding;
use protocol::{Failure, FailureKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A [`Failure`] on its way to a page or program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AppError(pub Failure);

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for AppError {}

impl FromServerFnError for AppError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        let failure = match error {
            ServerFnErrorErr::Request(_) => Failure::new(
                FailureKind::Upstream,
                t("The hub cannot be reached. Check the connection and try again."),
            ),
            ServerFnErrorErr::Args(what) | ServerFnErrorErr::MissingArg(what) => {
                Failure::new(FailureKind::Invalid, say!("The request is not complete: {what}."))
            }
            ServerFnErrorErr::Registration(what)
            | ServerFnErrorErr::UnsupportedRequestMethod(what)
            | ServerFnErrorErr::MiddlewareError(what)
            | ServerFnErrorErr::Deserialization(what)
            | ServerFnErrorErr::Serialization(what)
            | ServerFnErrorErr::ServerError(what)
            | ServerFnErrorErr::Response(what) => {
                Failure::new(FailureKind::Internal, say!("The answer could not be read: {what}."))
            }
        };
        #[cfg(feature = "ssr")]
        crate::response::set_status(failure.kind);
        Self(failure)
    }
}

#[cfg(feature = "ssr")]
impl From<hub::Error> for AppError {
    fn from(error: hub::Error) -> Self {
        if let hub::Error::TooOften { wait_seconds, .. } = &error {
            crate::response::set_retry_after(*wait_seconds);
        }
        let failure = told_in(language::current(), error);
        crate::response::set_status(failure.kind);
        Self(failure)
    }
}

/// The failure of an error, for somebody who reads this language.
#[cfg(feature = "ssr")]
pub fn told_in(language: Language, error: hub::Error) -> Failure {
    let failure = error.into_failure();
    let message = language::sentence_in(language, &failure.message).into_owned();
    Failure { message, ..failure }
}
