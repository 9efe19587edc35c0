//! Which devices show an agent's page, as the agent is told: one that was gone for a moment, for a
//! reload for instance, never went.

use super::Live;
use crate::clock::Moment;
use protocol::agent::Ability;
use protocol::{AgentId, DeviceId};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// How long a device may be gone before that counts.
const GRACE_MS: i64 = 10_000;

/// Devices and what they can do. One that came with a token has no id.
pub(crate) type Presence = BTreeMap<Option<DeviceId>, Vec<Ability>>;

/// A device whose last tab with the page was closed or shows something else.
#[derive(Clone, Debug)]
struct DepartedDevice {
    device: Option<DeviceId>,
    abilities: Vec<Ability>,
    at: Moment,
}

#[derive(Default)]
pub(super) struct Departures(Mutex<HashMap<AgentId, Vec<DepartedDevice>>>);

impl Departures {
    /// One without abilities had not introduced itself, and was not here for the agent.
    pub(super) fn note(
        &self,
        agent: AgentId,
        device: Option<DeviceId>,
        abilities: Vec<Ability>,
        now: Moment,
    ) {
        if abilities.is_empty() {
            return;
        }
        let mut agents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        agents.retain(|_, gone| {
            gone.retain(|one| now.ms_since(one.at) < GRACE_MS);
            !gone.is_empty()
        });
        let gone = agents.entry(agent).or_default();
        gone.retain(|one| one.device != device);
        gone.push(DepartedDevice { device, abilities, at: now });
    }

    /// Those that count as here, and the moment from which the first of them does not.
    fn of(&self, agent: &AgentId, now: Moment) -> Vec<DepartedDevice> {
        let agents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = agents.get(agent).into_iter().flatten();
        gone.filter(|one| now.ms_since(one.at) < GRACE_MS).cloned().collect()
    }
}

impl Live {
    /// The devices that show the page, and when the first that is gone for a moment is gone for good.
    pub(crate) fn here(&self, agent: &AgentId, now: Moment) -> (Presence, Option<Moment>) {
        let mut here = Presence::new();
        for tab in self.pages(agent, None) {
            let abilities = tab.able().abilities;
            // Every device has something: one without has not introduced itself yet.
            if !abilities.is_empty() {
                here.insert(tab.device.clone(), abilities);
            }
        }
        let mut until = None;
        for DepartedDevice { device, abilities, at } in self.left.of(agent, now) {
            here.entry(device).or_insert_with(|| {
                let end = at.plus_ms(GRACE_MS);
                until = Some(until.map_or(end, |earlier: Moment| earlier.min(end)));
                abilities
            });
        }
        (here, until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_gone_after_ten_seconds_and_only_the_last_time_counts() {
        let left = Departures::default();
        let (agent, phone) = (AgentId::from("ada"), Some(DeviceId::from("phone")));
        left.note(agent.clone(), phone.clone(), vec![Ability::Touch], Moment(0));
        left.note(agent.clone(), phone, vec![Ability::Touch], Moment(5_000));
        let counts = |now| left.of(&agent, Moment(now)).len();
        assert_eq!([0, 9_999, 14_999, 15_000].map(counts), [1, 1, 1, 0]);
    }

    #[test]
    fn a_device_that_never_said_what_it_can_do_is_not_gone_for_a_moment() {
        let (left, agent, phone) =
            (Departures::default(), AgentId::from("ada"), Some(DeviceId::from("phone")));
        left.note(agent.clone(), phone.clone(), Vec::new(), Moment(0));
        assert!(left.of(&agent, Moment(1)).is_empty());
        left.note(agent.clone(), phone.clone(), vec![Ability::Touch], Moment(2));
        left.note(agent.clone(), phone, Vec::new(), Moment(3));
        let abilities: Vec<_> =
            left.of(&agent, Moment(4)).into_iter().map(|one| (one.abilities, one.at)).collect();
        assert_eq!(abilities, [(vec![Ability::Touch], Moment(2))]);
    }
}
