//! The dashboard: one isomorphic Leptos application, rendered by the server and taken over by the
//! browser, and the server functions that are the hub's API. Knows no SQL, no HTTP client and no
//! provider's name.

// A page is one nested type in release builds.
#![recursion_limit = "512"]

pub mod account;
pub mod admin;
pub mod agent_shares;
pub mod agents;
mod amount;
pub mod appearance;
#[cfg(feature = "hydrate")]
mod application;
pub mod approvals;
mod assets;
pub mod audit;
mod browser;
mod chrome;
pub mod console;
#[cfg(feature = "ssr")]
pub mod context;
pub mod context_reports;
pub mod conversation;
pub mod conversations;
pub mod delegations;
mod error;
pub mod external_jobs;
pub mod file_browser;
pub mod files;
pub mod gallery;
pub mod imports;
pub mod inspector;
pub mod instructions;
mod keys;
pub mod made_tools;
#[cfg(feature = "ssr")]
mod manifest_words;
pub mod mcp_servers;
pub mod memories;
pub mod models;
pub mod money;
pub mod notifications;
mod origin;
mod palette;
pub mod peers;
pub mod permissions;
pub mod person_context;
pub mod pipelines;
pub mod policy;
mod prelude;
pub mod providers;
#[cfg(feature = "ssr")]
mod response;
pub mod reviews;
mod routes;
pub mod schedules;
mod search;
pub mod session;
mod settings;
mod settings_index;
mod share_target;
pub mod shares;
pub mod sharing;
pub mod side_bar;
pub mod skills;
mod skins;
pub mod teams;
pub mod terminal_jobs;
pub mod todo;
mod together;
pub mod topics;
pub mod transfer;
mod transport;
mod ui;
mod wall;
pub mod web_search;
#[cfg(feature = "ssr")]
mod worker_words;
pub mod workspaces;

#[cfg(feature = "hydrate")]
pub use application::speak;
pub use error::AppError;
#[cfg(feature = "ssr")]
pub use error::told_in;
#[cfg(feature = "ssr")]
pub use language::sentence_in;
#[cfg(feature = "ssr")]
pub use manifest_words::{ManifestWords, manifest_words};
#[cfg(feature = "ssr")]
pub use response::status_of;
pub use routes::App;
#[cfg(feature = "ssr")]
pub use routes::shell;
#[cfg(feature = "ssr")]
pub use transport::is_json;
#[cfg(feature = "ssr")]
pub use worker_words::worker_words;
