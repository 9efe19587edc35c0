//! The pages of MCP servers: which ones a person has, what the tools of one are, and which of them an agent may use.

pub mod api;
mod app_hosts;
mod choice;
mod form;
mod known;
mod lent;
mod list;
mod log;
mod page;
pub mod programs;
mod prompts;
mod server;
mod sign_in;
mod tool;
pub mod words;

pub use choice::McpSection;
pub use page::McpServersPage;
pub use server::McpServerPage;
