//! Of which nouns whose rows a commit changed, until somebody tells their pages. Several commits of one noun and one
//! person are one change here, so that it holds no more than people times nouns.

use protocol::UserId;
use protocol::hub::Noun;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Whose, and of which nouns.
pub(crate) type Changed = BTreeMap<UserId, BTreeSet<Noun>>;

#[derive(Debug, Default)]
pub(crate) struct Changes {
    noted: Mutex<Changed>,
    came: Notify,
}

impl Changes {
    pub(crate) fn note(&self, person: UserId, noun: Noun) {
        self.noted().entry(person).or_default().insert(noun);
        self.came.notify_one();
    }

    /// Returns when there is something to tell.
    pub(crate) async fn came(&self) {
        while self.noted().is_empty() {
            self.came.notified().await;
        }
    }

    pub(crate) fn take(&self) -> Changed {
        std::mem::take(&mut *self.noted())
    }

    fn noted(&self) -> MutexGuard<'_, Changed> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_burst_is_one_change_of_each_noun_and_each_person() {
        let changes = Changes::default();
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        for _ in 0..100 {
            changes.note(ada.clone(), Noun::Topics);
            changes.note(ada.clone(), Noun::Memories);
            changes.note(eve.clone(), Noun::Topics);
        }
        changes.came().await;
        let expected: Changed =
            [(ada.clone(), [Noun::Topics, Noun::Memories].into()), (eve, [Noun::Topics].into())].into();
        assert_eq!(changes.take(), expected);
        assert!(changes.take().is_empty());
        // What comes while somebody waits is not missed.
        let (later, ()) = tokio::join!(
            async {
                changes.came().await;
                changes.take()
            },
            async { changes.note(ada.clone(), Noun::Topics) }
        );
        assert_eq!(later, Changed::from([(ada.clone(), [Noun::Topics].into())]));
    }
}
