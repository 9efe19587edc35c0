//! How often a tool may be called: counted for a person, so that no number of agents and pages gets round it.

use crate::buckets::{Buckets, Rate, Wait};
use agent::tools as declared;
use protocol::UserId;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// People who are told apart for each tool; beyond them all new ones share what one has.
const PEOPLE: usize = 10_000;
const BURST_SECONDS: u32 = 60;
/// A tool of an agent's own is a script, and is counted with the others.
const MADE: &str = "runjs";

/// Calls of each tool, by person.
#[derive(Default)]
pub(crate) struct Paces(Mutex<HashMap<&'static str, Buckets<UserId>>>);

impl Paces {
    /// Counts a call, or says in words when the next one may be made.
    pub(super) fn take(&self, person: &UserId, tool: &str, now: i64) -> Result<(), String> {
        let Some(tool) = declared::find(tool).or_else(|| declared::find(MADE)) else { return Ok(()) };
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

    #[test]
    fn a_tool_is_counted_for_each_person_and_apart_from_other_tools() {
        let paces = Paces::default();
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        let made = |person: &UserId, tool: &str, now| paces.take(person, tool, now).is_ok();
        assert!((0..60).all(|_| made(&ada, "fetch", 0)));
        assert!(!made(&ada, "fetch", 0) && !made(&ada, "fetch", 999));
        assert!(made(&eve, "fetch", 0) && made(&ada, "dom", 0));
        assert!(made(&ada, "fetch", 1000) && !made(&ada, "fetch", 1000));
        let why = paces.take(&ada, "fetch", 1500).unwrap_err();
        assert!(why.ends_with("call it again in 1 s."), "{why}");
    }

    #[test]
    fn tools_of_an_agent_s_own_are_counted_as_the_scripts_they_are() {
        let paces = Paces::default();
        let ada = UserId::from("ada");
        let most = declared::find(MADE).unwrap().per_second * BURST_SECONDS;
        assert!((0..most).all(|call| paces.take(&ada, &format!("own_{}", call % 7), 0).is_ok()));
        assert!(paces.take(&ada, "own_0", 0).is_err() && paces.take(&ada, "runjs", 0).is_err());
    }
}
