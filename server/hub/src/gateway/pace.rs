//! How often a tool may be called: counted for a person, so that no number of agents and pages gets round it.

use crate::buckets::{Buckets, Rate, Wait};
use crate::clock::Moment;
use agent::tools::{SCRIPT, Tool};
use protocol::UserId;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// People who are told apart for each tool; beyond them all new ones share what one has.
const PEOPLE: usize = 10_000;
const BURST_SECONDS: u32 = 60;

/// Calls of each tool, by person.
#[derive(Default)]
pub(super) struct Paces(Mutex<HashMap<&'static str, Buckets<UserId>>>);

impl Paces {
    /// Counts a call, or says in words when the next one may be made.
    pub(super) fn take(&self, person: &UserId, tool: Option<&Tool>, now: Moment) -> Result<(), String> {
        // A tool of an agent's own is a script, and is counted with the others.
        let tool = tool.unwrap_or(SCRIPT);
        let mut paces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = Rate { per_second: tool.per_second, burst: tool.per_second.saturating_mul(BURST_SECONDS) };
        let buckets = paces.entry(tool.name).or_insert_with(|| Buckets::new(rate, PEOPLE));
        buckets.take(person.clone(), now).map_err(|Wait(milliseconds)| {
            let seconds = milliseconds.max(1).unsigned_abs().div_ceil(1000);
            format!(
                "not run: {} is called too often, by all agents of this person together. \
                 Go on with something else, or call it again in {seconds} s.",
                tool.name
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent::tools::find;

    #[test]
    fn a_tool_is_counted_for_each_person_and_apart_from_other_tools() {
        let paces = Paces::default();
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        let made = |person: &UserId, tool: &str, now| paces.take(person, find(tool), Moment(now)).is_ok();
        assert!((0..60).all(|_| made(&ada, "fetch", 0)));
        assert!(!made(&ada, "fetch", 0) && !made(&ada, "fetch", 999));
        assert!(made(&eve, "fetch", 0) && made(&ada, "dom", 0));
        assert!(made(&ada, "fetch", 1000) && !made(&ada, "fetch", 1000));
        let why = paces.take(&ada, find("fetch"), Moment(1500)).unwrap_err();
        assert!(why.ends_with("call it again in 1 s."), "{why}");
    }

    #[test]
    fn tools_of_an_agent_s_own_are_counted_as_the_scripts_they_are() {
        let paces = Paces::default();
        let ada = UserId::from("ada");
        let most = SCRIPT.per_second * BURST_SECONDS;
        assert!(
            (0..most).all(|call| paces.take(&ada, find(&format!("own_{}", call % 7)), Moment(0)).is_ok())
        );
        assert!(
            paces.take(&ada, find("own_0"), Moment(0)).is_err()
                && paces.take(&ada, find("runjs"), Moment(0)).is_err()
        );
    }
}
