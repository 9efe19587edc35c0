//! What stands beside every page of somebody who is signed in: the way to what needs them, to their agents and
//! conversations, and to the few other places. On a phone it is a drawer, and the places that are used most are at
//! the bottom.

mod agents;
pub mod api;
mod bar;
mod bottom;
mod places;
mod settings;

pub use bar::{Beside, provide_side_bar};
pub use bottom::Bottom;
pub use settings::BesideSettings;
