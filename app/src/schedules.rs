//! What agents are told by themselves, and when: the page of all agents, of one, and of one schedule.

mod all;
pub mod api;
mod edit;
mod extras;
mod feed;
mod fields;
mod finished;
mod form;
mod history;
mod mailbox;
mod page;
mod row;
mod webhook;
pub mod words;

pub use all::AllSchedulesPage;
pub use edit::SchedulePage;
pub use page::SchedulesPage;
