//! What an agent keeps as files: its saved pages, which a person can bring back, and everything else.

pub mod api;
mod section;

pub use section::{AgentFiles, KeptSection, StaysHere};
