//! The audit of what happened with accounts, and the calls of tools: for people what concerns them, for
//! administrators what they may see.

pub mod api;
mod calls;
mod lines;
mod page;
mod search;
mod words;

pub use calls::{AdminCallsPage, OwnCallsPage};
pub use lines::AuditLines;
pub use page::{AdminAuditPage, OwnAuditPage};
pub use words::let_through;
