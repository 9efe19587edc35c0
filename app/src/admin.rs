//! Running the hub: who is on it, who may come in, what everybody together may spend.

pub mod api;
mod invitations;
mod page;
mod people;
mod person;

pub use page::AdminPage;
pub use person::PersonPage;
