//! Pages of a person are told of which nouns something is other than it was, once it is committed.

use super::Live;
use crate::Hub;
use crate::cluster::Signal;
use crate::store::{Changed, Changes};
use protocol::UserId;
use protocol::hub::HubFrame;
use std::sync::Arc;

/// What changes within this time is told at once.
const TOGETHER_MS: i64 = 500;

impl Hub {
    /// Who is placed on this node is told without waiting for the other nodes, which may be out of reach.
    pub(crate) fn keep_telling(&self) {
        let elsewhere = Arc::new(Changes::default());
        let (hub, waiting) = (self.clone(), Arc::clone(&elsewhere));
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
                let changed = hub.store().changes().take();
                hub.live().nouns_changed(&share_out(changed, |person| hub.cluster().has(person), &waiting));
            }
        });
        let hub = self.clone();
        self.tasks().spawn(async move {
            loop {
                tokio::select! {
                    biased;
                    () = hub.tasks().closing() => return,
                    () = elsewhere.came() => {}
                }
                hub.cluster().tell(Signal::NounsChanged { of: elsewhere.take() }).await;
            }
        });
    }
}

/// The pages of a person are where the person is: gives those who are here, and adds the others to `elsewhere`.
fn share_out(changed: Changed, is_here: impl Fn(&UserId) -> bool, elsewhere: &Changes) -> Changed {
    let (here, others): (Changed, Changed) = changed.into_iter().partition(|(person, _)| is_here(person));
    for (person, nouns) in others {
        for noun in nouns {
            elsewhere.note(person.clone(), noun);
        }
    }
    here
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

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::hub::Noun;

    #[test]
    fn who_is_here_is_told_while_other_nodes_are_not_and_those_hear_of_all_of_it_once() {
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        let both = |noun: Noun| Changed::from([(ada.clone(), [noun].into()), (eve.clone(), [noun].into())]);
        let elsewhere = Changes::default();
        for noun in [Noun::Topics, Noun::Memories, Noun::Topics] {
            let here = share_out(both(noun), |person| *person == ada, &elsewhere);
            assert_eq!(here, Changed::from([(ada.clone(), [noun].into())]));
        }
        assert_eq!(elsewhere.take(), Changed::from([(eve, [Noun::Topics, Noun::Memories].into())]));
    }
}
