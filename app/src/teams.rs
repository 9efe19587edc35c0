//! Teams: roles, and the files that agents of them come from and go into.

pub mod api;
mod export;
mod page;
mod review;
mod role;

pub use export::ExportTeamPage;
pub use page::TeamsPage;
pub use review::ReviewTeamPage;
