//! The wall of agents: each as a card, what waits for the person, and the wish for one more.

mod arranged;
mod arranging;
mod card;
mod grouped;
mod held;
mod invite;
mod needs;
mod page;
mod reviews;

pub use page::WallPage;
