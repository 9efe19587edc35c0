//! The page where a person says which models their agents may use, and the server functions of
//! providers and of the guide. What a provider is lies in the hub.

pub mod api;
mod fetching_model;
mod find;
mod form;
mod here;
mod list;
mod local;
mod page;
mod speech;

pub use fetching_model::FetchingModel;
pub use page::ProvidersPage;
