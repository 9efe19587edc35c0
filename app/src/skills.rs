//! A person's library of skills: what is in it and waits, what was found in each, and which agents have it.

mod add;
mod agent;
pub mod api;
mod findings;
mod found;
mod lent;
mod page;
mod review;
mod version;
mod words;

pub use agent::SkillsSection;
pub use found::FoundSkillsPage;
pub use page::SkillsPage;
pub use review::SkillPage;
