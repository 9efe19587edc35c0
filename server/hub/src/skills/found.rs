//! What each person found elsewhere last and has not chosen from: a list, and none of the skills on it.

use super::OwnSkills;
use protocol::UserId;
use protocol::view::FoundSkills;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// People whose lists are kept.
const PEOPLE: usize = 200;

#[derive(Debug, Default)]
pub(super) struct LastFound(Mutex<VecDeque<(UserId, FoundSkills)>>);

impl LastFound {
    pub(super) fn keep(&self, person: &UserId, found: FoundSkills) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|(whose, _)| whose != person);
        lists.push_back((person.clone(), found));
        if lists.len() > PEOPLE {
            lists.pop_front();
        }
    }

    fn of(&self, person: &UserId) -> Option<FoundSkills> {
        let lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.iter().find(|(whose, _)| whose == person).map(|(_, found)| found.clone())
    }
}

impl OwnSkills<'_> {
    /// What the viewer found last, where there was more than one. It is kept until they find something else.
    pub fn found(self) -> Option<FoundSkills> {
        self.scoped.hub.0.skills.found.of(&self.scoped.viewer.me.id)
    }
}
