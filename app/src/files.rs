//! What an agent keeps as files: its saved pages, which a person can bring back, and everything else. Looking at
//! files is `file_browser`.

pub mod api;
mod section;
mod words;

pub use section::{AgentFiles, KeptSection, StaysHere};
pub use words::{address, download_address, folder_address, page_address, part_address, size};
