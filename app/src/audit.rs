//! The audit of what happened with accounts: for people what concerns them, for administrators all.

pub mod api;
mod lines;
mod page;
mod search;
mod words;

pub use lines::AuditLines;
pub use page::{AdminAuditPage, OwnAuditPage};
