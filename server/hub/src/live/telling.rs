//! Pages of a person are told of which nouns something is other than it was, once it is committed.

use super::Live;
use crate::Hub;
use crate::cluster::Signal;
use crate::store::Changed;
use protocol::hub::HubFrame;
use std::sync::Arc;

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
        self.live().nouns_changed(&here);
        if !elsewhere.is_empty() {
            self.cluster().tell(Signal::NounsChanged { of: elsewhere }).await;
        }
    }
}

impl Live {
    /// Looks through the tabs once, however many people have something else than before: it holds them meanwhile.
    pub(crate) fn nouns_changed(&self, changed: &Changed) {
        if changed.is_empty() {
            return;
        }
        let told: Vec<_> = self
            .state()
            .tabs
            .values()
            .filter(|tab| tab.token.is_none() && !tab.is_gone_for_good())
            .filter_map(|tab| Some((Arc::clone(tab), changed.get(&tab.user)?)))
            .collect();
        for (page, nouns) in told {
            for noun in nouns {
                page.send(&HubFrame::NounChanged { noun: *noun });
            }
        }
    }
}
