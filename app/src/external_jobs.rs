//! The pages of jobs elsewhere: where agents may start some, those that they started, and one with its log.

pub mod api;
mod form;
mod job;
mod list;
mod page;
mod service;
mod words;

pub use job::ExternalJobPage;
pub use page::ExternalJobsPage;
pub use service::JobServicePage;
