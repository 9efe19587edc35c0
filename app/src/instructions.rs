//! The page of an agent's instructions: what they were before, who changed what, and the way back.

pub mod api;
mod page;
mod version;

pub use page::InstructionsPage;
