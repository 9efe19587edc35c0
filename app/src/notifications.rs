//! What a person was told of while they looked elsewhere: the page with all of it, the one that says of what they
//! want to hear, and when, and the one that ends mails.

pub mod api;
mod channels;
mod devices;
mod list;
mod offer;
mod page;
mod quiet;
mod settings;
mod unsubscribe;
mod words;

pub use offer::PushOffer;
pub use page::NotificationsPage;
pub use settings::NotificationSettingsPage;
pub use unsubscribe::UnsubscribePage;
