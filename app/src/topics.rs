//! The page of topics: what agents publish, and which of them hear it.

pub mod api;
mod form;
mod page;
mod topic;

pub use page::TopicsPage;
