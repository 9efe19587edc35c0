//! What is kept without anybody's word: never what the person has seen and put away, and nothing twice. About what may
//! not be true beside it they are asked.

use super::rows;
use super::source::Place;
use super::write::Scope;
use super::{Memories, MemoryWords};
use crate::error::Result;
use protocol::UserId;
use protocol::view::{MemoryAuthor, MemoryState};

impl Memories<'_> {
    /// Keeps it, or of an agent that has read words of strangers puts it before the person.
    pub(crate) async fn add(self, owner: &UserId, at: Place<'_>, memory: &MemoryWords) -> Result<()> {
        let said = memory.said();
        for state in [MemoryState::Proposed, MemoryState::Forgotten] {
            if rows::same(self.hub.store().read(), owner, at.agent, state, &said).await?.is_some() {
                return Ok(());
            }
        }
        self.write_by(owner, at, Scope::Person, memory, MemoryAuthor::Background).await.map(|_| ())
    }
}
