//! Devices that come: a schedule is due when its person has a page open on one after there was none for an hour. The
//! clock of schedules looks who is there, and notes it.

use super::fire::OF_THIS_NODE;
use super::firings;
use super::rows::{self, ScheduleRow};
use super::webhooks;
use crate::error::{Error, Result};
use crate::schedules::Schedules;
use crate::store::{Transaction, query};
use protocol::schedule::{FiringCause, Timing};
use protocol::{DeviceId, ScheduleId, UserId};
use std::collections::HashMap;

/// For so long nobody was there who comes.
const AWAY_MS: i64 = 60 * 60_000;
/// So often it is noted that somebody is there.
const NOTED_MS: i64 = 5 * 60_000;
/// Schedules of one person that are told at one look.
const AT_ONCE: usize = 20;

/// Takes in whether a schedule waits for its person. Who is there by now has come before.
pub(super) async fn put(tx: &mut Transaction, id: &ScheduleId, timing: &Timing, now: i64) -> Result<()> {
    query("DELETE FROM device_triggers WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
    if *timing == Timing::Device {
        query("INSERT INTO device_triggers (schedule_id, here_at) VALUES ($1, $2)", (id, now))
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

impl Schedules<'_> {
    /// Lets those wait for their agents whose person has come back to this hub, so many of each person: the others are
    /// for the next look. Whether there were any.
    pub(super) async fn take_devices(self) -> Result<bool> {
        let since = self.hub.now().saturating_sub(NOTED_MS);
        let waiting: Vec<(ScheduleId, UserId, i64)> = query(
            [
                "SELECT t.schedule_id, u.id, t.here_at FROM device_triggers t JOIN schedules s ON s.id = t.schedule_id
                 JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
                 WHERE t.here_at <= $2 AND s.paused = 0 AND u.disabled = 0 AND",
                OF_THIS_NODE,
            ],
            (self.hub.cluster().own_id(), since),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut looked: HashMap<UserId, usize> = HashMap::new();
        for (id, person, here_at) in waiting {
            let tabs = self.hub.live().tabs_of(&person);
            let Some(device) = tabs.iter().find_map(|tab| tab.device.clone()) else { continue };
            let of_person = looked.entry(person.clone()).or_default();
            *of_person += 1;
            if *of_person > AT_ONCE {
                continue;
            }
            if let Err(error) = self.is_here(&id, &person, here_at, &device).await {
                let failure = error.into_failure();
                tracing::warn!(schedule.id = %id, "schedule {id} does not hear of its person yet: {failure}");
            }
        }
        Ok(!looked.is_empty())
    }

    async fn is_here(self, id: &ScheduleId, person: &UserId, here_at: i64, device: &DeviceId) -> Result<()> {
        let now = self.hub.now();
        let is_back = now.saturating_sub(here_at) >= AWAY_MS;
        let name = match is_back {
            true => self.hub.accounts().device_name_of(Some(device)).await?,
            false => String::new(),
        };
        let mut tx = self.hub.store().write().await?;
        let noted = query(
            "UPDATE device_triggers SET here_at = $3 WHERE schedule_id = $1 AND here_at = $2",
            (id, here_at, now),
        )
        .execute(&mut *tx)
        .await?;
        if noted == 0 {
            return Ok(());
        }
        if is_back {
            let known: Option<ScheduleRow> = query([rows::SCHEDULES, "s.id = $1 AND s.paused = 0"], (id,))
                .fetch_optional(&mut *tx)
                .await?;
            let Some(known) = known else { return Ok(()) };
            let text = format!("Your person opened a page after an hour without one, on this device: {name}");
            match webhooks::require_room(&mut tx, &known, person, &text).await {
                Ok(()) => firings::queue_event(&mut tx, &known, now, FiringCause::Device, &text).await?,
                // They come when there is.
                Err(Error::Limit(_)) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        tx.commit().await
    }
}
