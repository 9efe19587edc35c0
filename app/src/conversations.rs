//! Which conversations an agent has. Being in one of them is `conversation`.

pub mod api;
mod named;
mod page;
mod row;
mod words;

pub use named::InConversation;
pub use page::ConversationsPage;
pub use words::{address, share_address};
