//! What only a browser has, by names that pages can use on both sides: there it is the shell, and a server
//! has stand-ins that do nothing.

mod following;
#[cfg(feature = "hydrate")]
mod here;
#[cfg(not(feature = "hydrate"))]
mod nowhere;

pub use following::{follow_agents, follow_drawn, follow_nouns, follow_person, reading_anew, soon};
#[cfg(feature = "hydrate")]
pub use here::*;
#[cfg(not(feature = "hydrate"))]
pub use nowhere::*;
