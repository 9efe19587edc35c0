//! Going on with what people's agents ask of each other across nodes. It may begin runs, which takes its time, and
//! other signals wait for none of it.

use crate::Hub;
use protocol::UserId;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// For whom it is under way, and whether it is to be done once more: however often it is said, one is enough.
#[derive(Clone, Default)]
pub(super) struct GoingOn(Arc<Mutex<HashMap<UserId, bool>>>);

impl GoingOn {
    fn all(&self) -> MutexGuard<'_, HashMap<UserId, bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `false`: it is under way, and is done once more after that.
    fn begin(&self, person: &UserId) -> bool {
        match self.all().entry(person.clone()) {
            Entry::Occupied(mut once_more) => {
                once_more.insert(true);
                false
            }
            Entry::Vacant(new) => {
                new.insert(false);
                true
            }
        }
    }

    /// One is done. `true`: another one follows.
    fn is_to_be_done_again(&self, person: &UserId) -> bool {
        let mut all = self.all();
        if all.remove(person) != Some(true) {
            return false;
        }
        all.insert(person.clone(), false);
        true
    }
}

impl Hub {
    pub(super) fn go_on_across(&self, person: UserId, going_on: &GoingOn) {
        if !going_on.begin(&person) {
            return;
        }
        let (hub, going_on) = (self.clone(), going_on.clone());
        self.tasks().spawn(async move {
            loop {
                if let Err(error) = hub.delegations().go_on_across(&person).await {
                    tracing::warn!(user.id = %person, error = ?error, "what person {person} asked of others waits on");
                }
                if !going_on.is_to_be_done_again(&person) {
                    return;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_while_it_is_under_way_is_done_once_more_however_often_it_was_said() {
        let (going_on, ada, bob) = (GoingOn::default(), UserId::from("ada"), UserId::from("bob"));
        assert!(going_on.begin(&ada));
        assert!(going_on.begin(&bob), "nobody waits for another person");
        for _ in 0..3 {
            assert!(!going_on.begin(&ada));
        }
        assert!(going_on.is_to_be_done_again(&ada));
        assert!(!going_on.begin(&ada), "that one is under way");
        assert!(going_on.is_to_be_done_again(&ada));
        for person in [&ada, &bob] {
            assert!(!going_on.is_to_be_done_again(person));
            assert!(going_on.begin(person));
        }
    }
}
