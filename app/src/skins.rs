//! The page about an agent's page: its versions with their pictures.

pub mod api;
mod page;
mod version;

pub use page::SkinsPage;
