//! The pages of peers: hubs and agents elsewhere that a person's agents may ask.

mod agent;
pub mod api;
mod form;
mod list;
mod page;
mod peer;
mod words;

pub use page::PeersPage;
pub use peer::PeerPage;
