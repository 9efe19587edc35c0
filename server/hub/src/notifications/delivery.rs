//! Sending what was told to where its person wants to hear of it: from rows, so that nothing is lost with the
//! process, again after a while where it failed, and given up in the end. Each waits for a place by itself, so that a
//! server that does not answer holds up nobody else's.

use super::channels;
use super::list::link_of;
use super::news::Answerable;
use super::{Notifications, push};
use crate::Hub;
use crate::error::Result;
use crate::fair_queue::FairQueue;
use crate::outbound::Target;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::{ChannelKind, DeliveryState, NotificationKind};
use protocol::{AgentId, Language, NotificationId, UserId};
use reqwest::Method;
use reqwest::header::HeaderMap;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Sent at once. All mails wait for one server, and nothing else does for that.
const PLACES: usize = 16;
const MAIL_PLACES: usize = 4;
/// Of one person, that may wait for a place, and of all that are begun with.
const OF_ONE: i64 = 20;
const AT_ONCE: i64 = 1000;
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(15);
/// Pauses after tries that failed; after the last of them it is given up.
const PAUSES_MS: [i64; 4] = [10_000, 60_000, 5 * 60_000, 30 * 60_000];
/// How long a push service keeps what has no end of its own: a day.
const USUAL_SECONDS: i64 = 24 * 60 * 60;
/// Another hub on the same database may have written something: so often this one looks.
const LOOKS_MS: i64 = 30_000;
/// After something that could not be written down.
const AGAIN_MS: i64 = 1_000;

/// What is being sent right now.
pub(super) struct Sending {
    queue: FairQueue<UserId>,
    mails: FairQueue<UserId>,
    /// By notification and target.
    under_way: Mutex<HashSet<(NotificationId, String)>>,
    /// Something could not be written down since the last look.
    has_failed: AtomicBool,
}

impl Default for Sending {
    fn default() -> Self {
        let places = |count| FairQueue::new(count, usize::try_from(OF_ONE).unwrap_or(usize::MAX));
        Self {
            queue: places(PLACES),
            mails: places(MAIL_PLACES),
            under_way: Mutex::default(),
            has_failed: AtomicBool::new(false),
        }
    }
}

impl Sending {
    fn under_way(&self) -> MutexGuard<'_, HashSet<(NotificationId, String)>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn places(&self, channel: ChannelKind) -> &FairQueue<UserId> {
        match channel {
            ChannelKind::Mail => &self.mails,
            ChannelKind::Push | ChannelKind::Webhook | ChannelKind::Ntfy | ChannelKind::Matrix => &self.queue,
        }
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}

/// A notification on its way to one target.
#[derive(Clone)]
pub(super) struct Parcel {
    pub(super) notification: NotificationId,
    pub(super) owner: UserId,
    pub(super) target: String,
    channel: ChannelKind,
    pub(super) tries: i64,
    pub(super) kind: NotificationKind,
    agent: AgentId,
    pub(super) title: String,
    pub(super) body: String,
    /// Path of a page.
    pub(super) link: String,
    pub(super) at: i64,
    expires_at: Option<i64>,
    pub(super) answerable: Answerable,
    is_read: bool,
    is_of_pipeline: bool,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Sent {
    Done,
    /// The target is there no more.
    Gone,
    /// It may work in a while.
    NotYet(String),
    Refused(String),
}

impl Parcel {
    /// One replaces the former of the same topic where that is still shown.
    pub(super) fn topic(&self) -> String {
        format!("{} {}", self.agent, self.kind.name())
    }

    /// In the words of this language; what an agent says stays as it is.
    pub(super) fn in_language(&self, hub: &Hub, language: Option<Language>) -> Self {
        let sentence = |english: &str| hub.notifications().sentence(language, english).into_owned();
        let body = match self.kind.is_told_by_the_hub(self.is_of_pipeline) {
            true => sentence(&self.body),
            false => self.body.clone(),
        };
        Self { title: sentence(&self.title), body, ..self.clone() }
    }

    pub(super) fn seconds_left(&self, now: i64) -> i64 {
        self.expires_at.map_or(USUAL_SECONDS, |end| (end - now) / 1000).clamp(0, USUAL_SECONDS)
    }

