//! What waits for the person, calls and questions: how one is shown, and how it is answered.

pub mod api;
mod card;
mod file;
mod question;
mod words;

pub use card::{Answers, Card};
pub use words::{TIMES, answered, question, times_words};
