//! Sending what was told to where its person wants to hear of it: from rows, so that nothing is lost with the
//! process, again after a while where it failed, and given up in the end. Each waits for a place by itself, so that a
//! server that does not answer holds up nobody else's.

use super::channels;
use super::parcel::Parcel;
use super::{Notifications, push};
use crate::Hub;
use crate::error::Result;
use crate::fair_queue::FairQueue;
use crate::outbound::Target;
use crate::store::query;
use protocol::view::{ChannelKind, DeliveryState};
use protocol::{NotificationId, UserId};
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
/// Another hub on the same database may have written something: so often this one looks.
const LOOKS_MS: i64 = 30_000;
/// After something that could not be written down.
const AGAIN_MS: i64 = 1_000;

/// What is being sent right now.
pub(super) struct Sending {
    queue: FairQueue<UserId>,
    mails: FairQueue<UserId>,
    under_way: Mutex<HashSet<Due>>,
    /// Something could not be written down since the last look.
    has_failed: AtomicBool,
}

/// What is sent as one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Due {
    target: String,
    /// `None`: all that are gathered for the target.
    alone: Option<NotificationId>,
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
    fn under_way(&self) -> MutexGuard<'_, HashSet<Due>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn places(&self, channel: ChannelKind) -> &FairQueue<UserId> {
        match channel {
            ChannelKind::Mail => &self.mails,
            ChannelKind::Push | ChannelKind::Webhook | ChannelKind::Ntfy | ChannelKind::Matrix => &self.queue,
        }
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
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
        let due: Vec<(NotificationId, String, ChannelKind, UserId, i64)> = query(
            "SELECT q.notification_id, q.target, q.channel, q.user_id, q.gathered
             FROM (SELECT d.notification_id, d.target, d.kind AS channel, d.next_at, d.gathered, o.user_id,
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
        for (notification, target, channel, owner, gathered) in due {
            let due = Due { target, alone: (gathered == 0).then_some(notification) };
            if !sending.under_way().insert(due.clone()) {
                continue;
            }
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let outcome = hub.notifications().deliver_in_turn(&due, channel, &owner).await;
                let sending = &hub.in_notifications().sending;
                if let Err(error) = &outcome {
                    tracing::warn!(error = ?error, "what is to go to {} waits on", due.target);
                    sending.has_failed.store(true, Ordering::Relaxed);
                }
                sending.under_way().remove(&due);
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
    async fn deliver_in_turn(self, due: &Due, channel: ChannelKind, owner: &UserId) -> Result<bool> {
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
        let (store, now) = (self.hub.store(), self.hub.now());
        let together = match &due.alone {
            Some(notification) => {
                Parcel::due(store, notification, &due.target, now).await?.into_iter().collect()
            }
            None => Parcel::gathered_for(store, &due.target, now).await?,
        };
        self.deliver(together).await?;
        Ok(true)
    }

    /// Sends all of them to their target, as one.
    async fn deliver(self, together: Vec<Parcel>) -> Result<()> {
        let now = self.hub.now();
        let (of_no_use, parcels): (Vec<_>, Vec<_>) =
            together.into_iter().partition(|parcel| parcel.is_of_no_use(now));
        self.settle(&of_no_use, DeliveryState::Skipped, None).await?;
        let Some(first) = parcels.first() else { return Ok(()) };
        if !self.take(&parcels, now).await? {
            return Ok(());
        }
        let parcel = &Parcel::of(&parcels, first);
        match send(self.hub, parcel).await {
            Sent::Done => self.settle(&parcels, DeliveryState::Sent, None).await,
            Sent::Gone => self.settle(&parcels, DeliveryState::GivenUp, Some("It is there no more.")).await,
            Sent::Refused(why) => self.settle(&parcels, DeliveryState::GivenUp, Some(&why)).await,
            Sent::NotYet(why) => {
                let (again, last): (Vec<_>, Vec<_>) =
                    parcels.into_iter().partition(|parcel| pause_after(parcel.tries).is_some());
                self.settle(&again, DeliveryState::Waiting, Some(&why)).await?;
                self.settle(&last, DeliveryState::GivenUp, Some(&why)).await
            }
        }
    }

    /// Taken before they are sent: another hub does not send them as well, and a crash does not send them for ever.
    /// `false`: somebody else took one of them.
    async fn take(self, parcels: &[Parcel], now: i64) -> Result<bool> {
        let mut tx = self.hub.store().write_uncached().await?;
        for parcel in parcels {
            let next_at = now + pause_after(parcel.tries).unwrap_or(PAUSES_MS[PAUSES_MS.len() - 1]);
            let taken = query(
                "UPDATE notification_deliveries SET tries = tries + 1, next_at = $4
                 WHERE notification_id = $1 AND target = $2 AND state = 'waiting' AND tries = $3",
                (&parcel.notification, &parcel.target, parcel.tries, next_at),
            )
            .execute(&mut *tx)
            .await?;
            if taken == 0 {
                return Ok(false);
            }
        }
        tx.commit().await?;
        Ok(true)
    }

    async fn settle(self, parcels: &[Parcel], state: DeliveryState, failure: Option<&str>) -> Result<()> {
        if parcels.is_empty() {
            return Ok(());
        }
        let mut tx = self.hub.store().write_uncached().await?;
        for parcel in parcels {
            query(
                "UPDATE notification_deliveries SET state = $3, failure = $4
                 WHERE notification_id = $1 AND target = $2 AND state = 'waiting'",
                (&parcel.notification, &parcel.target, state, failure),
            )
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await
    }
}

/// Sends it to its target, and says what came of it.
pub(super) async fn send(hub: &Hub, parcel: &Parcel) -> Sent {
    let sent = match parcel.channel {
        ChannelKind::Push => push::send(hub, parcel).await,
        ChannelKind::Webhook | ChannelKind::Ntfy | ChannelKind::Mail | ChannelKind::Matrix => {
            channels::send(hub, parcel).await
        }
    };
    sent.unwrap_or_else(|error| Sent::NotYet(error.into_failure().message))
}

/// How long to wait after a try that fails and has so many before it. `None`: it is the last.
fn pause_after(tries: i64) -> Option<i64> {
    usize::try_from(tries).ok().and_then(|tries| PAUSES_MS.get(tries)).copied()
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
