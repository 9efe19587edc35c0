//! What pages begin with: Leptos, whose `view!` speaks the language of its reader, and what does so outside of views.

pub use language::{Language, key, plural, say, t, view};
pub use leptos::prelude::*;
