//! Conversations that people bring along from other products: a file is chosen, what is in it is shown, and what
//! they choose of it becomes an agent's.

pub mod api;
mod choices;
mod choose;
mod report;
mod review;
#[cfg(feature = "ssr")]
mod target;

pub use choose::ImportPage;
pub use review::ImportReviewPage;

use crate::prelude::plural;

/// "1 message", "3 messages"
fn counted(messages: u32) -> String {
    plural!(messages, "{count} message", "{count} messages", count = messages)
}
