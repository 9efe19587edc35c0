//! What a person was told of while they looked elsewhere: the page with all of it, and the one that says of
//! what they want to hear, and when.

pub mod api;
mod channels;
mod devices;
mod list;
mod page;
mod quiet;
mod settings;
mod words;

pub use page::NotificationsPage;
pub use settings::NotificationSettingsPage;
