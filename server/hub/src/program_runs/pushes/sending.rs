//! Telling programs how their tasks stand: from rows, so that nothing is lost with the process, again after a while
//! where it failed, and given up in the end. What a task came through while nobody answered is not told any more:
//! only how it stands.

use super::{Address, PLACES, TaskPushes, stands};
use crate::error::Result;
use crate::notifications::{Sent, sent};
use crate::outbound::Target;
use crate::program_runs::found::{header_of, read};
use crate::program_runs::{ProgramRun, RunState, TaskArtifacts, TaskName};
use crate::store::{FromRow, Row, query};
use protocol::{RunId, UserId};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::json;
use std::collections::HashSet;
use std::sync::{MutexGuard, PoisonError};

/// Pauses after tries that failed; after the last of them it is given up.
const PAUSES_MS: [i64; 4] = [10_000, 60_000, 5 * 60_000, 30 * 60_000];
/// So often it is looked whether a task came further of which the signal was lost, with a process or to another node.
const LOOKS_MS: i64 = 60_000;
/// Of one person, and of all, that are begun with. Of one as many as they may have places: what waits for its turn
/// holds back what is behind it of the same person, and of nobody else.
const OF_ONE: i64 = (PLACES / 2) as i64;
const AT_ONCE: i64 = 500;
const TOKEN: HeaderName = HeaderName::from_static("x-a2a-notification-token");

/// One task on its way to one address.
struct Parcel {
    run: RunId,
    id: String,
    relays: bool,
    sealed: String,
    told: String,
    tries: i64,
    due_at: i64,
}

impl FromRow for Parcel {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            run: row.get("run_id")?,
            id: row.get("id")?,
            relays: row.get("relays")?,
            sealed: row.get("sealed")?,
            told: row.get("told")?,
            tries: row.get("tries")?,
            due_at: row.get("due_at")?,
        })
    }
}

type Key = (RunId, String);

