//! How every wire looks in JSON (`golden/`), what it refuses, and that the document is about it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so")]

mod document;
mod frames;
mod golden;
mod log;
mod malformed;
mod message_list;
mod model;
mod names;
mod round_trip;
mod samples;
mod socket;
mod views;
