//! Who looks at a conversation sees whom a call of it waits for, how they stand and what they are saying.

use crate::delegations::{Delegation, Until};
use crate::error::Result;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use protocol::hub::{AskedProgress, CallProgress, Noun};

/// Characters of what each said last.
const WORDS: usize = 160;

/// Waits for these, and tells of them meanwhile.
pub(super) async fn wait(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    ids: &[String],
    until: Until,
    seconds: i64,
) -> Result<Vec<Delegation>> {
    let mut told = None::<CallProgress>;
    let look = |found: &[Delegation]| {
        // A call of a page stands in no conversation.
        let Some(run) = caller.run() else { return };
        let now = so_far(caller, found);
        if told.as_ref() != Some(&now) {
            caller.hub.live().progress(caller.agent, run, call.id(), now.clone());
            told = Some(now);
            // Nothing is written for it: what it says is read where it is streamed.
            caller.hub.store().changes().note(caller.owner.clone(), Noun::Delegations);
        }
    };
    caller.hub.delegations().wait(caller.agent, ids, until, seconds, look).await
}

fn so_far(caller: &Caller<'_>, found: &[Delegation]) -> CallProgress {
    let count = |those: usize| f64::from(u32::try_from(those).unwrap_or(u32::MAX));
    let done = found.iter().filter(|one| one.state.is_over()).count();
    let asked = found.iter().map(|one| AskedProgress {
        id: one.id.clone(),
        kind: one.kind,
        name: one.name.clone(),
        agent: one.agent.clone(),
        conversation: one.conversation.clone(),
        state: one.state,
        latest: caller.hub.delegations().latest_words(one, WORDS),
    });
    CallProgress {
        done: count(done),
        total: Some(count(found.len())),
        words: String::new(),
        asked: asked.collect(),
    }
}
