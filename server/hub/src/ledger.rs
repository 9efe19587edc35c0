//! Money: what may be spent, what is held for model calls under way, and what was spent. A call is
//! made only when the most that it can cost fits into every limit that applies to it.

mod caps;
mod day;
mod hold;
mod people;
mod removed;
mod resume;
mod scope;
mod spending;
mod usage;

pub(crate) use day::of as day_of;
pub(crate) use hold::{Call, Slot};
pub(crate) use removed::hand_over;
