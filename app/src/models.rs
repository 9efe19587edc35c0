//! What is known of models: looked up by everybody, entered and fetched by administrators, and said of each where one
//! is chosen.

pub mod api;
mod choice;
mod offered;
mod own;
mod page;
mod popover;

pub use offered::{Offered, models_of};
pub use page::ModelsPage;
pub use popover::{ModelPopover, close_popover};
