//! Feeds whose new entries make schedules due: when each is looked at, and what comes of a look. Whoever looks moves
//! the next time on first, and what follows holds only while it stands there: of two hubs one tells what is new, and
//! what was told is noted in the commit that queues it.

mod ask;
mod keep;
mod take;

pub(super) use keep::{check, check_brought, put, resume};

use super::fire::OF_THIS_NODE;
use super::looking::{AT_ONCE, LOOKS_MS, OF_ONE, pause_ms};
use super::rows::{self, ScheduleRow};
use crate::error::Result;
use crate::schedules::Schedules;
use crate::store::{FromRow, Json, Row, query};
use ask::{Answered, FeedError, Question, Validators};
use protocol::schedule::Timing;
use protocol::{ScheduleId, UserId};
use take::Taken;

/// For so long nobody else looks: longer than a look takes.
const CLAIM_MS: i64 = 2 * 60_000;
/// From one look to the next at least.
const SOON_MS: i64 = 10;
/// From one look to the next at most, where the last ones failed.
const LONGEST_MINUTES: i64 = 24 * 60;

/// A feed that is due.
struct FeedRow {
    schedule: ScheduleId,
    owner: UserId,
    /// While it stands there, the look is this one's.
    next_at: i64,
    failures: i64,
    refusals: i64,
}

impl FromRow for FeedRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            schedule: row.get("schedule_id")?,
            owner: row.get("user_id")?,
            next_at: row.get("next_at")?,
            failures: row.get("failures")?,
            refusals: row.get("refusals")?,
        })
    }
}

/// What is known of it from the looks before.
struct Known {
    validators: Validators,
    /// `None`: nobody has looked yet.
    seen: Option<Vec<String>>,
}

impl FromRow for Known {
    fn from_row(row: &Row) -> Result<Self> {
        let validators = Validators { etag: row.get("etag")?, last_modified: row.get("last_modified")? };
        let seen: Option<Json<Vec<String>>> = row.get("seen")?;
        Ok(Self { validators, seen: seen.map(|Json(seen)| seen) })
    }
}

