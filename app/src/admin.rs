//! Running the hub: who is on it, who may come in, what everybody together may spend, and how it is.

pub mod api;
mod files;
mod invitations;
mod mcp_programs;
mod packing;
mod page;
mod people;
mod person;
mod status;
mod terminal;

pub use page::AdminPage;
pub use person::PersonPage;
pub use status::StatusPage;
