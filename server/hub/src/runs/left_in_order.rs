//! The process stops: runs under way are left as they are, and go on in the next one.

use super::Execution;
use super::lease::Driven;
use super::lease_holder::LeaseHolder;
use crate::clock::new_secret;
use crate::error::{Error, Result};

impl Execution {
    /// Whether what failed with this is left to the process that finds the database again.
    pub(super) fn waits_for_next_process(&self, error: &Error) -> bool {
        error.is_database_away() && self.hub().tasks().is_closing()
    }

    /// Gives up the reply that is being made, books it, and lets go of the run. What its driver still asks for
    /// is refused.
    pub(super) async fn leave_to_next_process(&self) -> Result<()> {
        let _one_at_a_time = self.writing.lock().await;
        if self.is_finishing() {
            return Ok(());
        }
        let (token, home) = (new_secret(), self.home());
        let mut appending = self.hub().log().appending().await?;
        appending.pass_lease(&self.run, &token, &Driven { home, by: None }).await?;
        appending.leave_in_order(&self.run).await?;
        self.hub().log().commit(appending).await?;
        *self.holder() = LeaseHolder::empty(token);
        self.slots.end().await;
        let booked = self.book_usage().await;
        self.abandon();
        booked
    }
}
