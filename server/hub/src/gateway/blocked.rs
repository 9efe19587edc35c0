//! Calls that were not made and that no person denied, as lines of the audit: so many a day for a person that no
//! page can push other lines out. All of them stand with the calls.

use super::Caller;
use crate::audit::{Actor, AuditEvent};
use crate::clock::Moment;
use crate::error::Result;
use crate::log::Appending;
use crate::policy::Subject;
use crate::store::query;
use agent::tools::ResolvedCall;
use protocol::UserId;
use protocol::view::{AuditAction, CallDecider};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Lines of one person's agents in a day.
const A_DAY: u32 = 200;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// When each person's day began, and the lines since then.
#[derive(Default)]
pub(super) struct Blocked(Mutex<HashMap<UserId, (Moment, u32)>>);

/// Whether there is a line for one more.
#[derive(Debug, PartialEq, Eq)]
enum QueueState {
    Yes,
    /// It is the last one of this day.
    Last,
    No,
}

impl Blocked {
    fn take(&self, person: &UserId, now: Moment) -> QueueState {
        let mut people = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        people.retain(|_, (since, _)| now.ms_since(*since) < DAY_MS);
        let (_, lines) = people.entry(person.clone()).or_insert((now, 0));
        *lines = lines.saturating_add(1);
        match (*lines).cmp(&A_DAY) {
            std::cmp::Ordering::Less => QueueState::Yes,
            std::cmp::Ordering::Equal => QueueState::Last,
            std::cmp::Ordering::Greater => QueueState::No,
        }
    }
}

/// Comes last in its transaction.
pub(super) async fn note(
    appending: &mut Appending,
    caller: &Caller<'_>,
    call: &ResolvedCall,
    by: CallDecider,
) -> Result<()> {
    let why = match by {
        // The answer of a person has a line of its own.
        CallDecider::Person => return Ok(()),
        CallDecider::Default => "not allowed here",
        CallDecider::Network => "out of reach",
        CallDecider::Hook => "by a hook",
        CallDecider::Rule => "by a rule",
        CallDecider::Skill => "by a skill",
        CallDecider::Time => "nobody answered",
    };
    let hub = caller.hub;
    let more = match hub.blocked().take(caller.owner, hub.moment()) {
        QueueState::Yes => "",
        QueueState::Last => ", and more today that stand with the calls only",
        QueueState::No => return Ok(()),
    };
    let name: String =
        query("SELECT name FROM users WHERE id = $1", (&caller.owner,)).fetch_one(&mut *appending.tx).await?;
    // What is no address is about nothing.
    let subject = Subject::of(call).ok();
    let about =
        subject.as_ref().and_then(Subject::text).map(|about| format!(" about {about}")).unwrap_or_default();
    let object = format!("{}{about}, {why}, {}{more}", call.asked().name, caller.spec.name);
    let line = AuditEvent::done(AuditAction::CallBlocked, Actor::hub()).about(&caller.owner.0, &name);
    hub.audit().note(&mut appending.tx, line.object(&object)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_so_many_lines_a_day_and_the_last_says_that_there_is_more() {
        let blocked = Blocked::default();
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        assert!((1..A_DAY).all(|_| blocked.take(&ada, Moment(0)) == QueueState::Yes));
        assert_eq!(blocked.take(&ada, Moment(1)), QueueState::Last);
        assert_eq!(blocked.take(&ada, Moment(DAY_MS - 1)), QueueState::No);
        assert_eq!(blocked.take(&eve, Moment(1)), QueueState::Yes);
        assert_eq!(blocked.take(&ada, Moment(DAY_MS)), QueueState::Yes);
    }
}
