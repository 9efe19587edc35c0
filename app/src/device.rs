//! Model servers that this browser calls by itself, on its own device or in its own network: how a
//! request goes there, and what to say when none comes back. What is asked and what the answer means
//! is not known here.

#![cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "a server is no device"))]

#[cfg(feature = "hydrate")]
mod models;
#[cfg(feature = "hydrate")]
mod request;
#[cfg(any(feature = "hydrate", test))]
mod trouble;

#[cfg(feature = "hydrate")]
pub use models::models;
#[cfg(feature = "hydrate")]
pub use request::{diagnose, headers_with, send};
#[cfg(feature = "hydrate")]
pub use trouble::{Place, Trouble};
