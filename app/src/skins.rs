//! The page about an agent's page: its versions with their pictures, and the tools it may call.

pub mod api;
mod consents;
mod page;
mod version;

pub use page::SkinsPage;
