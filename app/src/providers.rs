//! The page where a person says which models their agents may use, and the server functions of
//! providers and of the guide. What a provider is lies in the hub.

pub mod api;
mod find;
mod form;
mod here;
mod kind;
mod list;
mod local;
mod page;

pub use kind::{KINDS, kind_hint, kind_label, kind_value};
pub use page::ProvidersPage;
