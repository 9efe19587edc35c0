//! What agents may spend and what they spent.

pub mod amount;
pub mod api;
