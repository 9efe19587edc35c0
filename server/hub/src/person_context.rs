//! What a person lets their agents know around what they say: sources that they turn on one by one, keys that they
//! and their agents note, and what their other agents said lately. It is told at the start of a run, in entries of
//! its log, and there only what changed since the conversation was told last.

mod agents;
mod calendar;
mod calendar_look;
mod calendar_words;
mod keys;
mod own;
mod sayings;
mod sources;
mod told;
mod words;

pub(crate) use agents::copy_switches;
pub(crate) use sayings::{FinalWords, forget_unheard};
pub(crate) use told::ToldSources;

use crate::Hub;
use crate::access::Scoped;
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::UserId;

/// The viewer's context.
#[derive(Clone, Copy, Debug)]
pub struct OwnContext<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn person_context(&self) -> OwnContext<'a> {
        OwnContext { scoped: *self }
    }
}

/// What agents are told of it. Whoever calls has seen to it that the agent is the owner's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contexts<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn person_contexts(&self) -> Contexts<'_> {
        Contexts { hub: self }
    }
}

/// Who changes this person's context under this lock changes it alone until the transaction ends.
async fn lock(tx: &mut Transaction, person: &UserId) -> Result<()> {
    query("UPDATE users SET role = role WHERE id = $1", (person,)).execute(&mut **tx).await?;
    Ok(())
}