impl TaskPushes<'_> {
    /// Tells what is due, for as long as the hub is open.
    pub(crate) fn keep_pushing(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let pause_ms = match hub.task_pushes().send_due().await {
                    Ok(next) => next.unwrap_or(i64::MAX).saturating_sub(hub.now()).clamp(0, LOOKS_MS),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!("what programs are to be told could not be looked at: {failure}");
                        LOOKS_MS
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.0.task_pushes.signal.heard() => {}
                    () = hub.clock().until(hub.moment().plus_ms(pause_ms)) => {}
                }
            }
        });
    }

    /// Begins with those that are due. Gives when the next one is.
    async fn send_due(self) -> Result<Option<i64>> {
        let now = self.hub.now();
        for run in self.hub.0.task_pushes.signal.further() {
            self.make_due(&run, now).await?;
        }
        let node = self.hub.cluster().own_id();
        let due: Vec<(RunId, String, UserId)> = query(
            "SELECT q.run_id, q.id, q.user_id
             FROM (SELECT p.run_id, p.id, p.due_at, t.user_id,
                       ROW_NUMBER() OVER (PARTITION BY t.user_id ORDER BY p.due_at) AS place
                   FROM task_pushes p JOIN tokens t ON t.id = p.token_id
                   WHERE p.due_at <= $1 AND (CAST($4 AS TEXT) IS NULL
                     OR t.user_id IN (SELECT user_id FROM placements WHERE node_id = $4 AND taken_on = 1))) q
             WHERE q.place <= $2 ORDER BY q.place, q.due_at LIMIT $3",
            (now, OF_ONE, AT_ONCE + self.count_under_way(), node),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for (run, id, owner) in due {
            self.begin((run, id), owner);
        }
        query("SELECT MIN(due_at) FROM task_pushes WHERE due_at > $1", (now,))
            .fetch_one(self.hub.store().read())
            .await
    }

    /// The task came further. One that waits for its next try is left its time. A look that is under way sees by the
    /// other number that there is more to see.
    async fn make_due(self, run: &RunId, now: i64) -> Result<()> {
        let is_told_of = query("SELECT 1 FROM task_pushes WHERE run_id = $1 AND tries = 0", (run,));
        if !is_told_of.exists(self.hub.store().read()).await? {
            return Ok(());
        }
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE task_pushes SET due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END - 1
             WHERE run_id = $1 AND tries = 0",
            (run, now),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    fn begin(self, key: Key, owner: UserId) {
        if !self.under_way().insert(key.clone()) {
            return;
        }
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            let pushes = hub.task_pushes();
            let told = pushes.tell_in_turn(&key, &owner).await;
            pushes.under_way().remove(&key);
            match told {
                Ok(true) => hub.0.task_pushes.signal.ring(),
                // Its turn did not come, and the next look finds it.
                Ok(false) => {}
                Err(error) => tracing::warn!(error = ?error, "what a program is to be told waits on"),
            }
        });
    }

    async fn tell_in_turn(self, key: &Key, owner: &UserId) -> Result<bool> {
        let place = tokio::select! {
            biased;
            () = self.hub.tasks().closing() => return Ok(false),
            place = self.hub.0.task_pushes.places.enter(owner) => place,
        };
        let Ok(_place) = place else { return Ok(false) };
        let parcel: Option<Parcel> = query(
            "SELECT p.run_id, p.id, p.sealed, p.told, p.tries, p.due_at, t.relays
             FROM task_pushes p JOIN tokens t ON t.id = p.token_id
             WHERE p.run_id = $1 AND p.id = $2 AND p.due_at <= $3",
            (&key.0, &key.1, self.hub.now()),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        if let Some(parcel) = parcel {
            self.tell(&parcel).await?;
        }
        Ok(true)
    }

    async fn tell(self, parcel: &Parcel) -> Result<()> {
        let Some(header) = header_of(self.hub, &parcel.run).await? else { return Ok(()) };
        let run = read(self.hub, header, !parcel.relays).await?;
        let (stands, is_over) = (stands(&run.state), matches!(run.state, RunState::Over(_)));
        if stands == parcel.told {
            return self.look_later(parcel).await;
        }
        let Some(address) = self.opened(&parcel.run, &parcel.id, &parcel.sealed) else {
            return self.forget(parcel).await;
        };
        let pause = usize::try_from(parcel.tries).ok().and_then(|tries| PAUSES_MS.get(tries)).copied();
        let next = self.hub.now() + pause.unwrap_or(PAUSES_MS[PAUSES_MS.len() - 1]);
        // Taken before it is sent: another hub does not send it as well, and a crash does not send it for ever.
        if !self.take(parcel, next).await? {
            return Ok(());
        }
        match (self.send(&address, &run).await, pause) {
            (Sent::Done, _) if is_over => self.forget(parcel).await,
            (Sent::Done, _) => self.note_told(parcel, &stands).await,
            (Sent::NotYet(_), Some(_)) => Ok(()),
            (Sent::Gone | Sent::Refused(_) | Sent::NotYet(_), _) => {
                tracing::debug!("a program is told nothing more of its task: its address takes nothing");
                self.forget(parcel).await
            }
        }
    }

    async fn send(self, address: &Address, run: &ProgramRun) -> Sent {
        let task = TaskName::from(run);
        let told = match run.state {
            RunState::Over(_) => json!({ "task": task.task(&run.state, run.at, TaskArtifacts::With) }),
            _ => task.status_update(&run.state, self.hub.now()),
        };
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/a2a+json"));
        for (name, word) in [(TOKEN, &address.token), (AUTHORIZATION, &address.authorization)] {
            if let Ok(mut value) = HeaderValue::from_str(word)
                && !word.is_empty()
            {
                value.set_sensitive(true);
                headers.insert(name, value);
            }
        }
        match Target::parse(&address.url) {
            Ok(target) => sent(self.hub, Method::POST, &target, headers, told.to_string().into_bytes()).await,
            Err(error) => Sent::Refused(error.to_string()),
        }
    }

    /// `false`: another hub has it.
    async fn take(self, parcel: &Parcel, next: i64) -> Result<bool> {
        let mut tx = self.hub.store().write_uncached().await?;
        let taken = query(
            "UPDATE task_pushes SET tries = tries + 1, due_at = $4
             WHERE run_id = $1 AND id = $2 AND tries = $3 AND told = $5",
            (&parcel.run, &parcel.id, parcel.tries, next, &parcel.told),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(taken > 0)
    }

    /// It may have come further while it was told of, so that it is looked at once more. What was entered anew
    /// meanwhile was told nothing.
    async fn note_told(self, parcel: &Parcel, stands: &str) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE task_pushes SET told = $3, tries = 0, due_at = $4 WHERE run_id = $1 AND id = $2 AND sealed = $5",
            (&parcel.run, &parcel.id, stands, self.hub.now(), &parcel.sealed),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    /// Unless it came further since it was looked at.
    async fn look_later(self, parcel: &Parcel) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE task_pushes SET due_at = $4, tries = 0 WHERE run_id = $1 AND id = $2 AND due_at = $3",
            (&parcel.run, &parcel.id, parcel.due_at, self.hub.now() + LOOKS_MS),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    async fn forget(self, parcel: &Parcel) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "DELETE FROM task_pushes WHERE run_id = $1 AND id = $2 AND sealed = $3",
            (&parcel.run, &parcel.id, &parcel.sealed),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    /// They are passed over where they are due again, and keep nobody else from being begun with.
    fn count_under_way(&self) -> i64 {
        i64::try_from(self.under_way().len()).unwrap_or(i64::MAX / 2)
    }

    fn under_way(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.hub.0.task_pushes.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
