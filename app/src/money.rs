//! What agents may spend and what they spent: an agent's budget, everybody's usage, and the limits of
//! an administrator.

pub mod api;
mod bars;
mod budget;
mod limits;
mod lines;
mod parts;
mod people;
mod spending;
mod split;
mod tools;
mod usage;

pub use budget::BudgetPage;
pub use limits::LimitFields;
pub use lines::Lines;
pub use people::HubLimits;
pub use spending::{Spending, in_short};
pub use usage::UsagePage;
