//! Where a notification goes, and when: at once, or with others, so that a person hears of many things in one.

use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::view::{ChannelKind, NotificationKind};
use protocol::{NotificationId, UserId};
use std::collections::HashMap;

/// So many go to one target within a minute by themselves. What comes then is gathered for as long.
const MOST_ALONE: i64 = 5;
const MINUTE_MS: i64 = 60 * 1000;

/// What a target was told within the last minute.
struct Lately {
    count: i64,
    /// When what is being gathered for it goes.
    gathers_until: Option<i64>,
}

/// Notes that it goes to everything that its person wants to hear from: when their quiet hours end, if there are such.
pub(super) async fn queue(
    tx: &mut Transaction,
    notification: &NotificationId,
    owner: &UserId,
    kind: NotificationKind,
    (now, quiet_until): (i64, Option<i64>),
) -> Result<()> {
    let targets: Vec<(String, ChannelKind, String)> = query(
        "SELECT p.device_id, 'push', d.name FROM push_devices p JOIN devices d ON d.id = p.device_id
         WHERE p.user_id = $1 AND p.endpoint <> ''
         UNION ALL
         SELECT c.id, c.kind, c.place FROM notification_channels c WHERE c.user_id = $1 AND c.code_hash IS NULL",
        (owner,),
    )
    .fetch_all(&mut **tx)
    .await?;
    if targets.is_empty() {
        return Ok(());
    }
    let lately = lately(tx, owner, now).await?;
    for (target, channel, name) in targets {
        // A program reads each. What waits for the person is not held up by other news.
        let is_gathered = channel != ChannelKind::Webhook;
        let gathers_until = match lately.get(&target) {
            Some(lately) if lately.count >= MOST_ALONE && is_gathered && !kind.waits() => {
                Some(lately.gathers_until.unwrap_or(now + MINUTE_MS))
            }
            Some(_) | None => None,
        };
        let later = quiet_until.or(gathers_until);
        query(
            "INSERT INTO notification_deliveries (notification_id, target, kind, name, state, next_at, gathered)
             VALUES ($1, $2, $3, $4, 'waiting', $5, $6)",
            (
                notification,
                &target,
                channel,
                &name,
                later.unwrap_or(now),
                i64::from(later.is_some() && is_gathered),
            ),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// By target.
async fn lately(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<HashMap<String, Lately>> {
    let rows: Vec<(String, i64, Option<i64>)> = query(
        "SELECT d.target, COUNT(*),
             MIN(CASE WHEN d.gathered = 1 AND d.state = 'waiting' AND d.next_at > $3 AND d.next_at <= $4
                 THEN d.next_at END)
         FROM notifications n JOIN notification_deliveries d ON d.notification_id = n.id
         WHERE n.user_id = $1 AND n.at > $2 GROUP BY d.target",
        (owner, now - MINUTE_MS, now, now + MINUTE_MS),
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(target, count, gathers_until)| (target, Lately { count, gathers_until }))
        .collect())
}
