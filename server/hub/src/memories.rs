//! What is remembered of a person from one conversation to the next: agents write and read it with a tool, the most
//! important of it stands in their prompts, and its person sees and corrects all of it.

mod add;
mod against;
mod audience;
mod candidates;
mod carry;
mod meaning;
mod own;
mod rank;
mod recall;
mod rows;
mod said;
mod same;
mod source;
mod stems;
mod stop_words;
mod uses;
mod words;
mod write;

pub(crate) use meaning::InMemory;
pub(crate) use recall::Told;
pub(crate) use source::Place;
pub(crate) use words::read_old;
pub(crate) use write::MemoryWords;
pub(crate) use write::Scope;

use crate::Hub;
use crate::access::Scoped;

/// Memories that a person has at most, and those that wait for a yes.
const MOST_KEPT: usize = 10_000;
const MOST_PROPOSED: usize = 100;
/// How long one that was forgotten is still there.
const FORGOTTEN_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// What is remembered of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnMemories<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn memories(&self) -> OwnMemories<'a> {
        OwnMemories { scoped: *self }
    }
}

/// What agents remember. Whoever calls has seen to it that the agent is the owner's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memories<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn memories(&self) -> Memories<'_> {
        Memories { hub: self }
    }
}
