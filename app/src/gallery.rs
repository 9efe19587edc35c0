//! Where agents come from besides one's own words: the templates that ship with the product, and
//! archives that somebody sends in. Both are reviewed on the same page before anything is made.

pub mod api;
mod page;
mod proposals;
mod review;

pub use page::GalleryPage;
pub use review::ReviewPage;
