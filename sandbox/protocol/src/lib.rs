//! What crosses a wire: the hub socket (`hub`), the frame ports (`frame`), the canonical model
//! call (`model`), log entries (`log`) and the read models that pages show (`view`, `archive`, `approval`,
//! `schedule`).
//!
//! Types only. No logic beyond construction and formatting, no I/O, no clock.

pub mod approval;
pub mod archive;
mod failure;
pub mod frame;
pub mod hub;
mod ids;
pub mod log;
pub mod model;
mod money;
mod permission;
pub mod schedule;
pub mod view;

pub use failure::{Failure, FailureKind};
pub use ids::*;
pub use money::{LimitOf, Micros};
pub use permission::Permission;

/// The version of both wires, sent in [`hub::ClientFrame::Hello`].
///
/// - 1 (2026-11-21): first.
/// - 2 (2026-11-22): a run survives its socket, a call to the page may be offered first, and what
///   needs a person is asked in the log.
pub const VERSION: u32 = 2;
