//! The page where settings go to another device or hub, or come from one. The browser seals and opens
//! them, so that no server reads a parcel on its way. What of it reaches the new hub is what its person chose
//! there.

pub mod api;
mod make;
mod open;
mod page;
mod review;

pub use page::TransferPage;
