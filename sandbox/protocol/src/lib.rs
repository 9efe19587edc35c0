//! What crosses a wire: the hub socket (`hub`), the frame ports (`frame`), the canonical model
//! call (`model`), what a driver of a run says and hears (`run`), log entries (`log`), the page of an
//! agent (`page`), what devices do beside it (`device`) and the read models that pages show (`view`, `archive`, `import`, `files`, `approval`, `question`, `schedule`, `todo`). What
//! several of them call an agent's is in `agent`, and what tools are called elsewhere in `tool_names`. Each uses only those below it.
//!
//! Types only. No logic beyond construction and formatting, no I/O, no clock.

pub mod agent;
pub mod approval;
pub mod archive;
mod attachment;
mod context_source;
pub mod device;
mod failure;
pub mod files;
pub mod frame;
pub mod hub;
mod ids;
pub mod import;
mod language;
pub mod log;
mod marks;
pub mod model;
mod money;
pub mod page;
mod permission;
pub mod question;
pub mod run;
pub mod schedule;
pub mod todo;
pub mod tool_names;
pub mod view;

pub use attachment::{APP_RESULT, Attachment, Dimensions};
pub use context_source::ContextSource;
pub use failure::{Failure, FailureKind};
pub use ids::*;
pub use language::Language;
pub use money::{Budget, Caps, LimitOf, Micros, SpentSoFar};
pub use permission::Permission;

/// The version of both wires, sent in [`hub::ClientFrame::Hello`].
///
/// - 1 (2026-11-21): first.
/// - 2 (2026-11-22): a run survives its socket, a call to the page may be offered first, and what
///   needs a person is asked in the log.
pub const VERSION: u32 = 3;

/// Whether a field is left out.
fn is_false(value: &bool) -> bool {
    !*value
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}
