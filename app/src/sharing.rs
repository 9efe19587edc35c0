//! For administrators: which of their providers others may use, and the groups that they share with.

pub mod api;
mod groups;
mod page;
mod people;

pub use groups::GroupsPage;
pub use page::SharePage;
