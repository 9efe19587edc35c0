//! Signed-in devices: opening a session, finding who it belongs to, ending it.

use super::device_name::device_name;
use super::secrets::stored;
use super::trusted_browser;
use crate::access::{Via, Viewer, Visitor};
use crate::accounts::{Accounts, OwnAccount};
use crate::audit::AuditEvent;
use crate::clock::{new_id, new_secret};
use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::store;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::{AuditAction, DeviceView, Me};
use protocol::{DeviceId, Language, UserId};
use std::fmt;

/// How long a device stays signed in: 30 days.
pub const SESSION_SECONDS: i64 = 30 * 24 * 60 * 60;

/// How old "last seen" may get, so that reading a page does not write each time.
const SEEN_EVERY_MS: i64 = 60_000;

/// A device that just signed in. The secrets go into its cookies and are kept nowhere else.
pub struct NewSession {
    pub secret: String,
    /// By which the browser is known the next time.
    pub known: String,
    pub viewer: Viewer,
}

impl fmt::Debug for NewSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewSession").field("viewer", &self.viewer).finish_non_exhaustive()
    }
}

/// The same session under another secret.
pub struct RenewedSession {
    pub secret: String,
    /// How long it goes on.
    pub seconds: i64,
}

impl fmt::Debug for RenewedSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenewedSession").field("seconds", &self.seconds).finish_non_exhaustive()
    }
}

impl Accounts<'_> {
    /// Who carries this session, unless it expired or the person is disabled.
    pub async fn viewer_by_session(self, secret: &str) -> Result<Option<Viewer>> {
        let now = self.hub.now();
        let row = query(
            "SELECT users.id, users.name, users.role, users.language, devices.id AS device_id,
                devices.last_seen_at
             FROM devices JOIN users ON users.id = devices.user_id
             WHERE devices.session_hash = $1 AND devices.expires_at > $2 AND users.disabled = 0",
            (stored(secret), now),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let device: DeviceId = row.get("device_id")?;
        if (now - row.get::<i64>("last_seen_at")?).abs() >= SEEN_EVERY_MS {
            self.mark_seen(&device, now).await?;
        }
        let me = Me { language: row.get("language")?, ..Me::from_row(&row)? };
        Ok(Some(Viewer { me, via: Via::Device(device), address: None }))
    }

    /// What people know a device by; without one it is a program that came with a token.
    pub(crate) async fn device_name_of(self, device: Option<&DeviceId>) -> Result<String> {
        let Some(device) = device else { return Ok("A program".to_owned()) };
        let name = query("SELECT name FROM devices WHERE id = $1", (device,))
            .fetch_optional(self.hub.store().read())
            .await?;
        Ok(name.unwrap_or_else(|| "A signed-out device".to_owned()))
    }

    /// The devices that this person is signed in on, and what they are called.
    pub(crate) async fn devices_of(self, person: &UserId) -> Result<Vec<(DeviceId, String)>> {
        let rows = query(
            "SELECT id, name FROM devices WHERE user_id = $1 AND expires_at > $2",
            (person, self.hub.now()),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        rows.iter().map(|row| Ok((row.get("id")?, row.get("name")?))).collect()
    }

    async fn mark_seen(self, device: &DeviceId, now: i64) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query("UPDATE devices SET last_seen_at = $1 WHERE id = $2", (now, device)).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}

impl OwnAccount<'_> {
    /// Ends the session of the device that asks.
    pub async fn sign_out(self) -> Result<()> {
        let Some(device) = self.scoped.viewer.device() else {
            return Err(Error::invalid("Only a signed-in browser can sign out. To end a token, revoke it."));
        };
        self.end_session(device, AuditAction::SignedOut).await?;
        Ok(())
    }

    /// The language of the interface; none is what the browser asks for.
    pub async fn set_language(self, language: Option<Language>) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        query("UPDATE users SET language = $2 WHERE id = $1", (self.scoped.owner(), language))
            .execute(&mut *tx)
            .await?;
        tx.commit().await
    }

    /// The devices that are signed in, the asking one first, then by when they were last here.
    pub async fn devices(self) -> Result<Vec<DeviceView>> {
        let rows = query(
            "SELECT id, name, created_at, last_seen_at FROM devices
             WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC",
            (self.scoped.owner(), self.scoped.hub.now()),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        let mut devices = rows.iter().map(|row| self.device_view(row)).collect::<Result<Vec<_>>>()?;
        devices.sort_by_key(|device| !device.current);
        Ok(devices)
    }

    pub async fn revoke_device(self, id: &DeviceId) -> Result<()> {
        match self.end_session(id, AuditAction::DeviceRevoked).await? {
            true => Ok(()),
            false => Err(Error::NotFound("device")),
        }
    }

    async fn end_session(self, device: &DeviceId, action: AuditAction) -> Result<bool> {
        let mut tx = self.scoped.hub.store().write().await?;
        let name: Option<String> = query(
            "DELETE FROM devices WHERE id = $1 AND user_id = $2 RETURNING name",
            (device, self.scoped.owner()),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(name) = name else { return Ok(false) };
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(action, self.scoped.viewer).object(&name))
            .await?;
        tx.commit().await?;
        self.scoped.hub.live().end_device(device);
        self.scoped.hub.cluster().tell(Signal::DeviceEnded { device: device.clone() }).await;
        Ok(true)
    }

    fn device_view(self, row: &store::Row) -> Result<DeviceView> {
        let id: DeviceId = row.get("id")?;
        Ok(DeviceView {
            current: self.scoped.viewer.device() == Some(&id),
            name: row.get("name")?,
            created_at: row.get("created_at")?,
            last_seen_at: row.get("last_seen_at")?,
            id,
        })
    }
}

/// Signs a device in, and forgets sessions that expired.
pub(super) async fn open(
    tx: &mut Transaction,
    me: Me,
    visitor: &Visitor<'_>,
    now: i64,
) -> Result<NewSession> {
    query("DELETE FROM devices WHERE expires_at <= $1", (now,)).execute(&mut **tx).await?;
    let (id, secret) = (new_id(), new_secret());
    query(
        "INSERT INTO devices (id, user_id, session_hash, name, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $5, $6)",
        (&id, &me.id, stored(&secret), device_name_of(visitor), now, now + SESSION_SECONDS * 1000),
    )
    .execute(&mut **tx)
    .await?;
    let known = trusted_browser::remember(tx, &me.id.0, visitor.known, now).await?;
    let viewer = Viewer { me, via: Via::Device(id.into()), address: visitor.address };
    Ok(NewSession { secret, known, viewer })
}

/// Gives the session another secret. `None`: it is over.
pub(super) async fn renew(
    tx: &mut Transaction,
    device: &DeviceId,
    now: i64,
) -> Result<Option<RenewedSession>> {
    let secret = new_secret();
    let expires_at: Option<i64> = query(
        "UPDATE devices SET session_hash = $1 WHERE id = $2 AND expires_at > $3 RETURNING expires_at",
        (stored(&secret), device, now),
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(expires_at.map(|expires_at| RenewedSession { secret, seconds: (expires_at - now) / 1000 }))
}

pub(super) fn device_name_of(visitor: &Visitor<'_>) -> String {
    device_name(visitor.user_agent)
}
