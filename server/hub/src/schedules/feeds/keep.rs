//! How a feed comes to be looked at: what a person enters, checked and looked at once, and its row.

use super::ask::{Answered, Failed, Question, Validators};
use super::take::remembered;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::schedules::{OwnSchedules, looking};
use crate::store::{Json, Transaction, query};
use protocol::schedule::{ScheduleDraft, Timing};
use protocol::{AgentId, ScheduleId};

/// Feeds of one person.
const MOST_FEEDS: i64 = 50;
/// Minutes from one look to the next.
const FEWEST_MINUTES: u32 = 5;
const USUAL_MINUTES: u32 = 30;
const MOST_MINUTES: u32 = 24 * 60;

/// What was there when it was entered.
pub(in crate::schedules) struct FirstLook {
    seen: Vec<String>,
    validators: Validators,
}

pub(in crate::schedules) fn check(draft: &ScheduleDraft) -> Result<Timing> {
    let minutes = match draft.feed_minutes.trim() {
        "" => Some(USUAL_MINUTES),
        text => text.parse().ok(),
    };
    let minutes = minutes.filter(|minutes| (FEWEST_MINUTES..=MOST_MINUTES).contains(minutes));
    let minutes = minutes.ok_or_else(|| {
        Error::invalid(format!(
            "The minutes from one look at a feed to the next are a whole number from {FEWEST_MINUTES} to {MOST_MINUTES}."
        ))
    })?;
    if draft.feed_url.trim().is_empty() {
        return Err(Error::invalid("Enter the address of the feed, like https://example.org/feed.xml."));
    }
    let target =
        Target::parse_without_fragment(&draft.feed_url).map_err(|error| Error::invalid(error.to_string()))?;
    Ok(Timing::Feed { url: target.url().as_str().to_owned(), minutes })
}

/// As it is kept, of what somebody brought along.
pub(in crate::schedules) fn check_brought(url: &str, minutes: u32) -> Result<()> {
    check(&ScheduleDraft {
        feed_url: url.to_owned(),
        feed_minutes: minutes.to_string(),
        ..ScheduleDraft::default()
    })?;
    Ok(())
}

impl OwnSchedules<'_> {
    /// Looks at a feed that is named anew, so that what is in the way of it is said at once.
    pub(in crate::schedules) async fn look_first(
        self,
        agent: &AgentId,
        timing: &Timing,
        before: Option<&Timing>,
    ) -> Result<Option<FirstLook>> {
        let Timing::Feed { url, .. } = timing else { return Ok(None) };
        if matches!(before, Some(Timing::Feed { url: before, .. }) if before == url) {
            return Ok(None);
        }
        let owner = &self.scoped.viewer.me.id;
        let question = Question { owner, agent, url, validators: None };
        match self.scoped.hub.schedules().ask_for_feed(question).await {
            Ok(Answered::Feed { feed, validators }) => {
                Ok(Some(FirstLook { seen: remembered(&feed.entries, &[]), validators }))
            }
            Ok(Answered::Same) => Err(Error::internal("a feed is the same as one that was never seen")),
            Err(Failed::Feed(error)) => Err(Error::Invalid(error.to_string())),
            Err(Failed::Hub(error)) => Err(error),
        }
    }
}

/// Takes in what a schedule is due by. A feed without a first look is the one that it was, and is looked at at once;
/// of what is none, nothing is looked at any more.
pub(in crate::schedules) async fn put(
    scoped: &Scoped<'_>,
    tx: &mut Transaction,
    id: &ScheduleId,
    timing: &Timing,
    first: Option<FirstLook>,
) -> Result<()> {
    let Timing::Feed { minutes, .. } = timing else {
        query("DELETE FROM feeds WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
        return Ok(());
    };
    let now = scoped.hub.now();
    let Some(FirstLook { seen, validators: Validators { etag, last_modified } }) = first else {
        return look_at_once(tx, id, now).await;
    };
    require_room(scoped, tx, id).await?;
    query("DELETE FROM feeds WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
    let next_at = now.saturating_add(i64::from(*minutes).saturating_mul(looking::MINUTE_MS));
    query(
        "INSERT INTO feeds (schedule_id, next_at, etag, last_modified, seen, checked_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        (id, next_at, etag, last_modified, Json(seen), now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn look_at_once(tx: &mut Transaction, id: &ScheduleId, now: i64) -> Result<()> {
    query(
        "UPDATE feeds SET next_at = $2, problem = NULL, failures = 0, refusals = 0 WHERE schedule_id = $1",
        (id, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn require_room(scoped: &Scoped<'_>, tx: &mut Transaction, id: &ScheduleId) -> Result<()> {
    let others: i64 = query(
        "SELECT COUNT(*) FROM feeds d JOIN schedules s ON s.id = d.schedule_id JOIN agents a ON a.id = s.agent_id
         WHERE a.user_id = $1 AND d.schedule_id <> $2",
        (scoped.owner(), id),
    )
    .fetch_one(&mut **tx)
    .await?;
    if others >= MOST_FEEDS {
        return Err(Error::Limit(format!("You have {MOST_FEEDS} schedules with a feed. Delete one first.")));
    }
    Ok(())
}

/// It is looked at again, or for the first time where it came along. Where its person had switched it off, only what
/// comes from now on is new.
pub(in crate::schedules) async fn resume(
    scoped: &Scoped<'_>,
    tx: &mut Transaction,
    id: &ScheduleId,
    was_broken: bool,
) -> Result<()> {
    let now = scoped.hub.now();
    let is_kept = query("SELECT 1 FROM feeds WHERE schedule_id = $1", (id,)).exists(&mut **tx).await?;
    if is_kept && was_broken {
        return look_at_once(tx, id, now).await;
    }
    require_room(scoped, tx, id).await?;
    query("DELETE FROM feeds WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
    query("INSERT INTO feeds (schedule_id, next_at) VALUES ($1, $2)", (id, now)).execute(&mut **tx).await?;
    Ok(())
}
