//! Money: what may be spent, what is held for model calls under way, and what was spent. A call is
//! made only when the most that it can cost fits into every limit that applies to it.

mod caps;
mod day;
mod desk;
pub(crate) mod given_up;
mod held;
mod hold;
mod people;
mod removed;
mod resume;
mod scope;
mod spender;
mod spending;
mod standing;
mod told;
mod usage;
mod wanted;
mod warn;

pub(crate) use caps::{limit_shared, limit_token, put_own_caps, put_schedule_caps};
pub(crate) use day::{month_of, number_of as day_number, of as day_of};
pub(crate) use desk::Desk;
pub(crate) use hold::{Call, Held, Limited, Most};
pub(crate) use removed::hand_over;
pub(crate) use resume::forget as forget_stop;
pub(crate) use spender::{Slot, Spender};
pub(crate) use spending::{Booked, Metered};
pub(crate) use told::Going;
pub(crate) use wanted::settle as settle_wanted;
