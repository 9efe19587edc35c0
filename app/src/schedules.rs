//! What an agent is told by itself, and when: the page with all of it, and the page of one.

pub mod api;
mod edit;
mod fields;
mod form;
mod page;
mod row;
pub mod words;

pub use edit::SchedulePage;
pub use page::SchedulesPage;
