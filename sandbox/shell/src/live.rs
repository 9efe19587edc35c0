//! This tab's socket: one for all agents, opened when the first is followed, and opened again
//! whenever it breaks. What the frames mean is for those who follow.

mod abilities;
mod activity;
mod backoff;
mod followers;
mod gathered;
mod socket;
mod tab;

pub use followers::Follower;
pub(crate) use tab::{TabHandlers, act, hear_calls, send};
pub use tab::{
    connection, follow, hide, is_seen, noun_changes, person_changes, show, tab, try_now, unfollow,
};
