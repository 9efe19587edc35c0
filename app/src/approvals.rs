//! Calls that wait for the person: how one is shown, and how it is answered.

pub mod api;
mod card;
mod exact;
mod words;

pub use card::{AnswerForm, Asked};
pub use exact::Spelled;
pub use words::{answered, question};
