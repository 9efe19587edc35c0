//! How server functions are called. What each of them needs in the browser is how it writes its arguments and
//! reads its answer; the request between is one for all, so that the browser's program has it once.

mod posted;
mod queried;
mod request;

#[cfg(feature = "ssr")]
pub use posted::is_json;
pub use posted::{Posted, post_fields};
pub use queried::Queried;
