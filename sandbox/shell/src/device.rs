//! Model servers that this browser calls by itself, on its own device or in its own network: how a
//! request goes there, and what to say when none comes back. What is asked and what the answer means
//! is not known here.

mod connect_error;
mod fetching;
mod models;
pub(crate) mod own;
mod request;
mod try_own;

pub(crate) use connect_error::{ConnectError, Endpoint};
pub use fetching::fetched;
pub use models::models;
pub(crate) use request::{diagnose, headers_with, send};
pub use try_own::try_own;
pub(crate) use try_own::words;
