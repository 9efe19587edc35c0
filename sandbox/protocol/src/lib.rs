//! What crosses a wire: the hub socket (`hub`), the frame ports (`frame`), the canonical model
//! call (`model`), log entries (`log`) and the read models that pages show (`view`, `archive`).
//!
//! Types only. No logic beyond construction and formatting, no I/O, no clock.

pub mod archive;
mod failure;
pub mod frame;
pub mod hub;
mod ids;
pub mod log;
pub mod model;
mod money;
pub mod view;

pub use failure::{Failure, FailureKind};
pub use ids::*;
pub use money::Micros;

/// The version of both wires, sent in [`hub::ClientFrame::Hello`].
///
/// - 1 (2026-11-21): first.
pub const VERSION: u32 = 1;
