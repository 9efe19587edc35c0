//! What reading HTML costs, counted while it is read: the parser looks through the elements that are open at
//! many a tag, and opens formatting elements anew in each paragraph, so that a small text can take hours, or
//! all memory.

use std::cell::Cell;

/// Elements, texts and comments that are made.
pub(super) const MAX_NODES: usize = 500_000;
/// Elements within each other.
pub(super) const MAX_DEPTH: u32 = 8_192;
/// Elements that the parser looks at.
pub(super) const STEPS: usize = 30_000_000;

/// It was written to keep the parser busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

#[derive(Debug, Default)]
pub(super) struct Effort {
    nodes: Cell<usize>,
    depth: Cell<u32>,
    steps: Cell<usize>,
}

impl Effort {
    pub(super) fn made_node(&self) {
        self.nodes.set(self.nodes.get() + 1);
    }

    pub(super) fn made_steps(&self, count: usize) {
        self.steps.set(self.steps.get().saturating_add(count));
    }

    pub(super) fn went_down_to(&self, depth: u32) {
        self.depth.set(self.depth.get().max(depth));
    }

    #[cfg(test)]
    pub(super) fn counted(&self) -> (usize, u32) {
        (self.nodes.get(), self.depth.get())
    }

    pub(super) fn check(&self) -> Result<(), TooMuch> {
        let is_bearable =
            self.nodes.get() <= MAX_NODES && self.depth.get() <= MAX_DEPTH && self.steps.get() <= STEPS;
        if is_bearable { Ok(()) } else { Err(TooMuch) }
    }
}
