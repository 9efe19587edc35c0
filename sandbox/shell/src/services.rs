//! What an agent's page wants of the person and their devices, beyond its frame. The person is asked
//! first, here and in the browser, and sees what goes on; the frame itself stays as sealed as it is.

mod browser;
mod capture;
mod decisions;
mod limits;
pub(crate) mod link;
mod matters;
mod notice;
mod panel;
mod perform;
mod pictures;
pub(crate) mod position;
mod question;
mod recognition;
mod requests;
mod sound;
mod speech;

pub use browser::may_offer_notifications;
pub use panel::{Panel, Views};
pub(crate) use requests::{ask_person as ask, end, hear_entry, renew, request, taken, withdraw};
pub use requests::{begin, choose, stop};
