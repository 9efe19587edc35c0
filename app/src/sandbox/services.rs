//! What an agent's page wants of the person and their devices, beyond its frame. The person is asked
//! first, here and in the browser, and sees what goes on; the frame itself stays as sealed as it is.

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "hydrate")]
mod capture;
mod cards;
#[cfg(any(feature = "hydrate", test))]
mod decisions;
#[cfg(feature = "hydrate")]
mod hearing;
#[cfg(any(feature = "hydrate", test))]
mod limits;
#[cfg(feature = "hydrate")]
mod link;
#[cfg(feature = "hydrate")]
mod matters;
#[cfg(feature = "hydrate")]
mod notice;
mod panel;
#[cfg(feature = "hydrate")]
mod perform;
#[cfg(feature = "hydrate")]
mod pictures;
#[cfg(feature = "hydrate")]
mod position;
#[cfg(feature = "hydrate")]
mod requests;
#[cfg(feature = "hydrate")]
mod sound;
#[cfg(feature = "hydrate")]
mod speech;

pub use cards::ServicesPanel;
pub use panel::Panel;
#[cfg(feature = "hydrate")]
pub use requests::{Views, begin, end, hear_entry, renew, request, taken, withdraw};
