//! Signing in to a server that wants to know who asks: where that is done, as which client, and the tokens that come of
//! it. The browser only goes there and comes back; every other request is the hub's.

mod begin;
mod challenge;
mod client_id;
mod discover;
mod end;
mod failure;
mod finish;
mod grant;
mod held;
mod metadata;
mod renew;
mod request;
mod rows;
mod standing;
mod token;

pub(super) use challenge::{Challenges, more_scopes};
pub use client_id::{HubAddress, client_document};
pub use finish::Returned;
pub(super) use grant::Grant;
pub(super) use held::HeldAccess;
pub(super) use renew::Access;
