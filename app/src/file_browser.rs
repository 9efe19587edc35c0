//! The pages of an agent's files: all of them, and one with what it was before.

mod file;
mod page;
mod preview;
mod words;

pub use file::FilePage;
pub use page::FilesPage;
