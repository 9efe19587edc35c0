//! Where the hub is, as whoever reads the page reached it.

#[cfg(not(feature = "ssr"))]
use leptos::prelude::window;

/// Where links lead that are given to others.
#[cfg(feature = "ssr")]
pub(crate) fn origin() -> String {
    crate::context::facts().origin
}

#[cfg(not(feature = "ssr"))]
pub(crate) fn origin() -> String {
    window().location().origin().unwrap_or_default()
}
