//! Calls that wait for the person: how one is shown, and how it is answered.

pub mod api;
mod card;
mod words;

pub use card::{AnswerForm, Asked};
pub use words::{TIMES, answered, question, times_words};
