//! Telling a person who looks elsewhere what happened with their agents: rows that they read on any device, and
//! that are sent to where they want to hear of them.

mod list;
mod news;
mod note;
mod quiet;
mod settings;

use crate::Hub;
use crate::access::Scoped;
pub(crate) use news::News;
pub(crate) use note::is_settled;

/// What the viewer was told of, and how they want to be.
#[derive(Clone, Copy, Debug)]
pub struct OwnNotifications<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn notifications(&self) -> OwnNotifications<'a> {
        OwnNotifications { scoped: *self }
    }
}

/// What people are told of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notifications<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn notifications(&self) -> Notifications<'_> {
        Notifications { hub: self }
    }
}
