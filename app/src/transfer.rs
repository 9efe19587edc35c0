//! Settings on their way from one device or hub to another: sealed and opened by the browser, so that
//! no server reads a parcel on its way. What of it reaches the new hub is what its person chose there.

#![cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "a server opens no parcels"))]

pub mod api;
#[cfg(any(feature = "hydrate", test))]
mod envelope;
mod make;
mod open;
mod page;
#[cfg(any(feature = "hydrate", test))]
mod parcel;
mod review;
#[cfg(feature = "hydrate")]
mod seal;

pub use page::TransferPage;
