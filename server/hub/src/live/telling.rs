//! Pages of a person are told of which nouns something is other than it was, once it is committed.

use super::Live;
use crate::Hub;
use crate::cluster::Signal;
use crate::store::Changed;
use protocol::UserId;
use protocol::hub::{HubFrame, Noun};
use std::collections::BTreeSet;

/// What changes within this time is told at once.
const TOGETHER_MS: i64 = 500;

impl Hub {
    pub(crate) fn keep_telling(&self) {
        let hub = self.clone();
        self.tasks().spawn(async move {
            loop {
                tokio::select! {
                    biased;
                    () = hub.tasks().closing() => return,
                    () = hub.store().changes().came() => {}
                }
                tokio::select! {
                    biased;
                    () = hub.tasks().closing() => return,
                    () = hub.clock().until(hub.moment().plus_ms(TOGETHER_MS)) => {}
                }
                hub.tell_changes().await;
            }
        });
    }

    /// The pages of a person are where the person is.
    async fn tell_changes(&self) {
        let (here, elsewhere): (Changed, Changed) =
            self.store().changes().take().into_iter().partition(|(person, _)| self.cluster().has(person));
        for (person, nouns) in &here {
            self.live().nouns_changed(person, nouns);
        }
        if !elsewhere.is_empty() {
            self.cluster().tell(Signal::NounsChanged { of: elsewhere }).await;
        }
    }
}

impl Live {
    pub(crate) fn nouns_changed(&self, person: &UserId, nouns: &BTreeSet<Noun>) {
        for noun in nouns {
            self.tell_pages(person, &HubFrame::NounChanged { noun: *noun });
        }
    }
}
