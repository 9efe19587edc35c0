//! Web push: devices that want to be notified, what they are sent, and by what they answer.

mod answer;
mod encrypt;
mod message;
mod vapid;

pub(super) use answer::answered_by;
pub(crate) use answer::{AnsweredWith, RepliedTo};
pub(super) use message::send;
pub(super) use vapid::VapidKey;

use super::reach::{MOST_TARGETS, checked};
use super::{OwnNotifications, Reached};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use base64::Engine;
use base64::engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD};
use protocol::DeviceId;
use protocol::view::{AuditAction, PushDraft};

impl OwnNotifications<'_> {
    /// The key that a browser asks its push service with.
    pub async fn push_key(self) -> Result<String> {
        Ok(self.scoped.hub.notifications().vapid().await?.public())
    }

    /// The asking device wants to be notified, from now on or otherwise than before.
    pub async fn push_on(self, draft: &PushDraft, reached: Reached<'_>) -> Result<()> {
        let device = self.scoped.viewer.device().ok_or_else(|| {
            Error::invalid("Only a signed-in browser can be notified. For a program add a webhook.")
        })?;
        let hub = self.scoped.hub;
        // Whoever subscribed did so with the key that there is.
        self.push_key().await?;
        let endpoint = checked(&draft.endpoint, hub.outbound().reach())?;
        let public_key = decoded(&draft.p256dh, encrypt::PUBLIC_KEY)?;
        let auth = decoded(&draft.auth, encrypt::AUTH)?;
        let (owner, now) = (self.scoped.owner(), hub.now());
        let mut tx = hub.store().write().await?;
        check_count(&mut tx, owner, device).await?;
        query(
            "INSERT INTO push_devices (device_id, user_id, endpoint, public_key, auth, buttons, origin, made_at, language)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (device_id) DO UPDATE SET endpoint = $3, public_key = $4, auth = $5, buttons = $6,
                 origin = $7, language = $9",
            (
                device,
                owner,
                endpoint.url().as_str(),
                public_key,
                auth,
                i64::from(draft.buttons),
                reached.origin,
                now,
                reached.language,
            ),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::PushOn, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&endpoint.place())).await?;
        tx.commit().await
    }

    /// The browser of the asking device, which is notified, has another subscription now.
    pub async fn push_renew(self, draft: &PushDraft) -> Result<()> {
        let hub = self.scoped.hub;
        let endpoint = checked(&draft.endpoint, hub.outbound().reach())?;
        let public_key = decoded(&draft.p256dh, encrypt::PUBLIC_KEY)?;
        let auth = decoded(&draft.auth, encrypt::AUTH)?;
        let (device, owner) = (self.scoped.viewer.device(), self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let former: Option<String> =
            query("SELECT endpoint FROM push_devices WHERE device_id = $1 AND user_id = $2", (device, owner))
                .fetch_optional(&mut *tx)
                .await?;
        let Some(former) = former else {
            return Err(Error::Conflict("This device is not notified. Switch it on first.".to_owned()));
        };
        if former == endpoint.url().as_str() {
            return Ok(());
        }
        if let Some(device) = device.filter(|_| former.is_empty()) {
            check_count(&mut tx, owner, device).await?;
        }
        query(
            "UPDATE push_devices SET endpoint = $2, public_key = $3, auth = $4 WHERE device_id = $1",
            (device, endpoint.url().as_str(), public_key, auth),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::PushOn, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&endpoint.place())).await?;
        tx.commit().await
    }

    /// The asking device wants to hear nothing any more.
    pub async fn push_off(self) -> Result<()> {
        let device = self.scoped.viewer.device();
        let mut tx = self.scoped.hub.store().write().await?;
        query("DELETE FROM push_devices WHERE device_id = $1", (device,)).execute(&mut *tx).await?;
        tx.commit().await
    }
}

/// Whether this device may be notified beside the person's others. One that is gone does not count.
async fn check_count(tx: &mut Transaction, owner: &str, device: &DeviceId) -> Result<()> {
    let others: i64 = query(
        "SELECT COUNT(*) FROM push_devices WHERE user_id = $1 AND device_id <> $2 AND endpoint <> ''",
        (owner, device),
    )
    .fetch_one(&mut **tx)
    .await?;
    if others >= MOST_TARGETS {
        return Err(Error::Limit(format!(
            "{MOST_TARGETS} of your devices are notified. Take one away first."
        )));
    }
    Ok(())
}

fn decoded(text: &str, length: usize) -> Result<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok();
    bytes.filter(|bytes| bytes.len() == length).ok_or_else(|| {
        Error::invalid("The browser's keys are not those of a push subscription. Switch it off and on again.")
    })
}
