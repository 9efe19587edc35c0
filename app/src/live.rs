//! This tab's socket: one for all agents, opened when the first is followed, and opened again
//! whenever it breaks. What the frames mean is for those who follow. A server has none of this.

#![cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "a server has no socket"))]

#[cfg(feature = "hydrate")]
mod abilities;
#[cfg(feature = "hydrate")]
mod activity;
#[cfg(any(feature = "hydrate", test))]
mod backoff;
mod connection;
mod line;
#[cfg(feature = "hydrate")]
mod socket;
#[cfg(feature = "hydrate")]
mod tab;

pub use connection::Connection;
pub use line::HubLine;
#[cfg(feature = "hydrate")]
pub use tab::{Calls, act, connection, follow, hear_calls, hide, send, show, tab, try_now, unfollow};
