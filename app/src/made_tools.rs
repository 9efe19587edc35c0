//! The page of the tools of an agent's own: those that it made for itself, and those that its person wrote or brought
//! in a file, with their code.

mod add;
pub mod api;
mod form;
mod offered;
mod page;
mod reach;
mod row;

pub use page::MadeToolsPage;
