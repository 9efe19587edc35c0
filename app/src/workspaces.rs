//! Workspaces: folders that agents of a person share. What is in them is shown by `file_browser`.

pub mod api;
mod choose;
mod manage;
mod page;

pub use choose::ChooseWorkspace;
pub use manage::ManageWorkspace;
pub use page::WorkspacesPage;
