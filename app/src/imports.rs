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

/// "1 message", "3 messages"
fn counted(count: u32, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
}
