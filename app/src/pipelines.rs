//! Pipelines: the list, a new one, and one with its picture.

pub mod api;
mod budget;
mod kept;
mod list;
mod new;
mod new_task;
mod outcome;
mod page;
mod picture;
mod task;
pub mod words;

pub use list::PipelinesPage;
pub use new::NewPipelinePage;
pub use page::PipelinePage;
