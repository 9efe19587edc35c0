//! Conversations that are shown to other people of the hub. Their readers have what was said, and nothing else of
//! the agent or its owner.

mod give;
mod lines;
mod read;

use crate::access::Scoped;

/// The viewer's conversations that others read, and those of others that the viewer does.
#[derive(Clone, Copy, Debug)]
pub struct Shares<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn shares(&self) -> Shares<'a> {
        Shares { scoped: *self }
    }
}