/// Those of schedules that are not switched off.
const DUE: &str = "SELECT q.schedule_id, q.next_at, q.failures, q.refusals, q.user_id
     FROM (SELECT d.schedule_id, d.next_at, d.failures, d.refusals, a.user_id,
               ROW_NUMBER() OVER (PARTITION BY a.user_id ORDER BY d.next_at) AS place
           FROM feeds d JOIN schedules s ON s.id = d.schedule_id
           JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
           WHERE d.next_at <= $2 AND s.paused = 0 AND u.disabled = 0 AND";
const IN_TURN: &str = ") q WHERE q.place <= $3 ORDER BY q.next_at, q.schedule_id LIMIT $4";

impl Schedules<'_> {
    /// Looks at feeds for as long as the hub is open.
    pub(crate) fn keep_feeds(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let pause_ms = match hub.schedules().look_at_due_feeds().await {
                    Ok(next) => next.unwrap_or(i64::MAX).saturating_sub(hub.now()).clamp(SOON_MS, LOOKS_MS),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!("feeds could not be looked at: {failure}");
                        LOOKS_MS
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.clockwork().feeds.until_changed() => {}
                    () = hub.clock().until(hub.moment().plus_ms(pause_ms)) => {}
                }
            }
        });
    }

    /// Begins with those that are due. Gives when the next one is.
    async fn look_at_due_feeds(self) -> Result<Option<i64>> {
        let now = self.hub.now();
        let due = query([DUE, OF_THIS_NODE, IN_TURN], (self.hub.cluster().own_id(), now, OF_ONE, AT_ONCE))
            .fetch_all::<FeedRow>(self.hub.store().read())
            .await?;
        for row in due {
            if !self.hub.clockwork().feeds.begin(&row.schedule) {
                continue;
            }
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let id = row.schedule.clone();
                let looking = hub.schedules().look_at_feed(row);
                let looked = tokio::select! {
                    looked = looking => looked,
                    // What was not finished is due to the next one.
                    () = hub.tasks().closing() => Ok(()),
                };
                if let Err(error) = looked {
                    let failure = error.into_failure();
                    tracing::warn!(schedule.id = %id, "the feed of schedule {id} could not be looked at: {failure}");
                }
                hub.clockwork().feeds.end(&id);
                hub.clockwork().feeds.changed();
            });
        }
        query(
            [
                "SELECT MIN(d.next_at) FROM feeds d JOIN schedules s ON s.id = d.schedule_id
                 JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
                 WHERE s.paused = 0 AND u.disabled = 0 AND d.next_at > $2 AND",
                OF_THIS_NODE,
            ],
            (self.hub.cluster().own_id(), now),
        )
        .fetch_one(self.hub.store().read())
        .await
    }

    async fn look_at_feed(self, row: FeedRow) -> Result<()> {
        let Ok(_place) = self.hub.clockwork().feeds.enter(&row.owner).await else { return Ok(()) };
        let claim = self.hub.now().saturating_add(CLAIM_MS);
        let mut tx = self.hub.store().write_uncached().await?;
        let claimed = query(
            "UPDATE feeds SET next_at = $3 WHERE schedule_id = $1 AND next_at = $2",
            (&row.schedule, row.next_at, claim),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        if claimed == 0 {
            return Ok(());
        }
        let row = FeedRow { next_at: claim, ..row };
        let known: Option<ScheduleRow> =
            query([rows::SCHEDULES, "s.id = $1 AND s.paused = 0"], (&row.schedule,))
                .fetch_optional(self.hub.store().read())
                .await?;
        let before: Option<Known> =
            query("SELECT etag, last_modified, seen FROM feeds WHERE schedule_id = $1", (&row.schedule,))
                .fetch_optional(self.hub.store().read())
                .await?;
        let (Some(known), Some(before)) = (known, before) else { return Ok(()) };
        let Timing::Feed { url, minutes } = known.timing.clone() else { return Ok(()) };
        let question = Question {
            owner: &row.owner,
            agent: &known.place.agent,
            url: &url,
            // What was never read through cannot be the same as before.
            validators: before.seen.is_some().then_some(&before.validators),
        };
        let answered = self.ask_for_feed(question).await;
        let (feed, validators) = match answered {
            Ok(Answered::Same) => return self.note_same(&row, minutes).await,
            Ok(Answered::Feed { feed, validators }) => (feed, validators),
            Err(ask::Failed::Feed(error)) => return self.note_no_feed(&row, known, minutes, &error).await,
            Err(ask::Failed::Hub(error)) => return Err(error),
        };
        let next_at = self.hub.now().saturating_add(pause_ms(minutes, 0, LONGEST_MINUTES));
        let noted =
            take::Noted { seen: before.seen.as_deref(), feed: &feed, validators: &validators, next_at };
        match self.take_entries(&row, &known, &noted).await? {
            Taken::Noted => Ok(()),
            Taken::NoRoom => self.look_later(&row, next_at).await,
        }
    }

    /// Nothing has changed there.
    async fn note_same(self, row: &FeedRow, minutes: u32) -> Result<()> {
        let now = self.hub.now();
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE feeds SET next_at = $3, checked_at = $4, problem = NULL, failures = 0, refusals = 0
             WHERE schedule_id = $1 AND next_at = $2",
            (&row.schedule, row.next_at, now.saturating_add(pause_ms(minutes, 0, LONGEST_MINUTES)), now),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    /// What is new is still new then.
    async fn look_later(self, row: &FeedRow, next_at: i64) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE feeds SET next_at = $3, problem = NULL, failures = 0, refusals = 0
             WHERE schedule_id = $1 AND next_at = $2",
            (&row.schedule, row.next_at, next_at),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    /// Says so on its page, looks later, and switches the schedule off where it was for nothing too often.
    async fn note_no_feed(
        self,
        row: &FeedRow,
        known: ScheduleRow,
        minutes: u32,
        error: &FeedError,
    ) -> Result<()> {
        let refusals = match error {
            FeedError::NotYet(_) => row.refusals,
            FeedError::Refused(_) => row.refusals + 1,
        };
        let (why, failures) = (error.to_string(), row.failures + 1);
        let next_at = self.hub.now().saturating_add(pause_ms(minutes, failures, LONGEST_MINUTES));
        let mut tx = self.hub.store().write_uncached().await?;
        let noted = query(
            "UPDATE feeds SET next_at = $3, problem = $4, failures = $5, refusals = $6
             WHERE schedule_id = $1 AND next_at = $2",
            (&row.schedule, row.next_at, next_at, &why, failures, refusals),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        let times = known.rules.breaker;
        if noted == 0 || times == 0 || refusals < i64::from(times) {
            return Ok(());
        }
        // What came before is told all the same.
        self.switch_off(known, times, why, "AND event IS NULL").await
    }
}
