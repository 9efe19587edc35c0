//! What a tool declares to reach.

use super::MadeTool;
use crate::error::{Error, Result};
use crate::state;
use protocol::view::ToolReach;

/// Keys of the state that a tool may declare to read, and to set.
const KEYS: usize = 50;
/// Characters of it that the record of a call has.
const IN_SHORT: usize = 500;

impl MadeTool {
    /// What it declares to reach, for the record of a call: the page, or the keys that it reads and, after an arrow,
    /// those that it sets. `None`: nothing.
    pub(crate) fn reach_in_short(&self) -> Option<String> {
        let ToolReach { page, reads, writes } = &self.reach;
        if *page {
            return Some("page".to_owned());
        }
        let reach = match writes.is_empty() {
            true => reads.join(", "),
            false => format!("{} → {}", reads.join(", "), writes.join(", ")),
        };
        let reach: String = reach.trim().chars().take(IN_SHORT).collect();
        (!reach.is_empty()).then_some(reach)
    }
}

pub(super) fn check(reach: &ToolReach) -> Result<()> {
    let ToolReach { page, reads, writes } = reach;
    if *page && !(reads.is_empty() && writes.is_empty()) {
        return Err(Error::invalid(
            "A tool that reaches the page reaches the whole state. Leave out either the page or the keys.",
        ));
    }
    if reads.len() > KEYS || writes.len() > KEYS {
        return Err(Error::invalid(format!("A tool reads and sets at most {KEYS} keys each.")));
    }
    reads.iter().chain(writes).try_for_each(|key| state::check_key(key))
}
