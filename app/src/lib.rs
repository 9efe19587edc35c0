//! The dashboard: one isomorphic Leptos application, rendered by the server and taken over by the
//! browser, and the server functions that are the hub's API. Knows no SQL, no HTTP client and no
//! provider's name.

// A page is one nested type in release builds.
#![recursion_limit = "512"]

pub mod account;
pub mod admin;
pub mod agents;
pub mod approvals;
pub mod audit;
mod chrome;
#[cfg(feature = "ssr")]
pub mod context;
pub mod conversation;
mod device;
mod error;
pub mod files;
pub mod gallery;
pub mod inspector;
mod keys;
mod live;
pub mod made_tools;
pub mod models;
pub mod money;
pub mod permissions;
pub mod policy;
pub mod providers;
mod routes;
mod sandbox;
pub mod schedules;
pub mod sharing;
pub mod skins;
pub mod transfer;
mod ui;

pub use error::AppError;
#[cfg(feature = "ssr")]
pub use error::status_of;
pub use routes::App;
#[cfg(feature = "ssr")]
pub use routes::shell;
