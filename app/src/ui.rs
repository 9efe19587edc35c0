//! Small parts that several pages use. They show what they are given and fetch nothing.

mod done;
mod emptied;
mod failure;
mod icon;
mod markdown;
mod meter;
mod money;
mod number;
mod page;
mod raw_text;
mod time;

pub use done::Done;
pub use emptied::emptied_by;
pub use failure::{ActionFailure, FailureBanner};
pub use icon::Icon;
pub use markdown::Markdown;
pub use meter::{Meter, Percent, meter_words};
pub use money::{Cost, dollars};
pub use number::grouped;
pub use page::Loaded;
pub use raw_text::{PageTitle, TextArea};
pub use time::{Ahead, When};
