//! What agents may spend and what they spent: an agent's budget, everybody's usage, and the limits of
//! an administrator.

pub mod amount;
pub mod api;
mod bars;
mod budget;
mod limits;
mod lines;
mod people;
mod spending;
mod usage;

pub use budget::BudgetPage;
pub use people::{Limited, LimitsSection};
pub use usage::UsagePage;
