//! Deliveries from elsewhere that make a schedule due. Who sends one is nobody's viewer: it shows that it has
//! the schedule's secret, and is taken once.

mod rates;
mod signature;

pub use signature::DeliveryHeaders;

pub(super) use rates::Rates;

use super::firings::{self, MAX_WAITING};
use super::rows::{self, ScheduleRow};
use crate::Hub;
use crate::audit::AuditEvent;
use crate::clock::new_secret;
use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::schedules::OwnSchedules;
use crate::store::{Row, Transaction, query};
use protocol::schedule::{FiringCause, Overlap, Timing};
use protocol::view::AuditAction;
use protocol::{ScheduleId, UserId};

/// Bytes of a delivery.
pub const LARGEST_DELIVERY: usize = 256 * 1024;
/// Deliveries of a schedule that are remembered, so that none is taken twice.
const REMEMBERED: i64 = 1000;
/// Bytes of deliveries that wait for a person's agents.
const WAITING_BYTES: i64 = 8 * 1024 * 1024;

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivered {
    /// It is on the disk, and its agent hears of it.
    Taken,
    /// The same one was taken before.
    Repeated,
}

/// What makes schedules due from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Webhooks<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn webhooks(&self) -> Webhooks<'_> {
        Webhooks { hub: self }
    }
}

struct WebhookRow {
    nonce: String,
    owner: UserId,
    schedule: ScheduleRow,
}

/// From the owner's schedules to those that have a secret.
const WEBHOOK: &str = "SELECT w.nonce, a.user_id FROM webhooks w JOIN schedules s ON s.id = w.schedule_id
     JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
     WHERE w.schedule_id = $1 AND u.disabled = 0";

impl Webhooks<'_> {
    /// Whose it is, before anything is read that is sent there.
    pub async fn require(self, id: &ScheduleId) -> Result<UserId> {
        Ok(self.find(id).await?.owner)
    }

    /// Takes a delivery in, if whoever sends it has the secret. What is taken is on the disk.
    pub async fn deliver(self, id: &ScheduleId, headers: &DeliveryHeaders, body: &[u8]) -> Result<Delivered> {
        let WebhookRow { nonce, owner, schedule } = self.find(id).await?;
        let key = self.key(id, &nonce);
        let delivery = headers.check(&key, body, self.hub.now())?;
        self.hub.clockwork().rates.admit(id, &owner, self.hub.moment())?;
        if schedule.paused {
            return Err(Error::Conflict("The schedule is switched off. Resume it first.".to_owned()));
        }
        let text = std::str::from_utf8(body)
            .map_err(|_| Error::invalid("The delivery is no text in UTF-8, which an agent could read."))?;
        let mut tx = self.hub.store().write().await?;
        let taken = take(&mut tx, &schedule, &owner, &delivery, text, self.hub.now()).await?;
        if taken == Delivered::Taken {
            tx.commit().await?;
            self.hub.clockwork().changed();
            if !self.hub.cluster().has(&owner) {
                self.hub.cluster().tell(Signal::SchedulesChanged).await;
            }
        }
        Ok(taken)
    }

    async fn find(self, id: &ScheduleId) -> Result<WebhookRow> {
        let read = self.hub.store().read();
        let schedule: Option<ScheduleRow> =
            query([rows::SCHEDULES, "s.id = $1"], (id,)).fetch_optional(read).await?;
        let secret: Option<Row> = query(WEBHOOK, (id,)).fetch_optional(read).await?;
        match (schedule, secret) {
            (Some(schedule), Some(row)) if schedule.timing == Timing::Webhook => {
                Ok(WebhookRow { nonce: row.get("nonce")?, owner: row.get("user_id")?, schedule })
            }
            _ => Err(Error::NotFound("webhook")),
        }
    }

    /// It is in no table: who has the database and not the master key cannot make it.
    fn key(self, id: &ScheduleId, nonce: &str) -> [u8; 32] {
        self.hub.vault().signing_key(&format!("webhook {id} {nonce}"))
    }
}