    fn is_of_no_use(&self, now: i64) -> bool {
        self.is_read || self.expires_at.is_some_and(|end| end <= now)
    }
}

impl FromRow for Parcel {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            notification: row.get("notification_id")?,
            owner: row.get("user_id")?,
            target: row.get("target")?,
            channel: row.get("channel")?,
            tries: row.get("tries")?,
            kind: row.get("kind")?,
            link: link_of(row)?,
            agent: row.get("agent_id")?,
            title: row.get("title")?,
            body: row.get("body")?,
            at: row.get("at")?,
            expires_at: row.get("expires_at")?,
            answerable: Answerable::numbered(row.get("answerable")?),
            is_read: row.get::<Option<i64>>("read_at")?.is_some(),
            is_of_pipeline: row.get::<Option<String>>("pipeline_id")?.is_some(),
        })
    }
}

/// Notes that it goes to everything that its person wants to hear from.
pub(super) async fn queue(
    tx: &mut Transaction,
    notification: &NotificationId,
    owner: &UserId,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO notification_deliveries (notification_id, target, kind, name, state, next_at)
         SELECT $1, p.device_id, 'push', d.name, 'waiting', $3
         FROM push_devices p JOIN devices d ON d.id = p.device_id WHERE p.user_id = $2",
        (notification, owner, now),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "INSERT INTO notification_deliveries (notification_id, target, kind, name, state, next_at)
         SELECT $1, c.id, c.kind, c.place, 'waiting', $3 FROM notification_channels c
         WHERE c.user_id = $2 AND c.code_hash IS NULL",
        (notification, owner, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl Notifications<'_> {
    /// Sends what is due, for as long as the hub is open.
    pub(crate) fn keep_sending(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let pause_ms = match hub.notifications().send_due().await {
                    Ok(next) => next.unwrap_or(i64::MAX).saturating_sub(hub.now()).clamp(0, LOOKS_MS),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!("notifications could not be looked at: {failure}");
                        LOOKS_MS
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.in_notifications().told.heard() => {}
                    () = hub.clock().until(hub.moment().plus_ms(pause_ms)) => {}
                }
                if hub.in_notifications().sending.has_failed() {
                    tokio::select! {
                        () = hub.tasks().closing() => return,
                        () = hub.clock().until(hub.moment().plus_ms(AGAIN_MS)) => {}
                    }
                }
            }
        });
    }

    /// Begins with those that are due. Gives when the next one is.
    async fn send_due(self) -> Result<Option<i64>> {
        let now = self.hub.now();
        let sending = &self.hub.in_notifications().sending;
        sending.has_failed.store(false, Ordering::Relaxed);
        let due: Vec<(NotificationId, String, ChannelKind, UserId)> = query(
            "SELECT q.notification_id, q.target, q.channel, q.user_id
             FROM (SELECT d.notification_id, d.target, d.kind AS channel, d.next_at, o.user_id,
                       ROW_NUMBER() OVER (PARTITION BY o.user_id, CASE WHEN d.kind = 'mail' THEN 1 ELSE 0 END
                                          ORDER BY d.next_at) AS place
                   FROM notification_deliveries d JOIN notifications o ON o.id = d.notification_id
                   WHERE d.state = 'waiting' AND d.next_at <= $1 AND (CAST($4 AS TEXT) IS NULL
                     OR o.user_id IN (SELECT user_id FROM placements WHERE node_id = $4 AND taken_on = 1))) q
             WHERE q.place <= $2 ORDER BY q.place, q.next_at LIMIT $3",
            (now, OF_ONE, AT_ONCE, self.hub.cluster().own_id()),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for (notification, target, channel, owner) in due {
            let key = (notification, target);
            if !sending.under_way().insert(key.clone()) {
                continue;
            }
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let outcome = hub.notifications().deliver_in_turn(&key, channel, &owner).await;
                let sending = &hub.in_notifications().sending;
                if let Err(error) = &outcome {
                    tracing::warn!(error = ?error, "notification {} waits on", key.0);
                    sending.has_failed.store(true, Ordering::Relaxed);
                }
                sending.under_way().remove(&key);
                if outcome.unwrap_or(true) {
                    hub.notifications().wake();
                }
            });
        }
        query(
            "SELECT MIN(d.next_at) FROM notification_deliveries d JOIN notifications o ON o.id = d.notification_id
             WHERE d.state = 'waiting' AND d.next_at > $1 AND (CAST($2 AS TEXT) IS NULL
               OR o.user_id IN (SELECT user_id FROM placements WHERE node_id = $2 AND taken_on = 1))",
            (now, self.hub.cluster().own_id()),
        )
        .fetch_one(self.hub.store().read())
        .await
    }

    /// Delivers it as soon as there is a place for it. `false`: its turn did not come, and nothing is to be looked at
    /// for that.
    async fn deliver_in_turn(
        self,
        (notification, target): &(NotificationId, String),
        channel: ChannelKind,
        owner: &UserId,
    ) -> Result<bool> {
        let sending = &self.hub.in_notifications().sending;
        let place = tokio::select! {
            biased;
            // What was not begun is due to the next one.
            () = self.hub.tasks().closing() => return Ok(false),
            place = sending.places(channel).enter(owner) => place,
        };
        // Too many wait, each of which is followed by another look; or the next look finds what this one could not
        // write down.
        let Ok(_place) = place else { return Ok(false) };
        if sending.has_failed() {
            return Ok(false);
        }
        let parcel: Option<Parcel> = query(
            "SELECT d.notification_id, d.target, d.kind AS channel, d.tries, n.user_id, n.agent_id,
                 n.conversation_id, n.pipeline_id, n.kind, n.title, n.body, n.at, n.expires_at, n.answerable, n.read_at
             FROM notification_deliveries d JOIN notifications n ON n.id = d.notification_id
             WHERE d.notification_id = $1 AND d.target = $2 AND d.state = 'waiting' AND d.next_at <= $3",
            (notification, target, self.hub.now()),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        if let Some(parcel) = parcel {
            self.deliver(&parcel).await?;
        }
        Ok(true)
    }

    async fn deliver(self, parcel: &Parcel) -> Result<()> {
        let now = self.hub.now();
        if parcel.is_of_no_use(now) {
            return self.settle(parcel, DeliveryState::Skipped, None).await;
        }
        let pause = usize::try_from(parcel.tries).ok().and_then(|tries| PAUSES_MS.get(tries)).copied();
        // Taken before it is sent: another hub does not send it as well, and a crash does not send it for ever.
        let mut tx = self.hub.store().write_uncached().await?;
        let taken = query(
            "UPDATE notification_deliveries SET tries = tries + 1, next_at = $4
             WHERE notification_id = $1 AND target = $2 AND state = 'waiting' AND tries = $3",
            (
                &parcel.notification,
                &parcel.target,
                parcel.tries,
                now + pause.unwrap_or(PAUSES_MS[PAUSES_MS.len() - 1]),
            ),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        if taken == 0 {
            return Ok(());
        }
        let sent = match parcel.channel {
            ChannelKind::Push => push::send(self.hub, parcel).await,
            ChannelKind::Webhook | ChannelKind::Ntfy | ChannelKind::Mail | ChannelKind::Matrix => {
                channels::send(self.hub, parcel).await
            }
        };
        let sent = sent.unwrap_or_else(|error| Sent::NotYet(error.into_failure().message));
        match (sent, pause) {
            (Sent::Done, _) => self.settle(parcel, DeliveryState::Sent, None).await,
            (Sent::Gone, _) => {
                self.settle(parcel, DeliveryState::GivenUp, Some("It is there no more.")).await
            }
            (Sent::Refused(why), _) | (Sent::NotYet(why), None) => {
                self.settle(parcel, DeliveryState::GivenUp, Some(&why)).await
            }
            (Sent::NotYet(why), Some(_)) => self.settle(parcel, DeliveryState::Waiting, Some(&why)).await,
        }
    }

    async fn settle(self, parcel: &Parcel, state: DeliveryState, failure: Option<&str>) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE notification_deliveries SET state = $3, failure = $4
             WHERE notification_id = $1 AND target = $2",
            (&parcel.notification, &parcel.target, state, failure),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }
}

/// Sends it there, and says what the answer means.
pub(crate) async fn sent(
    hub: &Hub,
    method: Method,
    target: &Target,
    headers: HeaderMap,
    body: Vec<u8>,
) -> Sent {
    let sending = hub.outbound().send(method, target, headers, body);
    let place = target.place();
    match tokio::time::timeout(PATIENCE, sending).await {
        Err(_) => Sent::NotYet(format!("{place} took too long to answer.")),
        Ok(Err(error)) => Sent::NotYet(error.to_string()),
        Ok(Ok(answer)) if answer.is_success() => Sent::Done,
        Ok(Ok(answer)) => match answer.status() {
            404 | 410 => Sent::Gone,
            status @ (408 | 425 | 429 | 500..) => Sent::NotYet(format!("{place} answered {status}.")),
            status => Sent::Refused(format!("{place} answered {status}.")),
        },
    }
}
