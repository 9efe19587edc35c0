//! What another app of the device shares with this one: a draft for the agent that its person chooses.

mod page;

pub use page::ShareTargetPage;