impl OwnSchedules<'_> {
    /// A new secret for whoever delivers; the former one is none any more. It can be read here alone.
    pub async fn new_webhook_secret(self, id: &ScheduleId) -> Result<String> {
        let known = self.known_schedule(id).await?;
        if known.timing != Timing::Webhook {
            return Err(Error::Conflict(
                "The schedule is not due by deliveries. Change when it is due first.".to_owned(),
            ));
        }
        let hub = self.scoped.hub;
        let nonce = new_secret();
        let mut tx = hub.store().write().await?;
        query(
            "INSERT INTO webhooks (schedule_id, nonce, made_at) VALUES ($1, $2, $3)
             ON CONFLICT (schedule_id) DO UPDATE SET nonce = excluded.nonce, made_at = excluded.made_at",
            (id, &nonce, hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::ScheduleChanged, self.scoped.viewer).object(&known.name);
        hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(signature::secret(&hub.webhooks().key(id, &nonce)))
    }
}

/// Puts it where it waits for its agent, once.
async fn take(
    tx: &mut Transaction,
    schedule: &ScheduleRow,
    owner: &UserId,
    delivery: &str,
    text: &str,
    now: i64,
) -> Result<Delivered> {
    let id = &schedule.id;
    // Whoever delivers at the same time waits here.
    query("UPDATE webhooks SET made_at = made_at WHERE schedule_id = $1", (id,)).execute(&mut **tx).await?;
    let last: Option<i64> = query("SELECT MAX(at) FROM webhook_deliveries WHERE schedule_id = $1", (id,))
        .fetch_one(&mut **tx)
        .await?;
    // After the others also where the clock was set back, or it would be the first to be forgotten.
    let at = last.map_or(now, |last| now.max(last.saturating_add(1)));
    let is_new = query(
        "INSERT INTO webhook_deliveries (schedule_id, delivery, at) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING",
        (id, delivery, at),
    )
    .execute(&mut **tx)
    .await?;
    if is_new == 0 {
        return Ok(Delivered::Repeated);
    }
    query(
        "DELETE FROM webhook_deliveries WHERE schedule_id = $1 AND at <=
             (SELECT d.at FROM webhook_deliveries d WHERE d.schedule_id = $1 ORDER BY d.at DESC
             LIMIT 1 OFFSET $2)",
        (id, REMEMBERED),
    )
    .execute(&mut **tx)
    .await?;
    require_room(tx, schedule, owner, text).await?;
    firings::queue_event(tx, schedule, now, FiringCause::Webhook, text).await?;
    Ok(Delivered::Taken)
}

/// Whoever is turned away may send the same again later: it is forgotten with the transaction.
pub(super) async fn require_room(
    tx: &mut Transaction,
    schedule: &ScheduleRow,
    owner: &UserId,
    text: &str,
) -> Result<()> {
    let waiting: i64 = query(
        "SELECT COUNT(*) FROM schedule_firings WHERE schedule_id = $1 AND state = 'waiting'",
        (&schedule.id,),
    )
    .fetch_one(&mut **tx)
    .await?;
    if schedule.rules.overlap == Overlap::Each && waiting >= MAX_WAITING {
        return Err(Error::Limit(format!(
            "{MAX_WAITING} deliveries wait for the agent. Send it again later."
        )));
    }
    let bytes: i64 = query(
        "SELECT CAST(COALESCE(SUM(OCTET_LENGTH(f.event)), 0) AS BIGINT) FROM schedule_firings f
         JOIN schedules s ON s.id = f.schedule_id JOIN agents a ON a.id = s.agent_id
         WHERE a.user_id = $1 AND f.state = 'waiting' AND f.event IS NOT NULL",
        (owner,),
    )
    .fetch_one(&mut **tx)
    .await?;
    if bytes.saturating_add(i64::try_from(text.len()).unwrap_or(i64::MAX)) > WAITING_BYTES {
        return Err(Error::Limit(
            "8 MB of deliveries wait for this person's agents. Send it again later.".to_owned(),
        ));
    }
    Ok(())
}
