//! The page of one agent: what was said and done, the composer, and the place of the agent's skin.
//! It can be read and written to without script.

#![cfg_attr(
    not(feature = "hydrate"),
    allow(dead_code, reason = "a server renders, and only a browser goes on from there")
)]

pub mod api;
mod approval;
mod artifact;
mod bar;
mod composer;
mod desk;
mod device_wait;
mod divider;
mod homes;
mod layout;
mod note;
mod notice;
mod outbox;
mod outgoing;
mod page;
mod repair;
mod rows;
mod seal;
#[cfg(feature = "hydrate")]
mod session;
mod skin;
mod storage;
mod thread;
mod tool;
mod transcript;
#[cfg(feature = "hydrate")]
mod views;

pub use page::AgentPage;
