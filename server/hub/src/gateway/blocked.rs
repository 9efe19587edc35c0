//! Calls that were not made and that no person denied, as lines of the audit: so many a day for a person that no
//! page can push other lines out. All of them stand with the calls.

use super::Caller;
use super::consent::DecidedBy;
use crate::audit::{Actor, Line};
use crate::error::Result;
use crate::log::Appending;
use crate::policy::Subject;
use agent::tools::find;
use protocol::UserId;
use protocol::model::ToolCall;
use protocol::view::AuditAction;
use sqlx::Row as _;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Lines of one person's agents in a day.
const A_DAY: u32 = 200;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// When each person's day began, and the lines since then.
#[derive(Default)]
pub(crate) struct Blocked(Mutex<HashMap<UserId, (i64, u32)>>);

/// Whether there is a line for one more.
#[derive(Debug, PartialEq, Eq)]
enum Room {
    Yes,
    /// It is the last one of this day.
    Last,
    No,
}

impl Blocked {
    fn take(&self, person: &UserId, now: i64) -> Room {
        let mut people = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        people.retain(|_, (since, _)| now.saturating_sub(*since) < DAY_MS);
        let (_, lines) = people.entry(person.clone()).or_insert((now, 0));
        *lines = lines.saturating_add(1);
        match (*lines).cmp(&A_DAY) {
            std::cmp::Ordering::Less => Room::Yes,
            std::cmp::Ordering::Equal => Room::Last,
            std::cmp::Ordering::Greater => Room::No,
        }
    }
}

/// Comes last in its transaction.
pub(super) async fn note(
    appending: &mut Appending,
    caller: &Caller<'_>,
    call: &ToolCall,
    by: DecidedBy,
) -> Result<()> {
    let why = match by {
        // The answer of a person has a line of its own.
        DecidedBy::Person => return Ok(()),
        DecidedBy::Default => "not allowed here",
        DecidedBy::Network => "out of reach",
        DecidedBy::Hook => "by a hook",
        DecidedBy::Rule => "by a rule",
        DecidedBy::Time => "nobody answered",
    };
    let hub = caller.hub;
    let more = match hub.blocked.take(caller.owner, hub.now()) {
        Room::Yes => "",
        Room::Last => ", and more today that stand with the calls only",
        Room::No => return Ok(()),
    };
    let row = sqlx::query("SELECT name FROM users WHERE id = $1")
        .bind(&caller.owner.0)
        .fetch_one(&mut *appending.tx)
        .await?;
    let name: String = row.try_get("name")?;
    let subject = Subject::of(find(&call.name), call);
    let about = subject.text().map(|about| format!(" about {about}")).unwrap_or_default();
    let object = format!("{}{about}, {why}, {}{more}", call.name, caller.spec.name);
    let line = Line::done(AuditAction::CallBlocked, Actor::hub()).about(&caller.owner.0, &name);
    hub.note(&mut appending.tx, line.object(&object)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_so_many_lines_a_day_and_the_last_says_that_there_is_more() {
        let blocked = Blocked::default();
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        assert!((1..A_DAY).all(|_| blocked.take(&ada, 0) == Room::Yes));
        assert_eq!(blocked.take(&ada, 1), Room::Last);
        assert_eq!(blocked.take(&ada, DAY_MS - 1), Room::No);
        assert_eq!(blocked.take(&eve, 1), Room::Yes);
        assert_eq!(blocked.take(&ada, DAY_MS), Room::Yes);
    }
}
