//! How the interface looks on this device, and which language it speaks to the person on all of them.

pub mod api;
#[cfg(feature = "ssr")]
pub(crate) mod cookie;
mod section;

pub(crate) use section::AppearanceSection;
