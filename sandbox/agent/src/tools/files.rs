//! Tools for what is kept as files: one table of mounts, whose paths have one spelling each.

mod change;
mod chart;
mod convert;
mod diagnostics;
mod document;
mod find;
mod manage;
mod path;
mod read;
mod risk;
mod symbols;

pub(super) use change::{EDIT, WRITE};
pub(super) use chart::CHART;
pub(super) use convert::CONVERT;
pub(super) use diagnostics::DIAGNOSTICS;
pub(super) use document::DOCUMENT;
pub(super) use find::{GLOB, GREP};
pub(super) use manage::TOOL;
pub(super) use path::{is_on_a_device, with_paths, with_whole_paths};
pub(super) use read::READ;
pub(super) use risk::leads_to_a_device;
pub(super) use symbols::SYMBOLS;

pub use path::{DEVICE_FILES, LOCAL_FILES, OWN_FILES, SERVER_FILES, WORKSPACE, whole_path};

use super::schema::text;
use serde_json::Value;

/// The schema of a path, after what it is for.
fn path(what: &str) -> Value {
    text(&format!("{what}, as /agent/notes/plan.md."))
}
