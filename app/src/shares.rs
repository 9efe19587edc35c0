//! Conversations that people show to others of the hub: with whom one's own is shared, and what is shared with
//! oneself.

pub mod api;
mod give;
mod lines;
mod list;
mod read;

pub use give::ShareConversationPage;
pub use list::SharedPage;
pub use read::SharedConversationPage;
