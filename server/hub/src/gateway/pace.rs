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
/// Calls of tools of other servers a second, all of them together.
const ELSEWHERE_PER_SECOND: u32 = 1;
const ELSEWHERE: &str = "a tool of an MCP server";

/// What is called, for counting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Paced<'a> {
    /// None: the agent made the tool.
    Here(Option<&'a Tool>),
    /// A tool of another server.
    Elsewhere,
}

/// Calls of each tool, by person.
#[derive(Default)]
pub(super) struct Paces(Mutex<HashMap<&'static str, Buckets<UserId>>>);

impl Paces {
    /// Counts a call, or says in words when the next one may be made.
    pub(super) fn take(&self, person: &UserId, paced: Paced<'_>, now: Moment) -> Result<(), String> {
        let (name, per_second) = match paced {
            // A tool of an agent's own is a script, and is counted with the others.
            Paced::Here(tool) => {
                let tool = tool.unwrap_or(SCRIPT);
                (tool.name, tool.per_second)
            }
            Paced::Elsewhere => (ELSEWHERE, ELSEWHERE_PER_SECOND),
        };
        let mut paces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = Rate { per_second, burst: per_second.saturating_mul(BURST_SECONDS) };
        let buckets = paces.entry(name).or_insert_with(|| Buckets::new(rate, PEOPLE));
        buckets.take(person.clone(), now).map_err(|Wait(milliseconds)| {
            let seconds = milliseconds.max(1).unsigned_abs().div_ceil(1000);
            format!(
                "not run: {name} is called too often, by all agents of this person together. \
                 Go on with something else, or call it again in {seconds} s."
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
        let take =
            |person: &UserId, tool: &str, now| paces.take(person, Paced::Here(find(tool)), Moment(now));
        let made = |person: &UserId, tool: &str, now| take(person, tool, now).is_ok();
        assert!((0..60).all(|_| made(&ada, "fetch", 0)));
        assert!(!made(&ada, "fetch", 0) && !made(&ada, "fetch", 999));
        assert!(made(&eve, "fetch", 0) && made(&ada, "dom", 0));
        assert!(made(&ada, "fetch", 1000) && !made(&ada, "fetch", 1000));
        let why = take(&ada, "fetch", 1500).unwrap_err();
        assert!(why.ends_with("call it again in 1 s."), "{why}");
        assert!((0..60).all(|_| paces.take(&ada, Paced::Elsewhere, Moment(0)).is_ok()));
        assert!(paces.take(&ada, Paced::Elsewhere, Moment(0)).is_err());
    }

    #[test]
    fn tools_of_an_agent_s_own_are_counted_as_the_scripts_they_are() {
        let paces = Paces::default();
        let ada = UserId::from("ada");
        let take = |name: &str| paces.take(&ada, Paced::Here(find(name)), Moment(0));
        let most = SCRIPT.per_second * BURST_SECONDS;
        assert!((0..most).all(|call| take(&format!("own_{}", call % 7)).is_ok()));
        assert!(take("own_0").is_err() && take("runjs").is_err());
    }
}
